"""Kappa and alpha against figures from the literature and by hand; intervals; by pair and by principle."""

from __future__ import annotations

import numpy
import pytest
from sklearn.metrics import cohen_kappa_score

from data.model import Extraction
from training.studio.actions import Judge
from training.studio.agreement import MATCH, WHICH, agreements, cohen_kappa, measured
from training.studio.state import Case, Opinion


def case(number: int, sentence: str, principle: str = "", **said: str) -> Case:
    extraction = Extraction(sentence, f"a{number}", "b", "c")
    found = Case(extraction)
    for person, clusters in said.items():
        judge = Judge(extraction, tuple(clusters.split()), 1, principle=principle)
        found.opinions[person] = Opinion(person, judge, judge, "then", 1)
    return found


def test_kappa_is_that_of_scikit_learn() -> None:
    chance = numpy.random.default_rng(3)
    first, second = chance.integers(0, 3, 200), chance.integers(0, 3, 200)
    second[:120] = first[:120]
    table = numpy.zeros((3, 3))
    numpy.add.at(table, (first, second), 1)
    assert float(cohen_kappa(table)) == pytest.approx(cohen_kappa_score(first, second))


def test_alpha_is_that_of_krippendorffs_example() -> None:
    """Nominal data of two coders, twelve units, from 'Computing Krippendorff's Alpha-Reliability': 0.692."""
    one = "a a b b d c c c e d d a".split()
    two = "b a b b b c c c e d d d".split()
    answers = [(str(n), {"A": x, "B": y}) for n, (x, y) in enumerate(zip(one, two, strict=True))]
    assert measured(answers, WHICH, ("A", "B")).alpha.value == pytest.approx(0.692, abs=0.0005)


def test_alpha_takes_missing_opinions_and_more_than_two_people() -> None:
    """Krippendorff's nominal example of four observers and missing data: 0.743."""
    rows = ("1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 .")
    columns = list(zip(*(row.split() for row in rows), strict=True))
    answers = [
        (str(n), {f"p{i}": value for i, value in enumerate(column) if value != "."}) for n, column in enumerate(columns)
    ]
    answers = [(sentence, given) for sentence, given in answers if len(given) > 1]
    found = measured(answers, WHICH, ("p0", "p1", "p2", "p3"))
    assert found.alpha.value == pytest.approx(0.743, abs=0.0005)
    assert found.kappa is None


def test_intervals_hold_the_value_and_come_from_sentences() -> None:
    cases = [case(n, str(n % 20), Ada="1" if n % 3 else "", Bo="1" if n % 3 and n % 7 else "") for n in range(100)]
    found = agreements(cases)[0]
    assert found.question == MATCH
    assert found.kappa is not None
    assert found.kappa.value is not None
    assert found.kappa.interval is not None
    assert found.kappa.interval.low < found.kappa.value < found.kappa.interval.high
    assert agreements(cases)[0] == found  # the same every time


def test_too_few_sentences_have_no_interval() -> None:
    found = agreements([case(n, str(n % 2), Ada="1" if n % 3 else "", Bo="1") for n in range(20)])[0]
    assert found.alpha.value is not None
    assert found.alpha.interval is None


def test_which_cluster_is_asked_apart_from_match_or_not() -> None:
    cases = [case(1, "1", Ada="1", Bo="2"), case(2, "1", Ada="1", Bo="1"), case(3, "2", Ada="", Bo="")]
    by_question = {found.question: found for found in agreements(cases)}
    assert (by_question[MATCH].same, by_question[WHICH].same) == (3, 2)


def test_pairs_and_principles_have_their_own_figures() -> None:
    cases = [
        case(1, "1", "inference", Ada="1", Bo="1"),
        case(2, "2", "inference", Ada="1", Bo=""),
        case(3, "3", Ada="", Cy=""),
        case(4, "4", Ada="1"),
    ]
    found = agreements(cases)
    assert {one.people for one in found} == {("Ada", "Bo", "Cy"), ("Ada", "Bo"), ("Ada", "Cy")}
    assert {(one.principle, one.cases) for one in found if one.question == MATCH and one.principle} == {
        ("inference", 2)
    }
    assert agreements(cases[3:]) == []


def test_no_figure_is_made_up_where_chance_agrees_on_everything() -> None:
    found = agreements([case(1, "1", Ada="", Bo=""), case(2, "2", Ada="", Bo="")])[0]
    assert found.kappa is not None
    assert found.kappa.value is None
    assert found.alpha.value is None
