"""Estimators from rows of features: logistic regression, a random forest, or boosted trees.

Linear models and boosted trees keep to the features' signs, so that they do not take chance for a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy
from numpy.typing import NDArray

from data.problems import InputError
from matchers.features.estimators import ByThickness, Estimator, Linear, Trees
from matchers.features.groups import FEATURES, GROUPS, NAMES, THIN_GROUPS
from training.fitting.parts import Part
from training.labels.judged_parts import GENERATED, PEOPLE, Judged
from training.recipe_values import check_key
from training.recipes import Classifier

_BOUNDS = {1: (0.0, None), -1: (None, 0.0), 0: (None, None)}
_FAR = 6.0  # pairs without a label that cost more than that by any reading are far
_FAR_KEPT = 0.2  # the share of them that trees are trained on, at a weight that makes up for it

Rows = NDArray[numpy.float64]
Tree = tuple[Any, Any, Any, Any, Any]
Labels = NDArray[numpy.bool_]


def used_columns(classifier: Classifier) -> list[int]:
    """The positions of the features that a recipe uses."""
    for group in classifier.groups_without:
        check_key(group, GROUPS)
    for name in classifier.features_without:
        check_key(name, NAMES)
    used = [
        column
        for column, feature in enumerate(FEATURES)
        if feature.group not in classifier.groups_without and feature.name not in classifier.features_without
    ]
    if not used:
        raise InputError("the recipe leaves out all features")
    return used


def learns_thin(classifier: Classifier, part: Judged) -> bool:
    """Whether what is for thin gold learns from a part: of `by_thickness`, the trees do not from generated ones.

    Their edits are not the ones that thin gold is about.
    """
    return classifier.estimator != "by_thickness" or part.source != GENERATED


def fit_estimator(
    classifier: Classifier, parts: Sequence[Part], beside: Sequence[Part], columns: list[int], seed: int
) -> Estimator:
    """The estimator of parts and their thin versions, by the features in these columns."""
    if classifier.estimator == "by_thickness":
        return _by_thickness(classifier, parts, beside, columns, seed)
    every = [version for part in (*parts, *beside) if part.weight > 0 for version in part.every]
    rows = numpy.concatenate([part.table.values[part.trained][:, : len(NAMES)] for part in every])
    labels = numpy.concatenate([part.labels[part.trained] for part in every])
    if len(set(labels.tolist())) < 2:
        what = "no pair that doesn't match" if len(labels) and labels[0] else "no pair that matches"
        raise InputError(f"there is {what} to train on; this needs more judgments, or other folds")
    weights = numpy.concatenate([numpy.full(int(part.trained.sum()), part.weight) for part in every])
    if classifier.estimator == "logistic_regression":
        return _linear(classifier, rows[:, columns], labels, weights, columns)
    rows, labels, weights = _lean(rows, labels, weights, columns, seed)
    return _trees(classifier, rows, labels, weights, columns, seed)


def _by_thickness(
    classifier: Classifier, parts: Sequence[Part], beside: Sequence[Part], columns: list[int], seed: int
) -> ByThickness:
    """Trees for thin gold, and for full gold a linear model of the judged and the generated parts."""
    of_trees = replace(classifier, estimator="gradient_boosting")
    thin = [part for part in beside if learns_thin(classifier, part.judged)]
    trees = fit_estimator(of_trees, parts, thin, columns, seed)
    full = [replace(part, thin=()) for part in (*parts, *beside) if part.judged.source in (PEOPLE, GENERATED)]
    own = [place for place, column in enumerate(columns) if FEATURES[column].group not in THIN_GROUPS]
    of_linear = replace(classifier, estimator="logistic_regression")
    fitted = fit_estimator(of_linear, full, (), [columns[place] for place in own], seed)
    assert isinstance(trees, Trees) and isinstance(fitted, Linear)
    means, scales, weights = numpy.zeros(len(columns)), numpy.ones(len(columns)), numpy.zeros(len(columns))
    means[own], scales[own], weights[own] = fitted.means, fitted.scales, fitted.weights
    column = [FEATURES[column].name for column in columns].index("mean_formulations")
    return ByThickness(Linear(means, scales, weights, fitted.intercept), trees, column)


def _lean(rows: Rows, labels: Labels, weights: Rows, columns: list[int], seed: int) -> tuple[Rows, Labels, Rows]:
    """Fewer rows that say the same: of far pairs a part at a higher weight, and equal rows once."""
    cost = numpy.minimum(rows[:, NAMES.index("reading_cost")], rows[:, NAMES.index("line_cost")])
    far = (cost > _FAR) & ~labels
    kept = ~far | (numpy.random.default_rng(seed).random(len(labels)) < _FAR_KEPT)
    weights = numpy.where(far, weights / _FAR_KEPT, weights)[kept]
    whole = numpy.column_stack([rows[kept][:, columns], labels[kept]])
    different, inverse = numpy.unique(whole, axis=0, return_inverse=True)
    together: Rows = numpy.bincount(inverse.ravel(), weights=weights).astype(float)
    return different[:, :-1], different[:, -1] > 0, together


def _linear(classifier: Classifier, rows: Rows, labels: Labels, weights: Rows, columns: Sequence[int]) -> Linear:
    """Logistic regression whose weights keep to the features' signs."""
    from scipy.optimize import minimize

    means = numpy.average(rows, axis=0, weights=weights)
    scales = rows.std(axis=0)
    scales[scales == 0] = 1.0
    standard = (rows - means) / scales
    signs = numpy.where(labels, 1.0, -1.0)
    bounds = [_BOUNDS[FEATURES[column].sign] for column in columns] + [(None, None)]

    def loss(values: NDArray[numpy.float64]) -> tuple[float, NDArray[numpy.float64]]:
        margins = signs * (standard @ values[:-1] + values[-1])
        pull = -classifier.strength * weights * signs / (1.0 + numpy.exp(numpy.clip(margins, -50, 50)))
        total = classifier.strength * float(weights @ numpy.logaddexp(0.0, -margins))
        gradient = numpy.append(standard.T @ pull + values[:-1], pull.sum())
        return total + 0.5 * float(values[:-1] @ values[:-1]), gradient

    start = numpy.zeros(len(columns) + 1)
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2000})
    return Linear(means, scales, fitted.x[:-1], float(fitted.x[-1]))


