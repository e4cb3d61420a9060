"""Systems' extractions: what is read, and what is told of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.formats.extractions import HEADER_LINE, NARY, NO_EXTRACTIONS, read_extractions, read_lines
from data.formats.reading import Confidence, ReadOptions
from data.model import System
from data.problems import Diagnostics, InputError

ROWS = "1\tRain\tfell\ton Oslo\n2\tSnow\tfell\t\n"


def read(
    tmp_path: Path, text: str, options: ReadOptions | None = None, name: str = "pithy.tsv"
) -> tuple[System, Diagnostics]:
    path = tmp_path / name
    path.write_text(text)
    diagnostics = Diagnostics()
    return read_extractions(path, diagnostics, options=options), diagnostics


def test_lines_are_extractions(tmp_path: Path) -> None:
    system, diagnostics = read(tmp_path, ROWS)
    assert [extraction.slots for extraction in system.extractions] == [
        ("Rain", "fell", "on Oslo"),
        ("Snow", "fell", ""),
    ]
    assert system.name == "pithy" and not diagnostics.problems


@pytest.mark.parametrize(
    "head",
    ["sent_id\targ1\trelation\targ2", "Sentence ID\tArg 1\tRel\tArg 2\tConfidence", "id\tsubject\tpredicate\tobject"],
)
def test_a_header_is_recognised_named_and_left_out(tmp_path: Path, head: str) -> None:
    system, diagnostics = read(tmp_path, f"{head}\n{ROWS}")
    assert len(system.extractions) == 2 and diagnostics.counts() == {HEADER_LINE: 1}
    assert str(diagnostics.problems[0]).startswith(f"{tmp_path}/pithy.tsv:1: is a header line, '")


def test_an_extraction_may_have_the_words_of_a_header(tmp_path: Path) -> None:
    system, diagnostics = read(tmp_path, "1\tthe score\tis\trelation\n1\targ1\trelation\targ2\n")
    assert len(system.extractions) == 2 and not diagnostics.problems


@pytest.mark.parametrize("numbers", [("0.5", "1"), ("0", "0.25"), (" 1e-3 ", "0.9"), ("95", "7"), ("-0.3", "-4.1")])
@pytest.mark.parametrize("further", ["", "\tin May"])
def test_a_column_of_confidences_is_not_taken_for_an_argument(
    tmp_path: Path, numbers: tuple[str, str], further: str
) -> None:
    text = "".join(f"1\tRain\tfell\ton Oslo{further}\t{number}\n" for number in numbers)
    with pytest.raises(InputError, match=r"pithy\.tsv:1: .* say --confidence last, or --nary join if"):
        read(tmp_path, text)
    scored, _ = read(tmp_path, text, ReadOptions(confidence="last"))
    assert [extraction.confidence for extraction in scored.extractions] == [float(number) for number in numbers]
    joined, diagnostics = read(tmp_path, text, ReadOptions(nary="join"))
    assert joined.extractions[0].arg2.endswith(numbers[0].strip()) and diagnostics.counts() == {NARY: 1}


@pytest.mark.parametrize("ends", [("\tin 1999",), ("\t0.5", ""), ("\t0.5", "\tx"), ("\tnan",)])
def test_other_further_columns_are_arguments(tmp_path: Path, ends: tuple[str, ...]) -> None:
    system, diagnostics = read(tmp_path, "".join(f"1\ta\tb\tc{end}\n" for end in ends))
    assert system.extractions[0].arg2.startswith("c ") and diagnostics.counts() == {NARY: 1}


@pytest.mark.parametrize(("row", "where"), [("1\ta\tb\tc\t0.5\t7\n", "last"), ("0.5\t1\ta\tb\tc\t7\n", "first")])
def test_a_second_column_of_numbers_beside_the_confidence_is_questioned(
    tmp_path: Path, row: str, where: Confidence
) -> None:
    with pytest.raises(InputError, match="1: beside the confidence, a column after the fourth has only numbers"):
        read(tmp_path, row, ReadOptions(confidence=where))
    joined, _ = read(tmp_path, row, ReadOptions(confidence=where, nary="join"))
    assert joined.extractions[0].confidence in (0.5, 7.0)


def test_n_ary_ones_can_be_dropped(tmp_path: Path) -> None:
    system, _ = read(tmp_path, "1\ta\tb\tc\td\n" + ROWS, ReadOptions(nary="drop"))
    assert len(system.extractions) == 2
    line = '{"sentence_id": "1", "arg1": "a", "relation": "b", "arg2": "c", "arg3": "d"}\n'
    assert read(tmp_path, line, name="a.jsonl")[0].extractions[0].arg2 == "c d"
    assert read(tmp_path, line, ReadOptions(nary="drop"), "a.jsonl")[0].extractions == ()


@pytest.mark.parametrize("name", ["pithy.tsv", "pithy.jsonl"])
@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_file_without_lines_is_a_system_without_extractions(tmp_path: Path, name: str, text: str) -> None:
    system, diagnostics = read(tmp_path, text, name=name)
    assert system == System("pithy") and diagnostics.counts() == {NO_EXTRACTIONS: 1}


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1\ta\tb\n", ReadOptions(), "1: .* there are 3 columns$"),
        (ROWS + "1\n", ReadOptions(), "3: .* there are 1 columns$"),
        ("1\ta\tb\tc\tx\n", ReadOptions(confidence="last"), "1: 'x' is no confidence"),
        ("1\ta\tb\tc\tinf\n", ReadOptions(confidence="last"), "1: a confidence is a finite number"),
        ("1\t\t\t\n", ReadOptions(), "1: an extraction needs at least one word"),
    ],
)
def test_mistakes_name_their_line(tmp_path: Path, text: str, options: ReadOptions, message: str) -> None:
    with pytest.raises(InputError, match=rf"pithy\.tsv:{message}"):
        read(tmp_path, text, options)


def test_lines_keep_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "pithy.tsv"
    path.write_text("sent_id\targ1\trel\targ2\n\n" + ROWS)
    assert [line.number for line in read_lines(path, Diagnostics(), ReadOptions())] == [3, 4]
