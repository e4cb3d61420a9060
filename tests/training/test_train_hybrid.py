from __future__ import annotations

import json
from pathlib import Path

import pytest

import matchers
from data.catalog import load
from data.commands import run
from data.problems import Diagnostics
from matchers.classifier import ENCODER
from matchers.hybrid import HybridMatcher
from training.run import main

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")

TINY = (
    "folds=2", "inner_folds=2", "supervision.reviewed_weight=0", "supervision.generated_weight=0.5",
    "supervision.generated_per_sentence=2", "cross_encoder.base_model=tiny", "cross_encoder.method=full",
    "cross_encoder.epochs=1.0", "cross_encoder.bf16=false", "--resamples", "50", "--quiet",
)  # fmt: skip


def trained(dataset: Path, output: Path, *arguments: str) -> int:
    """Train a hybrid of a tiny model."""
    command = ["--config", "hybrid", "--dataset", str(dataset), "--output", str(output), *TINY, *arguments]
    return run(main, command)


def test_a_run_makes_a_hybrid(small: Path, tmp_path: Path) -> None:
    output = tmp_path / "mine"
    assert trained(small, output) == 0
    matcher = matchers.load(str(output))
    assert isinstance(matcher, HybridMatcher) and ENCODER in matcher.model.features
    sample = load("sample", diagnostics=Diagnostics())
    system = sample.systems[0]
    work = [(s, system.by_sentence[s.id]) for s in sample.sentences[:5] if s.id in system.by_sentence]
    assert any(assignment.matches for assignment in matcher.match_many(work))
    report = json.loads((output / "report.json").read_text())
    assert report["kind"] == "hybrid" and report["matcher"]["f1"] > 0.5
    assert "a cross-encoder's score" in (output / "README.md").read_text()
    assert not list(output.parent.glob("*.fits"))


def test_without_inner_folds_there_is_nothing_to_stack(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trained(small, tmp_path / "o", "cross_encoder.threshold_folds=1") == 1
    shown = capsys.readouterr().err
    assert "cross_encoder.threshold_folds must be at least 2" in shown and shown.count("\n") == 1
