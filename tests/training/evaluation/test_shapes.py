"""What `training.run --json` writes has the shape that docs/json.md tells; that of encoders, see test_trainers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from matchers.scoring.schema import problems
from training.evaluation.shapes import TrainingJson
from training.run import main


def trained(small: Path, *arguments: str) -> Any:
    target = small.parent / "out.json"
    given = ["--dataset", str(small), "--output", str(small.parent / "mine"), "folds=2", "inner_folds=2"]
    assert main([*given, *arguments, "--resamples", "20", "--quiet", "--json", str(target)]) == 0
    return json.loads(target.read_text())


def test_the_report_of_a_run_has_the_documented_shape(small: Path) -> None:
    report = trained(small, "--supervision", "none")
    assert problems(report, TrainingJson) == []
    assert report["insight"] and report["checkpoint"]
    assert problems(json.loads((small.parent / "mine" / "report.json").read_text()), TrainingJson) == []


def test_without_a_checkpoint_and_with_a_source_of_labels(small: Path) -> None:
    report = trained(small, "--supervision", "generated", "--no-checkpoint")
    assert problems(report, TrainingJson) == []
    assert report["supervision"] and "insight" not in report
