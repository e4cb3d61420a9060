"""People's judgments: how they are read, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.folder import load_folder
from data.formats.judgments import TWICE, UNKNOWN, UNRESOLVED, read_judgments
from data.model import Benchmark, Extraction, Sentence, System
from data.problems import Diagnostics, InputError

GOLD = """sent_id:7\tShe left - so they say - early .
7--> Cluster 1:
she --> left --> XXX
7--> Cluster 2:
she --> left --> early
"""
TRIPLE = "7\tshe\tleft - so they say -\tearly\n"
ROW = "0,she - left - so they say - - early"
HEAD = ",extraction,,system,\n"


def load(
    tmp_path: Path, csv: str, extractions: str = TRIPLE, diagnostics: Diagnostics | None = None
) -> tuple[Benchmark, Diagnostics]:
    for folder, name, text in (("gold", "g.txt", GOLD), ("extractions", "s.txt", extractions), ("match", "m.csv", csv)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(text)
    diagnostics = diagnostics or Diagnostics()
    return load_folder(tmp_path, diagnostics), diagnostics


def test_joined_strings_are_resolved_against_the_files(tmp_path: Path) -> None:
    benchmark, diagnostics = load(tmp_path, f"{HEAD}{ROW},2,s,1\n")
    assert benchmark.judgments[0].extraction.relation == "left - so they say -"
    assert benchmark.judgments[0].clusters == ("2",) and not diagnostics.problems


def test_a_row_that_no_file_has_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"m.csv:3: no file of s has \('she', 'left', ''\) in sentence 7"):
        load(tmp_path, f"{HEAD}{ROW},0,s\n0,she - left -,1.2,s\n")


def test_leniently_it_counts_as_an_extraction(tmp_path: Path) -> None:
    text = f"{HEAD}{ROW},0,s\n0,she - left -,1.2,s\n"
    benchmark, diagnostics = load(tmp_path, text, diagnostics=Diagnostics(lenient=True))
    assert benchmark.judgments[1].extraction.slots == ("she", "left", "")
    assert benchmark.judgments[1].clusters == ("1", "2")
    assert benchmark.extraction_count == 2
    assert diagnostics.counts() == {UNRESOLVED: 1}
    assert str(diagnostics.problems[0]).endswith("; it is taken for an extraction")


@pytest.mark.parametrize("again", ["2", "0"])
def test_an_extraction_judged_twice_is_an_error_with_both_lines(tmp_path: Path, again: str) -> None:
    with pytest.raises(InputError, match=r"m.csv:3: '.*' of s is judged again, after line 2"):
        load(tmp_path, f"{HEAD}{ROW},2,s\n{ROW},{again},s\n")


@pytest.mark.parametrize("again", ["2", "0"])
def test_leniently_the_first_judgment_counts(tmp_path: Path, again: str) -> None:
    text = f"{HEAD}{ROW},2,s\n{ROW},{again},s\n"
    benchmark, diagnostics = load(tmp_path, text, diagnostics=Diagnostics(lenient=True))
    assert [judgment.clusters for judgment in benchmark.judgments] == [("2",)]
    assert diagnostics.counts() == {TWICE: 1}


def test_an_extraction_that_a_system_repeats_may_be_judged_as_often(tmp_path: Path) -> None:
    benchmark, _ = load(tmp_path, f"{HEAD}{ROW},2,s\n{ROW},0,s\n", TRIPLE * 2)
    assert [judgment.clusters for judgment in benchmark.judgments] == [("2",), ()]
    with pytest.raises(InputError, match=r"m.csv:4: .* is judged again, after line 3"):
        load(tmp_path, f"{HEAD}{ROW},2,s\n{ROW},0,s\n{ROW},0,s\n", TRIPLE * 2)


def test_an_unknown_system_is_an_error_that_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"m.csv:2: no system is called 'other'; there are s"):
        load(tmp_path, f"{HEAD}{ROW},2,other\n")
    lenient = Diagnostics(lenient=True)
    benchmark, _ = load(tmp_path, f"{HEAD}{ROW},2,other\n", diagnostics=lenient)
    assert [system.name for system in benchmark.systems] == ["s", "other"] and lenient.counts()[UNRESOLVED] == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [("9,a - b - c,1,s", "no sentence index"), ("0,a - b - c,x,s", "no cluster"), ("0,a - b - c,5,s", "no cluster 5"),
     ("0,a", "columns")],
)  # fmt: skip
def test_bad_rows_name_their_line(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError, match=f"m.csv:2: .*{message}"):
        load(tmp_path, f"{HEAD}{row}\n")


RAIN = Extraction("1", "Rain", "fell", "")
BENCHMARK = Benchmark("gold", (Sentence.of("Rain fell .", "Rain --> fell --> XXX"),), (System("s", (RAIN,)),))


def lines(tmp_path: Path, *changes: dict[str, object]) -> Path:
    usual = {"system": "s", "sentence_id": "1", "arg1": "Rain", "relation": "fell", "arg2": "", "clusters": ["1"]}
    path = tmp_path / "judgments.jsonl"
    path.write_text("".join(json.dumps(usual | change) + "\n" for change in changes))
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sentence_id": "2"}, "the gold has no sentence '2'"),
        ({"clusters": ["9"]}, "sentence 1 has no cluster 9; it has 1"),
        ({"system": "t"}, "no system is called 't'; there are s"),
        ({"arg1": "Snow"}, "no file of s has"),
        ({}, "is judged again, after line 1"),
        ({"clusters": []}, "is judged again, after line 1"),
        ({"clusters": ["1", "1"]}, "names a cluster twice"),
    ],
)
def test_lines_about_what_is_not_there_are_errors(tmp_path: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=f"judgments.jsonl:2: .*{message}"):
        read_judgments(lines(tmp_path, {}, change), BENCHMARK, Diagnostics())


@pytest.mark.parametrize("change", [{"sentence_id": "2"}, {"clusters": ["9"]}])
def test_leniently_what_the_gold_lacks_is_left_out(tmp_path: Path, change: dict[str, object]) -> None:
    lenient = Diagnostics(lenient=True)
    judged = read_judgments(lines(tmp_path, {}, change), BENCHMARK, lenient)
    assert len(judged.judgments) == 1 and lenient.counts() == {UNKNOWN: 1}


def test_judgments_alone_bring_their_systems(tmp_path: Path) -> None:
    judged = read_judgments(lines(tmp_path, {}, {"system": "t"}), Benchmark("gold", BENCHMARK.sentences), Diagnostics())
    assert judged.systems == (System("s", (RAIN,)), System("t", (RAIN,)))
