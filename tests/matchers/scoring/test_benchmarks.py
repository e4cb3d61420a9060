"""The scoring command on all benchmarks at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.command_line import run
from matchers.score import main
from matchers.scoring.results import UNDEFINED
from tests.matchers.commanded import by_name, refused, scored
from tests.matchers.invented import WIRE57_GOLD


def test_all_benchmarks_side_by_side(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--all", "--data", sets)
    assert [b["name"] for b in result["benchmarks"]] == ["benchie_fl", "benchie_en", "wire57", "benchie_carb"]
    assert result["not_found"] == []
    by_board = {b["name"]: by_name(b["systems"]) for b in result["benchmarks"]}
    assert "m2oie" in by_board["benchie_fl"] and "m2oie" in by_board["benchie_en"]
    found = {(d["first"], d["second"]): d for d in result["disagreements"]}
    pair = found["clausie", "minie"]
    assert "benchie_en" in pair["first_above"] and "benchie_fl" in pair["second_above"]
    assert main(["--all", "--data", str(sets), "--resamples", "20", "--quiet"]) == 0
    shown = capsys.readouterr().out
    assert "clausie above minie: benchie_en" in shown and "gold:" in shown
    row = next(line for line in shown.splitlines() if line.startswith("stanford"))
    assert row.split()[1] == UNDEFINED
    assert f"{UNDEFINED} no output of this system" in shown and "benchie_fl has no intervals: 2 sentences" in shown


def test_a_system_given_by_sentence_texts_counts_wherever_its_sentences_are(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.tsv"
    own.write_text("the old mill burned down in may.\tThe old mill\tburned down in\tMay\nElsewhere .\ta\tb\tc\n")
    assert main(["--all", "--data", str(sets), "--system", f"own={own}", "--resamples", "20"]) == 0
    shown = capsys.readouterr()
    assert "own names 1 of the 2 sentences of benchie_fl" in shown.out
    assert "own: 1 extractions are of sentences that no benchmark here has" in shown.err
    result = scored(capsys, "--all", "--data", sets, "--system", f"own={own}")
    scores = {b["name"]: by_name(b["systems"])["own"] for b in result["benchmarks"]}
    assert scores["benchie_fl"]["recall"] == 0.5 and scores["benchie_fl"]["sentences_named"] == 1
    assert scores["wire57"]["precision"] > 0 and scores["benchie_carb"]["f1"] > 0
    beside = scored(capsys, "--all", "--data", sets, "--system", f"own={own}", "--beside")
    assert {"own", "clausie"} <= set(by_name(beside["benchmarks"][0]["systems"]))


def test_a_system_given_by_ids_is_missing_where_the_ids_are_others(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.tsv"
    own.write_text("2\tThe old mill\tburned down in\tMay\n")
    result = scored(capsys, "--all", "--data", sets, "--system", f"own={own}")
    assert [len(b["systems"]) for b in result["benchmarks"]] == [1, 1, 0, 1]


def test_all_says_what_is_not_found(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sets / "wire57" / WIRE57_GOLD).unlink()
    assert scored(capsys, "--all", "--data", sets)["not_found"] == ["wire57"]
    assert main(["--all", "--data", str(sets), "--resamples", "20"]) == 0
    assert "not found: wire57" in capsys.readouterr().out


def test_all_without_any_benchmark_or_sentence_is_an_error(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert run(main, ["--all", "--data", str(tmp_path / "empty")]) == 1
    assert "python -m data.fetch" in capsys.readouterr().err
    own = tmp_path / "own.tsv"
    own.write_text("Elsewhere .\ta\tb\tc\n")
    assert run(main, ["--all", "--data", str(sets), "--system", f"own={own}"]) == 1
    assert "no line of the system 'own'" in capsys.readouterr().err
    assert run(main, ["--all", "--data", str(sets), "--system", f"clausie={own}", "--beside"]) == 1
    assert "two systems are called 'clausie'" in capsys.readouterr().err


@pytest.mark.parametrize("flag", [["--matcher", "em"], ["--facet", "C"], ["--implicit", "drop"], ["--csv", "-"]])
def test_all_scores_as_the_authors_do(flag: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert f"{flag[0]} can't be used with --all" in refused(capsys, "--all", *flag)


def test_all_real_benchmarks(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--all", "--data", real_data)
    everywhere = set.intersection(*({s["name"] for s in b["systems"]} for b in result["benchmarks"]))
    assert everywhere == {"clausie", "minie"}
    found = {(d["first"], d["second"]): d for d in result["disagreements"]}
    assert found["minie", "openie6"]["second_above"] == ["benchie_carb"]
    assert found["stanford", "naive"]["second_above"] == ["benchie_carb"]
