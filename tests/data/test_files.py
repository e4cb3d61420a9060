"""Files from Python, as a notebook would read and write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import data
from data import Benchmark, Diagnostics, Extraction, InputError, Judgment, Sentence, System
from data.formats.registry import FORMATS, GoldFormat

GOLD = Benchmark(
    "gold",
    (
        Sentence.of("Rain fell on Oslo again .", ["Rain --> fell on --> Oslo", "Rain --> fell --> on Oslo"]),
        Sentence.of("Snow fell .", "Snow --> fell --> XXX", id="2"),
    ),
)
RAIN = Extraction("1", "Rain", "fell on", "Oslo")


@pytest.mark.parametrize("name", [n for n, item in FORMATS.items() if isinstance(item, GoldFormat) and item.write])
@pytest.mark.parametrize("kind", [str, Path])
def test_gold_of_any_format_is_written_and_read_by_str_and_path(tmp_path: Path, name: str, kind: Any) -> None:
    path = kind(tmp_path / f"gold{FORMATS[name].suffix}")
    data.write_gold(GOLD, path, name)
    for read in (data.read_gold(path, name), data.read_gold(path)):
        assert [sentence.text for sentence in read] == [sentence.text for sentence in GOLD]
        assert [len(sentence.clusters) for sentence in read] == [1, 1]


def test_a_guess_is_said_on_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data.write_gold(GOLD, tmp_path / "gold.txt", "annie-text")
    data.read_gold(tmp_path / "gold.txt")
    assert capsys.readouterr().err == f"{tmp_path}/gold.txt: read as annie-text; --from names another format\n"
    data.read_gold(tmp_path / "gold.txt", "annie-text")
    assert capsys.readouterr().err == ""


def test_names_folders_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert data.read_gold("sample").name == "sample"
    (tmp_path / "gold").mkdir()
    data.write_gold(GOLD, tmp_path / "gold" / "gold.txt")
    assert data.read_gold(str(tmp_path)).sentences == GOLD.sentences
    monkeypatch.chdir(tmp_path)
    data.write_gold(GOLD, "sample")
    assert data.read_gold(Path("sample")).sentences == GOLD.sentences
    assert data.read_gold("sample").sentences != GOLD.sentences


def test_another_language_is_split(tmp_path: Path) -> None:
    data.write_gold(Benchmark("zh", (Sentence.of("北京下雨", "北京 --> 下雨 --> XXX"),)), tmp_path / "zh.txt")
    assert data.read_gold(tmp_path / "zh.txt", language="zh").sentences[0].text == "北 京 下 雨"


@pytest.mark.parametrize("file", ["mine.tsv", "mine.jsonl", "mine.txt"])
@pytest.mark.parametrize("kind", [str, Path])
def test_extractions_are_written_and_read(tmp_path: Path, file: str, kind: Any) -> None:
    path = kind(tmp_path / file)
    data.write_extractions([RAIN, Extraction("2", "Snow", "fell", "")], path)
    system = data.read_extractions(path)
    assert system.name == "mine" and system.extractions[0] == RAIN
    assert data.read_extractions(path, name="other") == System("other", system.extractions)


def test_a_file_of_several_systems(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    one = {"arg1": "a", "rel": "b", "arg2": ""}
    path.write_text(json.dumps({"1": [one | {"extractor": "x"}, one | {"extractor": "y"}]}))
    assert [system.name for system in data.read_systems(path)] == ["x", "y"]
    with pytest.raises(InputError, match="has 2 systems, not one; read it with read_systems"):
        data.read_extractions(path)


def test_confidences_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("1\tRain\tfell\t\t0.5\n")
    with pytest.raises(InputError, match="--confidence last"):
        data.read_extractions(path)
    assert data.read_extractions(path, confidence="last").extractions[0].confidence == 0.5


@pytest.mark.parametrize("kind", [str, Path])
def test_judgments_are_written_and_read(tmp_path: Path, kind: Any) -> None:
    path = kind(tmp_path / "judgments.jsonl")
    data.write_judgments([Judgment("mine", RAIN, ("1",))], path)
    judged = data.read_judgments(path, GOLD)
    assert judged.judgments == (Judgment("mine", RAIN, ("1",)),) and judged.systems[0].name == "mine"
    data.write_judgments(judged, path)
    assert data.read_judgments(path, GOLD) == judged


def test_warnings_go_where_they_are_sent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gold.txt"
    path.write_text("sent_id:1\tRain fell .\n")
    diagnostics = Diagnostics()
    data.read_gold(path, diagnostics=diagnostics)
    assert len(diagnostics.problems) == 1 and capsys.readouterr().err == ""
    data.read_gold(path)
    assert capsys.readouterr().err == f"warning: {path}:1: sentence 1 has no cluster\n"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda folder: data.read_gold(folder / "none.txt"), "no such file"),
        (lambda folder: data.read_gold(folder / "none.txt", "klingon"), "no format is called 'klingon'"),
        (lambda folder: data.read_gold("x" * 300), "can't be read"),
        (lambda folder: data.read_extractions(folder / "none.tsv", "benchie"), "benchie is no format of extractions"),
        (lambda folder: data.read_judgments(folder / "a", GOLD, "carb"), "carb is no format of judgments"),
        (lambda folder: data.write_gold(GOLD, folder / "a", "wire57"), "wire57 is no format that gold can be written"),
        (lambda folder: data.write_extractions([RAIN], folder / "a", "carb"), "carb is no format that extractions"),
        (lambda folder: data.load("x" * 300), "no data set or folder is called"),
        (lambda folder: data.load("a\x00b"), "no data set or folder is called"),
        (lambda folder: data.load("benchie_fl", "y" * 300), "no such folder; --data names"),
    ],
)
def test_mistakes_are_input_errors(tmp_path: Path, call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call(tmp_path)
