from __future__ import annotations

import numpy
import pytest

from matchers.counts import Counts, Score
from matchers.scoring import bootstrap
from matchers.scoring.bootstrap import difference_p, interval, resampled_scores, resampled_sums


def counts(seed: int, sentences: int = 80) -> Counts:
    """Counts of sentences with four extractions and four clusters each, some of them right."""
    right = numpy.random.default_rng(seed).integers(0, 5, sentences)
    four = numpy.full(sentences, 4)
    return numpy.stack([right, four, right, four], axis=1)


def test_all_systems_see_the_same_sentences() -> None:
    own = counts(1)
    sums = resampled_sums([own, own, own + 1], 50, seed=3)
    assert sums.shape == (50, 3, 4)
    assert (sums[:, 0] == sums[:, 1]).all()
    assert (sums[:, 2] - sums[:, 0] == len(own)).all()  # every resample has as many sentences as there are


def test_a_seed_decides_everything() -> None:
    own = [counts(1), counts(2)]
    assert (resampled_scores(own, 40, seed=5) == resampled_scores(own, 40, seed=5)).all()
    assert not (resampled_scores(own, 40, seed=5) == resampled_scores(own, 40, seed=6)).all()


def test_a_system_more_does_not_change_the_others() -> None:
    alone = resampled_scores([counts(1)], 40, seed=5)[:, 0]
    assert (alone == resampled_scores([counts(1), counts(2)], 40, seed=5)[:, 0]).all()


def test_resampling_in_parts_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = resampled_sums([counts(1)], 40, seed=5)
    monkeypatch.setattr(bootstrap, "_CELLS", 300)
    assert (resampled_sums([counts(1)], 40, seed=5) == whole).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_interval_contains_the_estimate(seed: int) -> None:
    own = counts(seed)
    values = resampled_scores([own], 500, seed=1)
    estimate = Score.of(own.sum(axis=0))
    for column, value in enumerate((estimate.precision, estimate.recall, estimate.f1)):
        bounds = interval(values[:, 0, column])
        assert bounds.low < value < bounds.high
        assert bounds.high - bounds.low < 0.25


def test_equal_sentences_leave_no_doubt() -> None:
    bounds = interval(resampled_scores([numpy.tile([1, 2, 1, 2], (30, 1))], 100, seed=1)[:, 0, 2])
    assert (bounds.low, bounds.high) == (0.5, 0.5)


def test_more_sentences_give_a_narrower_interval() -> None:
    few, many = (interval(resampled_scores([counts(1, size)], 300, 1)[:, 0, 2]) for size in (40, 4000))
    assert many.high - many.low < (few.high - few.low) / 5


def test_p_values_of_differences() -> None:
    lower, higher = counts(1), counts(1) + numpy.array([1, 0, 1, 0])
    values = resampled_scores([higher, lower, counts(2)], 500, seed=1)
    assert difference_p(values[:, 0, 2], values[:, 1, 2]) == difference_p(values[:, 1, 2], values[:, 0, 2]) == 2 / 501
    assert difference_p(values[:, 0, 2], values[:, 0, 2]) == 1
    assert 0 < difference_p(values[:, 1, 2], values[:, 2, 2]) < 1


def test_one_sentence_and_many_sentences() -> None:
    assert resampled_sums([numpy.array([[1, 2, 1, 2]])], 5, seed=1).tolist() == [[[1, 2, 1, 2]]] * 5
    sums = resampled_sums([numpy.ones((30_000, 4), dtype=numpy.int64)], 3, seed=1)
    assert (sums == 30_000).all()


def test_fractions_are_not_rounded() -> None:
    own = counts(1) * 0.3
    sums = resampled_sums([own], 20, seed=5)
    assert sums.dtype == float
    assert sums == pytest.approx(resampled_sums([counts(1)], 20, seed=5) * 0.3)
    assert resampled_sums([counts(1)], 2, seed=5).dtype == numpy.int64
