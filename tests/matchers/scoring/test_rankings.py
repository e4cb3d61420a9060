from __future__ import annotations

import numpy
import pytest

from matchers.rankings import agreements, disagreements, ranks_of
from matchers.scoring import Score
from matchers.side_by_side import Board, Result, Way

SURE, UNSURE = 0.001, 0.5


def board(name: str, spread: float, **f1: float) -> Board:
    """A benchmark by its systems' F1; their resampled F1 are drawn around it, independently."""
    generator = numpy.random.default_rng(1)
    results = {
        system: Result(Score(value, value, value), value + spread * generator.standard_normal(400))
        for system, value in f1.items()
    }
    return Board(Way(name, "rules"), 10, f"matcher:rules|{name}", results)


def test_a_pair_that_two_benchmarks_rank_opposite_ways_is_a_disagreement() -> None:
    found, compared = disagreements([board("one", SURE, a=0.5, b=0.3, c=0.1), board("two", SURE, a=0.3, b=0.5, c=0.1)])
    assert compared == 3
    (pair,) = found
    assert (pair.first, pair.second, pair.first_above, pair.second_above) == ("a", "b", ("one",), ("two",))
    assert pair.orders["one"].gap == pytest.approx(0.2) and pair.significant


def test_a_disagreement_is_significant_only_if_both_sides_are_sure() -> None:
    sure, unsure = board("sure", SURE, a=0.5, b=0.3), board("unsure", UNSURE, a=0.3, b=0.5)
    assert not disagreements([sure, unsure])[0][0].significant
    third = board("third", SURE, a=0.1, b=0.5)
    (pair,), _ = disagreements([sure, unsure, third])
    assert pair.significant and pair.second_above == ("unsure", "third")
    assert pair.alone == "sure"


def test_nobody_stands_alone_one_against_one() -> None:
    (pair,), _ = disagreements([board("one", SURE, a=0.5, b=0.3), board("two", SURE, a=0.3, b=0.5)])
    assert pair.alone is None


def test_ties_and_systems_of_one_benchmark_are_no_disagreement() -> None:
    found, compared = disagreements([board("one", SURE, a=0.5, b=0.5, d=0.9), board("two", SURE, a=0.3, b=0.5)])
    assert (found, compared) == ([], 1)


def test_agreement_of_two_benchmarks() -> None:
    one = board("one", SURE, a=0.6, b=0.5, c=0.4, d=0.4, only=0.1)
    two = board("two", SURE, a=0.5, b=0.6, c=0.4, d=0.3)
    (both,) = agreements([one, two])
    # Of six pairs, a and b are swapped, c and d are tied in `one`, the other four are alike.
    assert (both.systems, both.pairs, both.alike, both.opposite, both.sure) == (4, 6, 4, 1, 1)
    assert both.kendall == pytest.approx(0.5)
    (single,) = agreements([one, board("three", SURE, only=0.3)])
    assert (single.systems, single.pairs, single.kendall) == (1, 0, None)
    assert agreements([one, board("four", SURE, other=0.3)]) == []


def test_equal_systems_share_a_rank() -> None:
    assert ranks_of(board("one", SURE, a=0.4, b=0.5, c=0.4, d=0.1)) == {"b": 1, "a": 2, "c": 2, "d": 4}
