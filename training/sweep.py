"""Sweeps: a search for a recipe with Optuna, shared by all workers that are started on one folder.

A third of the sentences is held out by the seed and no trial sees it. A trial is a recipe's cross-validated F1 on the
other two thirds; the held-out third judges only the best recipe, at the end, beside the rules and the recipe as it was.

The study is a journal in the output folder, so the same command goes on with an interrupted sweep, and started several
times at once it is several workers. A trial's values depend on the seed and the finished trials and not on when the
sweep was interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from data.commands import table, write_json
from data.model import Benchmark
from data.problems import Diagnostics, InputError
from data.textfile import sha256, write_text
from training.folds import Fold, folds
from training.recipes import Recipe, load_recipe
from training.search_space import Sweep, load_sweep

HOW_TO_INSTALL = "a sweep needs Optuna: pip install 'factmatch[sweep]'"
STUDY, BEST, REPORT = "study.log", "best.yaml", "sweep.json"
_LOST = timedelta(days=1)  # after which a trial of another machine counts as lost


def run_sweep(options: argparse.Namespace) -> int:
    """Work on a sweep until all its trials are done; the worker that ends the last one reports."""
    try:
        import optuna
    except ImportError:
        raise InputError(HOW_TO_INSTALL) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sweep = load_sweep(options.sweep)
    overrides = [*options.overrides, *([] if options.seed is None else [f"seed={options.seed}"])]
    base = load_recipe(sweep.config, overrides)
    for key, dimension in sweep.space.items():  # what no trial could be made of is better said now
        load_recipe(sweep.config, [*overrides, *_examples(key, dimension)])
    benchmark = _benchmark(sweep, options)
    output = options.output or Path("runs") / "sweep" / sweep.path.stem
    study = Study(output, sweep, base, _identity(sweep, base, benchmark, options.protocol))
    ground = Ground(base, benchmark, options)
    while (trial := study.ask()) is not None:
        value = study.measured(trial, lambda chosen: ground.inner_f1(load_recipe(sweep.config, [*overrides, *chosen])))
        if not options.quiet:
            done = len(study.finished())
            print(f"{done} of {sweep.trials} trials: F1 {value:.4f}, best {study.best().value:.4f}", file=sys.stderr)
    running = sweep.trials - len(study.finished())
    if running > 0:
        print(f"{running} trials are with other workers; the last of them reports", file=sys.stderr)
        return 0
    chosen = study.chosen(study.best())
    report = ground.report(sweep, study, load_recipe(sweep.config, [*overrides, *chosen]), chosen)
    write_text(output / BEST, as_yaml(report))
    write_json(report, str(output / REPORT))
    if options.json:
        write_json(report, options.json)
    if options.json != "-":
        print(as_text(report, output))
    return 0


def _examples(key: str, dimension: Any) -> list[str]:
    values = getattr(dimension, "values", None) or (repr(dimension.low), repr(dimension.high))
    return [f"{key}={value}" for value in values]


def _benchmark(sweep: Sweep, options: argparse.Namespace) -> Benchmark:
    from data.catalog import default_dataset, load
    from data.folder import ReadOptions

    dataset = options.dataset or sweep.dataset or default_dataset(options.data)
    diagnostics = Diagnostics(options.strict)
    benchmark = load(dataset, options.data, diagnostics, ReadOptions(options.encoding))
    if not options.quiet:
        print(f"sweep {sweep.path.stem} of {sweep.config} on {dataset}", file=sys.stderr)
        diagnostics.show()
    return benchmark


def _identity(sweep: Sweep, base: Recipe, benchmark: Benchmark, protocol: str) -> str:
    """What makes two sweeps the same; the number of trials may be raised later."""
    from training.run import run_identity

    return sha256((run_identity(benchmark, base, protocol) + repr(sorted(sweep.space.items()))).encode())


class Study:
    """The trials of a sweep in its folder; takes care that workers together make as many as were asked for."""

    def __init__(self, output: Path, sweep: Sweep, base: Recipe, identity: str) -> None:
        from optuna.storages.journal import JournalFileSymlinkLock

        self.sweep, self.seed = sweep, base.seed
        self.path = output / STUDY
        workers = output / "workers"
        try:
            output.mkdir(parents=True, exist_ok=True)
            workers.touch()
        except OSError as error:
            raise InputError(f"can't be written: {error.strerror}", output) from None
        self._lock = JournalFileSymlinkLock(str(workers))
        with self._alone():
            self._study = self._opened(identity)
            self._give_up_lost()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Between these lines no other worker begins a trial."""
        self._lock.acquire()
        try:
            yield
        finally:
            self._lock.release()

    def _opened(self, identity: str) -> Any:
        import optuna
        from optuna.storages.journal import JournalFileBackend, JournalStorage

        try:
            storage = JournalStorage(JournalFileBackend(str(self.path)))
            study = optuna.create_study(
                storage=storage, study_name="sweep", direction="maximize", load_if_exists=True
            )  # fmt: skip
            known = study.user_attrs.get("identity")
        except OSError as error:
            raise InputError(f"can't be read or written: {error.strerror}", self.path) from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError("is no study, or damaged; choose another --output", self.path) from None
        if known is None:
            study.set_user_attr("identity", identity)
        elif known != identity:
            message = "is of a sweep with another space, recipe, data set, protocol or seed; choose another --output"
            raise InputError(message, self.path)
        return study

    def _give_up_lost(self) -> None:
        """Trials that nobody works on any more are made again."""
        from optuna.trial import TrialState

        for trial in self._in_state(TrialState.RUNNING):
            host, _, process = str(trial.user_attrs.get("worker", "")).rpartition(":")
            lost = datetime.now() - (trial.datetime_start or datetime.now()) > _LOST
            if lost or (host == platform.node() and not _is_alive(int(process))) or not host:
                self._study.tell(trial.number, state=TrialState.FAIL)

    def _in_state(self, *states: Any) -> list[Any]:
        found: list[Any] = self._study.get_trials(deepcopy=False, states=states)
        return found

    def ask(self) -> Any | None:
        """The next trial, or None if all are done or with other workers."""
        import optuna
        from optuna.trial import TrialState

        with self._alone():
            self._give_up_lost()
            place = len(self._in_state(TrialState.COMPLETE, TrialState.RUNNING))
            if place >= self.sweep.trials:
                return None
            # by its place and not by its number: a trial that is made again tries the same values
            seed = int(sha256(f"{self.seed}:{place}".encode())[:8], 16)
            self._study.sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=max(4, self.sweep.trials // 4))
            trial = self._study.ask()
            trial.set_user_attr("worker", f"{platform.node()}:{os.getpid()}")
            return trial

    def measured(self, trial: Any, measure: Any) -> float:
        """Measure what a trial is to try; if that fails or is interrupted, the trial can be made again."""
        from optuna.trial import TrialState

        try:
            chosen = [f"{key}={dimension.suggest(key, trial)}" for key, dimension in self.sweep.space.items()]
            trial.set_user_attr("chosen", chosen)
            value = float(measure(chosen))
        except BaseException:
            self._study.tell(trial, state=TrialState.FAIL)
            raise
        self._study.tell(trial, value)
        return value

    def finished(self) -> list[Any]:
        """The finished trials, in the order in which they were begun."""
        from optuna.trial import TrialState

        return self._in_state(TrialState.COMPLETE)

    def best(self) -> Any:
        """The finished trial of the highest F1; of equals the first."""
        return max(self.finished(), key=lambda trial: (trial.value, -trial.number))

    def chosen(self, trial: Any) -> list[str]:
        """What a trial tried, as overrides of the recipe."""
        return [str(override) for override in trial.user_attrs["chosen"]]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's
        return True
    return True


class Ground:
    """The judged sentences, in those that trials see and those that are held out."""

    def __init__(self, base: Recipe, benchmark: Benchmark, options: argparse.Namespace) -> None:
        from training.train import trainer_for

        self.base, self.benchmark, self.options = base, benchmark, options
        self.trainer = trainer_for(base, benchmark, options.data, options.quiet)
        self.split = folds(self.trainer.work, "sentence", 3, base.seed)[0]

    def _train(self, recipe: Recipe, positions: Sequence[int], fold: Fold | None) -> Any:
        from training.train import trainer_for

        if recipe.supervision != self.trainer.recipe.supervision:
            self.trainer = trainer_for(recipe, self.benchmark, self.options.data, quiet=True)
        self.trainer.recipe = recipe  # features are computed once for all recipes with the same supervision
        return self.trainer([self.trainer.work[position] for position in positions], fold)

    def inner_f1(self, recipe: Recipe) -> float:
        """The cross-validated pair F1 of a recipe on the sentences that are not held out."""
        import numpy

        from training.judged import assign_all
        from training.metrics import pair_counts, pair_score

        seen = self.split.train
        parts = [self.trainer.work[position] for position in seen]
        counts = []
        for fold in folds(parts, self.options.protocol, recipe.folds, recipe.seed):
            matcher = self._train(recipe, [seen[position] for position in fold.train], fold)
            tested = [parts[position] for position in fold.test]
            counts.append(pair_counts(tested, assign_all(matcher, tested)))
        return pair_score(numpy.concatenate(counts)).f1

    def report(self, sweep: Sweep, study: Study, best: Recipe, chosen: list[str]) -> dict[str, Any]:
        """The trials, and how the best recipe does on the sentences that no trial has seen."""
        from matchers.rules import RuleMatcher
        from matchers.signature import signed
        from training.judged import assign_all, systems_of
        from training.metrics import f1_difference, pair_counts
        from training.run import figures

        held = [self.trainer.work[position] for position in self.split.test]
        found = {
            "rules": assign_all(RuleMatcher(), held),
            "as it was": assign_all(self._train(self.base, self.split.train, None), held),
            "best": assign_all(self._train(best, self.split.train, None), held),
        }
        resamples, seed, systems = self.options.resamples, self.base.seed, systems_of(self.benchmark)
        counts = {name: pair_counts(held, assignments) for name, assignments in found.items()}
        difference = f1_difference(counts["best"], counts["rules"], resamples, seed)
        own = {"sweep": sweep.path.stem, "recipe": self.base.name}
        trials = study.finished()
        return {
            "sweep": sweep.path.stem,
            "config": sweep.config,
            "dataset": self.benchmark.name,
            "signature": str(signed(self.benchmark, own, trials=len(trials), seed=seed, resamples=resamples)),
            "trials": [
                {"number": number, "f1": trial.value, "chosen": study.chosen(trial)}
                for number, trial in enumerate(trials, 1)
            ],
            "best": {"f1": study.best().value, "chosen": chosen, "recipe": asdict(best)},
            "sentences": len({self.trainer.work[position].sentence.text for position in self.split.train}),
            "held_out": {
                "sentences": len({part.sentence.text for part in held}),
                "matchers": [
                    figures(name, held, assignments, systems, resamples, seed) for name, assignments in found.items()
                ],
                "difference": {
                    "value": difference.value,
                    "interval": [difference.interval.low, difference.interval.high],
                    "p": difference.p,
                },
            },
        }


def as_yaml(report: dict[str, Any]) -> str:
    """The best recipe as a file for `--config`."""
    import yaml

    values = json.loads(json.dumps(report["best"]["recipe"]))  # lists for tuples
    head = f"# The best of {len(report['trials'])} trials of the sweep {report['sweep']} on {report['dataset']}.\n"
    return head + str(yaml.safe_dump(values, sort_keys=False, allow_unicode=True))


def as_text(report: dict[str, Any], output: Path) -> str:
    """The report for people."""
    ranked = sorted(report["trials"], key=lambda trial: (-trial["f1"], trial["number"]))[:5]
    rows = [["trial", "inner F1", "values"]]
    rows += [[str(trial["number"]), f"{trial['f1']:.4f}", " ".join(trial["chosen"])] for trial in ranked]
    held = report["held_out"]
    figures = [["matcher", "P", "R", "F1", "95 % of F1"]]
    for figure in held["matchers"]:
        low, high = figure["f1_interval"]
        numbers = [f"{figure[name]:.4f}" for name in ("precision", "recall", "f1")]
        figures.append([figure["name"], *numbers, f"[{low:.3f}, {high:.3f}]"])
    difference = held["difference"]
    low, high = difference["interval"]
    return "\n".join(
        [
            f"{report['dataset']}: {len(report['trials'])} trials on {report['sentences']} sentences, by inner folds",
            "",
            table(rows, left=3),
            "",
            f"on {held['sentences']} sentences that no trial has seen:",
            "",
            table(figures),
            "",
            f"difference of the best to the rules in F1: {difference['value']:+.4f} [{low:+.4f}, {high:+.4f}], "
            f"p = {difference['p']:.4f}",
            "",
            f"recipe: {output / BEST} (train with it: --config {output / BEST})",
            report["signature"],
        ]
    )
