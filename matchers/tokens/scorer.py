"""The field's token-level scorers behind one interface: fractions of words instead of matches.

A scorer reduces each system to four sums a sentence, the numerators and denominators of precision and recall. They add
up, so that resampling sentences needs no scoring again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

import numpy
from numpy.typing import NDArray

from data.model import Benchmark, Extraction, Sentence
from matchers.counts import SystemScore
from matchers.interface import Assignment, Candidate, Match, Matcher
from matchers.tokens.token_gold import Reading

Statistics = NDArray[numpy.float64]
Row = tuple[float, float, float, float]


class TokenScorer(ABC):
    """Scores systems by the words that they share with the gold."""

    name: str
    english: str = ""  # what of it is bound to English, for a warning on benchmarks in other languages

    @abstractmethod
    def row(self, sentence: Sentence, extractions: Sequence[Extraction]) -> Row:
        """Numerator and denominator of precision, then of recall, of one system in one sentence."""

    def score_systems(self, benchmark: Benchmark) -> list[SystemScore]:
        """The score of each of the benchmark's systems; columns of sums as in `matchers.counts`."""
        return [
            SystemScore(
                system.name,
                len(system.extractions),
                as_sums(
                    self.row(sentence, system.by_sentence.get(sentence.id, ())) for sentence in benchmark.sentences
                ),
            )
            for system in benchmark.systems
        ]


def as_sums(rows: Iterable[Row]) -> Statistics:
    """The rows of a system's sentences as an array."""
    return numpy.array(list(rows), dtype=float).reshape(-1, 4)


def greedy(pairs: Iterable[tuple[float, int, int]]) -> list[tuple[int, int]]:
    """One-to-one pairs: the highest value first, and of equal ones the first.

    >>> greedy([(0.5, 0, 0), (0.9, 0, 1), (0.4, 1, 1), (0.3, 1, 0)])
    [(0, 1), (1, 0)]
    """
    rows: set[int] = set()
    columns: set[int] = set()
    chosen = []
    for _, row, column in sorted(pairs, key=lambda pair: -pair[0]):
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            chosen.append((row, column))
    return chosen


class GreedyMatcher(Matcher):
    """A matcher that takes the candidate of the highest score, and so on, until none is left.

    Of equal ones it takes the first of its candidates: that of the extraction which is first in the system's file, as
    the released scorers do, unless the candidates come in another order.
    """

    def match(self, sentence: Sentence, extractions: Sequence[Extraction]) -> Assignment:
        """The matches of one system's extractions of a sentence."""
        candidates = self.candidates(sentence, extractions)
        by_pair = {(candidate.extraction, candidate.cluster): candidate for candidate in candidates}
        chosen = greedy((candidate.score, *pair) for pair, candidate in by_pair.items())
        matches = tuple(_match(sentence, extractions, by_pair[pair]) for pair in sorted(chosen))
        return Assignment(sentence, tuple(extractions), matches, tuple(candidates))

    @property
    def settings(self) -> dict[str, str]:
        """What else decides this matcher's numbers, for the signature."""
        return {"assignment": "greedy"}


def _match(sentence: Sentence, extractions: Sequence[Extraction], candidate: Candidate) -> Match:
    cluster = sentence.clusters[candidate.cluster].id
    return Match(extractions[candidate.extraction], cluster, candidate.score, candidate.reason, candidate.extraction)


def named(kind: str, reading: Reading) -> str:
    """The name of a scorer with a reading.

    >>> named("wire57", Reading.of("first"))
    'wire57:first'
    """
    return f"{kind}:{reading}" if str(reading) else kind
