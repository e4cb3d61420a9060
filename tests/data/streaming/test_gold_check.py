from __future__ import annotations

from pathlib import Path

import pytest

from data.problems import Diagnostics, InputError
from data.streaming.gold_check import GoldMerge, check_gold
from data.streaming.index import new_index
from data.streaming.pieces import Piece

ONE = Piece(Path("g"), "gold", b"sent_id:1\tMara left .\n1--> Cluster 1:\n --> left --> XXX\n", is_last=False)


def told(*pieces: Piece, strict: bool = False) -> list[str]:
    """The warnings and the error about pieces of a file."""
    diagnostics = Diagnostics(strict)
    with new_index(64) as index:
        merge = GoldMerge(Path("g"), index)
        for piece in pieces:
            merge.take(check_gold(piece, "utf-8"))
        try:
            merge.finish(diagnostics)
        except InputError as error:
            return [*map(str, diagnostics.problems), str(error)]
    return list(map(str, diagnostics.problems))


def following(content: bytes) -> Piece:
    return Piece(Path("g"), "gold", content, 70, 4, 3, is_first=False)


def test_warnings_of_lines_come_before_those_of_sentences() -> None:
    second = following(b"sent_id:2\tRain fell .\nsent_id:3\tIt fell .\nstray\n")
    found = told(ONE, second)
    assert [line.split(": ")[0] for line in found] == ["g:3", "g:6", "g:4", "g:5"]


def test_bytes_that_do_not_decode_come_first() -> None:
    found = told(ONE, following(b"sent_id:1\tRain fell .\n\n\xff\n"))
    assert found == ["g:6: byte 0xff is not utf-8; name the file's encoding with --encoding"]


@pytest.mark.parametrize("strict", [False, True])
def test_an_id_of_an_earlier_piece(strict: bool) -> None:
    error = "g:4: a second sentence has the id '1'"
    found = told(ONE, following(b"sent_id:1\tRain fell .\nstray\n"), strict=strict)
    assert found == (
        ["g:3: a blank slot is read as empty; write XXX for an empty second argument"] + [error] * (not strict)
    )


def test_many_warnings_are_counted_and_not_kept() -> None:
    diagnostics = Diagnostics()
    with new_index(64) as index:
        merge = GoldMerge(Path("g"), index)
        merge.take(check_gold(ONE, "utf-8"))
        merge.take(check_gold(following(b"sent_id:2\tRain fell .\n" + b"stray\n" * 50), "utf-8"))
        merge.finish(diagnostics)
    assert len(diagnostics.problems) == 11 and sum(diagnostics.left_out.values()) == 41  # the last is of a sentence
