from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy
import pytest

from matchers.counts import Counts, ratios
from training.evaluation.run_means import Resampling, mean_f1, mean_ranking
from training.evaluation.significance import f1_difference, f1_interval, pearson_difference, same_scale
from training.metrics import kendall_rows, mae_rows, pair_f1

HOW = Resampling(300, 5)


def counts(seed: int, rate: float, sentences: int = 20) -> Counts:
    """What a matcher that is right at this rate gets of four matches a sentence."""
    generator = numpy.random.default_rng(seed)
    right = generator.binomial(4, rate, sentences)
    return numpy.stack([right, generator.binomial(3, 1 - rate, sentences), 4 - right], axis=1)


def systems(seed: int, sentences: int = 20) -> Counts:
    """Counts of four systems of different quality."""
    generator = numpy.random.default_rng(seed)
    made = numpy.full((4, sentences, 4), 4)
    made[..., 0] = made[..., 2] = generator.binomial(4, numpy.array([0.2, 0.4, 0.6, 0.8])[:, None], (4, sentences))
    return made


def f1(run: Counts) -> float:
    return float(pair_f1(run.sum(axis=0)))


def test_one_run_is_worth_what_a_single_comparison_says() -> None:
    ours, theirs = counts(1, 0.9), counts(2, 0.6)
    found = mean_f1([ours], [theirs], [1.0], HOW)
    assert found.value == pytest.approx(f1(ours))
    assert found.interval == f1_interval(ours, HOW.resamples, HOW.seed)
    assert found.difference == f1_difference(ours, theirs, HOW.resamples, HOW.seed)
    assert mean_f1([ours], None, [1.0], HOW).difference is None


def test_a_mean_is_weighted_and_its_difference_is_that_of_the_means() -> None:
    ours, theirs = [counts(n, 0.9) for n in (1, 2, 3)], [counts(n, 0.6) for n in (4, 5, 6)]
    weights = [0.5, 0.25, 0.25]
    found = mean_f1(ours, theirs, weights, HOW)
    assert found.value == pytest.approx(0.5 * f1(ours[0]) + 0.25 * f1(ours[1]) + 0.25 * f1(ours[2]))
    expected = sum(w * (f1(a) - f1(b)) for w, a, b in zip(weights, ours, theirs, strict=True))
    assert found.difference is not None and found.difference.value == pytest.approx(expected)
    assert found.difference.p < 0.01
    assert found.interval is not None and found.interval.low < found.value < found.interval.high  # type: ignore[operator]


def test_runs_that_are_alike_are_worth_no_more_than_one() -> None:
    """Draws and seeds are no further sentences: the interval does not shrink with them."""
    ours, theirs = counts(1, 0.8), counts(2, 0.75)
    once, often = mean_f1([ours], [theirs], [1.0], HOW), mean_f1([ours] * 4, [theirs] * 4, [0.25] * 4, HOW)
    assert once.interval is not None and often.interval is not None
    assert (often.interval.low, often.interval.high) == pytest.approx((once.interval.low, once.interval.high))
    assert once.difference is not None and often.difference is not None and often.difference.p == once.difference.p


def test_runs_are_paired_one_by_one() -> None:
    runs = [counts(n, 0.2 * n) for n in (1, 2, 3, 4)]
    same = mean_f1(runs, runs, [0.25] * 4, HOW)
    assert same.difference is not None and (same.difference.value, same.difference.p) == (0, 1)
    assert same.difference.interval is not None and same.difference.interval.low == same.difference.interval.high == 0


def test_rankings_of_the_same_runs_do_not_differ() -> None:
    manual, runs = systems(1), [systems(n) for n in (2, 3)]
    for mean in mean_ranking(runs, runs, manual, HOW).values():
        assert mean.difference is not None and mean.difference.interval is not None
        assert (mean.difference.value, mean.difference.p) == (0, 1)
        assert mean.difference.interval.low == mean.difference.interval.high == 0