def _trees(
    classifier: Classifier, rows: Rows, labels: Labels, weights: Rows, columns: Sequence[int], seed: int
) -> Trees:
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

    means = numpy.average(rows, axis=0, weights=weights)
    if classifier.estimator == "random_forest":
        forest = RandomForestClassifier(classifier.trees, min_samples_leaf=3, max_features=0.15, random_state=seed)
        forest.fit(rows, labels, sample_weight=weights)
        trees = tuple(_tree(one.tree_, one.tree_.value[:, 0, 1] / one.tree_.value[:, 0, :].sum(axis=1))
                      for one in forest.estimators_)  # fmt: skip
        return Trees(means, trees, averaged=True)
    grown: list[Tree] = []
    start = 0.0
    for number in range(classifier.ensembles):
        boosted = HistGradientBoostingClassifier(
            max_iter=classifier.trees, learning_rate=0.08, max_leaf_nodes=12, min_samples_leaf=8,
            l2_regularization=1.5, max_features=0.3, max_bins=128, early_stopping=False, random_state=seed + number,
            monotonic_cst=[FEATURES[column].sign for column in columns],
        )  # fmt: skip
        boosted.fit(rows, labels, sample_weight=weights)
        grown += [_grown(predictors[0].nodes, classifier.ensembles) for predictors in boosted._predictors]
        start += float(numpy.ravel(boosted._baseline_prediction)[0]) / classifier.ensembles
    return Trees(means, tuple(grown), averaged=False, intercept=start, single=False)


def _tree(tree: Any, values: Any) -> Tree:
    return (
        numpy.where(tree.children_left < 0, -1, tree.feature).astype(numpy.int64),
        tree.threshold.astype(float),
        tree.children_left.astype(numpy.int64),
        tree.children_right.astype(numpy.int64),
        values.astype(float),
    )


def _grown(nodes: Any, ensembles: int) -> Tree:
    """A tree of histogram gradient boosting, whose nodes are in an order of its own: parents before children."""
    leaf = nodes["is_leaf"].astype(bool)
    return (
        numpy.where(leaf, -1, nodes["feature_idx"]).astype(numpy.int64),
        numpy.where(leaf, 0.0, nodes["num_threshold"]).astype(float),
        nodes["left"].astype(numpy.int64),
        nodes["right"].astype(numpy.int64),
        nodes["value"].astype(float) / ensembles,
    )
