from __future__ import annotations

from pathlib import Path

import pytest

from data.formats.reading import ReadOptions
from data.problems import Diagnostics, InputError
from data.streaming.index import Place, Run, new_index
from data.streaming.pieces import Piece
from data.streaming.system_check import SystemMerge, check_lines


def piece(content: bytes, line: int = 1) -> Piece:
    return Piece(Path("s.tsv"), "tsv", content, 100 * (line - 1), line, line - 1, is_first=line == 1)


def told(options: ReadOptions, *pieces: Piece) -> tuple[list[str], int]:
    """The warnings and the error about pieces of a file, and how many extractions are kept."""
    diagnostics = Diagnostics()
    with new_index(64) as index:
        index.add_sentences([Place("1", 0, 1), Place("2", 9, 2)])
        merge = SystemMerge(Path("s.tsv"), 0, index, options)
        for one in pieces:
            merge.take(check_lines(one, options, "tsv"))
        try:
            merge.finish(diagnostics)
        except InputError as error:
            return [*map(str, diagnostics.problems), str(error)], merge.kept
    return list(map(str, diagnostics.problems)), merge.kept


def test_runs_are_lines_of_one_sentence_side_by_side() -> None:
    found = check_lines(piece(b"1\ta\tb\tc\n1\ta\tb\t\n\n2\ta\tb\tc\td\n1\ta\tb\tc"), ReadOptions(), "tsv")
    assert found.runs == (Run("1", 0, 16, 1, 2), Run("2", 16, 26, 4, 1), Run("1", 26, 33, 5, 1))
    dropped = check_lines(piece(b"2\ta\tb\tc\td\n2\ta\tb\tc\n"), ReadOptions(nary="drop"), "tsv")
    assert [run.kept for run in dropped.runs] == [0, 1]


def test_columns_are_looked_at_in_all_pieces() -> None:
    shares, other = piece(b"1\ta\tb\tc\t0.5\n"), piece(b"1\ta\tb\tc\tin May\n", 2)
    assert "has only numbers, as confidences are" in told(ReadOptions(), shares)[0][-1]
    assert told(ReadOptions(), shares, other) == (
        ["s.tsv: 2 extractions have more than two arguments; the further ones join the second"], 2,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (b"9\ta\tb\tc\n", "s.tsv:2: sentence id '9' is not in the gold, whose ids are 1, 2, ..."),
        (b"9\ta\tb\tc\n1\ta\n", "s.tsv:3: 'sent_id<TAB>arg1<TAB>relation<TAB>arg2' was expected"),
        (b"9\ta\tb\tc\n1\t\xff\n", "s.tsv:3: byte 0xff is not utf-8"),
    ],
)
def test_errors_come_in_the_order_of_reading_whole(second: bytes, message: str) -> None:
    problems, _ = told(ReadOptions(), piece(b"sent_id\targ1\trel\targ2\n"), piece(second, 2))
    assert problems[-1].startswith(message)
    assert (len(problems) == 2) == ("byte" not in message)  # the header is told first, unless bytes don't decode


def test_a_file_without_lines_is_told() -> None:
    assert told(ReadOptions(), piece(b"")) == (["s.tsv: has no extractions, which scores 0"], 0)
