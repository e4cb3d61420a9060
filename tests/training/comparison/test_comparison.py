from __future__ import annotations

import time
from dataclasses import replace

import numpy
import pytest

from data.model import Benchmark
from data.problems import InputError
from matchers.registry import load
from tests.training.compared import TERMS, comparison, hostile, sample
from training.comparison.comparison import compare
from training.comparison.ground import Ground, Verdicts
from training.comparison.lineup import find_contenders
from training.comparison.results import Comparison, Result
from training.evaluation.significance import f1_difference, holm, pearson_difference, same_scale, swapped_sums
from training.labels.judged_parts import assign_all
from training.metrics import pair_counts, pair_f1


def by_name(found: Comparison) -> dict[str, Result]:
    return {result.name: result for result in found.results}


def test_what_is_compared() -> None:
    found = by_name(comparison())
    assert list(found) == ["em", "rules", "wire57", "carb", "words"]
    assert found["carb"].pairs is None
    rules = found["rules"].pairs
    assert rules is not None and rules.difference is None and found["rules"].difference is None
    assert rules.interval.low < rules.score.f1 < rules.interval.high
    assert 0 < rules.accuracy < 1


def test_the_best_has_not_seen_the_sentences() -> None:
    found = comparison()
    with_pairs = {result.name: result.pairs.score.f1 for result in found.results if result.pairs}
    assert found.best.name == max(with_pairs, key=lambda name: with_pairs[name])
    seen = tuple(
        replace(r, verdicts=replace(r.verdicts, seen=9)) if r.name == found.best.name else r for r in found.results
    )
    assert replace(found, results=seen).best.name != found.best.name


def test_differences_to_the_rules() -> None:
    found = by_name(comparison())
    em = found["em"].pairs
    assert em is not None and em.difference is not None
    assert em.difference.value == pytest.approx(em.score.f1 - found["rules"].pairs.score.f1)  # type: ignore[union-attr]
    assert em.difference.interval.high < 0 and em.difference.p < 0.05
    assert found["carb"].difference is not None and -2 <= found["carb"].difference.value <= 2


def test_the_same_seed_gives_the_same_comparison() -> None:
    again = compare(sample(), find_contenders(["em"]), TERMS)
    once_more = compare(sample(), find_contenders(["em"]), TERMS)

    def measures(found: Comparison) -> list[object]:
        return [(r.pairs, r.agreement, r.difference, r.systems) for r in found.results]

    assert measures(again) == measures(once_more)


def test_ten_thousand_resamples_take_seconds() -> None:
    started = time.process_time()
    compare(sample(), find_contenders(["em", "wire57"]), replace(TERMS, resamples=10_000))
    assert time.process_time() - started < 20


def test_a_benchmark_without_judgments() -> None:
    benchmark = sample().benchmark
    with pytest.raises(InputError, match="has no judgments"):
        Ground.of(Benchmark("bare", benchmark.sentences, benchmark.systems))


def test_two_systems_on_two_sentences_are_enough() -> None:
    found = compare(Ground.of(hostile()), find_contenders(["em", "carb"]), TERMS)
    for result in found.results:
        agreement = result.agreement["f1"]
        assert agreement.pearson_interval is None and agreement.correlation.pearson is None  # both systems are equal
        assert result.difference is None


def test_a_system_without_extractions_in_a_sentence_still_misses_its_clusters() -> None:
    ground = sample()
    fewer = Ground(
        ground.benchmark,
        tuple(part for part in ground.work if part.system != "pithy" or part.sentence.id != "1"),
        ground.systems,
    )
    whole, less = (compare(one, find_contenders(["carb"]), TERMS) for one in (ground, fewer))
    for found in (by_name(whole), by_name(less)):
        assert found["carb"].verdicts.sums[:, :, 3].sum(axis=1).tolist() == [431.0] * 5


def test_holm_corrects_in_order_and_stays_below_one() -> None:
    assert holm([]) == []
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([0.01, 0.02, 0.03, 0.04]) == pytest.approx([0.04, 0.06, 0.06, 0.06])


def counts_of(name: str) -> numpy.ndarray:  # type: ignore[type-arg]
    return pair_counts(sample().work, assign_all(load(name), sample().work))


def test_a_matcher_does_not_differ_from_itself() -> None:
    own = counts_of("em")
    found = f1_difference(own, own, 200, 1)
    assert (found.value, found.interval.low, found.interval.high, found.p) == (0, 0, 0, 1)


def test_swapping_keeps_the_total() -> None:
    first, second = counts_of("em")[None], counts_of("rules")[None]
    ours, theirs = swapped_sums(first, second, 50, 3)
    assert ours.shape == theirs.shape == (50, 1, 3)
    assert numpy.allclose(ours + theirs, (first + second).sum(axis=1)[None])
    assert numpy.ptp(pair_f1(ours[:, 0])) > 0


def sums_of(found: Comparison, name: str) -> Verdicts:
    return by_name(found)[name].verdicts


def test_one_scale_does_not_change_a_correlation() -> None:
    manual = sums_of(comparison(), "rules").sums.astype(numpy.int64)
    carb = sums_of(comparison(), "carb").sums
    doubled = carb * numpy.array([0.5, 1.0, 0.5, 1.0])
    plain, scaled = (pearson_difference(one, manual, manual, 300, 1) for one in (carb, doubled))
    assert plain is not None and scaled is not None
    assert plain.value == pytest.approx(scaled.value) and plain.p == scaled.p
    assert same_scale(carb) == pytest.approx(same_scale(doubled))
