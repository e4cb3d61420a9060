from __future__ import annotations

from pathlib import Path

import pytest

from data.problems import Diagnostics, InputError, Problem
from data.streaming.checked import Events, Fault, undecoded
from data.streaming.pieces import Piece


def test_an_error_keeps_its_place_on_its_way() -> None:
    error = InputError("is wrong", "gold.txt", 7)
    assert str(Fault.of(error).error) == str(error) == "gold.txt:7: is wrong"
    assert str(Fault.of(InputError("is wrong", "gold.txt")).error) == "gold.txt: is wrong"


def test_bytes_are_told_with_the_line_in_the_file() -> None:
    fault = undecoded(Piece(Path("g"), "gold", b"a\n\xff\n", 100, 11, 10), "utf-8")
    assert fault and str(fault.error).startswith("g:12: byte 0xff is not utf-8")
    assert undecoded(Piece(Path("g"), "gold", b"a\n\xff\n"), "latin-1") is None


def test_nothing_is_told_after_an_error() -> None:
    events, diagnostics = Events(), Diagnostics()
    events.take((Problem("kind", "first", "g", 1),), None)
    events.take((Problem("kind", "second", "g", 2),), Fault.of(InputError("error", "g", 3)))
    events.take((Problem("kind", "third", "g", 4),), Fault.of(InputError("another", "g", 5)))
    with pytest.raises(InputError, match="g:3: error"):
        events.tell(diagnostics)
    assert [problem.message for problem in diagnostics.problems] == ["first", "second"]
    with pytest.raises(InputError, match="g:1: first"):
        events.tell(Diagnostics(strict=True))
