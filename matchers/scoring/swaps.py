"""A permutation test of the difference of two systems: their counts are swapped in any of the sentences.

If the two were alike, either could have done in a sentence what the other did, and all ways to swap them would be
equally likely. The p-value is the share of the ways that give a difference in F1 at least as large as the one that was
found; the way without any swap is one of them, so that it is never 0. With few sentences in which the two differ all
ways are tried, and the test holds its level exactly, however few they are; with more, ways are drawn.
"""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from matchers.counts import Sums, ratios

ENUMERATED = 14  # sentences with a difference: up to 16,384 ways
_CLOSE = 1e-12  # differences that are equal but for rounding


def swap_p(first: Sums, second: Sums, resamples: int, seed: int) -> float:
    """The two-sided p-value of the difference in F1 of two systems, by their counts of the same sentences.

    >>> better, worse = numpy.tile([1, 1, 1, 1], (6, 1)), numpy.tile([0, 1, 0, 1], (6, 1))
    >>> swap_p(better, worse, 1000, 1) == 2 / 2**6
    True
    """
    differ = (first != second).any(axis=1)
    if not differ.any():
        return 1.0
    both = (first + second).sum(axis=0).astype(float)
    kept = first.sum(axis=0).astype(float)
    change = (second - first)[differ].astype(float)
    ways, exact = _ways(len(change), resamples, seed)
    mixed = kept + ways @ change
    gaps = numpy.abs(_f1(mixed) - _f1(both - mixed))
    extreme = int((gaps >= abs(_f1(kept) - _f1(both - kept)) - _CLOSE).sum())
    return extreme / len(ways) if exact else (1 + extreme) / (1 + len(ways))


def _f1(sums: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    f1: NDArray[numpy.float64] = ratios(sums)[..., 2]
    return f1


def _ways(sentences: int, resamples: int, seed: int) -> tuple[NDArray[numpy.int64], bool]:
    """In which sentences counts are swapped, a row a way, and whether these are all ways."""
    if sentences <= ENUMERATED:
        numbers = numpy.arange(2**sentences)[:, None]
        return (numbers >> numpy.arange(sentences)) & 1, True
    generator = numpy.random.default_rng([seed, 2])  # another stream than that of the resampling
    return generator.integers(0, 2, size=(resamples, sentences)), False
