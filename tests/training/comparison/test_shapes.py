"""What `training.benchmark --json` writes has the shape that docs/json.md tells; with `--speed`, see test_speed."""

from __future__ import annotations

import json
from pathlib import Path

from matchers.scoring.schema import problems
from training.benchmark import main
from training.comparison.shapes import ComparisonJson


def test_a_comparison_has_the_documented_shape(small: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    given = ["--dataset", str(small), "--matchers", "em,carb,features", "--allow-seen", "--resamples", "20", "--quiet"]
    for flags in ([], ["--no-timings"]):
        assert main([*given, *flags, "--json", str(target)]) == 0
        result = json.loads(target.read_text())
        assert problems(result, ComparisonJson) == []
        assert ("timings" in result) is not bool(flags)
    found = {one["name"]: one for one in result["matchers"]}
    assert found["carb"]["f1"] is None and found["em"]["difference_to_rules"]
