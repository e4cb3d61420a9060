"""Sweeps: a search for a recipe with Optuna, shared by all workers that are started on one folder.

A third of the sentences is held out by the seed and no trial sees it. A trial is a recipe's cross-validated F1 on the
other two thirds; the held-out third judges only the best recipe, at the end, beside the rules and the recipe as it was.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy

from data.command_line import write_json
from data.extras import missing_extra
from data.formats.textfile import sha256, write_text
from data.model import Benchmark
from matchers.interface import Matcher
from matchers.rules.matcher import RuleMatcher
from matchers.signature import signed
from training.evaluation.experiment import Settings
from training.evaluation.figures import figures, lead_over
from training.evaluation.signatures import run_identity
from training.fitting.trainers import Trainer, trainer_for
from training.labels.folds import folds
from training.labels.judged_parts import assign_all, keys, systems_of
from training.labels.material import gather
from training.metrics import pair_counts, pair_score
from training.recipes import Recipe, load_recipe, recipe_hash
from training.sweeping.results import BEST, SweepReport, Trial
from training.sweeping.search_space import Choices, Dimension, Sweep
from training.sweeping.study import Study

REPORT = "sweep.json"


def run_sweep(
    sweep: Sweep, overrides: Sequence[str], benchmark: Benchmark, output: Path | None, settings: Settings
) -> SweepReport | None:
    """Work on a sweep until all its trials are done; the worker that ends the last one reports, the others don't."""
    try:
        import optuna
    except ImportError:
        raise missing_extra("a sweep", "Optuna", "sweep") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    for key, dimension in sweep.space.items():  # what no trial could be made of is better said now
        load_recipe(sweep.config, [*overrides, *_examples(key, dimension)])
    output = output or Path("runs") / "sweep" / sweep.path.stem
    ground = Ground(load_recipe(sweep.config, overrides), benchmark, settings)
    study = Study(output, sweep, ground.base.seed, ground.identity(sweep))
    while (trial := study.ask()) is not None:
        value = study.measured(trial, lambda chosen: ground.inner_f1(load_recipe(sweep.config, [*overrides, *chosen])))
        if not settings.quiet:
            done = len(study.finished())
            print(f"{done} of {sweep.trials} trials: F1 {value:.4f}, best {study.best().value:.4f}", file=sys.stderr)
    running = sweep.trials - len(study.finished())
    if running > 0:
        print(f"{running} trials are with other workers; the last of them reports", file=sys.stderr)
        return None
    best = load_recipe(sweep.config, [*overrides, *study.chosen(study.best())])
    report = ground.report(sweep, study, best, output)
    write_text(output / BEST, report.to_yaml(), make_folders=True)
    write_json(report.to_json(), str(output / REPORT), make_folders=True)
    return report


def _examples(key: str, dimension: Dimension) -> list[str]:
    values = dimension.values if isinstance(dimension, Choices) else (repr(dimension.low), repr(dimension.high))
    return [f"{key}={value}" for value in values]


class Ground:
    """The judged sentences, in those that trials see and those that are held out."""

    def __init__(self, base: Recipe, benchmark: Benchmark, settings: Settings) -> None:
        self.base, self.benchmark, self.settings = base, benchmark, settings
        self.trainer = self._trainer(base, settings.quiet)
        self.work = self.trainer.material.work
        self.split = folds(self.work, "sentence", 3, base.seed)[0]

    def _trainer(self, recipe: Recipe, quiet: bool) -> Trainer:
        material = gather(recipe, self.benchmark, self.settings.data, self.settings.supervision)
        return trainer_for(recipe, material, quiet)

    def identity(self, sweep: Sweep) -> str:
        """What makes two sweeps the same; the number of trials may be raised later."""
        own = run_identity(self.benchmark, self.base, self.trainer.material, self.settings.protocol)
        return sha256((own + repr(sorted(sweep.space.items()))).encode())

    def train(self, recipe: Recipe, positions: Sequence[int]) -> Matcher:
        """The matcher of a recipe and the parts at these positions."""
        if recipe.supervision != self.trainer.recipe.supervision:
            self.trainer = self._trainer(recipe, quiet=True)
        self.trainer = self.trainer.with_recipe(recipe)  # features are computed once for the same supervision
        return self.trainer(positions)

    def inner_f1(self, recipe: Recipe) -> float:
        """The cross-validated pair F1 of a recipe on the sentences that are not held out."""
        seen = self.split.train
        parts = [self.work[position] for position in seen]
        counts = []
        for fold in folds(parts, self.settings.protocol, recipe.folds, recipe.seed):
            matcher = self.train(recipe, [seen[position] for position in fold.train])
            tested = [parts[position] for position in fold.test]
            counts.append(pair_counts(tested, assign_all(matcher, tested)))
        return pair_score(numpy.concatenate(counts)).f1

    def report(self, sweep: Sweep, study: Study, best: Recipe, output: Path) -> SweepReport:
        """The trials, and how the best recipe does on the sentences that no trial has seen."""
        held = [self.work[position] for position in self.split.test]
        said = {
            "rules": assign_all(RuleMatcher(), held),
            "as it was": assign_all(self.train(self.base, self.split.train), held),
            "best": assign_all(self.train(best, self.split.train), held),
        }
        resamples, seed, systems = self.settings.resamples, self.base.seed, systems_of(self.benchmark)
        trials = tuple(
            Trial(number, trial.value, tuple(study.chosen(trial))) for number, trial in enumerate(study.finished(), 1)
        )
        material = self.trainer.material
        own = {
            "sweep": sweep.path.stem,
            "recipe": recipe_hash(self.base),
            "space": sha256(repr(sorted(sweep.space.items())).encode())[:12],
            "protocol": self.settings.protocol,
            "judgments": material.judgments,
            "supervision": material.supervision,
        }
        return SweepReport(
            sweep=sweep.path.stem,
            config=sweep.config,
            dataset=self.benchmark.name,
            signature=str(signed(self.benchmark, own, trials=len(trials), seed=seed, resamples=resamples)),
            trials=trials,
            best=max(trials, key=lambda trial: (trial.f1, -trial.number)),
            recipe=best,
            sentences=len(keys(self.work[position] for position in self.split.train)),
            held_out=len(keys(held)),
            matchers=tuple(figures(name, held, one, systems, resamples, seed) for name, one in said.items()),
            difference=lead_over(held, said["best"], said["rules"], resamples, seed),
            output=output,
        )
