"""Every benchmark that is found, side by side: the systems' scores on each, and where they rank systems differently.

Each benchmark is scored as its authors do: BenchIE^FL by the rules, where a repeated fact is wrong; BenchIE by exact
match, where it is ignored; WiRe57 and CaRB by their own scorers. A system's own output is given by sentence texts or
ids, and counts on every benchmark that has its sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy
from numpy.typing import NDArray

from data.by_text import placed
from data.model import Benchmark, System
from data.problems import Diagnostics, InputError
from matchers.scoring import Duplicates, Score

ALIASES = {"m2oie_en": "m2oie"}  # one system under two names
UNPLACED = "extractions of other sentences"


@dataclass(frozen=True)
class Way:
    """How a benchmark is scored: by a matcher, with its way to count repeats if it is not a token scorer."""

    dataset: str
    matcher: str
    duplicates: Duplicates | None = None


WAYS = (
    Way("benchie_fl", "rules", "count"),
    Way("benchie_en", "em", "ignore"),
    Way("wire57", "wire57"),
    Way("benchie_carb", "carb"),
)


@dataclass(frozen=True)
class Result:
    """A system's score on one benchmark, its resampled F1, and how many sentences its output names (None: own file)."""

    score: Score
    resampled: NDArray[numpy.float64]
    sentences: int | None = None


@dataclass(frozen=True)
class Board:
    """One benchmark's results by system."""

    way: Way
    sentences: int
    signature: str
    results: dict[str, Result]


def boards(
    data: Path | None,
    given: Sequence[System],
    beside: bool,
    resamples: int,
    seed: int,
    diagnostics: Diagnostics,
) -> tuple[list[Board], list[str]]:
    """The benchmarks that are found, scored, and the names of those that are not found."""
    from data.catalog import find, load

    found = [way for way in WAYS if find(way.dataset, data)]
    if not found:
        names = ", ".join(way.dataset for way in WAYS)
        raise InputError(f"none of {names} was found; get them with `python -m data.fetch`, or name their folder")
    scored = []
    unplaced = {system.name: set(system.extractions) for system in given}
    for way in found:
        benchmark = one_name(load(way.dataset, data, diagnostics))
        own = () if given and not beside else benchmark.systems
        known: dict[str, int] = {}
        added = []
        for system in given:
            if any(system.name == other.name for other in own):
                raise InputError(f"two systems are called {system.name!r}; give --system another name")
            place = placed(system, benchmark)
            unplaced[system.name] -= set(place.originals)
            if place.sentences:
                known[system.name] = place.sentences
                added.append(place.system)
        systems = (*own, *added)
        scored.append(_board(way, replace(benchmark, systems=systems), known, data, resamples, seed))
    for system in given:
        lost = len(unplaced[system.name])
        if lost == len(set(system.extractions)):
            names = ", ".join(way.dataset for way in found)
            raise InputError(f"no line of the system {system.name!r} begins with a text or id of a sentence of {names}")
        if lost:
            message = f"{system.name}: {lost} extractions are of sentences that no benchmark here has; left out"
            diagnostics.warn(UNPLACED, message)
    return scored, [way.dataset for way in WAYS if way not in found]


def one_name(benchmark: Benchmark) -> Benchmark:
    """The benchmark with the name that each system has on all benchmarks."""
    systems = (System(ALIASES.get(system.name, system.name), system.extractions) for system in benchmark.systems)
    return replace(benchmark, systems=tuple(systems))


def _board(
    way: Way, benchmark: Benchmark, known: dict[str, int], data: Path | None, resamples: int, seed: int
) -> Board:
    from matchers.bootstrap import resampled_scores
    from matchers.registry import load
    from matchers.scoring import Sums, score_systems
    from matchers.signature import signature, signed
    from matchers.token_tables import token_rows
    from matchers.variants import variant_settings

    settings = {**variant_settings(benchmark), "resamples": resamples, "seed": seed}
    names: list[str]
    scores: list[Score]
    counts: list[Sums]
    if way.duplicates:
        matcher = load(way.matcher)
        found = score_systems(benchmark, matcher, way.duplicates)
        names, scores = [system.name for system in found], [system.score for system in found]
        counts = [system.counts for system in found]
        text = signature(benchmark, matcher, duplicates=way.duplicates, **settings)
    else:
        rows = token_rows(benchmark, way.matcher, way.dataset, data, set(known))
        names, scores = [row.name for row in rows], [row.score for row in rows]
        counts = [row.statistics for row in rows]
        text = signed(benchmark, {"matcher": way.matcher}, **settings)
    drawn = resampled_scores(counts, resamples, seed)[:, :, 2] if counts else numpy.zeros((resamples, 0))
    results = {
        name: Result(score, drawn[:, place], known.get(name))
        for place, (name, score) in enumerate(zip(names, scores, strict=True))
    }
    return Board(way, len(benchmark.sentences), str(text), results)


def systems_of(scored: Sequence[Board]) -> list[str]:
    """The systems by how many benchmarks know them, then by name."""
    names = {name for board in scored for name in board.results}
    return sorted(names, key=lambda name: (-sum(name in board.results for board in scored), name))
