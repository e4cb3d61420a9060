"""The field's token-level scorers behind one interface: fractions of words instead of matches.

A scorer reduces each system to four sums a sentence, the numerators and denominators of precision and recall. They add
up, so that resampling sentences needs no scoring again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from data.model import Benchmark, Extraction, Sentence
from data.problems import InputError
from matchers.interface import Assignment, Candidate, Match, Matcher
from matchers.scoring import Score, ratios
from matchers.token_gold import Reading

Statistics = NDArray[numpy.float64]
Row = tuple[float, float, float, float]

SCORER_NAMES = ("wire57", "carb", "oie2016")


class TokenScorer(ABC):
    """Scores systems by the words that they share with the gold."""

    name: str

    @abstractmethod
    def row(self, sentence: Sentence, extractions: Sequence[Extraction]) -> Row:
        """Numerator and denominator of precision, then of recall, of one system in one sentence."""

    def statistics(self, benchmark: Benchmark) -> dict[str, Statistics]:
        """The rows of each system, in the order of the benchmark's sentences; columns as in `matchers.scoring`."""
        return {
            system.name: numpy.array(
                [self.row(sentence, system.by_sentence.get(sentence.id, ())) for sentence in benchmark.sentences],
                dtype=float,
            ).reshape(len(benchmark.sentences), 4)
            for system in benchmark.systems
        }

    def score_systems(self, benchmark: Benchmark) -> dict[str, Score]:
        """The score of each of the benchmark's systems."""
        return {name: score_of(rows) for name, rows in self.statistics(benchmark).items()}


def score_of(rows: Statistics) -> Score:
    """The score of a system's rows.

    >>> score_of(numpy.array([[0.5, 1.0, 0.25, 1.0], [0.5, 1.0, 0.25, 1.0]]))
    Score(precision=0.5, recall=0.25, f1=0.3333333333333333)
    """
    sums: Any = rows.sum(axis=0)  # fractions, where the matchers have counts
    return Score(*(float(value) for value in ratios(sums)))


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
    """A matcher that takes the candidate of the highest score, and so on, until none is left."""

    def match(self, sentence: Sentence, extractions: Sequence[Extraction]) -> Assignment:
        """The matches of one system's extractions of a sentence."""
        candidates = self.candidates(sentence, extractions)
        by_pair = {(candidate.extraction, candidate.cluster): candidate for candidate in candidates}
        chosen = greedy((candidate.score, candidate.extraction, candidate.cluster) for candidate in candidates)
        matches = tuple(_match(sentence, extractions, by_pair[pair]) for pair in sorted(chosen))
        return Assignment(sentence, tuple(extractions), matches, tuple(candidates))

    @property
    def settings(self) -> dict[str, str]:
        """What else decides this matcher's numbers, for the signature."""
        return {"assignment": "greedy"}


def _match(sentence: Sentence, extractions: Sequence[Extraction], candidate: Candidate) -> Match:
    cluster = sentence.clusters[candidate.cluster].id
    return Match(extractions[candidate.extraction], cluster, candidate.score, candidate.reason, candidate.extraction)


def load_scorer(name: str) -> TokenScorer:
    """The scorer of a name, perhaps with a reading of clusters.

    >>> load_scorer("wire57").name, load_scorer("carb:first+kept").name
    ('wire57', 'carb:first+kept')
    """
    from matchers.carb import CarbScorer
    from matchers.oie2016 import Oie2016Scorer
    from matchers.wire57 import Wire57Scorer

    kind, _, reading = name.partition(":")
    scorers: dict[str, Any] = {"wire57": Wire57Scorer, "carb": CarbScorer, "oie2016": Oie2016Scorer}
    if kind not in scorers:
        raise InputError(f"no scorer is called {name!r}; the names are {', '.join(SCORER_NAMES)}")
    scorer: TokenScorer = scorers[kind](Reading.of(reading))
    return scorer


def named(kind: str, reading: Reading) -> str:
    """The name of a scorer with a reading.

    >>> named("wire57", Reading.of("first"))
    'wire57:first'
    """
    return f"{kind}:{reading}" if str(reading) else kind
