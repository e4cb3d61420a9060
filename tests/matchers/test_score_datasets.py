"""The scoring command on data sets with scorers of their own, in other languages, and on all at once."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from invented import WIRE57_GOLD

from data.commands import run
from matchers.score import main

# WiRe57's Table 3: extractions, matches, exact, P and R of matches, P, R, F1; Ollie's P is misprinted there.
TABLE_3 = {
    "reverb": (79, 54, 13, 0.83, 0.77, 0.569, 0.121, 0.200),
    "ollie": (145, 74, 8, 0.73, 0.81, 0.374, 0.175, 0.239),
    "clausie": (223, 121, 24, 0.74, 0.84, 0.401, 0.298, 0.342),
    "stanford": (371, 99, 2, 0.79, 0.65, 0.210, 0.188, 0.198),
    "openie4": (101, 74, 5, 0.68, 0.84, 0.501, 0.182, 0.267),
    "props": (184, 69, 0, 0.59, 0.80, 0.222, 0.162, 0.187),
    "minie": (252, 134, 10, 0.75, 0.83, 0.400, 0.323, 0.358),
}
# The CaRB rows of BenchIE's Table 5; ROIE is the n-ary one.
TABLE_5 = {
    "naive": (0.24, 0.70, 0.36),
    "clausie": (0.58, 0.53, 0.56),
    "minie": (0.45, 0.44, 0.44),
    "stanford": (0.17, 0.29, 0.22),
    "roie_n": (0.44, 0.60, 0.51),
    "openie6": (0.48, 0.67, 0.56),
    "m2oie_en": (0.60, 0.61, 0.61),
}
RATES = ("precision", "recall", "f1")


def scored(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main([*map(str, arguments), "--json", "-", "--resamples", "20", "--quiet"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def by_name(found: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in found}


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    with pytest.raises(SystemExit) as stopped:
        main([*map(str, arguments)])
    assert stopped.value.code == 2
    return capsys.readouterr().err


def test_wire57_is_scored_by_its_own_scorer(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--dataset", "wire57", "--data", sets)
    assert result["matcher"] == "wire57" and result["signature"].startswith("matcher:wire57|gold:")
    clausie = by_name(result["systems"])["clausie"]
    assert (clausie["extractions"], clausie["matches"], clausie["exact"]) == (1, 1, 0)
    assert (clausie["precision"], clausie["recall"]) == pytest.approx((4 / 5, 4 / 6))
    assert main(["--dataset", "wire57", "--data", str(sets), "--resamples", "20"]) == 0
    assert "P of matches" in capsys.readouterr().out


def test_wire57_with_another_matcher_is_a_benchmark_like_others(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--dataset", "wire57", "--matcher", "em", "--data", sets)
    assert result["matcher"] == "em" and "clusters_covered" in result["systems"][0]


def test_wire57_drops_n_ary_and_takes_a_users_system(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = scored(capsys, "--dataset", "wire57", "--data", sets, "--nary", "drop")
    assert by_name(result["systems"])["minie"]["extractions"] == 0
    assert "|nary:drop|" in result["signature"]
    own = tmp_path / "own.tsv"
    own.write_text("w1\tThe old mill\tburned down\tMay\n")
    result = scored(capsys, "--dataset", "wire57", "--data", sets, "--system", f"clausie={own}")
    (clausie,) = result["systems"]
    assert (clausie["exact"], clausie["f1"]) == (1, 1.0)
    result = scored(capsys, "--dataset", "wire57", "--data", sets, "--system", f"own={own}", "--beside")
    assert set(by_name(result["systems"])) == {"own", "clausie", "minie"}


def test_carb_gives_area_and_threshold_where_there_are_confidences(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.tsv"
    own.write_text(
        "2\tThe old mill\tburned down\tin May\t0.9\n2\tOslo\tburned\tMara\t0.2\n1\tMara\tmoved\tto Oslo\t0.5\n"
    )
    arguments = ("--dataset", "benchie_carb", "--data", sets, "--system", f"own={own}", "--confidence", "last")
    (system,) = scored(capsys, *arguments)["systems"]
    assert (system["f1"], system["threshold"], system["left_out"], system["extractions"]) == (1.0, 0.9, 1, 2)
    assert system["auc"] == 1.0
    assert system["intervals"]["f1"][1] == 1.0
    plain = by_name(scored(capsys, "--dataset", "benchie_carb", "--data", sets)["systems"])
    assert plain["clausie"]["auc"] is None and plain["clausie"]["threshold"] is None


def test_carbs_scorer_on_clusters(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--gold", gold, "--matcher", "carb", "--facet", "C")
    assert (result["matcher"], result["facet"]) == ("carb", "C")
    assert main(["--gold", str(gold), "--matcher", "carb", "--csv", "-", "--resamples", "20"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["system"] for row in rows} == {"short", "long"} and float(rows[0]["f1"]) > 0


@pytest.mark.parametrize("flag", [["--matches", "m.jsonl"], ["--duplicates", "ignore"], ["--facet", "M"]])
def test_fractions_have_no_matches(sets: Path, flag: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert flag[0] in refused(capsys, "--dataset", "wire57", "--data", sets, *flag)


def test_fractions_have_a_page(sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, page = tmp_path / "own.tsv", tmp_path / "page.html"
    own.write_text("w1\tThe old mill\tburned down\tMay\n")
    given = ("--dataset", "wire57", "--data", sets, "--system", f"own={own}", "--beside")
    result = scored(capsys, *given, "--report", page)
    text = page.read_text()
    assert "<h1>own scores best</h1>" in text and result["signature"] in text and "P of matches" in text
    for system in result["systems"]:
        assert f'data-value="{system["name"]}"' in text and f"{system['f1']:.3f}" in text
    assert "The lead over" in text and "cases-list" not in text.replace('byId("cases-list")', "")
    assert main([*map(str, given), "--resamples", "20", "--quiet", "--report", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")


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
    assert row.split()[1] == "-"


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


def test_chinese_scores_however_it_is_spaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, own = tmp_path / "zh.txt", tmp_path / "own.tsv"
    gold.write_text("sent_id:1\t她 在 奥 斯 陆 工 作 。\n1--> Cluster 1:\n她 --> 在 奥 斯 陆 --> [一 直] 工 作\n")
    own.write_text("1\t她\t在奥斯陆\t工作\n")
    arguments = ("--gold", gold, "--system", f"own={own}", "--matcher", "em")
    assert scored(capsys, *arguments)["systems"][0]["f1"] == 0
    result = scored(capsys, *arguments, "--language", "zh-Hans")
    assert result["systems"][0]["f1"] == 1 and "|language:zh|" in result["signature"]


def test_what_is_english_in_a_matcher_is_said_once(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for matcher, count in (("em", 0), ("rules", 1), ("features", 1), ("carb", 1), ("wire57", 0)):
        assert main(["--gold", str(gold), "--language", "de", "--matcher", matcher, "--resamples", "20"]) == 0
        assert capsys.readouterr().err.count("these are English") == count
    assert run(main, ["--gold", str(gold), "--language", "german"]) == 1
    assert "is no language" in capsys.readouterr().err


def test_table_3_of_wire57(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = by_name(scored(capsys, "--dataset", "wire57", "--data", real_data)["systems"])
    assert set(found) == set(TABLE_3)
    for name, row in TABLE_3.items():
        own = found[name]
        assert (own["extractions"], own["matches"], own["exact"]) == row[:3]
        assert (own["precision_of_matches"], own["recall_of_matches"]) == pytest.approx(row[3:5], abs=0.0051)
        assert tuple(own[rate] for rate in RATES) == pytest.approx(row[5:], abs=0.00051)
        assert own["intervals"]["f1"][0] <= own["f1"] <= own["intervals"]["f1"][1]


def test_the_carb_rows_of_benchies_table_5(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--dataset", "benchie_carb", "--data", real_data)
    assert (result["gold"]["sentences"], result["gold"]["clusters"]) == (300, 783)
    found = by_name(result["systems"])
    for name, row in TABLE_5.items():
        assert tuple(found[name][rate] for rate in RATES) == pytest.approx(row, abs=0.01)


@pytest.mark.parametrize(
    ("name", "system", "row"),
    [("benchie_de", "m2oie_de", (0.09, 0.03, 0.04)), ("benchie_zh", "m2oie_zh", (0.18, 0.10, 0.13))],
)
def test_the_other_languages_of_benchies_table_5(
    real_data: Path, name: str, system: str, row: tuple[float, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--dataset", name, "--data", real_data, "--matcher", "em", "--duplicates", "ignore")
    found = by_name(scored(capsys, *arguments)["systems"])[system]
    assert tuple(round(found[rate], 2) for rate in RATES) == row


def test_all_real_benchmarks(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--all", "--data", real_data)
    everywhere = set.intersection(*({s["name"] for s in b["systems"]} for b in result["benchmarks"]))
    assert everywhere == {"clausie", "minie"}
    found = {(d["first"], d["second"]): d for d in result["disagreements"]}
    assert found["minie", "openie6"]["second_above"] == ["benchie_carb"]
    assert found["stanford", "naive"]["second_above"] == ["benchie_carb"]
