from __future__ import annotations

import numpy
import pytest

from matchers.interface import Assignment, Match, Reason
from tests.matchers.facts import sentence, triple
from training.judged import Judged
from training.metrics import (
    PairScore,
    accuracy,
    correlation,
    f1_difference,
    f1_interval,
    holm,
    pair_counts,
    pair_f1,
    pair_score,
    pairwise_accuracy,
    pearson_difference,
    pearson_rows,
    permutation_p,
    swapped_sums,
    system_counts,
    system_scores,
)

FIRST = sentence("Ann --> is --> a pilot", "Ann --> left --> Oslo", text="Ann , a pilot , left Oslo .")
SECOND = sentence("Bo --> bakes --> bread", text="Bo bakes bread .", name="2")
E = [triple("a - b - c"), triple("d - e - f"), triple("g - h - i")]


def part(of: object, system: str, *labels: set[str]) -> Judged:
    assert of in (FIRST, SECOND)
    chosen = FIRST if of is FIRST else SECOND
    return Judged(chosen, system, tuple(E[: len(labels)]), tuple(map(frozenset, labels)))


def said(work: Judged, *clusters: str) -> Assignment:
    """An assignment that gives these clusters to the extractions, `` for none."""
    matches = (
        Match(E[index], cluster, 1.0, Reason("test"), index) for index, cluster in enumerate(clusters) if cluster
    )
    return Assignment(work.sentence, work.extractions, tuple(matches))


WORK = [part(FIRST, "x", {"1"}, {"2"}, set()), part(FIRST, "y", {"1"}), part(SECOND, "x", {"1"}, set())]
SAID = [said(WORK[0], "1", "", "2"), said(WORK[1], "2"), said(WORK[2], "1", "")]


def test_counts_of_pairs_by_sentence() -> None:
    # sentence 1: one right, a false and a missed one of x; of y one false and one missed; sentence 2: one right
    assert pair_counts(WORK, SAID).tolist() == [[1, 2, 2], [1, 0, 0]]


def test_precision_recall_and_f1_of_pairs() -> None:
    score = pair_score(pair_counts(WORK, SAID))
    assert score == PairScore(2, 2, 2)
    assert (score.precision, score.recall, score.f1) == (0.5, 0.5, 0.5)
    assert PairScore(3, 1, 3).f1 == pytest.approx(6 / 10)


def test_nothing_found_is_a_score_of_0() -> None:
    assert (PairScore(0, 0, 0).precision, PairScore(0, 0, 0).recall, PairScore(0, 0, 0).f1) == (0, 0, 0)
    assert pair_f1(numpy.array([[0, 0, 0], [1, 0, 0]])).tolist() == [0, 1]


def test_accuracy_counts_extractions() -> None:
    assert accuracy(WORK, SAID) == pytest.approx(3 / 6)
    assert accuracy([], []) == 0


def test_scores_of_systems() -> None:
    counts = system_counts(WORK, SAID, ["x", "y"])
    assert counts.shape == (2, 2, 4)
    scores = system_scores(counts, ["x", "y"])
    # x: 3 of 5 extractions matched, 3 of 3 clusters found; y: 1 of 1 and, with the sentence it left out, 1 of 3
    assert (scores["x"].precision, scores["x"].recall) == (pytest.approx(3 / 5), 1)
    assert (scores["y"].precision, scores["y"].recall) == (1, pytest.approx(1 / 3))


def test_correlations_worked_by_hand() -> None:
    found = correlation([0.1, 0.2, 0.3, 0.4], [0.1, 0.3, 0.2, 0.4])
    assert found.pearson == pytest.approx(0.8) and found.spearman == pytest.approx(0.8)
    assert found.kendall == pytest.approx(4 / 6)  # five pairs of six in order, one not
    assert found.pairwise_accuracy == pytest.approx(5 / 6)
    assert found.mae == pytest.approx(0.05)


def test_correlations_that_are_not_defined_are_0() -> None:
    assert correlation([0.5, 0.5], [0.1, 0.9]).pearson == 0
    assert correlation([0.5], [0.1]).kendall == 0
    assert pairwise_accuracy(numpy.array([0.5]), numpy.array([0.1])) == 1


def test_pearson_of_rows() -> None:
    rows = pearson_rows(numpy.array([[1.0, 2, 3], [1, 1, 1]]), numpy.array([[2.0, 4, 6], [1, 2, 3]]))
    assert rows[0] == pytest.approx(1) and numpy.isnan(rows[1])


def test_an_interval_holds_the_value() -> None:
    generator = numpy.random.default_rng(1)
    counts = generator.integers(0, 5, (30, 3))
    bounds = f1_interval(counts, 500, seed=3)
    assert bounds.low < float(pair_f1(counts.sum(axis=0))) < bounds.high
    assert f1_interval(counts, 500, seed=3) == bounds != f1_interval(counts, 500, seed=4)


def test_the_same_matcher_is_no_different() -> None:
    counts = numpy.array([[3, 1, 0], [2, 0, 2], [1, 1, 1]])
    found = f1_difference(counts, counts, 200, seed=1)
    assert (found.value, found.interval.low, found.interval.high, found.p) == (0, 0, 0, 1)


def test_a_clear_difference() -> None:
    ours, theirs = numpy.array([[4, 0, 0]] * 20), numpy.array([[2, 2, 2]] * 20)
    found = f1_difference(ours, theirs, 400, seed=1)
    assert found.value == pytest.approx(0.5)
    assert found.interval.low == found.interval.high == pytest.approx(0.5)
    assert found.p < 0.01
    other = f1_difference(theirs, ours, 400, seed=1)
    assert other.value == pytest.approx(-0.5) and other.p == found.p


def test_swapping_keeps_the_total() -> None:
    ours, theirs = numpy.arange(12).reshape(1, 4, 3), numpy.ones((1, 4, 3), dtype=int)
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
    assert found is not None and found.value > 0 and found.interval.low <= found.value <= found.interval.high
    flat = numpy.ones_like(manual)
    assert pearson_difference(manual, flat, manual, 50, seed=1) is None


def test_holm() -> None:
    assert holm([0.5, 0.01]) == [0.5, 0.02]
    assert holm([0.9, 0.9]) == [1.0, 1.0] and holm([]) == []
