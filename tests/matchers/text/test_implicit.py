from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from data.catalog import load
from data.formats.reading import ReadOptions
from data.model import Benchmark, Extraction, Sentence, System
from data.problems import Diagnostics
from matchers.score import main
from matchers.text.implicit import foreign_words, without_implicit

SENTENCE = Sentence("1", "Prof. Mara Venn lives in Oslo , doesn't she ?")


@pytest.mark.parametrize(
    ("slots", "foreign"),
    [
        (("Mara Venn", "lives in", "Oslo"), ()),
        (("Mara Venn", "is", "Prof."), ("is",)),
        (("mara venn", "LIVES", "in Oslo."), ()),
        (("she", "does n't", "Oslo"), ()),
        (("Mara Venn", "-", "Oslo"), ()),
        (("Mara Venns", "lived in", "Oslo"), ("Venns", "lived")),
    ],
)
def test_words_that_are_not_in_the_sentence(slots: tuple[str, str, str], foreign: tuple[str, ...]) -> None:
    assert foreign_words(Extraction("1", *slots), SENTENCE) == foreign


def test_implicit_extractions_are_dropped_and_counted() -> None:
    own = System("own", (Extraction("1", "Mara Venn", "is", "Prof."), Extraction("1", "Mara Venn", "lives in", "Oslo")))
    clean = System("clean", (Extraction("1", "she", "lives in", "Oslo"),))
    notes = Diagnostics()
    left = without_implicit(Benchmark("made", (SENTENCE,), (own, clean)), notes)
    assert [len(system.extractions) for system in left.systems] == [1, 1]
    (problem,) = notes.problems
    assert "own: 1 of 2 extractions" in problem.message


def scored(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[dict[str, Any], str]:
    assert main([*map(str, arguments), "--json", "-", "--resamples", "10"]) == 0
    shown = capsys.readouterr()
    return json.loads(shown.out), shown.err


def test_the_command_drops_implicit_extractions(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result, said = scored(capsys, "--gold", gold, "--implicit", "drop")
    assert {s["name"]: s["extractions"] for s in result["systems"]} == {"short": 2, "long": 2}
    assert "|implicit:drop|" in result["signature"] and said.count("not in the sentence") == 2
    result, said = scored(capsys, "--gold", gold)
    assert "|implicit:keep|" in result["signature"] and said == ""


def test_the_command_joins_or_drops_n_ary_extractions(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.tsv"
    own.write_text("1\tMara Venn\tmoved\tto Oslo\tin May\n1\tMara Venn\tmoved to\tOslo\n")
    result, said = scored(capsys, "--gold", gold, "--system", f"own={own}")
    assert result["systems"][0]["extractions"] == 2 and "join the second" in said
    assert "|nary:join|" in result["signature"]
    result, said = scored(capsys, "--gold", gold, "--system", f"own={own}", "--nary", "drop")
    assert result["systems"][0]["extractions"] == 1 and "dropped" in said
    assert "|nary:drop|" in result["signature"]


def test_further_arguments_of_json_lines_are_joined_or_dropped_too(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.jsonl"
    fields = '"sentence_id": "2", "arg1": "mill", "relation": "burned down", "arg2": "in"'
    lines = (f'{{{fields}, "arg3": "May", "arg4": null}}', f'{{{fields}, "arg3+": ["May", "."]}}', f"{{{fields}}}")
    own.write_text("\n".join(lines))
    matches = tmp_path / "matches.jsonl"
    _, said = scored(capsys, "--gold", gold, "--system", f"own={own}", "--matches", matches)
    assert "2 extractions have more than two arguments; the further ones join the second" in said
    assert [json.loads(line)["arg2"] for line in matches.read_text().splitlines()] == ["in May", "in May .", "in"]
    result, said = scored(capsys, "--gold", gold, "--system", f"own={own}", "--nary", "drop")
    assert result["systems"][0]["extractions"] == 1 and "they are dropped" in said


def test_n_ary_with_confidences_counts_the_confidence_out(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.tsv"
    own.write_text("1\tMara Venn\tmoved\tto Oslo\tin May\t0.5\n1\tMara Venn\tmoved to\tOslo\t0.9\n")
    arguments = ("--gold", gold, "--system", f"own={own}", "--nary", "drop", "--confidence", "last")
    assert scored(capsys, *arguments)[0]["systems"][0]["extractions"] == 1


def test_a_system_of_n_ary_extractions_only_is_left_with_none(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.tsv"
    own.write_text("1\tMara Venn\tmoved\tto Oslo\tin May\n")
    result, _ = scored(capsys, "--gold", gold, "--system", f"own={own}", "--nary", "drop")
    assert (result["systems"][0]["extractions"], result["systems"][0]["f1"]) == (0, 0.0)


def test_benchies_files_have_explicit_extractions_only(benchie_en: Benchmark) -> None:
    notes = Diagnostics()
    left = without_implicit(benchie_en, notes)
    lost = {
        a.name: len(a.extractions) - len(b.extractions) for a, b in zip(benchie_en.systems, left.systems, strict=True)
    }
    assert {name: count for name, count in lost.items() if count} == {"minie": 2}  # a number that is split otherwise


def test_wire57_has_n_ary_extractions(real_data: Path) -> None:
    joined = load("wire57", real_data, Diagnostics())
    kept = load("wire57", real_data, Diagnostics(), ReadOptions(nary="drop"))
    assert 0 < kept.extraction_count < joined.extraction_count
    assert [system.name for system in kept.systems] == [system.name for system in joined.systems]
