from __future__ import annotations

import numpy
import pytest

from matchers.counts import Counts, ratios
from training.evaluation.significance import (
    f1_difference,
    f1_interval,
    holm,
    pearson_difference,
    permutation_p,
    swapped_sums,
)
from training.metrics import pair_f1


def test_an_interval_holds_the_value() -> None:
    generator = numpy.random.default_rng(1)
    counts = generator.integers(0, 5, (30, 3))
    bounds = f1_interval(counts, 500, seed=3)
    assert bounds is not None and bounds.low < float(pair_f1(counts.sum(axis=0))) < bounds.high
    assert f1_interval(counts, 500, seed=3) == bounds != f1_interval(counts, 500, seed=4)


def test_the_same_matcher_is_no_different() -> None:
    counts = numpy.array([[3, 1, 0], [2, 0, 2], [1, 1, 1], [0, 2, 1], [4, 0, 0]])
    found = f1_difference(counts, counts, 200, seed=1)
    assert found.interval is not None
    assert (found.value, found.interval.low, found.interval.high, found.p) == (0, 0, 0, 1)


def test_a_clear_difference() -> None:
    ours, theirs = numpy.array([[4, 0, 0]] * 20), numpy.array([[2, 2, 2]] * 20)
    found = f1_difference(ours, theirs, 400, seed=1)
    assert found.value == pytest.approx(0.5)
    assert found.interval is not None and found.interval.low == found.interval.high == pytest.approx(0.5)
    assert found.p < 0.01
    other = f1_difference(theirs, ours, 400, seed=1)
    assert other.value == pytest.approx(-0.5) and other.p == found.p


def test_swapping_keeps_the_total() -> None:
    ours, theirs = numpy.arange(18).reshape(1, 6, 3), numpy.ones((1, 6, 3), dtype=int)
    first, second = swapped_sums(ours, theirs, 50, seed=2)
    assert first.shape == (50, 1, 3)
    assert (first + second == (ours + theirs).sum(axis=1)).all()


def test_permutation_p() -> None:
    chance = numpy.array([0.0, 0.1, -0.3, numpy.nan])
    assert permutation_p(0.2, chance) == pytest.approx((1 + 2) / 5)  # one beyond, and the one that is not defined


def test_a_difference_of_correlations() -> None:
    generator = numpy.random.default_rng(7)
    manual = numpy.zeros((4, 25, 4), dtype=int)
    manual[..., 1] = manual[..., 3] = 4
    manual[..., 0] = manual[..., 2] = generator.integers(0, 2, (4, 25)) + numpy.arange(4)[:, None]
    noisy = manual.copy()
    noisy[..., 0] = noisy[..., 2] = generator.integers(0, 5, (4, 25))
    found = pearson_difference(manual, noisy, manual, 300, seed=1)
    assert (
        found is not None
        and found.value > 0
        and found.interval is not None
        and found.interval.low <= found.value <= found.interval.high
    )
    scores = [ratios(sums.sum(axis=1))[:, 2] for sums in (manual, noisy)]
    assert found.value == pytest.approx(1 - numpy.corrcoef(scores)[0, 1])
    flat = numpy.ones_like(manual)
    assert pearson_difference(manual, flat, manual, 50, seed=1) is None


def test_holm() -> None:
    assert holm([0.5, 0.01]) == [0.5, 0.02]
    assert holm([0.9, 0.9]) == [1.0, 1.0] and holm([]) == []


def counts_of(seed: int, sentences: int, rate: float) -> Counts:
    """What a matcher that is right at this rate gets of four matches a sentence; sentences differ in difficulty."""
    generator = numpy.random.default_rng(seed)
    hard = generator.normal(0, 0.15, sentences)
    right = generator.binomial(4, numpy.clip(rate + hard, 0.02, 0.98))
    wrong = generator.binomial(3, numpy.clip(1 - rate - hard, 0.02, 0.98))
    return numpy.stack([right, wrong, 4 - right], axis=1)


