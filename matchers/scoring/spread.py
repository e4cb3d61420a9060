"""How far the scores of systems would spread on other sentences: intervals and p-values, all from one drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from matchers.counts import Sums
from matchers.scoring.bootstrap import Interval, difference_p, interval, resampled_scores
from matchers.scoring.significance import BOOTSTRAP, FEW, FEWEST, SWAPS
from matchers.scoring.swaps import swap_p

Intervals = tuple[Interval, Interval, Interval]


@dataclass(frozen=True)
class Spread:
    """The counts of systems, and their scores over resampled sentences.

    `drawn` has the shape (resamples, systems, 3), for precision, recall and F1. Resampling says little of few
    sentences: below five there are no intervals, and below thirty a test by swaps takes the place of the bootstrap's.
    """

    counts: tuple[Sums, ...]
    drawn: NDArray[numpy.float64]
    seed: int

    @classmethod
    def of(cls, counts: Sequence[Sums], resamples: int, seed: int) -> Spread:
        """The spread of systems' counts of the same sentences."""
        any_sentence = counts and len(counts[0])
        drawn = resampled_scores(counts, resamples, seed) if any_sentence else numpy.zeros((resamples, len(counts), 3))
        return cls(tuple(counts), drawn, seed)

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return len(self.counts[0]) if self.counts else 0

    @property
    def test(self) -> str:
        """What the p-values are from."""
        return SWAPS if self.sentences < FEW else BOOTSTRAP

    def intervals(self, system: int) -> Intervals | None:
        """The intervals of a system's precision, recall and F1; none of too few sentences."""
        if self.sentences < FEWEST:
            return None
        precision, recall, f1 = (interval(self.drawn[:, system, column]) for column in range(3))
        return precision, recall, f1

    def p(self, first: int, second: int) -> float:
        """The p-value of the difference in F1 of two systems."""
        if self.test == SWAPS:
            return swap_p(self.counts[first], self.counts[second], len(self.drawn), self.seed)
        return difference_p(self.drawn[:, first, 2], self.drawn[:, second, 2])
