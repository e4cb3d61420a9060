"""The measures of contenders under thin gold: means over draws and seeds, with tests of differences to the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from data.command_line import progress
from matchers.counts import Counts
from training.comparison.ground import Ground, Run, Terms, Verdicts
from training.comparison.levels import Level
from training.comparison.thin_results import AtLevel, RunScore, ThinComparison, ThinResult, spread_of
from training.evaluation.run_means import RANKING, Mean, Resampling, mean_f1, mean_ranking
from training.evaluation.significance import holm
from training.metrics import correlation, pair_score, system_scores


def compare_thinned(
    ground: Ground, verdicts: Sequence[Verdicts], rules: Verdicts, manual: Counts, terms: Terms
) -> ThinComparison:
    """What each contender's runs come to, at each level and over the levels."""
    counts = tuple(
        ground.thinned(level.draws[0]).formulations for level in terms.levels
    )  # a draw has as many as others
    measured = progress(verdicts, "thinness", terms.quiet, len(verdicts))
    results = [_result(ground, one, None if one is rules else rules, manual, terms) for one in measured]
    return ThinComparison(terms.levels, counts, terms.seeds, tuple(_corrected(results)))


def _result(ground: Ground, own: Verdicts, rules: Verdicts | None, manual: Counts, terms: Terms) -> ThinResult:
    levels = tuple(_at_level(ground, level, own, rules, manual, terms) for level in terms.levels)
    by_level = [_runs(own, level) for level in terms.levels]
    runs = [run for some in by_level for run in some]
    weights = [1 / len(by_level) / len(some) for some in by_level for _ in some]
    seeds = dict.fromkeys(run.seed for run in runs)
    by_seed = [_mean_over_levels(levels, seed) for seed in seeds] if own.assignments is not None else []
    return ThinResult(own.name, levels, _mean_f1(runs, rules, weights, _how(terms)), spread_of(by_seed), bool(own.seen))


def _how(terms: Terms) -> Resampling:
    return Resampling(terms.resamples, terms.seed)


def _runs(own: Verdicts, level: Level) -> list[Run]:
    """The runs of a level: of each seed under each draw."""
    return [run for run in own.runs if run.thinness in level.draws]


def _beside(runs: Sequence[Run], rules: Verdicts) -> list[Run]:
    """The rules' run under the same gold, for each run."""
    by_thinness = {run.thinness: run for run in rules.runs}
    return [by_thinness[run.thinness] for run in runs]


def _mean_f1(runs: Sequence[Run], rules: Verdicts | None, weights: Sequence[float], how: Resampling) -> Mean | None:
    """The mean F1 of runs, None of a contender without matches."""
    ours = [run.pairs for run in runs if run.pairs is not None]
    if not ours:
        return None
    theirs = [run.pairs for run in _beside(runs, rules) if run.pairs is not None] if rules else None
    return mean_f1(ours, theirs, weights, how)


def _at_level(
    ground: Ground, level: Level, own: Verdicts, rules: Verdicts | None, manual: Counts, terms: Terms
) -> AtLevel:
    runs, how = _runs(own, level), _how(terms)
    people = system_scores(manual, ground.systems)
    scores = []
    for run in runs:
        ours = system_scores(run.sums, ground.systems)
        agreement = correlation(
            [ours[name].f1 for name in ground.systems], [people[name].f1 for name in ground.systems]
        )
        scores.append(
            RunScore(run.thinness, run.seed, pair_score(run.pairs) if run.pairs is not None else None, agreement)
        )
    f1 = _mean_f1(runs, rules, [1 / len(runs)] * len(runs), how)
    theirs = [run.sums for run in _beside(runs, rules)] if rules else None
    at = AtLevel(level, tuple(scores), f1, mean_ranking([run.sums for run in runs], theirs, manual, how))
    return replace(
        at,
        spread=spread_of([_mean_of_seed(at, seed) for seed in dict.fromkeys(run.seed for run in runs)]) if f1 else None,
    )


def _mean_of_seed(at: AtLevel, seed: int | None) -> float:
    """The mean F1 of one seed at a level."""
    values = [run.pairs.f1 for run in at.runs if run.seed == seed and run.pairs]
    return sum(values) / len(values)


def _mean_over_levels(levels: Sequence[AtLevel], seed: int | None) -> float:
    return sum(_mean_of_seed(at, seed) for at in levels) / len(levels)


def _corrected(results: Sequence[ThinResult]) -> list[ThinResult]:
    """The results with p-values that allow for the number of matchers, at each level and of each measure."""
    means = _holm_of([result.mean for result in results])
    levels = [
        _corrected_level([result.levels[number] for result in results]) for number in range(len(results[0].levels))
    ]
    return [
        replace(result, mean=mean, levels=own)
        for result, mean, own in zip(results, means, zip(*levels, strict=True), strict=True)
    ]


def _corrected_level(at: Sequence[AtLevel]) -> list[AtLevel]:
    f1 = _holm_of([one.f1 for one in at])
    ranking = {measure.name: _holm_of([one.ranking[measure.name] for one in at]) for measure in RANKING}
    return [
        replace(one, f1=f1[place], ranking={name: mean for name, means in ranking.items() if (mean := means[place])})
        for place, one in enumerate(at)
    ]


def _holm_of(means: Sequence[Mean | None]) -> list[Mean | None]:
    tested = [mean.difference.p for mean in means if mean and mean.difference]
    corrected = iter(holm(tested))
    return [
        replace(mean, difference=replace(mean.difference, p=next(corrected))) if mean and mean.difference else mean
        for mean in means
    ]
