"""Errors, warnings and notes about input files."""

from __future__ import annotations

import io

import pytest

from data.problems import Diagnostics, InputError, Problem


def test_an_error_is_one_line_that_cannot_steer_a_terminal() -> None:
    error = InputError("'a\x1b[2Jb\nc' is no word", "gold\x07.txt", 3)
    assert str(error) == r"gold\x07.txt:3: 'a\x1b[2Jb c' is no word"


def test_strict_makes_the_first_warning_an_error() -> None:
    with pytest.raises(InputError, match=r"gold\.txt:3: odd"):
        Diagnostics(strict=True).warn("kind", "odd", "gold.txt", 3)


def test_what_is_refused_is_a_warning_if_lenient() -> None:
    with pytest.raises(InputError, match=r"^gold\.txt:3: said twice$"):
        Diagnostics().refuse("twice", "said twice", "the first counts", "gold.txt", 3)
    lenient = Diagnostics(lenient=True)
    lenient.refuse("twice", "said twice", "the first counts", "gold.txt", 3)
    assert [str(problem) for problem in lenient.problems] == ["gold.txt:3: said twice; the first counts"]


def test_ten_warnings_a_file_are_shown_and_notes_before_them_once() -> None:
    diagnostics = Diagnostics()
    for line in range(1, 13):
        diagnostics.warn("kind", "odd", "gold.txt", line)
    diagnostics.warn("kind", "odd", "other.txt", 1)
    for _ in range(2):
        diagnostics.note("read as carb", "gold.tsv")
    stream = io.StringIO()
    diagnostics.show(stream)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "gold.tsv: read as carb" and lines[1] == "warning: gold.txt:1: odd"
    assert lines[11:] == ["warning: gold.txt: 2 more warnings (12 in all)", "warning: other.txt:1: odd"]
    assert diagnostics.counts() == {"kind": 13}


def test_notes_are_no_warnings() -> None:
    strict = Diagnostics(strict=True)
    strict.note("read as carb", "gold.tsv")
    assert strict.notes == [Problem("note", "read as carb", "gold.tsv")] and not strict.problems