@pytest.mark.parametrize(("sentences", "most"), [(1, 0.0), (4, 0.0), (8, 0.075), (15, 0.085), (40, 0.085)])
def test_equal_matchers_are_called_different_no_more_often_than_the_level_says(sentences: int, most: float) -> None:
    trials = 400
    ps = [
        f1_difference(counts_of(2 * n, sentences, 0.7), counts_of(2 * n + 1, sentences, 0.7), 300, seed=n).p
        for n in range(trials)
    ]
    assert min(ps) > 0
    assert (
        sum(p < 0.05 for p in ps) / trials <= most
    )  # .05 and two and a half standard errors; few sentences allow none


def test_a_real_difference_is_found() -> None:
    found = [f1_difference(counts_of(2 * n, 30, 0.85), counts_of(2 * n + 1, 30, 0.6), 300, seed=n).p for n in range(40)]
    assert sum(p < 0.05 for p in found) >= 36


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    truth = float(pair_f1(counts_of(99, 200_000, 0.7).sum(axis=0)))
    intervals = [f1_interval(counts_of(n, 50, 0.7), 300, seed=n) for n in range(300)]
    covered = sum(one is not None and one.low <= truth <= one.high for one in intervals)
    below = sum(one is not None and one.high < truth for one in intervals)
    assert 0.90 <= covered / 300 <= 0.985
    assert below <= 0.06 * 300 and 300 - covered - below <= 0.06 * 300  # it misses on either side alike


def test_few_sentences_have_no_interval_and_a_p_that_can_be_enumerated() -> None:
    ours, theirs = counts_of(1, 4, 0.9), counts_of(2, 4, 0.3)
    found = f1_difference(ours, theirs, 10_000, seed=1)
    assert found.interval is None and f1_interval(ours, 100, 1) is None
    assert found.p == f1_difference(ours, theirs, 10_000, seed=2).p  # no chance in it
    assert found.p * 16 == pytest.approx(round(found.p * 16)) and found.p >= 2 / 16


def test_the_exact_p_is_the_share_of_all_swaps_worked_by_hand() -> None:
    ours, theirs = numpy.array([[2, 0, 0], [1, 0, 1]]), numpy.array([[0, 0, 2], [1, 0, 1]])
    # swapping the first sentence turns the difference round, swapping the second changes nothing: 4 of 4 as large
    assert f1_difference(ours, theirs, 100, seed=1).p == 1
    # here both sentences speak for the first: only no swap and both swaps are as large
    assert f1_difference(ours, theirs[::-1], 100, seed=1).p == 0.5


def test_p_is_two_sided() -> None:
    """A difference is as surprising the other way round, and its p is that of both tails together."""
    chance = numpy.linspace(-1, 1, 2001)
    assert permutation_p(0.9, chance) == permutation_p(-0.9, chance) == pytest.approx(0.1, abs=0.005)
    lopsided = numpy.concatenate([numpy.full(10, 0.95), numpy.zeros(90)])
    assert permutation_p(-0.9, lopsided) == pytest.approx(11 / 101)


def test_random_swaps_follow_the_seed_and_are_not_those_of_the_resampling() -> None:
    ours, theirs = counts_of(1, 40, 0.75), counts_of(2, 40, 0.7)
    found = [f1_difference(ours, theirs, 400, seed).p for seed in (1, 1, 2, 3)]
    assert found[0] == found[1] and len(set(found)) > 1
    swaps, _ = swapped_sums(ours[None], theirs[None], 5, seed=1)
    again, _ = swapped_sums(ours[None], theirs[None], 5, seed=1)
    other, _ = swapped_sums(ours[None], theirs[None], 5, seed=2)
    assert (swaps == again).all() and (swaps != other).any()
    plain = numpy.random.default_rng(1).integers(0, 2, size=(5, 40)) @ (theirs - ours) + ours.sum(axis=0)
    assert (swaps[:, 0] != plain).any()  # a stream of its own, beside that of the bootstrap
