"""What `training.run --sweep FILE --json` writes has the shape that docs/json.md tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from matchers.scoring.schema import problems
from training.run import main
from training.sweeping.shapes import SweepJson

pytest.importorskip("optuna", reason="needs the extra `sweep`")

SWEEP = "config: features\ntrials: 2\nspace:\n  classifier.strength: {low: 0.01, high: 3.0, log: true}\n"


def test_a_sweep_has_the_documented_shape(small: Path, tmp_path: Path) -> None:
    file, target = tmp_path / "mine.yaml", tmp_path / "out.json"
    file.write_text(SWEEP)
    given = ["--sweep", str(file), "--dataset", str(small), "--output", str(tmp_path / "o"), "folds=2", "inner_folds=2"]
    given += ["--supervision", "none", "--resamples", "20", "--quiet"]
    assert main([*given, "--json", str(target)]) == 0
    result = json.loads(target.read_text())
    assert problems(result, SweepJson) == [] and len(result["trials"]) == 2
    assert problems(json.loads((tmp_path / "o" / "sweep.json").read_text()), SweepJson) == []
