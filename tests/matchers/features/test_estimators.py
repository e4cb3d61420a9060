from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from numpy.typing import NDArray

from data.problems import InputError
from matchers.features.estimators import ByThickness, Estimator, Linear, Trees, estimator_of, logistic
from matchers.features.groups import FEATURES
from training.fitting.estimation import _linear, _trees
from training.recipes import Classifier

Rows = NDArray[numpy.float64]
KINDS = ("logistic_regression", "gradient_boosting", "random_forest")


@pytest.fixture(scope="module")
def data() -> tuple[Rows, NDArray[numpy.bool_], Rows]:
    """Rows such as features give (counts, shares, a constant), labels, weights."""
    generator = numpy.random.default_rng(5)
    rows = numpy.column_stack(
        [generator.integers(0, 4, 300), generator.integers(1, 9, 300) / generator.integers(9, 15, 300), numpy.ones(300)]
    ).astype(float)
    labels = rows[:, 0] + 3 * rows[:, 1] + generator.normal(0, 1, 300) > 3
    return rows, labels, generator.choice([0.3, 1.0], 300)


def fitted(kind: Any, data: tuple[Rows, Any, Rows], monkeypatch: pytest.MonkeyPatch) -> tuple[Estimator, Any, Rows]:
    """Our estimator, scikit-learn's from which it was made, and the rows that the latter takes."""
    import sklearn.ensemble
    import sklearn.linear_model

    rows, labels, weights = data
    kept: list[Any] = []
    for module, name in (
        (sklearn.linear_model, "LogisticRegression"),
        (sklearn.ensemble, "HistGradientBoostingClassifier"),
        (sklearn.ensemble, "RandomForestClassifier"),
    ):
        monkeypatch.setattr(module, name, keeping(getattr(module, name), kept))
    classifier = Classifier(estimator=kind)
    free = [column for column, feature in enumerate(FEATURES) if feature.sign == 0][:3]
    if kind == "logistic_regression":
        linear = _linear(classifier, rows, labels, weights, free)
        standard = (rows - linear.means) / linear.scales
        theirs = sklearn.linear_model.LogisticRegression(C=classifier.strength, tol=1e-8, max_iter=500)
        return linear, theirs.fit(standard, labels, sample_weight=weights), standard
    return _trees(classifier, rows, labels, weights, free, 3), kept[0], rows


def keeping(made: Callable[..., Any], kept: list[Any]) -> Callable[..., Any]:
    def make(*arguments: Any, **named: Any) -> Any:
        kept.append(made(*arguments, **named))
        return kept[-1]

    return make


def test_linear_weights_keep_to_the_signs(data: tuple[Rows, Any, Rows]) -> None:
    rows, labels, weights = data
    for sign in (1, -1):
        columns = [column for column, feature in enumerate(FEATURES) if feature.sign == sign][:3]
        found = _linear(Classifier(), rows, labels, weights, columns)
        assert (sign * found.weights >= 0).all()
        assert (found.weights[0] != 0) == (sign == 1)  # the labels grow with the first column


