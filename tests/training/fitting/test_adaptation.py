from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy
import pytest

import matchers
from data.catalog import load
from data.problems import Diagnostics, InputError
from matchers.features.estimators import Corrected, Linear, estimator_of, logistic
from matchers.features.matcher import FeatureMatcher
from tests.matchers import tiny
from training.fitting.adaptation import adapt, adaptation_recipe, corrected, fit_correction, prepared, starting_matcher
from training.fitting.features import fit_features
from training.fitting.parts import Part, featurise
from training.labels.judged_parts import Judged, assign_all
from training.metrics import pair_counts, pair_score
from training.recipes import Classifier, Recipe, load_recipe

ESTIMATORS = ["logistic_regression", "gradient_boosting", "random_forest"]


@cache
def parts(first: int, last: int) -> tuple[Part, ...]:
    """Sentences of the sample, made ready."""
    return tuple(prepared([part for part in tiny.parts(last) if part not in tiny.parts(first)]))


@cache
def strict(estimator: str) -> FeatureMatcher:
    """A matcher of a judge who takes nothing but what the rules match: the sample's judges are far more lenient."""
    matcher = matchers.load("rules")
    work = tiny.parts(14)
    said = assign_all(matcher, work)
    labels = [
        tuple(frozenset(match.cluster for match in one.of(index)) for index in range(len(part.extractions)))
        for part, one in zip(work, said, strict=True)
    ]
    own = [replace(part, labels=label) for part, label in zip(work, labels, strict=True)]
    recipe = Recipe(inner_folds=2, classifier=Classifier(estimator=estimator, trees=20))  # type: ignore[arg-type]
    return fit_features(recipe, [featurise(part) for part in own], [], seed=1)


def f1(matcher: FeatureMatcher, work: list[Judged]) -> float:
    return pair_score(pair_counts(work, assign_all(matcher, work))).f1


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_judgments_move_a_strict_matcher_towards_a_lenient_judge(estimator: str) -> None:
    start, unseen = strict(estimator), [part.judged for part in parts(26, 34)]
    adapted = adapt(start, parts(14, 26), inner_folds=2)
    assert f1(adapted, unseen) > f1(start, unseen) + 0.01
    again = adapt(start, parts(14, 26), inner_folds=2)
    assert again.model.estimator.as_json() == adapted.model.estimator.as_json()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_prior_is_the_start(estimator: str) -> None:
    """Where a departure costs without bounds, nothing but scale and offset moves; without a label nothing does."""
    start, some = strict(estimator), parts(14, 16)
    held = fit_correction(start.model, some, 1e12)
    assert numpy.abs(held.added.weights).max() < 1e-6
    silent = [replace(part, trained=part.trained & False, thin=()) for part in some]
    nothing = fit_correction(start.model, silent, 3.0)
    same = replace(start.model, estimator=corrected(start.model, nothing), slope=1.0, offset=0.0)
    rows = some[0].table.values
    assert same.probabilities(rows) == pytest.approx(start.model.probabilities(rows), abs=1e-9)


def test_five_judgments_of_one_sentence_do_no_harm() -> None:
    start = matchers.load("features")
    assert isinstance(start, FeatureMatcher)
    unseen = [part.judged for part in parts(26, 34)]
    for part in parts(14, 16)[:4]:
        assert f1(adapt(start, [part]), unseen) > f1(start, unseen) - 0.02


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_what_was_adapted_can_be_saved_and_adapted_again(estimator: str) -> None:
    once = adapt(strict(estimator), parts(14, 18), inner_folds=2)
    assert isinstance(once.model.estimator, Linear if estimator == "logistic_regression" else Corrected)
    twice = adapt(once, parts(18, 22), inner_folds=2)
    for one in (once, twice):
        written = json.loads(json.dumps(one.model.estimator.as_json()))
        read = replace(one.model, estimator=estimator_of(written, len(one.model.features)))
        rows = parts(14, 18)[0].table.values
        assert read.probabilities(rows) == pytest.approx(one.model.probabilities(rows), abs=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_saved_estimator_is_the_start_s_with_the_correction(estimator: str) -> None:
    """Corrected twice over, log-odds are those that the corrections give one after the other."""
    model, some = strict(estimator).model, parts(14, 18)
    rows = some[0].table.values
    for _ in range(2):
        found = fit_correction(model, some, 10.0)
        before = model.slope * model.estimator.log_odds(rows[:, model.columns]) + model.offset
        after = replace(model, estimator=corrected(model, found), slope=1.0, offset=0.0)
        expected = logistic(found.of(before, rows[:, model.columns]))
        assert after.probabilities(rows) == pytest.approx(expected, abs=1e-9)
        model = after


def test_a_damaged_correction_is_an_error() -> None:
    value = adapt(strict("random_forest"), parts(14, 16)).model.estimator.as_json()
    count = len(value["base"]["means"])
    assert isinstance(estimator_of(value, count), Corrected)
    for damaged in (
        {**value, "base": value},
        {**value, "correction": value["base"]},
        {**value, "scale": float("inf")},
        {**value, "base": 3},
        {name: part for name, part in value.items() if name != "scale"},
    ):
        with pytest.raises(InputError, match="the weights are damaged"):
            estimator_of(damaged, count)


def test_what_cannot_be_started_from() -> None:
    sample = load("sample", diagnostics=Diagnostics())
    with pytest.raises(InputError, match="hybrid is of kind 'hybrid'; only checkpoints of features"):
        starting_matcher("hybrid", sample)
    with pytest.raises(InputError, match="no checkpoint is called 'nowhere'"):
        starting_matcher("nowhere", sample)
    assert starting_matcher("features", sample).trained_on


def test_what_counts_of_a_recipe() -> None:
    found = adaptation_recipe(load_recipe("features", ["folds=4", "seed=7"]), "features", ["folds=4", "seed=7"])
    assert (found.name, found.folds, found.seed) == ("features-adapted", 4, 7)
    named = adaptation_recipe(load_recipe("features", ["name=mine"]), "features", ["name=mine"])
    assert named.name == "mine"
    with pytest.raises(InputError, match=r"classifier\.trees has no effect where a checkpoint is adapted"):
        adaptation_recipe(load_recipe("features"), "features", ["classifier.trees=3"])
    with pytest.raises(InputError, match="the recipe cross_encoder is of kind 'cross_encoder'"):
        adaptation_recipe(load_recipe("cross_encoder"), "features")
