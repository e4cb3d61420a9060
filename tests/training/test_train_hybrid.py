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
    "cross_encoder.epochs=0.1", "cross_encoder.bf16=false", "--resamples", "50", "--quiet",
)  # fmt: skip


def trained(output: Path, *arguments: str) -> int:
    """Train a hybrid of a tiny model on the sample."""
    command = ["--config", "hybrid", "--dataset", "sample", "--output", str(output), *TINY, *arguments]
    return run(main, command)


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run."""
    folder = tmp_path_factory.mktemp("run") / "mine"
    assert trained(folder) == 0
    return folder


def test_the_checkpoint_is_a_hybrid_with_a_weight_for_its_cross_encoder(output: Path) -> None:
    matcher = matchers.load(str(output))
    assert isinstance(matcher, HybridMatcher) and ENCODER in matcher.model.features
    sample = load("sample", diagnostics=Diagnostics())
    system = sample.systems[0]
    work = [(s, system.by_sentence[s.id]) for s in sample.sentences[:5] if s.id in system.by_sentence]
    assert any(assignment.matches for assignment in matcher.match_many(work))


def test_the_report_and_the_card_say_what_it_is(output: Path) -> None:
    report = json.loads((output / "report.json").read_text())
    assert report["kind"] == "hybrid" and report["matcher"]["f1"] > 0.5
    assert "a cross-encoder's score" in (output / "README.md").read_text()
    assert not list(output.parent.glob("*.fits"))


def test_without_inner_folds_there_is_nothing_to_stack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert trained(tmp_path / "o", "cross_encoder.threshold_folds=1") == 1
    shown = capsys.readouterr().err
    assert "cross_encoder.threshold_folds must be at least 2" in shown and shown.count("\n") == 1
