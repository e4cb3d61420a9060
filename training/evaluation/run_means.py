"""What a mean over several runs is worth: draws of thin gold, levels of thinness, seeds of a recipe's folds.

All runs are of the same sentences, so these are resampled, or swapped with the rules', in all runs at once: intervals
are over sentences, and draws and seeds are what is averaged away. Each run is paired with the run of the rules under
the same gold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from matchers.counts import Counts, Sums, ratios
from matchers.scoring.bootstrap import Interval, resampled_scores, resampled_sums
from training.evaluation.significance import (
    Difference,
    defined_interval,
    is_enumerated,
    permutation_p,
    same_scale,
    swapped_sums,
)
from training.metrics import MEASURES, kendall_rows, mae_rows, pair_f1, pearson_rows

Floats = NDArray[numpy.float64]
_F1 = MEASURES.index("f1")


@dataclass(frozen=True)
class Mean:
    """A mean over runs, with its interval, and its difference to that of the rules; None where one is not defined."""

    value: float | None
    interval: Interval | None
    difference: Difference | None = None


@dataclass(frozen=True)
class Resampling:
    """How often and by which seed sentences are resampled and swapped."""

    resamples: int
    seed: int


def mean_f1(ours: Sequence[Counts], theirs: Sequence[Counts] | None, weights: Sequence[float], how: Resampling) -> Mean:
    """The weighted mean of pair F1; `theirs` are the rules' runs, pair by pair, or None for the rules themselves."""
    share = numpy.array(weights)
    sentences = len(ours[0])
    value = float(_f1_of(ours) @ share)
    drawn = pair_f1(resampled_sums(ours, how.resamples, how.seed)) @ share
    if theirs is None:
        return Mean(value, defined_interval(drawn, sentences))
    gap = value - float(_f1_of(theirs) @ share)
    gaps = drawn - pair_f1(resampled_sums(theirs, how.resamples, how.seed)) @ share
    first, second = swapped_sums(numpy.stack(ours), numpy.stack(theirs), how.resamples, how.seed)
    chance = pair_f1(first) @ share - pair_f1(second) @ share
    p = permutation_p(gap, chance, exact=is_enumerated(sentences, how.resamples))
    return Mean(value, defined_interval(drawn, sentences), Difference(gap, defined_interval(gaps, sentences), p))


def _f1_of(runs: Sequence[Counts]) -> Floats:
    return pair_f1(numpy.stack([run.sum(axis=0) for run in runs]))


@dataclass(frozen=True)
class RankingMeasure:
    """How scores of systems are compared with people's; `scaled` if only their proportions count."""

    name: str
    of: Callable[[Floats, Floats], Floats]
    scaled: bool


RANKING = (
    RankingMeasure("pearson", pearson_rows, scaled=True),
    RankingMeasure("kendall", kendall_rows, scaled=True),
    RankingMeasure("mae", mae_rows, scaled=False),
)


def mean_ranking(
    ours: Sequence[Sums], theirs: Sequence[Sums] | None, manual: Counts, how: Resampling
) -> dict[str, Mean]:
    """The means of the correlations, and of the error, of systems' F1 against people's; arguments as for `mean_f1`.

    Of each run there are sums of the shape (systems, sentences, 4), and so of people's judgments.
    """
    people = _f1(manual.sum(axis=1))
    drawn_people = _drawn(manual, how)
    own = _values(ours, manual, drawn_people, how)
    rules = _values(theirs, manual, drawn_people, how) if theirs is not None else None
    chance = _chances(ours, theirs, people, how) if theirs is not None else {}
    sentences = manual.shape[1]
    means = {}
    for measure in RANKING:
        value, drawn = own[measure.name]
        difference = None
        if rules is not None and not numpy.isnan(value - rules[measure.name][0]):
            gap, gaps = value - rules[measure.name][0], drawn - rules[measure.name][1]
            p = permutation_p(gap, chance[measure.name], exact=is_enumerated(sentences, how.resamples))
            difference = Difference(gap, defined_interval(gaps, sentences), p)
        means[measure.name] = Mean(
            None if numpy.isnan(value) else value, defined_interval(drawn, sentences), difference
        )
    return means


def _f1(sums: Sums) -> Floats:
    return ratios(sums)[..., _F1]


def _drawn(sums: Sums, how: Resampling) -> Floats:
    """The systems' F1 of resampled sentences."""
    return resampled_scores(list(sums), how.resamples, how.seed)[:, :, _F1]


def _values(
    runs: Sequence[Sums], manual: Counts, drawn_people: Floats, how: Resampling
) -> dict[str, tuple[float, Floats]]:
    """Each measure's mean over the runs, as it is and of resampled sentences."""
    people = _f1(manual.sum(axis=1))
    values = dict.fromkeys((measure.name for measure in RANKING), 0.0)
    rows = {measure.name: numpy.zeros(how.resamples) for measure in RANKING}
    for run in runs:
        scores, drawn = _f1(run.sum(axis=1)), _drawn(run, how)
        for measure in RANKING:
            values[measure.name] += float(measure.of(scores, people)) / len(runs)
            rows[measure.name] += measure.of(drawn, drawn_people) / len(runs)
    return {name: (value, rows[name]) for name, value in values.items()}


def _chances(ours: Sequence[Sums], theirs: Sequence[Sums], people: Floats, how: Resampling) -> dict[str, Floats]:
    """Each measure's mean difference when sentences are swapped with the rules'."""
    total: dict[str, Floats] = {}
    for own, rules in zip(ours, theirs, strict=True):
        plain = swapped_sums(own, rules, how.resamples, how.seed)
        scaled = swapped_sums(same_scale(own), same_scale(rules), how.resamples, how.seed)
        for measure in RANKING:
            first, second = (_f1(sums) for sums in (scaled if measure.scaled else plain))
            gaps = (measure.of(first, people[None, :]) - measure.of(second, people[None, :])) / len(ours)
            total[measure.name] = total.get(measure.name, 0.0) + gaps
    return total
