from __future__ import annotations

from itertools import product

import numpy
import pytest

from matchers.counts import Counts, Score
from matchers.scoring import swaps
from matchers.scoring.swaps import swap_p


def counts(seed: int, sentences: int) -> Counts:
    generator = numpy.random.default_rng(seed)
    right = generator.integers(0, 4, sentences)
    return numpy.stack([right, right + generator.integers(0, 3, sentences), right, numpy.full(sentences, 4)], axis=1)


def by_hand(first: Counts, second: Counts) -> float:
    """The p-value by the definition: every way to swap, one after the other."""

    def gap(swapped: tuple[bool, ...]) -> float:
        rows = [(two, one) if swap else (one, two) for one, two, swap in zip(first, second, swapped, strict=True)]
        return abs(Score.of(sum(one for one, _ in rows)).f1 - Score.of(sum(two for _, two in rows)).f1)

    ways = [gap(swapped) for swapped in product((False, True), repeat=len(first))]
    return sum(way >= ways[0] - 1e-12 for way in ways) / len(ways)


@pytest.mark.parametrize("seed", range(4))
def test_every_way_to_swap_is_tried(seed: int) -> None:
    first, second = counts(seed, 9), counts(seed + 10, 9)
    assert swap_p(first, second, 100, 1) == pytest.approx(by_hand(first, second))


def test_one_sentence_tells_nothing() -> None:
    assert swap_p(numpy.array([[3, 3, 3, 3]]), numpy.array([[0, 3, 0, 3]]), 100, 1) == 1.0


def test_sentences_without_a_difference_don_t_matter() -> None:
    first, second, same = counts(1, 9), counts(2, 9), counts(3, 1)
    # both systems gain the same counts, and the ways to swap stay as many as they were
    assert swap_p(numpy.vstack([first, same]), numpy.vstack([second, same]), 100, 1) == pytest.approx(
        by_hand(numpy.vstack([first, same]), numpy.vstack([second, same]))
    )


def test_drawn_ways_come_close_to_all_ways_and_keep_to_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = counts(4, 12), counts(5, 12)
    exact = swap_p(first, second, 100, 1)
    monkeypatch.setattr(swaps, "ENUMERATED", 3)
    drawn = swap_p(first, second, 4000, 1)
    assert drawn == pytest.approx(exact, abs=0.03) and drawn == swap_p(first, second, 4000, 1)
    assert drawn != swap_p(first, second, 4000, 2)


def test_drawn_ways_never_give_0() -> None:
    worse = numpy.tile([0, 1, 0, 1], (25, 1))
    assert swap_p(worse + numpy.array([1, 0, 1, 0]), worse, 200, 1) == pytest.approx(1 / 201)


def test_fractions() -> None:
    first, second = counts(1, 8) * 0.7, counts(2, 8) * 0.7
    assert swap_p(first, second, 100, 1) == pytest.approx(swap_p(counts(1, 8), counts(2, 8), 100, 1))
