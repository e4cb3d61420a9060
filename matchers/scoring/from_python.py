"""What the scoring commands do, as functions for programs and notebooks: `matchers.evaluate` and `matchers.compare`.

Gold is a `Benchmark`, a file of any format, a labelled folder or a data set's name. Systems are files, `System`s, or
lists of extractions, which may be tuples. What the commands warn of, these functions warn of.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from data.catalog import load as load_dataset
from data.folder import read_system
from data.formats.extractions import read_extractions
from data.formats.reading import ReadOptions
from data.formats.registry import read_any_gold
from data.model import Benchmark, Extraction, System
from data.problems import Diagnostics, InputError
from matchers.counts import Duplicates
from matchers.interface import Matcher
from matchers.registry import load
from matchers.scoring.benchmarks import SideBySide, evaluate_all
from matchers.scoring.evaluation import ScoringSettings
from matchers.scoring.evaluation import evaluate as evaluated
from matchers.scoring.results import Scores
from matchers.scoring.variants import Variant
from matchers.tokens.names import gives_fractions, is_own
from matchers.tokens.registry import load_scorer, own_scorer

Gold = Benchmark | str | Path
Output = str | Path | System | Iterable[Extraction | Sequence[str | float | None]]


def evaluate(
    gold: Gold,
    systems: Mapping[str, Output] | None = None,
    matcher: str | Path | Matcher = "rules",
    *,
    duplicates: Duplicates = "count",
    variant: Variant | None = None,
    resamples: int = 1000,
    seed: int = 1,
    data: str | Path | None = None,
) -> Scores:
    """The scores of systems against a gold, by a matcher: what `matchers.score` prints.

    Without `systems`, those that come with the gold are scored. `data` is the folder of the real data sets.

    >>> from data import Benchmark, Sentence
    >>> gold = Benchmark("mine", (Sentence.of("Anna paints houses .", "Anna --> paints --> houses"),))
    >>> scores = evaluate(gold, {"mine": [("1", "Anna", "paints", "houses"), ("1", "houses", "paint", "Anna")]})
    >>> scores["mine"].precision, scores["mine"].recall
    (0.5, 1.0)
    """
    diagnostics = Diagnostics()
    benchmark = as_benchmark(gold, diagnostics, data)
    if systems is not None:
        benchmark = replace(benchmark, systems=as_systems(systems, benchmark, diagnostics))
    if not benchmark.systems:
        raise InputError("there are no systems to score: give some, or a gold that has them")
    name = matcher if isinstance(matcher, str) else ""
    dataset = gold if isinstance(gold, str) else None
    settings = ScoringSettings(duplicates, resamples, seed, variant or Variant())
    if is_own(dataset, name):
        scorer = own_scorer(str(gold), _path(data), tuple(systems or ()), settings.variant.nary)
    elif gives_fractions(dataset, name):
        scorer = load_scorer(name)
    else:
        scores = evaluated(benchmark, load(matcher), settings, diagnostics)
        return _warned(scores, diagnostics)
    return _warned(evaluated(benchmark, scorer, settings, diagnostics), diagnostics)


def compare(
    systems: Mapping[str, Output] | None = None,
    *,
    beside: bool = False,
    resamples: int = 1000,
    seed: int = 1,
    data: str | Path | None = None,
) -> SideBySide:
    """Systems on every benchmark that is found, side by side: what `matchers.score --all` prints.

    Given systems, by sentence ids or texts, take the place of those that come with the benchmarks, or stand `beside`
    them.
    """
    diagnostics = Diagnostics()
    given = [_system(name, output, diagnostics) for name, output in (systems or {}).items()]
    result = evaluate_all(_path(data), given, beside, resamples, seed, diagnostics)
    _warn(diagnostics)
    return result


def as_benchmark(gold: Gold, diagnostics: Diagnostics, data: str | Path | None = None) -> Benchmark:
    """The benchmark that somebody means: one in memory, a file, a folder or a data set's name."""
    if isinstance(gold, Benchmark):
        return gold
    if not isinstance(gold, str | Path):
        raise InputError(f"gold is a Benchmark, a path or a data set's name, not a {type(gold).__name__}")
    if Path(gold).is_file():
        return read_any_gold(Path(gold), diagnostics)
    return load_dataset(str(gold), _path(data), diagnostics)


def as_systems(systems: Mapping[str, Output], benchmark: Benchmark, diagnostics: Diagnostics) -> tuple[System, ...]:
    """The systems that somebody gives, checked against the gold's sentences."""
    checked = []
    for name, output in systems.items():
        if isinstance(output, str | Path):
            system = read_system(name, Path(output), benchmark, diagnostics, ReadOptions())
        else:
            system = _system(name, output, diagnostics)
            for extraction in system.extractions:
                if extraction.sentence_id not in benchmark.by_id:
                    some = ", ".join(list(benchmark.by_id)[:3])
                    raise InputError(
                        f"{name}: sentence id {extraction.sentence_id!r} is not in the gold, whose ids are {some}, ..."
                    )
        checked.append(system)
    return tuple(checked)


def _system(name: str, output: Output, diagnostics: Diagnostics) -> System:
    if isinstance(output, str | Path):
        return read_extractions(Path(output), diagnostics, name)
    try:
        extractions = output.extractions if isinstance(output, System) else output
        return System.of(name, extractions)
    except (TypeError, ValueError) as error:
        raise InputError(f"the system {name!r}: {error}") from None


def _path(folder: str | Path | None) -> Path | None:
    return None if folder is None else Path(folder)


def _warned(scores: Scores, diagnostics: Diagnostics) -> Scores:
    _warn(diagnostics)
    return scores


def _warn(diagnostics: Diagnostics) -> None:
    for problem in diagnostics.problems:
        warnings.warn(str(problem), stacklevel=4)
