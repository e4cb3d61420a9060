"""What a figure is worth: intervals, and tests of the difference of two matchers on the same sentences.

Everything is computed from counts per sentence, so that resampling or swapping sentences is a matrix product. The tests
swap what two matchers said of a sentence, in all ways that there are if these are few enough, else in random ones; they
hold their level with any number of sentences, and p is never 0. Of less than five sentences no interval is given: too
few ways to resample them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from matchers.counts import CLAIMED, CLUSTERS, COVERED, RIGHT, Counts, Sums, ratios
from matchers.scoring.bootstrap import Interval, interval, resampled_scores, resampled_sums
from matchers.scoring.significance import FEWEST
from training.metrics import MEASURES, pair_f1, pearson_rows

_CELLS = 4_000_000  # swaps held at once


@dataclass(frozen=True)
class Difference:
    """A difference of two matchers on the same sentences, with its interval and p-value."""

    value: float
    interval: Interval | None
    p: float


def f1_difference(ours: Counts, theirs: Counts, resamples: int, seed: int) -> Difference:
    """The paired difference in pair F1: a bootstrap interval, and the p-value of a permutation test.

    The permutation test swaps the two matchers' counts in random sentences.
    """
    spread = pair_f1(resampled_sums([ours, theirs], resamples, seed))
    value = float(pair_f1(ours.sum(axis=0)) - pair_f1(theirs.sum(axis=0)))
    first, second = swapped_sums(ours[None], theirs[None], resamples, seed)
    chance = pair_f1(first[:, 0]) - pair_f1(second[:, 0])
    bounds = defined_interval(spread[:, 0] - spread[:, 1], len(ours))
    return Difference(value, bounds, permutation_p(value, chance, exact=is_enumerated(len(ours), resamples)))


def f1_interval(counts: Counts, resamples: int, seed: int) -> Interval | None:
    """The 95 % interval of pair F1 by resampling sentences."""
    return defined_interval(pair_f1(resampled_sums([counts], resamples, seed)[:, 0]), len(counts))


def defined_interval(values: NDArray[numpy.float64], sentences: int) -> Interval | None:
    """The 95 % interval of values of resampled sentences; None if no value is defined or there are too few."""
    return None if sentences < FEWEST or numpy.isnan(values).all() else interval(values)


def pearson_difference(ours: Sums, theirs: Sums, manual: Counts, resamples: int, seed: int) -> Difference | None:
    """The difference of two matchers' correlations with people, in the systems' F1; None where one is not defined.

    All arguments have the shape (systems, sentences, 4). The permutation test swaps what the two matchers say of random
    sentences, for all systems at once.
    """
    f1 = MEASURES.index("f1")
    people = ratios(manual.sum(axis=1))[:, f1]
    value = _pearson_gap(ratios(ours.sum(axis=1))[:, f1], ratios(theirs.sum(axis=1))[:, f1], people)
    resampled = [resampled_scores(list(sums), resamples, seed)[:, :, f1] for sums in (ours, theirs, manual)]
    gaps = _pearson_gap(*resampled)
    if numpy.isnan(value) or numpy.isnan(gaps).all():
        return None
    sentences = ours.shape[1]
    first, second = swapped_sums(same_scale(ours), same_scale(theirs), resamples, seed)
    chance = _pearson_gap(ratios(first)[:, :, f1], ratios(second)[:, :, f1], people[None, :])
    p = permutation_p(float(value), chance, exact=is_enumerated(sentences, resamples))
    return Difference(float(value), defined_interval(gaps, sentences), p)


def _pearson_gap(
    ours: NDArray[numpy.float64], theirs: NDArray[numpy.float64], manual: NDArray[numpy.float64]
) -> NDArray[numpy.float64]:
    return pearson_rows(ours, manual) - pearson_rows(theirs, manual)


def same_scale(sums: Sums) -> NDArray[numpy.float64]:
    """Sums whose precision, recall and F1 are multiplied by one factor, so that the systems' mean F1 is 1.

    A correlation does not change by it. Without it, swapping sentences of a scorer that gives high scores with those of
    one that gives low scores would test the height and not the ranking.
    """
    scaled = sums.astype(float)
    for top, bottom in ((RIGHT, CLAIMED), (COVERED, CLUSTERS)):
        scaled[..., [top, bottom]] /= scaled[..., bottom].sum() or 1.0
    scaled[..., [RIGHT, COVERED]] /= ratios(scaled.sum(axis=1))[:, MEASURES.index("f1")].mean() or 1.0
    return scaled


def swapped_sums(
    ours: Sums, theirs: Sums, resamples: int, seed: int
) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """Both matchers' sums over sentences after swapping them in some: (swaps, systems, columns) each.

    Where all ways to choose sentences are no more than there would be resamples, they are all taken, each once.
    """
    systems, sentences, columns = ours.shape
    first, second = (
        sums.transpose(1, 0, 2).reshape(sentences, systems * columns).astype(float) for sums in (ours, theirs)
    )
    mixed = numpy.concatenate(
        [first.sum(axis=0) + swaps @ (second - first) for swaps in _swaps(sentences, resamples, seed)]
    )
    shape = (len(mixed), systems, columns)
    return mixed.reshape(shape), ((first + second).sum(axis=0) - mixed).reshape(shape)


def is_enumerated(sentences: int, resamples: int) -> bool:
    """Whether all ways to choose sentences are taken, and not random ones."""
    return sentences < 63 and 2**sentences <= resamples


def _swaps(sentences: int, resamples: int, seed: int) -> Iterator[NDArray[numpy.int64]]:
    """Which sentences are swapped, a row a time: 0 or 1 for each of them."""
    if is_enumerated(sentences, resamples):
        yield numpy.arange(2**sentences)[:, None] >> numpy.arange(sentences)[None, :] & 1
        return
    generator = numpy.random.default_rng([seed, 1])  # another stream than that of the resampling
    step = max(1, _CELLS // sentences)
    for start in range(0, resamples, step):
        yield generator.integers(0, 2, size=(min(step, resamples - start), sentences))


def permutation_p(value: float, chance: NDArray[numpy.float64], exact: bool = False) -> float:
    """The two-sided p-value of a difference among those that came by chance; one that is not defined is as large.

    Random swaps are joined by what was observed; if they are all that there are (`exact`), it is among them already.
    """
    extreme = numpy.isnan(chance) | (numpy.abs(chance) >= abs(value) - 1e-9)
    return float((extreme.sum() + (not exact)) / (len(chance) + (not exact)))


def holm(values: Sequence[float]) -> list[float]:
    """P-values of several tests, corrected so that the chance of any false finding stays what it is for one.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, position in enumerate(sorted(range(len(values)), key=lambda number: values[number])):
        highest = max(highest, min(1.0, (len(values) - rank) * values[position]))
        corrected[position] = highest
    return corrected
