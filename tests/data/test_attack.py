"""Attacks: what they write, and which scorers they fool."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.attack import main
from data.attacks.baselines import KINDS, attack
from data.catalog import load
from data.command_line import run
from data.formats.extractions import read_extractions
from data.formats.reading import ReadOptions
from data.model import Benchmark, Sentence
from data.problems import Diagnostics

GOLD = """sent_id:1\tMara Venn was born in Arden and sold mills .
1--> Cluster 1:
Mara Venn --> was born in --> Arden
1--> Cluster 2:
Mara Venn --> sold --> mills

sent_id:2\tRain again
2--> Cluster 1:
Rain --> again --> XXX
"""


def slots(benchmark: Benchmark, kind: str) -> list[tuple[str, str, str]]:
    return [extraction.slots for extraction in attack(benchmark, kind).extractions]  # type: ignore[arg-type]


def one(text: str) -> Benchmark:
    return Benchmark("gold", (Sentence("1", text),))


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.txt"
    path.write_text(GOLD)
    return path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["out.tsv", "out.jsonl"])
def test_what_is_written_can_be_read(gold: Path, tmp_path: Path, kind: str, name: str):
    assert main([str(gold), "--kind", kind, "--output", str(tmp_path / name), "--quiet"]) == 0
    diagnostics = Diagnostics()
    system = read_extractions(tmp_path / name, diagnostics)
    assert [e.slots for e in system.extractions] == slots(load_gold(gold), kind)
    assert not diagnostics.problems


def load_gold(path: Path) -> Benchmark:
    from data.formats.benchie import read_gold

    return read_gold(path, Diagnostics())


def test_confidences_are_written_where_they_do_no_harm(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "out.tsv"
    main([str(gold), "--kind", "munchkin", "--confidence", "--output", str(path), "--quiet"])
    scored = read_extractions(path, Diagnostics(), options=ReadOptions(confidence="last"))
    assert scored.extractions[1].confidence == 0.5
    main([str(gold), "--kind", "munchkin", "--output", str(tmp_path / "out.jsonl"), "--quiet"])
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[1])["confidence"] == 0.5
    capsys.readouterr()
    main([str(gold), "--kind", "munchkin", "--quiet"])
    assert capsys.readouterr().out.splitlines()[0] == "1\tMara\tVenn\twas born in Arden and sold mills ."


def test_sentences_without_extraction_are_counted(gold: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(gold), "--kind", "naive"]) == 0
    captured = capsys.readouterr()
    assert "1 sentences have no extraction of the kind naive" in captured.err
    assert len(captured.out.splitlines()) == 3


def test_a_data_set_can_be_named(capsys: pytest.CaptureFixture[str]):
    assert main(["sample", "--kind", "whole-sentence"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(load("sample").sentences)


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (None, ["--kind", "naive"], "no such file"),
        ("sent_id:1\tRain again\n", ["--kind", "naive"], "finds nothing in the 1 sentences"),
        ("sent_id:1\tRain again\n", ["--kind", "naive", "--spacy", "no_such_model"], "spaCy"),
    ],
)
def test_mistakes_are_told_in_a_line(
    tmp_path: Path, text: str | None, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "gold.txt"
    if text is not None:
        path.write_text(text)
    output = tmp_path / "out.tsv"
    assert run(main, [str(path), *arguments, "--output", str(output)]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("error: ") and message in error
    assert not output.exists()


@pytest.mark.parametrize("flag", [["--spacy", "model"], ["--confidence"]])
def test_flags_of_another_kind_are_wrong_usage(flag: list[str]):
    with pytest.raises(SystemExit) as stopped:
        main(["sample", "--kind", "whole-sentence", *flag])
    assert stopped.value.code == 2


def test_other_languages_are_told_that_verbs_are_english(real_data: Path, capsys: pytest.CaptureFixture[str]):
    given = ["--data", str(real_data), "--kind", "naive"]
    assert run(main, ["benchie_de", *given]) == 0
    assert "verbs are found by English words and endings, but the language is de" in capsys.readouterr().err
    assert run(main, ["benchie_zh", *given]) == 1
    assert "without --spacy it knows English verbs only" in capsys.readouterr().err
