from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from matchers.score import main
from tests.matchers.commanded import RATES, by_name, refused, scored
from tests.matchers.tokens.test_carb_table import TABLE_5
from tests.matchers.tokens.test_wire57_table import TABLE_3


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
    assert (
        "<h1>own and 2 others score about equally</h1>" in text
        and result["signature"] in text
        and "P of matches" in text
    )
    for system in result["systems"]:
        assert f'data-value="{system["name"]}"' in text and f"{system['f1']:.3f}" in text
    assert "The lead of own over" in text and "cases-list" not in text.replace('byId("cases-list")', "")
    assert main([*map(str, given), "--resamples", "20", "--quiet", "--report", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")


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
    assert len(found) >= 7
    for name, own in found.items():
        assert tuple(own[rate] for rate in RATES) == pytest.approx(TABLE_5[name], abs=0.01)
