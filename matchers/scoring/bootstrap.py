"""Intervals and significance by resampling sentences, jointly across systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from matchers.scoring import Sums, ratios

_CELLS = 4_000_000  # weights held at once


@dataclass(frozen=True)
class Interval:
    """A 95 % interval: its lower and its upper bound."""

    low: float
    high: float


def interval(values: NDArray[numpy.float64]) -> Interval:
    """The 95 % percentile interval of resampled values."""
    low, high = numpy.nanpercentile(values, [2.5, 97.5])
    return Interval(float(low), float(high))


def resampled_sums(counts: Sequence[Sums], resamples: int, seed: int) -> Sums:
    """Counts (or fractions) summed over resampled sentences, of shape (resamples, systems, columns).

    All systems see the same resampled sentences, so that differences between them are paired.
    """
    stacked = numpy.stack(counts)
    systems, sentences, columns = stacked.shape
    flat = stacked.transpose(1, 0, 2).reshape(sentences, systems * columns).astype(float)
    generator = numpy.random.default_rng(seed)
    step = max(1, _CELLS // sentences)
    sums = []
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        weights = generator.multinomial(sentences, numpy.full(sentences, 1 / sentences), size=size)
        sums.append(weights.astype(float) @ flat)
    joined: NDArray[numpy.float64] = numpy.concatenate(sums).reshape(resamples, systems, columns)
    if numpy.issubdtype(stacked.dtype, numpy.integer):
        return numpy.rint(joined).astype(numpy.int64)  # the sums of counts are whole, whatever a product left of it
    return joined


def resampled_scores(counts: Sequence[Sums], resamples: int, seed: int) -> NDArray[numpy.float64]:
    """Precision, recall and F1 of resampled sentences, of shape (resamples, systems, 3)."""
    return ratios(resampled_sums(counts, resamples, seed))


def difference_p(first: NDArray[numpy.float64], second: NDArray[numpy.float64]) -> float:
    """Two-sided p-value of the paired bootstrap: how often the difference of resampled scores crosses zero."""
    differences = first - second
    below, above = float(numpy.mean(differences <= 0)), float(numpy.mean(differences >= 0))
    return min(1.0, 2 * min(below, above))
