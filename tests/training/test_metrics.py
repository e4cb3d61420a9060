from __future__ import annotations

import numpy
import pytest

from matchers.interface import Assignment, Match, Reason
from tests.matchers.facts import sentence, triple
from training.labels.judged_parts import Judged
from training.metrics import (
    PairScore,
    accuracy,
    correlation,
    kendall_rows,
    mae_rows,
    pair_counts,
    pair_f1,
    pair_score,
    pearson_rows,
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


def test_correlations_that_are_not_defined_are_none() -> None:
    flat = correlation([0.5, 0.5], [0.1, 0.9])
    assert (flat.pearson, flat.spearman, flat.kendall) == (None, None, None)
    assert flat.pairwise_accuracy == 0 and flat.mae == pytest.approx(0.4)
    one = correlation([0.5], [0.1])
    assert (one.pearson, one.kendall, one.pairwise_accuracy) == (None, None, None) and one.mae == pytest.approx(0.4)


def test_pearson_of_rows() -> None:
    rows = pearson_rows(numpy.array([[1.0, 2, 3], [1, 1, 1]]), numpy.array([[2.0, 4, 6], [1, 2, 3]]))
    assert rows[0] == pytest.approx(1) and numpy.isnan(rows[1])


def test_two_systems_are_enough_for_a_correlation() -> None:
    found = correlation([0.1, 0.2], [0.3, 0.9])
    assert found.pearson == pytest.approx(1) and found.kendall == pytest.approx(1) and found.pairwise_accuracy == 1
    assert correlation([0.1, 0.2], [0.9, 0.3]).pairwise_accuracy == 0


def test_kendall_and_error_of_rows_are_those_of_single_lists() -> None:
    generator = numpy.random.default_rng(3)
    first = generator.integers(0, 4, (30, 6)) / 7  # with ties
    second = generator.integers(0, 6, (30, 6)) / 11
    rows, errors = kendall_rows(first, second), mae_rows(first, second)
    for number in range(30):
        single = correlation(first[number].tolist(), second[number].tolist())
        assert single.kendall is not None and rows[number] == pytest.approx(single.kendall)
        assert errors[number] == pytest.approx(single.mae)
    assert numpy.isnan(kendall_rows(numpy.ones((1, 3)), numpy.array([[1.0, 2.0, 3.0]])))[0]
    noisy = numpy.array([[0.3, 0.1 + 0.2, 0.5]])  # equal but for rounding
    assert kendall_rows(noisy, noisy)[0] == 1
