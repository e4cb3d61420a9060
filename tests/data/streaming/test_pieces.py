from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import pytest

from data.streaming.pieces import Kind, Piece, can_be_parted, last_sentence, pieces

GOLD = (
    b"sent_id:1\tMara left .\r\n1--> Cluster 1:\nMara --> left --> XXX\n\nsent_id:2\tRain fell .\rrain --> fell --> XXX"
)


def parts(content: bytes, kind: Kind, size: int) -> list[Piece]:
    return list(pieces(io.BytesIO(content), Path("file"), kind, size))


@pytest.mark.parametrize("size", [1, 7, 30, 1000])
@pytest.mark.parametrize("kind", ["gold", "tsv"])
def test_pieces_are_the_file_with_right_places(kind: Kind, size: int) -> None:
    found = parts(GOLD, kind, size)
    assert b"".join(piece.content for piece in found) == GOLD
    assert [piece.is_last for piece in found] == [False] * (len(found) - 1) + [True]
    assert [piece.is_first for piece in found] == [True] + [False] * (len(found) - 1)
    for before, after in pairwise(found):
        assert after.offset == before.offset + len(before.content)
    lines = [line for piece in found for line in piece.lines("utf-8")]
    assert [number for number, _, _ in lines] == [1, 2, 3, 5, 6]
    assert all(GOLD[offset:].startswith(text.encode()) for _, offset, text in lines)


def test_gold_is_parted_before_sentences() -> None:
    first, second = parts(GOLD, "gold", 7)
    assert first.content.endswith(b"\n\n") and second.content.startswith(b"sent_id:2")
    assert (second.line, second.line_feeds) == (5, 4)


@pytest.mark.parametrize(
    "content",
    [
        b"sent_id:1\tMara left .\n",  # the first line
        b"a --> b --> c\nsent_id:2\tRain",  # not whole
        b"a --> b --> c\nsent_id:2 --> is --> text\n",  # a formulation
        b"a --> b --> sent_id:2\tRain\n",
    ],
)
def test_what_is_no_border(content: bytes) -> None:
    assert last_sentence(content) == 0


def test_blank_pieces_are_left_out_but_one_piece_there_is() -> None:
    (piece,) = parts(b"\n \n\n1\ta\tb\tc\n\n\n", "tsv", 1)
    assert (piece.content, piece.line, piece.is_first, piece.is_last) == (b"1\ta\tb\tc\n", 4, True, True)
    assert [piece.content for piece in parts(b"\n\n", "tsv", 1)] == [b""]


def test_a_mark_is_no_part_of_the_first_line() -> None:
    (piece,) = parts("\ufeffsent_id:1\tMara .\n".encode(), "gold", 100)
    assert next(piece.lines("utf-8")) == (1, 0, "sent_id:1\tMara .")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp037", "shift_jis", "hex", "none such", "a\0b"])
def test_encodings_with_other_bytes_for_line_ends_can_not_be_parted(encoding: str) -> None:
    assert not can_be_parted(encoding)
