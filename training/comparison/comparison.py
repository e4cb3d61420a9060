"""How well each contender agrees with people, with intervals, and with tests of its difference to the rules.

Pairs: precision, recall and F1 of matches (Table 8 of the BenchIE^FL paper). Extractions: the share on which a matcher
and people name the same facts. Systems: how the scores of systems by a matcher go with those by people (Table 13). All
contenders are resampled on the same sentences, so that differences between them are paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy
from numpy.typing import NDArray

from data.command_line import progress
from matchers.counts import Counts, Sums
from matchers.scoring.bootstrap import resampled_scores
from training.comparison.contenders import BASELINE, Contender
from training.comparison.ground import Ground, Terms, Verdicts
from training.comparison.results import Comparison, PairAgreement, Result, SystemAgreement
from training.comparison.thin_measures import compare_thinned
from training.evaluation.significance import (
    Difference,
    defined_interval,
    f1_difference,
    f1_interval,
    holm,
    pearson_difference,
)
from training.metrics import (
    MEASURES,
    accuracy,
    correlation,
    pair_counts,
    pair_score,
    pearson_rows,
    system_counts,
    system_scores,
)

Resampled = NDArray[numpy.float64]


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
    thinness = compare_thinned(ground, verdicts, rules, manual, terms) if terms.levels else None
    return Comparison(ground, terms, system_scores(manual, ground.systems), compared, thinness=thinness)


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
            defined_interval(pearson_rows(resampled[:, :, column], people[:, :, column]), sums.shape[1]),
        )
        for column, measure in enumerate(MEASURES)
    }


def _with_differences(
    ground: Ground, results: Sequence[Result], rules: Verdicts, manual: Counts, terms: Terms
) -> list[Result]:
    """The results with their differences to the rules, whose p-values are those of single tests."""
    baseline = pair_counts(ground.work, rules.assignments or ())
    compared = []
    for result in results:
        own = result.verdicts
        if own.name != BASELINE:
            gap = pearson_difference(own.sums, rules.sums, manual, terms.resamples, terms.seed)
            result = replace(result, difference=gap)
            if result.pairs and own.assignments is not None:
                counts = pair_counts(ground.work, own.assignments)
                difference = f1_difference(counts, baseline, terms.resamples, terms.seed)
                result = replace(result, pairs=replace(result.pairs, difference=difference))
        compared.append(result)
    return compared


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
