"""One of several benchmarks with its systems' scores, scored as its authors do.

BenchIE^FL is scored by the rules, where a repeated fact is wrong; BenchIE by exact match, where it is ignored; WiRe57
and CaRB by their own scorers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from data.model import Benchmark, System
from data.problems import Diagnostics
from matchers.counts import Duplicates, Scorer
from matchers.interface import Matcher
from matchers.registry import load
from matchers.scoring.evaluation import ScoringSettings, evaluate
from matchers.scoring.results import Scores

ALIASES = {"m2oie_en": "m2oie"}  # one system under two names


@dataclass(frozen=True)
class Way:
    """How a benchmark is scored: by a matcher, with its way to count repeats, or by the scorer of its authors."""

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
class Board:
    """One benchmark's scores; `named` is how many sentences the output of each of the user's systems names."""

    way: Way
    scores: Scores
    named: Mapping[str, int]

    @property
    def name(self) -> str:
        """The benchmark's name."""
        return self.way.dataset

    @property
    def sentences(self) -> int:
        """How many sentences the benchmark has."""
        return self.scores.gold.sentences


def one_name(benchmark: Benchmark) -> Benchmark:
    """The benchmark with the name that each system has on all benchmarks."""
    systems = (System(ALIASES.get(system.name, system.name), system.extractions) for system in benchmark.systems)
    return replace(benchmark, systems=tuple(systems))


def board_of(
    way: Way, benchmark: Benchmark, named: Mapping[str, int], data: Path | None, resamples: int, seed: int
) -> Board:
    """The scores of a benchmark's systems, of which those in `named` are the user's."""
    settings = ScoringSettings(way.duplicates or "count", resamples, seed)
    return Board(way, evaluate(benchmark, _scorer(way, data, named), settings, Diagnostics()), named)


def _scorer(way: Way, data: Path | None, named: Mapping[str, int]) -> Matcher | Scorer:
    if way.duplicates:
        return load(way.matcher)
    from matchers.tokens.registry import own_scorer

    return own_scorer(way.dataset, data, frozenset(named))


def systems_of(boards: Sequence[Board]) -> list[str]:
    """The systems by how many benchmarks know them, then by name."""
    names = {name for board in boards for name in board.scores.names}
    return sorted(names, key=lambda name: (-sum(name in board.scores.names for board in boards), name))
