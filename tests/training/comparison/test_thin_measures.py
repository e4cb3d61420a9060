from __future__ import annotations

from dataclasses import replace

import pytest

from data.thinning import Thinness
from matchers.registry import load
from tests.training.compared import TERMS, THIN_TERMS, Training, few, learning, thin_comparison
from training.comparison.comparison import compare
from training.comparison.lineup import find_contenders
from training.comparison.thin_results import ThinComparison, spread_of
from training.evaluation.run_means import Resampling, mean_f1
from training.labels.judged_parts import assign_all
from training.metrics import pair_counts, pair_score


def found() -> ThinComparison:
    thinness = thin_comparison().thinness
    assert thinness is not None
    return thinness


def test_the_first_level_is_the_comparison_as_it_is() -> None:
    for name in ("em", "rules", "words"):
        whole, level = thin_comparison()[name], found()[name].levels[0]
        first = level.runs[0]
        assert whole.pairs is not None and first.pairs == whole.pairs.score
        assert first.correlation == whole.agreement["f1"].correlation
    em, level = thin_comparison()["em"].pairs, found()["em"].levels[0].f1
    assert em is not None and level is not None
    assert level.value == pytest.approx(em.score.f1) and level.interval == em.interval


def test_a_level_is_what_the_matcher_says_of_its_gold() -> None:
    ground = few().thinned(Thinness.of("2"))
    score = pair_score(pair_counts(ground.work, assign_all(load("em"), ground.work)))
    assert found()["em"].levels[2].runs[0].pairs == score


def test_random_is_a_mean_of_draws() -> None:
    level = found()["rules"].levels[-1]
    assert [str(run.thinness) for run in level.runs] == [f"random-{number}" for number in range(1, 6)]
    assert level.f1 is not None and level.f1.value == pytest.approx(sum(p.f1 for p in level.pairs) / 5)
    assert len({p.f1 for p in level.pairs}) > 1
    assert level.mean("tp") == pytest.approx(sum(p.tp for p in level.pairs) / 5)


def test_the_mean_over_the_levels_counts_the_draws_together_as_one() -> None:
    for name in ("em", "rules", "words"):
        result = found()[name]
        levels = [level.f1.value for level in result.levels if level.f1 and level.f1.value is not None]
        assert len(levels) == 5 and result.mean is not None
        assert result.mean.value == pytest.approx(sum(levels) / 5)


def test_a_recipe_is_judged_by_each_seed_with_folds_of_its_own() -> None:
    training = Training()
    [verdicts] = [
        result.verdicts
        for result in compare(few(), [*find_contenders(["rules"]), learning(training, folds=3)], THIN_TERMS).results
        if result.name == "words"
    ]
    assert len(training.seen) == 6  # once a fold, not once a level
    assert {frozenset(seen) for seen in training.seen[:3]} != {frozenset(seen) for seen in training.seen[3:]}
    assert [run.seed for run in verdicts.runs] == [1] * 9 + [2] * 9
    assert "|seeds:2|" in verdicts.signature and "|levels:all+3+2+first+random-1+" in verdicts.signature


def test_the_spread_is_that_of_the_seeds_means() -> None:
    result = found()["words"]
    for level in result.levels:
        by_seed = [
            sum(run.pairs.f1 for run in level.runs if run.seed == seed and run.pairs) / len(level.level.draws)
            for seed in (1, 2)
        ]
        assert level.spread == pytest.approx((min(by_seed), max(by_seed)))
        assert level.f1 is not None and level.f1.value == pytest.approx(sum(by_seed) / 2)
    assert result.spread is not None and result.mean is not None and result.mean.value is not None
    assert result.spread[0] < result.mean.value < result.spread[1]
    assert found()["em"].spread is None and found()["em"].levels[0].spread is None
    assert spread_of([0.5]) is None and spread_of([0.5, 0.2, 0.4]) == (0.2, 0.5)


def test_differences_are_to_the_rules_under_the_same_gold_and_corrected_for_the_number_of_matchers() -> None:
    thinness = found()
    assert thinness["rules"].mean is not None and thinness["rules"].mean.difference is None
    ours, rules = (thin_comparison()[name].verdicts.runs for name in ("em", "rules"))
    for place, level in enumerate(thinness.levels):
        at = thinness["em"].levels[place]
        assert at.f1 is not None and at.f1.difference is not None
        chosen = [
            (own.pairs, other.pairs)
            for own, other in zip(ours, rules, strict=True)
            if own.thinness in level.draws and own.pairs is not None and other.pairs is not None
        ]
        plain = mean_f1(
            [own for own, _ in chosen], [other for _, other in chosen], [1 / len(chosen)] * len(chosen),
            Resampling(THIN_TERMS.resamples, THIN_TERMS.seed),
        )  # fmt: skip
        assert plain.difference is not None and at.f1.difference.value == plain.difference.value
        assert at.f1.difference.interval == plain.difference.interval
        tested = [
            one.f1.difference.p
            for one in (result.levels[place] for result in thinness.results)
            if one.f1 and one.f1.difference
        ]
        assert len(tested) == 2 and plain.difference.p <= at.f1.difference.p <= 2 * plain.difference.p


def test_a_token_scorer_has_rankings_and_no_f1_of_matches() -> None:
    carb = found()["carb"]
    assert carb.mean is None and all(level.f1 is None and not level.pairs for level in carb.levels)
    assert all(level.ranking["mae"].value is not None for level in carb.levels)
    assert len({level.ranking["mae"].value for level in carb.levels}) > 1


def test_formulations_are_those_of_the_judged_sentences() -> None:
    assert found().formulations[0] == sum(len(c.formulations) for s in few().sentences for c in s.clusters)
    assert list(found().formulations) == sorted(found().formulations, reverse=True)
    assert found().formulations[-1] == found().formulations[-2]


def test_without_levels_there_is_nothing_of_it() -> None:
    plain = compare(few(), find_contenders(["em"]), replace(TERMS, resamples=50))
    assert plain.thinness is None and "thinness" not in plain.to_json() and plain["em"].verdicts.runs == ()
    assert "levels:" not in plain.signature
