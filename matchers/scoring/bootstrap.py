"""Intervals and significance by resampling sentences, jointly across systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from matchers.counts import Sums, ratios

_CELLS = 4_000_000  # weights held at once
_BLOCK = 50_000  # sentences whose counts are made ready for a product at once


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
    sentences, whole = len(counts[0]), all(numpy.issubdtype(own.dtype, numpy.integer) for own in counts)
    flat = None if whole else _side_by_side(counts)
    generator = numpy.random.default_rng(seed)
    step = max(1, _CELLS // sentences)
    sums: list[Sums] = []
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        weights = generator.multinomial(sentences, numpy.full(sentences, 1 / sentences), size=size)
        sums.append(_whole_sums(weights, counts) if flat is None else weights.astype(float) @ flat)
    shape = (resamples, len(counts), -1)
    joined: Sums = numpy.concatenate(sums).reshape(shape)  # type: ignore[assignment]  # all of one kind
    return joined


def _whole_sums(weights: NDArray[numpy.int64], counts: Sequence[Sums]) -> NDArray[numpy.int64]:
    """Sums of counts, block by block: they are whole numbers, so that the order in which they are added is the same."""
    total = numpy.zeros((len(weights), sum(own.shape[1] for own in counts)))
    for start in range(0, weights.shape[1], _BLOCK):
        block = slice(start, start + _BLOCK)
        total += weights[:, block].astype(float) @ _side_by_side([own[block] for own in counts])
    return numpy.rint(total).astype(numpy.int64)  # whatever a product left of it


def _side_by_side(counts: Sequence[Sums]) -> NDArray[numpy.float64]:
    """The columns of all systems, a row a sentence."""
    return numpy.concatenate(counts, axis=1, dtype=float)


def resampled_scores(counts: Sequence[Sums], resamples: int, seed: int) -> NDArray[numpy.float64]:
    """Precision, recall and F1 of resampled sentences, of shape (resamples, systems, 3)."""
    return ratios(resampled_sums(counts, resamples, seed))


def difference_p(first: NDArray[numpy.float64], second: NDArray[numpy.float64]) -> float:
    """Two-sided p-value of the paired bootstrap: how often the difference of resampled scores crosses zero.

    What was found counts as one more resample on either side, so that no p-value is 0.
    """
    differences = first - second
    drawn = 1 + len(differences)
    below, above = (1 + int((differences <= 0).sum())) / drawn, (1 + int((differences >= 0).sum())) / drawn
    return min(1.0, 2 * min(below, above))
