"""The formats by name, and guessing one where that is safe."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.formats.reading import ReadOptions
from data.formats.registry import (
    FORMATS,
    PARTIAL_CONFIDENCE,
    ExtractionFormat,
    GoldFormat,
    JudgmentFormat,
    format_named,
    guess_format,
    read_any_gold,
)
from data.problems import Diagnostics, InputError

BENCHIE = "sent_id:1\tRain fell .\n1--> Cluster 1:\nRain --> fell --> XXX\n"
JSONL = '{"sentence_id": "1", "arg1": "Rain", "relation": "fell", "arg2": ""}\n'


def saved(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_the_names_and_kinds() -> None:
    kinds = {
        kind: [name for name, item in FORMATS.items() if isinstance(item, kind)]
        for kind in (GoldFormat, ExtractionFormat, JudgmentFormat)
    }
    assert kinds[GoldFormat] == [
        "benchie",
        "annie-json",
        "annie-text",
        "wire57",
        "carb",
        "webnlg-xml",
        "webnlg-json",
        "piped",
    ]
    assert kinds[ExtractionFormat] == [
        "extractions-tsv",
        "extractions-jsonl",
        "wire57-extractions",
        "webnlg-xml-triples",
        "webnlg-json-triples",
        "piped-triples",
    ]
    assert kinds[JudgmentFormat] == ["match-csv", "judgments-jsonl"]
    assert [name for name, item in FORMATS.items() if item.write is None] == [
        "wire57",
        "webnlg-xml",
        "webnlg-json",
        "piped",
        "webnlg-xml-triples",
        "webnlg-json-triples",
        "match-csv",
    ]
    assert all("\n" not in item.meaning for item in FORMATS.values())


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="no format is called 'conll'; the names are benchie, annie-json"):
        format_named("conll")


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("a.txt", BENCHIE, "benchie"),
        ("a.txt", "\ufeff" + BENCHIE.replace("\n", "\r\n"), "benchie"),
        ("a.txt", "Rain fell .\r\n1--> Cluster 1: \r\nRain --> fell --> XXX \r\n", "annie-text"),
        ("a.json", '{\n "textFile": {},\n "clusters": []}', "annie-json"),
        ("a.json", '{"doc": [], "other": [{"id": "1", "tuples": []}]}', "wire57"),
        ("a.json", '{"1": [{"arg1": "a", "extractor": "b"}]}', "wire57-extractions"),
        ("a.jsonl", JSONL, "extractions-jsonl"),
        ("a.jsonl", JSONL.replace("}", ', "clusters": []}'), "judgments-jsonl"),
        ("a.csv", "0,Rain - fell - ,1,pithy,1\n", "match-csv"),
        ("a.txt", "1\tRain\tfell\ton Oslo\n", "extractions-tsv"),
        ("a.tsv", "Rain fell on Oslo .\tfell\tRain\ton Oslo\n", "carb"),
    ],
)
def test_a_format_is_guessed_where_it_is_plain(tmp_path: Path, file: str, text: str, name: str) -> None:
    guessed = guess_format(saved(tmp_path / file, text))
    assert guessed is not None
    assert guessed.name == name


@pytest.mark.parametrize(
    "text", ["", "Rain fell .\n", "{", "{}", "[1]", '{"a": 1}', "TO 1\tRain\tfell\t\n", "Rain --> fell --> XXX\n"]
)
def test_no_format_is_guessed_where_several_could_be(tmp_path: Path, text: str) -> None:
    assert guess_format(saved(tmp_path / "a.txt", text)) is None


def test_gold_of_any_format_is_read(tmp_path: Path) -> None:
    benchie = read_any_gold(saved(tmp_path / "gold.txt", BENCHIE), Diagnostics(strict=True))
    carb = read_any_gold(saved(tmp_path / "gold.tsv", "Rain fell .\tfell\tRain\n"), Diagnostics(), name="carb")
    assert benchie == carb
    with pytest.raises(InputError, match=r"extractions-jsonl is what it looks like, .*; name one with --from: benchie"):
        read_any_gold(saved(tmp_path / "system.jsonl", JSONL), Diagnostics())


def test_a_form_is_read_and_written_whatever_the_file_is_called(tmp_path: Path) -> None:
    jsonl, tsv = FORMATS["extractions-jsonl"], FORMATS["extractions-tsv"]
    assert isinstance(jsonl, ExtractionFormat)
    assert isinstance(tsv, ExtractionFormat)
    systems = jsonl.read(saved(tmp_path / "pithy.txt", JSONL), Diagnostics(), ReadOptions())
    tsv.write(systems, tmp_path / "pithy.json", Diagnostics())
    assert (tmp_path / "pithy.json").read_text() == "1\tRain\tfell\t\n"


def test_confidences_that_a_table_cannot_hold_are_told(tmp_path: Path) -> None:
    jsonl, tsv = FORMATS["extractions-jsonl"], FORMATS["extractions-tsv"]
    assert isinstance(jsonl, ExtractionFormat)
    assert isinstance(tsv, ExtractionFormat)
    text = JSONL + JSONL.replace("}", ', "confidence": 0.5}')
    diagnostics = Diagnostics()
    tsv.write(
        jsonl.read(saved(tmp_path / "a.jsonl", text), diagnostics, ReadOptions()), tmp_path / "a.tsv", diagnostics
    )
    assert diagnostics.counts() == {PARTIAL_CONFIDENCE: 1}


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("benchie/gold/zh.txt", "benchie"),
        ("wire57/WiRe57_343-manual-oie.json", "wire57"),
        ("carb/test.tsv", "carb"),
        ("benchie_fl/extractions/minie.txt", "extractions-tsv"),
        ("benchie_fl/match/matches_benchie50_7_systems_annotated.csv", "match-csv"),
    ],
)
def test_real_files_are_recognized(real_data: Path, file: str, name: str) -> None:
    guessed = guess_format(real_data / file)
    assert guessed is not None
    assert guessed.name == name
