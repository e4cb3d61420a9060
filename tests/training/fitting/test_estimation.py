from __future__ import annotations

import json
from dataclasses import replace

import numpy
import pytest

from data.catalog import load
from data.problems import Diagnostics
from matchers.features.estimators import Trees, estimator_of
from matchers.features.groups import FEATURES, NAMES, THIN_GROUPS
from training.fitting.estimation import fit_estimator, used_columns
from training.fitting.parts import Part, featurise
from training.labels.judged_parts import GENERATED, judged
from training.recipes import Classifier

COLUMNS_USED = used_columns(Classifier())


@pytest.fixture(scope="module")
def parts() -> list[Part]:
    return [featurise(part) for part in judged(load("sample", diagnostics=Diagnostics()))[:80]]


@pytest.mark.parametrize("estimator", ["gradient_boosting", "random_forest"])
def test_trees_decide_and_are_stored_as_they_decide(estimator: str, parts: list[Part]) -> None:
    classifier = Classifier(estimator=estimator, trees=12)  # type: ignore[arg-type]
    fitted = fit_estimator(classifier, parts, [], COLUMNS_USED, 1)
    assert isinstance(fitted, Trees) and len(fitted.trees) == 12
    rows = numpy.concatenate([part.table.values for part in parts])[:, COLUMNS_USED]
    labels = numpy.concatenate([part.labels for part in parts])
    odds = fitted.log_odds(rows)
    assert odds[labels].mean() > odds[~labels].mean() + 1
    again = estimator_of(json.loads(json.dumps(fitted.as_json())), len(COLUMNS_USED))
    assert (again.log_odds(rows) == odds).all()
    assert (fit_estimator(classifier, parts, [], COLUMNS_USED, 1).log_odds(rows) == odds).all()


def test_boosted_trees_keep_to_the_signs(parts: list[Part]) -> None:
    fitted = fit_estimator(Classifier(estimator="gradient_boosting", trees=12), parts, [], COLUMNS_USED, 1)
    rows = numpy.concatenate([part.table.values for part in parts])[:400, COLUMNS_USED]
    before = fitted.log_odds(rows)
    for position, column in enumerate(COLUMNS_USED):
        if FEATURES[column].sign:
            more = rows.copy()
            more[:, position] += 2.0
            assert (FEATURES[column].sign * (fitted.log_odds(more) - before) >= -1e-9).all(), FEATURES[column].name


def test_parts_without_weight_teach_nothing(parts: list[Part]) -> None:
    classifier = Classifier(estimator="logistic_regression")
    alone = fit_estimator(classifier, parts[:40], [], COLUMNS_USED, 1)
    beside = [replace(part, weight=0.0) for part in parts[40:]]
    rows = parts[0].table.values[:, COLUMNS_USED]
    assert (fit_estimator(classifier, parts[:40], beside, COLUMNS_USED, 1).log_odds(rows) == alone.log_odds(rows)).all()


def test_an_ensemble_says_the_mean_of_its_members(parts: list[Part]) -> None:
    # far pairs are drawn by the seed, so that members trained alone would not have the same ones
    cost = NAMES.index("reading_cost")
    near = [replace(part, trained=part.trained & (part.table.values[:, cost] < 6)) for part in parts]
    rows = numpy.concatenate([part.table.values for part in parts])[:, COLUMNS_USED]

    def odds(ensembles: int, seed: int) -> numpy.ndarray:
        classifier = Classifier(estimator="gradient_boosting", trees=8, ensembles=ensembles)
        fitted = fit_estimator(classifier, near, [], COLUMNS_USED, seed)
        assert isinstance(fitted, Trees) and len(fitted.trees) == 8 * ensembles
        return fitted.log_odds(rows)

    first, second = odds(1, 3), odds(1, 4)
    assert numpy.abs(first - second).max() > 0.01
    assert numpy.abs(odds(2, 3) - (first + second) / 2).max() < 1e-9


def test_by_thickness_is_linear_where_gold_is_thick_and_trees_where_it_is_thin(parts: list[Part]) -> None:
    both = fit_estimator(Classifier(estimator="by_thickness", trees=12), parts, [], COLUMNS_USED, 1)
    trees = fit_estimator(Classifier(estimator="gradient_boosting", trees=12), parts, [], COLUMNS_USED, 1)
    rows = numpy.concatenate([part.table.values for part in parts])[:200, COLUMNS_USED]
    rows[:, NAMES.index("mean_formulations")] = 1.0
    assert (both.log_odds(rows) == trees.log_odds(rows)).all()
    rows[:, NAMES.index("mean_formulations")] = 3.0
    thin = [column for column, feature in enumerate(FEATURES) if feature.group in THIN_GROUPS]
    before = both.log_odds(rows)
    rows[:, [column for column in thin if NAMES[column] != "mean_formulations"]] = 0.0
    assert (both.log_odds(rows) == before).all()  # the linear model takes none of thin gold's features


def test_what_is_generated_teaches_the_linear_model_alone(parts: list[Part]) -> None:
    classifier = Classifier(estimator="by_thickness", trees=12)
    made = [replace(part, judged=replace(part.judged, source=GENERATED), labels=~part.labels) for part in parts[:9]]
    without = fit_estimator(classifier, parts, [], COLUMNS_USED, 1)
    with_made = fit_estimator(classifier, parts, made, COLUMNS_USED, 1)
    rows = numpy.concatenate([part.table.values for part in parts])[:200, COLUMNS_USED]
    rows[:, NAMES.index("mean_formulations")] = 1.0
    assert (without.log_odds(rows) == with_made.log_odds(rows)).all()
    rows[:, NAMES.index("mean_formulations")] = 3.0
    assert (without.log_odds(rows) != with_made.log_odds(rows)).any()
