from __future__ import annotations

import numpy
import pytest

from data.model import Benchmark
from matchers.counts import SystemScore, ranked
from matchers.scoring.boards import Board, Way
from matchers.scoring.rankings import agreements, disagreements, ranks_of
from matchers.scoring.results import GoldInfo, Scores, SystemResult
from matchers.scoring.spread import Spread

SURE, UNSURE = 400, 10  # how many sentences a benchmark has


def board(name: str, sentences: int, **f1: float) -> Board:
    """A benchmark by its systems' F1: a system is right in the first sentences and wrong in the others."""
    scored = []
    for system, value in f1.items():
        counts = numpy.zeros((sentences, 4), dtype=numpy.int64)
        counts[:, [1, 3]] = 1
        counts[: round(value * sentences), [0, 2]] = 1
        scored.append(SystemScore(system, sentences, counts))
    order = ranked(scored)
    spread = Spread.of([system.counts for system in order], 400, 1)
    systems = tuple(SystemResult(system, spread.intervals(place)) for place, system in enumerate(order))
    gold = GoldInfo(name, "", sentences, sentences)
    scores = Scores(f"matcher:rules|{name}", "rules", gold, systems, spread, Benchmark(name, ()))
    return Board(Way(name, "rules"), scores, {})


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


def test_a_benchmark_that_ties_all_has_no_correlation() -> None:
    (both,) = agreements([board("one", SURE, a=0.5, b=0.5), board("two", SURE, a=0.3, b=0.5)])
    assert (both.pairs, both.kendall, both.to_json()["kendall"]) == (1, None, None)


def test_equal_systems_share_a_rank() -> None:
    assert ranks_of(board("one", SURE, a=0.4, b=0.5, c=0.4, d=0.1)) == {"b": 1, "a": 2, "c": 2, "d": 4}
