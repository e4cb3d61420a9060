"""Training and comparing from Python: what the commands print, as objects.

import training
report = training.train("sample", "features", ["folds=5"], output="runs/mine")
print(report, report.matcher.score.f1, report.signature)
comparison = training.benchmark("sample", ["em", "recipe:features"])
print(comparison, comparison["features"].f1, comparison.to_json(timings=False))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from data.catalog import default_dataset, load
from data.model import Benchmark
from data.problems import InputError
from matchers.interface import Matcher
from training.comparison.comparison import compare
from training.comparison.ground import Ground, Terms
from training.comparison.levels import thin_levels
from training.comparison.lineup import default_names, find_contenders
from training.comparison.results import Comparison
from training.evaluation.experiment import Settings, run_experiment
from training.evaluation.report import Report
from training.fitting.adaptation import adaptation_recipe
from training.labels.protocols import PROTOCOLS, Protocol
from training.recipes import Recipe, load_recipe

Data = str | Path | Benchmark | None


def train(
    dataset: Data = None,
    recipe: str | Path | Recipe = "features",
    overrides: Sequence[str] = (),
    *,
    output: str | Path | None = None,
    protocol: Protocol = "sentence",
    resamples: int = 10_000,
    supervision: Sequence[str] | None = None,
    data: str | Path | None = None,
    start: str | Path | None = None,
    resume: bool = False,
    quiet: bool = True,
) -> Report:
    """Cross-validate a recipe on judged data; with an output folder, train on everything and save a checkpoint there.

    The data are a benchmark, a folder or a data set's name; by default what `training.run` takes. `supervision` names
    the sources of labels beside people's, such as `generated:sample`, or `none`. `start` is a
    checkpoint of features, by name or folder, that is adapted to the judgments instead of training from scratch.
    """
    if not isinstance(recipe, Recipe):
        recipe = load_recipe(str(recipe), overrides)
    elif overrides:
        raise InputError("overrides change a recipe that is named; replace the fields of one that is given")
    if start is not None:
        if supervision is not None and tuple(supervision) != ("none",):
            raise InputError("what starts from a checkpoint learns from the judgments alone; leave supervision out")
        recipe = adaptation_recipe(recipe, str(start), overrides)
    _check(protocol, resamples)
    folder = None if output is None else Path(output)
    settings = Settings(
        protocol=protocol,
        resamples=resamples,
        data=None if data is None else Path(data),
        supervision=None if supervision is None else tuple(supervision),
        resume=resume,
        quiet=quiet,
        start=None if start is None else str(start),
    )
    called = f"training.train({recipe.name!r})"
    return run_experiment(_loaded(dataset, settings.data), recipe, folder, settings, called)


def benchmark(
    dataset: Data = None,
    matchers: Sequence[str | Path | Matcher] | None = None,
    *,
    protocol: Protocol = "sentence",
    resamples: int = 10_000,
    seed: int = 1,
    allow_seen: bool = False,
    supervision: Sequence[str] | None = None,
    thinness: bool = False,
    seeds: int = 1,
    data: str | Path | None = None,
    quiet: bool = True,
) -> Comparison:
    """Compare matchers with people's judgments; the rules are always among them.

    Matchers are names as `training.benchmark --matchers` takes them, folders of checkpoints, or matchers of your own.
    With `thinness` they are compared under thinner gold too, recipes by so many `seeds`: `comparison.thinness`.
    """
    _check(protocol, resamples)
    if seed < 0:
        raise InputError("the seed must not be negative")
    if seeds < 1 or (seeds > 1 and not thinness):
        raise InputError("seeds are at least 1, and more than one are for the figures of thinness")
    terms = Terms(
        protocol=protocol,
        resamples=resamples,
        seed=seed,
        allow_seen=allow_seen,
        data=None if data is None else Path(data),
        quiet=quiet,
        supervision=None if supervision is None else tuple(supervision),
        levels=thin_levels(seed) if thinness else (),
        seeds=seeds,
    )
    contenders = find_contenders(default_names() if matchers is None else list(matchers))
    return compare(Ground.of(_loaded(dataset, terms.data)), contenders, terms)


def _check(protocol: str, resamples: int) -> None:
    if protocol not in PROTOCOLS:
        raise InputError(f"the protocol is one of {', '.join(PROTOCOLS)}, not {protocol!r}")
    if resamples < 1:
        raise InputError("there must be at least one resample")


def _loaded(dataset: Data, data: Path | None) -> Benchmark:
    return dataset if isinstance(dataset, Benchmark) else load(dataset or default_dataset(data), data)
