from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import matchers
from data.catalog import load
from data.command_line import run
from data.problems import Diagnostics, InputError
from matchers.checkpoints import open_checkpoint, save_checkpoint, sentence_hash
from matchers.encoder.hybrid import HybridMatcher
from matchers.scoring.schema import problems
from tests.matchers import tiny
from tests.training.fitting.test_features import otherwise_written
from training.evaluation.shapes import TrainingJson
from training.fitting import trainers
from training.fitting.saving import checkpoint_parts
from training.fitting.trainers import FeatureTrainer, planned_fits, trainer_for
from training.labels.folds import folds
from training.labels.judged_parts import Source, judged
from training.labels.material import Material, Weighted, gather
from training.labels.protocols import PROTOCOLS
from training.recipes import CrossEncoder, Recipe
from training.run import main

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")

TINY = (
    "folds=2", "inner_folds=2", "supervision.silver_dataset=null",
    "supervision.generated_weight=0.5", "supervision.generated_per_sentence=2", "supervision.levels=[first]",
    "classifier.trees=10", "cross_encoder.threshold_folds=2",
    "cross_encoder.base_model=tiny", "cross_encoder.method=full",
    "cross_encoder.epochs=1.0", "cross_encoder.bf16=false", "--resamples", "50", "--quiet",
)  # fmt: skip


