"""How well each contender agrees with people, with intervals, and with tests of its difference to the rules.

Pairs: precision, recall and F1 of matches (Table 8 of the BenchIE^FL paper). Extractions: the share on which a matcher
and people name the same facts. Systems: how the scores of systems by a matcher go with those by people (Table 13). All
contenders are resampled on the same sentences, so that differences between them are paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray

from data.commands import progress
from matchers.bootstrap import Interval, resampled_scores
from matchers.scoring import Counts, Score, Sums
from training.contenders import BASELINE, Contender
from training.metrics import (
    MEASURES,
    Correlation,
    Difference,
    PairScore,
    accuracy,
    correlation,
    defined_interval,
    f1_difference,
    f1_interval,
    holm,
    pair_counts,
    pair_score,
    pearson_difference,
    pearson_rows,
    system_counts,
    system_scores,
)
from training.verdicts import Ground, Terms, Verdicts

Resampled = NDArray[numpy.float64]


@dataclass(frozen=True)
class PairAgreement:
    """Agreement on extraction-cluster pairs, of a contender that makes matches."""

    score: PairScore
    interval: Interval
    accuracy: float
    difference: Difference | None = None


@dataclass(frozen=True)
class SystemAgreement:
    """Agreement on the systems' precision, recall or F1."""

    correlation: Correlation
    pearson_interval: Interval | None


@dataclass(frozen=True)
class Result:
    """A contender's verdicts and their measures; p-values of differences to the rules are Holm-corrected."""

    verdicts: Verdicts
    pairs: PairAgreement | None
    systems: dict[str, Score]
    agreement: dict[str, SystemAgreement]
    difference: Difference | None = None  # of Pearson's correlation on F1 to that of the rules

    @property
    def name(self) -> str:
        """The contender's name."""
        return self.verdicts.name

    def pairs_per_second(self, pairs: int) -> float:
        """How many extraction-cluster pairs it decides in a second."""
        return pairs / max(self.verdicts.seconds, 1e-9)


@dataclass(frozen=True)
class Comparison:
    """Contenders compared on one ground, in the order in which they were named."""

    ground: Ground
    terms: Terms
    manual: dict[str, Score]
    results: tuple[Result, ...]

    @property
    def baseline(self) -> Result:
        """The rules."""
        return next(result for result in self.results if result.name == BASELINE)

    @property
    def best(self) -> Result:
        """Who agrees best with people on pairs, of those that have not seen them; the rules if there is a tie."""
        fair = [result for result in self.results if result.pairs and not result.verdicts.seen]
        return max(fair, key=lambda result: (pair_f1_of(result), result.name == BASELINE))


def pair_f1_of(result: Result) -> float:
    """A contender's pair F1; below all others if it makes no matches."""
    return result.pairs.score.f1 if result.pairs else -1.0


def compare(ground: Ground, contenders: Sequence[Contender], terms: Terms) -> Comparison:
    """Let all contenders judge, and measure them."""
    asked = progress(contenders, "matchers", terms.quiet, len(contenders))
    return measured(ground, [contender.judge(ground, terms) for contender in asked], terms)


def measured(ground: Ground, verdicts: Sequence[Verdicts], terms: Terms) -> Comparison:
    """The measures of what contenders said."""
    manual = system_counts(ground.work, [part.manual for part in ground.work], ground.systems)
    people = resampled_scores(list(manual), terms.resamples, terms.seed)
    results = [_result(ground, one, manual, people, terms) for one in verdicts]
    rules = next(one for one in verdicts if one.name == BASELINE)
    compared = tuple(_corrected(_with_differences(ground, results, rules, manual, terms)))
    return Comparison(ground, terms, system_scores(manual, ground.systems), compared)


def _result(ground: Ground, verdicts: Verdicts, manual: Counts, people: Resampled, terms: Terms) -> Result:
    pairs = None
    if verdicts.assignments is not None:
        counts = pair_counts(ground.work, verdicts.assignments)
        bounds = f1_interval(counts, terms.resamples, terms.seed)
        pairs = PairAgreement(pair_score(counts), bounds, accuracy(ground.work, verdicts.assignments))
    systems = system_scores(verdicts.sums, ground.systems)
    return Result(verdicts, pairs, systems, _system_agreement(ground, verdicts.sums, manual, people, terms))


def _system_agreement(
    ground: Ground, sums: Sums, manual: Counts, people: Resampled, terms: Terms
) -> dict[str, SystemAgreement]:
    """The correlations with people for precision, recall and F1."""
    ours, theirs = system_scores(sums, ground.systems), system_scores(manual, ground.systems)
    resampled = resampled_scores(list(sums), terms.resamples, terms.seed)
    return {
        measure: SystemAgreement(
            correlation(
                [getattr(ours[system], measure) for system in ground.systems],
                [getattr(theirs[system], measure) for system in ground.systems],
            ),
            defined_interval(pearson_rows(resampled[:, :, column], people[:, :, column])),
        )
        for column, measure in enumerate(MEASURES)
    }


def _with_differences(
    ground: Ground, results: Sequence[Result], rules: Verdicts, manual: Counts, terms: Terms
) -> list[Result]:
    """The results with their differences to the rules, whose p-values are those of single tests."""
    baseline = pair_counts(ground.work, rules.assignments or ())
    found = []
    for result in results:
        own = result.verdicts
        if own.name != BASELINE:
            gap = pearson_difference(own.sums, rules.sums, manual, terms.resamples, terms.seed)
            result = replace(result, difference=gap)
            if result.pairs and own.assignments is not None:
                counts = pair_counts(ground.work, own.assignments)
                difference = f1_difference(counts, baseline, terms.resamples, terms.seed)
                result = replace(result, pairs=replace(result.pairs, difference=difference))
        found.append(result)
    return found


def _corrected(results: Sequence[Result]) -> list[Result]:
    """The results with p-values that allow for the number of tests, in pair F1 and in correlation each."""
    in_pairs = _holm_of([result.pairs.difference if result.pairs else None for result in results])
    in_ranking = _holm_of([result.difference for result in results])
    return [
        replace(result, difference=ranking, pairs=result.pairs and replace(result.pairs, difference=pairs))
        for result, pairs, ranking in zip(results, in_pairs, in_ranking, strict=True)
    ]


def _holm_of(differences: Sequence[Difference | None]) -> list[Difference | None]:
    corrected = iter(holm([difference.p for difference in differences if difference]))
    return [difference and replace(difference, p=next(corrected)) for difference in differences]
