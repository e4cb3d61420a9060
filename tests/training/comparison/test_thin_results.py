"""The JSON and the tables of a comparison under thin gold."""

from __future__ import annotations

from dataclasses import replace

from matchers.scoring.schema import problems
from tests.training.compared import thin_comparison
from training.comparison.shapes import ComparisonJson
from training.comparison.spreadsheet import as_csv
from training.comparison.thin_table import thin_tables


def test_the_json_has_the_documented_shape() -> None:
    whole = thin_comparison().to_json(timings=False)
    assert problems(whole, ComparisonJson) == []
    thinness = whole["thinness"]
    assert [level["name"] for level in thinness["levels"]] == ["all", "3", "2", "first", "random"]
    assert thinness["levels"][-1]["draws"] == [f"random-{number}" for number in range(1, 6)]
    by_name = {one["name"]: one for one in thinness["matchers"]}
    assert [len(level["runs"]) for level in by_name["words"]["levels"]] == [2, 2, 2, 2, 10]
    assert by_name["carb"]["mean_f1"] is None and by_name["carb"]["levels"][0]["f1"] is None
    assert by_name["carb"]["levels"][0]["pearson"]["value"] is not None
    assert by_name["em"]["difference_to_rules"] and by_name["rules"]["difference_to_rules"] is None
    assert by_name["words"]["mean_f1_spread"] and by_name["em"]["mean_f1_spread"] is None


def test_the_tables() -> None:
    thinness = thin_comparison().thinness
    assert thinness is not None
    lines = thin_tables(thinness).splitlines()
    assert lines[2].split()[:3] == ["F1", "by", "matcher"] and "lowest" in lines[2]
    assert lines[4].split() == ["formulations", *map(str, thinness.formulations)]
    rules = thinness["rules"]
    assert rules.mean is not None and f"{rules.mean.value:.4f}" in next(
        line for line in lines if line.startswith("rules")
    )
    rows = [line.split() for line in lines if line.startswith("words")]
    assert [row[1] for row in rows[1:]] == ["all", "3", "2", "first", "random"]  # the first is of the summary
    assert "2 seeds" in lines[-1]
    once = thin_tables(replace(thinness, seeds=1))
    assert "lowest" not in once and "seeds" not in once


def test_csv_has_the_levels_in_further_columns() -> None:
    head, *rows = (line.split(",") for line in as_csv(thin_comparison(), timings=False).splitlines())
    place = head.index("thin_first_f1")
    by_name = {row[0]: row for row in rows}
    thinness = thin_comparison().thinness
    assert thinness is not None
    first = thinness["em"].levels[3].f1
    assert first is not None and float(by_name["em"][place]) == first.value
    assert by_name["carb"][place] == "" and by_name["carb"][head.index("thin_first_kendall")]
    assert by_name["words"][head.index("thin_mean_f1_lowest")] and not by_name["em"][head.index("thin_mean_f1_lowest")]
    assert len(set(head)) == len(head)