@pytest.mark.parametrize("kind", ["features", "cross_encoder"])
def test_a_fold_is_not_trained_on_what_stands_beside_its_sentences(
    kind: str, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted leak: parts of all sources of every sentence, in another spelling; silver ones of all systems."""
    work = judged(load(small, diagnostics=Diagnostics()))
    sources: tuple[Source, ...] = ("silver", "generated", "formulations")
    beside = [Weighted(otherwise_written(part, source), 0.5) for source in sources for part in work]
    ours = [Weighted(replace(item.part, system=part.system), 0.5) for item, part in zip(beside, work, strict=False)]
    material = Material(tuple(work), (*beside, *ours))
    seen: list[tuple[set[str], set[str]]] = []

    def watched(_: Recipe, parts: Any, extra: Any, *__: Any) -> Any:
        shown = [getattr(part, "judged", part) for part in parts]
        more = [part.judged for part in extra] if kind == "features" else [part for group, _ in extra for part in group]
        seen.append(({part.key for part in more}, {part.system for part in more if part.source == "silver"}))
        assert more and {part.key for part in more} <= {part.key for part in shown}
        return tiny.matcher() if kind == "cross_encoder" else None

    monkeypatch.setattr(trainers, "fit_features" if kind == "features" else "fit_cross_encoder", watched)
    trainer = trainer_for(Recipe(kind=kind), material, quiet=True)
    for protocol in PROTOCOLS:
        for fold in folds(work, protocol, 3, seed=1):
            trainer(fold.train)
            keys, systems = seen.pop()
            if protocol == "leave-one-system-out":
                assert not systems & {work[position].system for position in fold.test}
            else:
                assert not keys & {work[position].key for position in fold.test}
    trainer.of_everything()
    assert seen[0][0] == {part.key for part in work}


def test_a_trainer_takes_another_recipe_and_keeps_what_it_has_prepared(small: Path) -> None:
    trainer = trainer_for(Recipe(inner_folds=2), gather(Recipe(), load(small, diagnostics=Diagnostics())), quiet=True)
    other = trainer.with_recipe(Recipe(inner_folds=2, name="other"))
    assert isinstance(other, FeatureTrainer) and isinstance(trainer, FeatureTrainer)
    assert other.parts is trainer.parts and trainer.recipe.name == ""
    assert other(range(20)).name == "other" and trainer(range(20)).name == "features"


def test_what_takes_long_says_so_before_it_starts(small: Path) -> None:
    material = gather(Recipe(), load(small, diagnostics=Diagnostics()))
    assert planned_fits(Recipe(), material, "sentence", whole=True) == ""
    recipe = Recipe(kind="hybrid", folds=4, cross_encoder=CrossEncoder(threshold_folds=2))
    assert "15 cross-encoders are trained" in planned_fits(recipe, material, "sentence", whole=True)
    assert "12 cross-encoders are trained" in planned_fits(recipe, material, "sentence", whole=False)


def trained(dataset: Path, output: Path, *arguments: str) -> int:
    """Train a hybrid of a tiny model."""
    command = [
        "--config",
        "hybrid",
        "cross_encoder.checkpoint=null",
        "--dataset",
        str(dataset),
        "--output",
        str(output),
        *TINY,
        *arguments,
    ]
    return run(main, command)


def test_a_run_makes_a_hybrid(small: Path, tmp_path: Path) -> None:
    output = tmp_path / "mine"
    assert trained(small, output, "cross_encoder.batch_size=16") == 0  # enough steps for a learning curve
    matcher = matchers.load(str(output))
    assert isinstance(matcher, HybridMatcher) and matcher.model.encoder_slope >= 0
    sample = load("sample", diagnostics=Diagnostics())
    system = sample.systems[0]
    work = [(s, system.by_sentence[s.id]) for s in sample.sentences[:5] if s.id in system.by_sentence]
    assert any(assignment.matches for assignment in matcher.match_many(work))
    report = json.loads((output / "report.json").read_text())
    assert problems(report, TrainingJson) == [] and report["learning_curve"]
    assert report["kind"] == "hybrid" and report["matcher"]["f1"] > 0.5
    assert "beside a cross-encoder, whose log-odds" in (output / "README.md").read_text()
    assert not list(output.parent.glob("*.fits"))


def test_without_inner_folds_there_is_nothing_to_stack(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trained(small, tmp_path / "o", "cross_encoder.threshold_folds=1") == 1
    shown = capsys.readouterr().err
    assert "cross_encoder.threshold_folds must be at least 2" in shown and shown.count("\n") == 1


def encoder_checkpoint(folder: Path, **known: object) -> Recipe:
    """The recipe of a hybrid with a checkpoint of the untrained tiny encoder, and which sentences that knows."""
    made, files = checkpoint_parts(tiny.matcher())
    save_checkpoint(folder, {"kind": "cross_encoder", "name": "tiny", **made, **known}, files, "# tiny\n")
    return Recipe(kind="hybrid", inner_folds=2, cross_encoder=CrossEncoder(checkpoint=str(folder)))


def test_a_checkpoint_s_encoder_that_knows_judged_sentences_is_refused(small: Path, tmp_path: Path) -> None:
    material = Material(tuple(judged(load(small, diagnostics=Diagnostics()))), ())
    recipe = encoder_checkpoint(tmp_path / "tiny", trained_on=[sentence_hash(material.work[0].sentence.text)])
    with pytest.raises(InputError, match="was trained on 1 of the judged sentences"):
        trainer_for(recipe, material, quiet=True)


def test_a_checkpoint_s_encoder_is_taken_as_it_is(small: Path, tmp_path: Path) -> None:
    material = Material(tuple(judged(load(small, diagnostics=Diagnostics()))), ())
    other, own = sentence_hash("Nobody judged this ."), sentence_hash(material.work[0].sentence.text)
    recipe = encoder_checkpoint(tmp_path / "tiny", trained_on=[other], chosen_on=[own])
    assert planned_fits(recipe, material, "sentence", whole=True) == ""  # none is trained
    matcher = trainer_for(recipe, material, quiet=True).of_everything()
    assert isinstance(matcher, HybridMatcher) and matcher.encoder.trained_on == {other}
    part = material.work[0]
    said = matcher.encoder.pair_scores(part.sentence, part.extractions)
    assert said and said == tiny.matcher().pair_scores(part.sentence, part.extractions)


def test_a_hybrid_s_config_says_where_its_encoder_is_from(small: Path, tmp_path: Path) -> None:
    encoder_checkpoint(tmp_path / "tiny", training={"dataset": "elsewhere"})
    for start, output in (("tiny", "first"), ("first", "second")):
        assert trained(small, tmp_path / output, f"cross_encoder.checkpoint={tmp_path / start}") == 0
        origin = open_checkpoint(str(tmp_path / output)).config["training"]["encoder"]
        assert origin == {
            "checkpoint": str(tmp_path / "tiny"),
            "hash": open_checkpoint(str(tmp_path / "tiny")).hash,
            "training": {"dataset": "elsewhere"},
        }
