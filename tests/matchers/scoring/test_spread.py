"""Intervals and tests do what they promise, on simulated systems whose true scores are known."""

from __future__ import annotations

import numpy
import pytest

from matchers.counts import Counts, Score
from matchers.scoring.significance import BOOTSTRAP, SWAPS
from matchers.scoring.spread import Spread


def simulated(generator: numpy.random.Generator, sentences: int, better: float = 0.0) -> Counts:
    """A system's counts: sentences differ in how many clusters they have and in how hard they are."""
    clusters = generator.integers(2, 9, sentences)
    hard = generator.beta(4, 4, sentences)
    right = generator.binomial(clusters, numpy.clip(0.8 * hard + better, 0, 1))
    claimed = right + generator.binomial(clusters, 0.5 * (1 - hard))
    return numpy.stack([right, claimed, right, clusters], axis=1)


def truth() -> float:
    """The F1 over so many sentences that chance is out of it."""
    return Score.of(simulated(numpy.random.default_rng(0), 400_000).sum(axis=0)).f1


@pytest.mark.parametrize(("sentences", "least", "most"), [(50, 0.925, 0.975), (200, 0.93, 0.975)])
def test_intervals_cover_the_true_score_as_often_as_they_say(sentences: int, least: float, most: float) -> None:
    true, runs = truth(), 600
    generator = numpy.random.default_rng(1)
    covered = 0
    for run in range(runs):
        bounds = Spread.of([simulated(generator, sentences)], 400, run).intervals(0)
        assert bounds is not None
        covered += bounds[2].low <= true <= bounds[2].high
    assert least <= covered / runs <= most


def found_by_chance(sentences: int, runs: int = 600) -> float:
    """How often two systems that are alike are said to differ."""
    generator = numpy.random.default_rng(sentences)
    pairs = ([simulated(generator, sentences), simulated(generator, sentences)] for _ in range(runs))
    return sum(Spread.of(pair, 300, run).p(0, 1) < 0.05 for run, pair in enumerate(pairs)) / runs


@pytest.mark.parametrize("sentences", [1, 2, 5, 10, 20, 29])
def test_few_sentences_find_no_more_differences_by_chance_than_the_level_allows(sentences: int) -> None:
    assert found_by_chance(sentences) <= 0.065  # the level and two standard errors of 600 runs
    assert Spread.of([simulated(numpy.random.default_rng(1), sentences)], 10, 1).test == SWAPS


@pytest.mark.parametrize("sentences", [30, 60, 200])
def test_the_bootstrap_finds_about_as_many_differences_by_chance_as_the_level_says(sentences: int) -> None:
    assert 0.025 <= found_by_chance(sentences) <= 0.08
    assert Spread.of([simulated(numpy.random.default_rng(1), sentences)], 10, 1).test == BOOTSTRAP


@pytest.mark.parametrize("sentences", [12, 25, 60])
def test_real_differences_are_found(sentences: int) -> None:
    generator = numpy.random.default_rng(5)
    pairs = [[simulated(generator, sentences, 0.35), simulated(generator, sentences)] for _ in range(40)]
    sure = [Spread.of(pair, 300, run).p(0, 1) < 0.05 for run, pair in enumerate(pairs)]
    assert sum(sure) >= 28


@pytest.mark.parametrize("sentences", [1, 10, 29, 30, 80])
def test_p_is_never_0_and_the_same_both_ways_round(sentences: int) -> None:
    worse = numpy.tile([0, 1, 0, 1], (sentences, 1))
    spread = Spread.of([worse + numpy.array([1, 0, 1, 0]), worse, worse], 200, 1)
    assert 0 < spread.p(0, 1) == spread.p(1, 0) <= 1
    assert spread.p(1, 2) == 1


def test_no_intervals_below_five_sentences() -> None:
    generator = numpy.random.default_rng(1)
    assert Spread.of([simulated(generator, 4)], 50, 1).intervals(0) is None
    assert Spread.of([simulated(generator, 5)], 50, 1).intervals(0) is not None
    assert Spread.of([numpy.zeros((0, 4), dtype=numpy.int64)], 50, 1).intervals(0) is None
