"""From matches to scores: counts a sentence, stored once, from which everything else is computed.

Two conventions for an extraction that repeats a fact for which its system was already credited:
- `count` (BenchIE^FL): it counts as wrong. Precision is matched extractions over all extractions, recall is covered
  clusters over all clusters.
- `ignore` (BenchIE): it is neither right nor wrong. True positives are the covered clusters, of which an extraction
  covers one, and false positives the extractions that state none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy
from numpy.typing import NDArray

from data.model import Benchmark, System
from matchers.interface import Assignment, Matcher

Duplicates = Literal["count", "ignore"]
Counts = NDArray[numpy.int64]
Sums = NDArray[numpy.int64] | NDArray[numpy.float64]  # of counts, or of a token scorer's fractions

RIGHT, CLAIMED, COVERED, CLUSTERS = range(4)
_BATCH = 64


@dataclass(frozen=True)
class Score:
    """Precision, recall and F1 from counts."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, counts: Sums) -> Score:
        """The score of counts or fractions that are summed over sentences.

        >>> Score.of(numpy.array([1, 2, 1, 4]))
        Score(precision=0.5, recall=0.25, f1=0.3333333333333333)
        """
        return cls(*(float(value) for value in ratios(counts)))


@dataclass(frozen=True)
class Figure:
    """A further column of a table of scores: its name in files, its value if it has one, and its head in print."""

    name: str
    value: int | float | None
    title: str


@dataclass(frozen=True)
class SystemScore:
    """A system's score with the counts of each sentence (rows in the order of the benchmark's sentences).

    A matcher counts extractions and clusters; a token scorer has sums of fractions in their stead. `figures` are the
    further columns of its table, the same for all systems of one scorer.
    """

    name: str
    extractions: int
    counts: Sums
    figures: tuple[Figure, ...] = ()

    @cached_property
    def score(self) -> Score:
        """The score over all sentences."""
        return Score.of(self.counts.sum(axis=0))

    @property
    def matched(self) -> int:
        """How many extractions were credited; of a token scorer, how many are right by parts."""
        return int(self.counts[:, RIGHT].sum())

    @property
    def clusters_covered(self) -> int:
        """How many clusters were found."""
        return int(self.counts[:, COVERED].sum())


class Scorer(Protocol):
    """What scores systems without deciding on matches: a token scorer, or that of a data set's own table."""

    @property
    def name(self) -> str:
        """What it is called in results."""

    @property
    def english(self) -> str:
        """What of it is bound to English, for a warning on benchmarks in other languages."""

    def score_systems(self, benchmark: Benchmark) -> list[SystemScore]:
        """The score of each of the benchmark's systems, in their order."""


def ratios(counts: Sums) -> NDArray[numpy.float64]:
    """Precision, recall and F1 along the last axis of counts; what can't be divided is 0."""
    top = counts[..., [RIGHT, COVERED]].astype(float)
    bottom = counts[..., [CLAIMED, CLUSTERS]].astype(float)
    parts = numpy.divide(top, bottom, out=numpy.zeros_like(top), where=bottom > 0)
    both = parts.sum(axis=-1)
    product = 2 * parts[..., 0] * parts[..., 1]
    f1 = numpy.divide(product, both, out=numpy.zeros_like(both), where=both > 0)
    return numpy.concatenate([parts, f1[..., None]], axis=-1)


def assignments(benchmark: Benchmark, matcher: Matcher) -> Iterator[tuple[int, System, Assignment]]:
    """The assignment of each sentence (by position) and system, sentence by sentence."""
    for start in range(0, len(benchmark.sentences), _BATCH):
        work = [
            (number, system, sentence, system.by_sentence.get(sentence.id, ()))
            for number, sentence in enumerate(benchmark.sentences[start : start + _BATCH], start)
            for system in benchmark.systems
        ]
        assigned = matcher.match_many([(sentence, extractions) for _, _, sentence, extractions in work])
        for (number, system, _, _), assignment in zip(work, assigned, strict=True):
            yield number, system, assignment


def count(assignment: Assignment, duplicates: Duplicates) -> tuple[int, int, int, int]:
    """Right, claimed, covered and all clusters of one system in one sentence."""
    clusters = len(assignment.sentence.clusters)
    if duplicates == "count":
        return len(assignment.matched), len(assignment.extractions), len(assignment.covered), clusters
    covered = len(assignment.matched)
    wrong = len(assignment.extractions) - covered - len(assignment.repeats)
    return covered, covered + wrong, covered, clusters


class Tally:
    """Adds up assignments to the systems' scores."""

    def __init__(self, benchmark: Benchmark, duplicates: Duplicates = "count") -> None:
        self.duplicates = duplicates
        self.extractions = {system.name: len(system.extractions) for system in benchmark.systems}
        shape = (len(benchmark.sentences), 4)
        self.counts = {system.name: numpy.zeros(shape, dtype=numpy.int64) for system in benchmark.systems}

    def add(self, number: int, system: str, assignment: Assignment) -> None:
        """Take in what one system did in one sentence."""
        self.counts[system][number] = count(assignment, self.duplicates)

    def take(self, shards: Iterable[Counts]) -> None:
        """Take in the counts of all sentences in order, some at a time: of the shape (sentences, systems, 4)."""
        start = 0
        for rows in shards:
            for place, counts in enumerate(self.counts.values()):
                counts[start : start + len(rows)] = rows[:, place]
            start += len(rows)

    def scores(self) -> list[SystemScore]:
        """The systems' scores, in the order of the benchmark."""
        return [matches_score(name, self.extractions[name], counts) for name, counts in self.counts.items()]


def matches_score(name: str, extractions: int, counts: Counts) -> SystemScore:
    """The score of a system whose matches were counted."""
    right, _, covered, _ = counts.sum(axis=0).tolist()
    figures = (Figure("matched", right, "matched"), Figure("clusters_covered", covered, "clusters"))
    return SystemScore(name, extractions, counts, figures)


def score_systems(benchmark: Benchmark, matcher: Matcher, duplicates: Duplicates = "count") -> list[SystemScore]:
    """The score of each of the benchmark's systems, by one matcher."""
    tally = Tally(benchmark, duplicates)
    for number, system, assignment in assignments(benchmark, matcher):
        tally.add(number, system.name, assignment)
    return tally.scores()


def ranked(scores: Sequence[SystemScore]) -> list[SystemScore]:
    """The systems by F1, best first."""
    return sorted(scores, key=lambda system: (-system.score.f1, system.name))