def test_one_run_s_ranking_is_that_of_a_single_comparison() -> None:
    manual, ours, theirs = systems(1), systems(2), systems(3)[::-1].copy()
    found = mean_ranking([ours], [theirs], manual, HOW)
    expected = pearson_difference(ours, theirs, manual, HOW.resamples, HOW.seed)
    assert expected is not None and found["pearson"].difference is not None
    assert found["pearson"].difference.value == pytest.approx(expected.value)
    assert found["pearson"].difference.p == expected.p
    assert found["kendall"].value == 1 and found["kendall"].difference is not None
    assert found["kendall"].difference.value == 2  # the other ranks them the wrong way round
    assert found["mae"].difference is not None and found["mae"].difference.value < 0


def test_means_of_rankings() -> None:
    manual, runs = systems(1), [systems(n) for n in (2, 3)]
    both = mean_ranking(runs, None, manual, HOW)
    for name, mean in both.items():
        single = [mean_ranking([run], None, manual, HOW)[name] for run in runs]
        assert mean.value == pytest.approx(sum(one.value or 0.0 for one in single) / 2) and mean.difference is None
        ends = [one.interval for one in single if one.interval]
        assert mean.interval is not None and len(ends) == 2
        assert min(one.low for one in ends) <= mean.interval.low < mean.interval.high <= max(one.high for one in ends)


def test_a_scorer_that_is_proportional_has_the_same_ranking_and_another_error() -> None:
    manual = systems(1)
    low = manual * numpy.array([0.5, 1, 0.5, 1])
    found = mean_ranking([low], [manual], manual, HOW)
    assert found["pearson"].value == pytest.approx(1) and found["kendall"].value == 1
    assert found["mae"].value == pytest.approx(0.25, abs=0.05)
    assert found["mae"].difference is not None and found["mae"].difference.p < 0.02


def test_p_is_the_share_of_all_swaps_made_by_hand() -> None:
    """Each sentence is swapped in all runs at once; an error is swapped as it is, a correlation on one scale."""
    manual = systems(1, 5)
    pairs = [(systems(2, 5) // 2, systems(3, 5)[::-1].copy()), (systems(4, 5) // 2, systems(5, 5)[::-1].copy())]
    people = ratios(manual.sum(axis=1))[:, 2]

    def gap(swapped: tuple[int, ...], scaled: bool, measure: Callable[..., Any]) -> float:
        gaps = []
        for pair in pairs:
            ours, theirs = (same_scale(one) if scaled else one.astype(float) for one in pair)
            chosen = numpy.array(swapped, dtype=bool)[None, :, None]
            first, second = numpy.where(chosen, theirs, ours), numpy.where(chosen, ours, theirs)
            scores = [ratios(one.sum(axis=1))[:, 2] for one in (first, second)]
            gaps.append(measure(scores[0], people) - measure(scores[1], people))
        return float(sum(gaps)) / 2

    found = mean_ranking([ours for ours, _ in pairs], [theirs for _, theirs in pairs], manual, HOW)
    ps = set()
    for name, scaled, measure in (("mae", False, mae_rows), ("kendall", True, kendall_rows)):
        observed = gap((0,) * 5, scaled, measure)
        swaps = [gap(swapped, scaled, measure) for swapped in itertools.product((0, 1), repeat=5)]
        mean = found[name]
        assert mean.difference is not None and mean.difference.value == pytest.approx(observed)
        assert mean.difference.p == sum(abs(one) >= abs(observed) - 1e-9 for one in swaps) / 32
        ps.add(mean.difference.p)
    wrong = [gap(swapped, True, mae_rows) for swapped in itertools.product((0, 1), repeat=5)]
    assert sum(abs(one) >= abs(gap((0,) * 5, False, mae_rows)) - 1e-9 for one in wrong) / 32 not in ps


def test_what_is_not_defined_is_none() -> None:
    manual = systems(1)
    flat = numpy.ones_like(manual)
    found = mean_ranking([manual, flat], [manual, manual], manual, HOW)
    assert found["pearson"].value is None and found["pearson"].difference is None and found["pearson"].interval is None
    assert found["mae"].value is not None
    few = mean_f1([counts(1, 0.9, 4)], [counts(2, 0.5, 4)], [1.0], HOW)
    assert few.interval is None and few.difference is not None and few.difference.interval is None