@pytest.mark.parametrize("kind", KINDS)
def test_equals_scikit_learn(kind: str, data: tuple[Rows, Any, Rows], monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs, rows = fitted(kind, data, monkeypatch)
    expected = theirs.predict_proba(rows)[:, 1]
    if kind == "random_forest":
        expected = numpy.clip(expected, 1e-6, 1 - 1e-6)
    tolerance = 1e-4 if kind == "logistic_regression" else 1e-9  # two solvers stop at nearly the same point
    assert logistic(ours.log_odds(data[0])) == pytest.approx(expected, abs=tolerance)
    assert numpy.ptp(expected) > 0.5


@pytest.mark.parametrize("kind", KINDS)
def test_json_round_trip(kind: str, data: tuple[Rows, Any, Rows], monkeypatch: pytest.MonkeyPatch) -> None:
    ours, _, _ = fitted(kind, data, monkeypatch)
    again = estimator_of(json.loads(json.dumps(ours.as_json())), 3)
    assert again.as_json() == ours.as_json()
    assert (again.log_odds(data[0]) == ours.log_odds(data[0])).all()


LINEAR = Linear(numpy.zeros(2), numpy.ones(2), numpy.array([1.0, -2.0]), 0.5).as_json()
TREE = (numpy.array([0, -1, -1]), numpy.array([0.5, 0, 0]), numpy.array([1, -1, -1]), numpy.array([2, -1, -1]),
        numpy.array([0.0, -1.0, 2.0]))  # fmt: skip
TREES = Trees(numpy.zeros(2), (TREE,), averaged=False, intercept=0.25).as_json()


def test_worked_by_hand() -> None:
    rows = numpy.array([[0.5, 9.0], [0.6, 9.0]])
    assert estimator_of(LINEAR, 2).log_odds(rows).tolist() == pytest.approx([-17.0, -16.9])
    assert estimator_of(TREES, 2).log_odds(rows).tolist() == [-0.75, 2.25]  # at most the threshold goes left


def test_extreme_log_odds_stay_probabilities() -> None:
    assert logistic(numpy.array([-1e9, 0.0, 1e9])).tolist() == pytest.approx([0, 0.5, 1])


def changed(value: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {**value, **parts}


def tree(**parts: Any) -> dict[str, Any]:
    return changed(TREES, trees=[{**TREES["trees"][0], **parts}])


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        "text",
        None,
        changed(LINEAR, type="oracle"),
        changed(LINEAR, weights=[1.0]),
        changed(LINEAR, weights=[[1.0, 2.0]]),
        changed(LINEAR, weights=["a", "b"]),
        changed(LINEAR, weights=[1.0, float("inf")]),
        changed(LINEAR, scales=[0.0, 1.0]),
        changed(LINEAR, intercept="high"),
        changed(LINEAR, intercept=None),
        changed(TREES, means=[0.0]),
        changed(TREES, trees=[]),
        changed(TREES, trees=[7]),
        tree(threshold=[0.5]),
        tree(value=[0.0, 1.0, float("nan")]),
        tree(feature=[2, -1, -1]),
        tree(feature=[]),
        tree(left=[9, -1, -1]),
        tree(left=[10**30, -1, -1]),
    ],
)
def test_damaged_weights_are_refused(value: Any) -> None:
    with pytest.raises(InputError, match="the weights are damaged"):
        estimator_of(value, 2)


@pytest.mark.parametrize(
    "parts", [{"left": [0, -1, -1]}, {"feature": [0, 1, -1], "left": [1, 0, -1], "right": [2, 2, -1]}]
)
def test_a_looping_tree_is_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="out of order"):
        estimator_of(tree(**parts), 2)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(InputError, match="'weights' is missing"):
        estimator_of({name: part for name, part in LINEAR.items() if name != "weights"}, 2)


def by_thickness() -> ByThickness:
    """Log-odds of 2 where the gold is thick, and of -1 where it is thin; the second feature is the thickness."""
    thick = Linear(numpy.zeros(2), numpy.ones(2), numpy.zeros(2), 2.0)
    leaf = (numpy.array([-1]), numpy.zeros(1), numpy.array([0]), numpy.array([0]), numpy.array([-1.0]))
    return ByThickness(thick, Trees(numpy.zeros(2), (leaf,), averaged=False), column=1)


def test_by_thickness_goes_from_one_model_to_the_other() -> None:
    rows = numpy.array([[0.0, 1.0], [0.0, 1.5], [0.0, 2.0], [0.0, 9.0]])
    assert by_thickness().log_odds(rows).tolist() == [-1.0, 0.5, 2.0, 2.0]
    again = estimator_of(json.loads(json.dumps(by_thickness().as_json())), 2)
    assert again.log_odds(rows).tolist() == [-1.0, 0.5, 2.0, 2.0]


@pytest.mark.parametrize("broken", [{"column": 2}, {"column": "1"}, {"thick": {"type": "trees"}}, {"thin": {}}])
def test_a_damaged_pair_of_models_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="the weights are damaged"):
        estimator_of({**by_thickness().as_json(), **broken}, 2)
