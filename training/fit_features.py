"""Fitting the feature-based classifier: from judged parts to a model, its calibration and its threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy
from numpy.typing import NDArray

from data.problems import InputError
from matchers.classifier import COLUMNS, FeatureMatcher, Model
from matchers.estimators import Estimator, Linear, Trees
from matchers.features import GROUPS, NAMES, PairTable, pair_table
from matchers.interface import decode
from training.folds import folds
from training.judged import Judged
from training.metrics import pair_counts, pair_f1
from training.recipes import Classifier, Recipe, check_key
from training.supervision import GENERATED, is_doubtful, source_of

_BOUNDS = {1: (0.0, None), -1: (None, 0.0), 0: (None, None)}
_THRESHOLDS = tuple(round(0.3 + 0.05 * step, 2) for step in range(11))


@dataclass(frozen=True)
class Part:
    """A judged part with the features of its pairs, their labels, and which of them are trained on."""

    judged: Judged
    table: PairTable
    labels: NDArray[numpy.bool_]
    trained: NDArray[numpy.bool_]
    weight: float


def featurise(part: Judged, weight: float = 1.0) -> Part:
    """The features of a part's pairs; what is unclear or doubtful is not trained on."""
    table = pair_table(part.sentence, part.extractions)
    ids = [cluster.id for cluster in part.sentence.clusters]
    pairs = list(zip(table.extraction.tolist(), table.cluster.tolist(), strict=True))
    labels = numpy.array([ids[cluster] in part.labels[index] for index, cluster in pairs], dtype=bool)
    trained = numpy.ones(len(pairs), dtype=bool)
    for row, (index, cluster) in enumerate(pairs):
        if index in part.unclear:
            trained[row] = False
        elif not labels[row]:
            fires = (index, cluster) in table.rules
            trained[row] = not is_doubtful(part, index, ids[cluster], fires, table.readings[row].cost)
    return Part(part, table, labels, trained, weight)


def fit_features(recipe: Recipe, parts: Sequence[Part], extra: Sequence[Part], seed: int) -> FeatureMatcher:
    """A matcher trained on parts, with extra ones beside them.

    The weight of generated parts, the calibration and the threshold come from inner folds.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # small matrices: more threads are slower, and may differ in the last digit
        return _fit_features(recipe, parts, extra, seed)


def _fit_features(recipe: Recipe, parts: Sequence[Part], extra: Sequence[Part], seed: int) -> FeatureMatcher:
    columns = used_columns(recipe.classifier, parts[0].table.values.shape[1])
    names = tuple(COLUMNS[column].name for column in columns)
    choices: list[tuple[float, int, list[NDArray[numpy.float64]], list[Part]]] = []
    for weight in recipe.supervision.generated_weight:
        weighted = [_reweighted(part, weight) for part in extra]
        log_odds = _inner_log_odds(recipe, parts, [part for part in weighted if part.weight > 0], columns, seed)
        choices.append((_log_loss(parts, log_odds), len(choices), log_odds, weighted))
    _, _, log_odds, weighted = min(choices, key=lambda choice: choice[:2])
    slope, offset = _calibrated(parts, log_odds)
    estimator = _fit(recipe.classifier, parts, [part for part in weighted if part.weight > 0], columns, seed)
    model = Model(names, estimator, slope, offset)
    model = replace(model, threshold=_threshold(parts, log_odds, model))
    return FeatureMatcher(model, recipe.name or "features")


def _reweighted(part: Part, weight: float) -> Part:
    return replace(part, weight=weight) if source_of(part.judged) == GENERATED else part


def _inner_log_odds(
    recipe: Recipe, parts: Sequence[Part], extra: Sequence[Part], columns: list[int], seed: int
) -> list[NDArray[numpy.float64]]:
    """The log-odds of each part's pairs by an estimator that was trained without its sentence."""
    found: dict[int, NDArray[numpy.float64]] = {}
    for fold in folds([part.judged for part in parts], "sentence", recipe.inner_folds, seed):
        held = {parts[position].judged.sentence.text for position in fold.test}
        beside = [part for part in extra if part.judged.sentence.text not in held]
        estimator = _fit(recipe.classifier, [parts[p] for p in fold.train], beside, columns, seed)
        for position in fold.test:
            rows = parts[position].table.values[:, columns]
            found[position] = estimator.log_odds(rows) if len(rows) else numpy.zeros(0)
    return [found[position] for position in range(len(parts))]


def _log_loss(parts: Sequence[Part], log_odds: Sequence[NDArray[numpy.float64]]) -> float:
    """The mean surprise at the labels."""
    odds = numpy.concatenate([found[part.trained] for part, found in zip(parts, log_odds, strict=True)])
    labels = numpy.concatenate([part.labels[part.trained] for part in parts])
    return float(numpy.logaddexp(0.0, numpy.where(labels, -odds, odds)).mean())


def used_columns(classifier: Classifier, width: int = len(NAMES)) -> list[int]:
    """The positions of the features that a recipe uses, in a table of so many columns."""
    for group in classifier.groups_without:
        check_key(group, GROUPS)
    for name in classifier.features_without:
        check_key(name, NAMES)
    found = [
        column
        for column, feature in enumerate(COLUMNS[:width])
        if feature.group not in classifier.groups_without and feature.name not in classifier.features_without
    ]
    if not found:
        raise InputError("the recipe leaves out all features")
    return found


def _fit(
    classifier: Classifier, parts: Sequence[Part], extra: Sequence[Part], columns: list[int], seed: int
) -> Estimator:
    every = [*parts, *extra]
    rows = numpy.concatenate([part.table.values[part.trained] for part in every])[:, columns]
    labels = numpy.concatenate([part.labels[part.trained] for part in every])
    if len(set(labels.tolist())) < 2:
        what = "no pair that doesn't match" if len(labels) and labels[0] else "no pair that matches"
        raise InputError(f"there is {what} to train on; this needs more judgments, or other folds")
    weights = numpy.concatenate([numpy.full(int(part.trained.sum()), part.weight) for part in every])
    means = numpy.average(rows, axis=0, weights=weights)
    if classifier.estimator == "logistic_regression":
        return _linear(classifier, rows, labels, weights, means, columns)
    return _trees(classifier, rows, labels, weights, means, seed)


def _linear(classifier: Classifier, rows: Any, labels: Any, weights: Any, means: Any, columns: Sequence[int]) -> Linear:
    """Logistic regression whose weights keep to the features' signs."""
    from scipy.optimize import minimize

    scales = rows.std(axis=0)
    scales[scales == 0] = 1.0
    standard = (rows - means) / scales
    signs = numpy.where(labels, 1.0, -1.0)
    bounds = [_BOUNDS[COLUMNS[column].sign] for column in columns] + [(None, None)]

    def loss(values: NDArray[numpy.float64]) -> tuple[float, NDArray[numpy.float64]]:
        margins = signs * (standard @ values[:-1] + values[-1])
        pull = -classifier.strength * weights * signs / (1.0 + numpy.exp(numpy.clip(margins, -50, 50)))
        total = classifier.strength * float(weights @ numpy.logaddexp(0.0, -margins))
        gradient = numpy.append(standard.T @ pull + values[:-1], pull.sum())
        return total + 0.5 * float(values[:-1] @ values[:-1]), gradient

    start = numpy.zeros(len(columns) + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2000})
    return Linear(means, scales, found.x[:-1], float(found.x[-1]))


def _trees(classifier: Classifier, rows: Any, labels: Any, weights: Any, means: Any, seed: int) -> Trees:
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

    if classifier.estimator == "random_forest":
        forest = RandomForestClassifier(
            200, min_samples_leaf=3, max_features=0.3, class_weight="balanced_subsample", random_state=seed
        )
        forest.fit(rows, labels, sample_weight=weights)
        trees = tuple(_tree(found.tree_, found.tree_.value[:, 0, 1] / found.tree_.value[:, 0, :].sum(axis=1))
                      for found in forest.estimators_)  # fmt: skip
        return Trees(means, trees, averaged=True)
    boosted = GradientBoostingClassifier(
        n_estimators=120, learning_rate=0.08, max_depth=3, min_samples_leaf=10, subsample=0.8, random_state=seed
    )
    boosted.fit(rows, labels, sample_weight=weights)
    trees = tuple(_tree(stage.tree_, boosted.learning_rate * stage.tree_.value[:, 0, 0])
                  for stage in boosted.estimators_[:, 0])  # fmt: skip
    share = float(numpy.average(labels, weights=weights))
    return Trees(means, trees, averaged=False, intercept=float(numpy.log(share / (1 - share))))


def _tree(tree: Any, values: Any) -> tuple[Any, Any, Any, Any, Any]:
    return (
        numpy.where(tree.children_left < 0, -1, tree.feature).astype(numpy.int64),
        tree.threshold.astype(float),
        tree.children_left.astype(numpy.int64),
        tree.children_right.astype(numpy.int64),
        values.astype(float),
    )


def _calibrated(parts: Sequence[Part], log_odds: Sequence[NDArray[numpy.float64]]) -> tuple[float, float]:
    """Platt's slope and offset from scores of inner folds; a slope that isn't positive is left out."""
    from sklearn.linear_model import LogisticRegression

    scores = numpy.concatenate([odds[part.trained] for part, odds in zip(parts, log_odds, strict=True)])
    labels = numpy.concatenate([part.labels[part.trained] for part in parts])
    if len(set(labels.tolist())) < 2:
        return 1.0, 0.0
    model = LogisticRegression(C=1.0).fit(numpy.clip(scores, -15, 15)[:, None], labels)
    slope = float(model.coef_[0, 0])
    return (slope, float(model.intercept_[0])) if slope > 0 else (1.0, 0.0)


def _threshold(parts: Sequence[Part], log_odds: Sequence[NDArray[numpy.float64]], model: Model) -> float:
    """The threshold with the best pair F1 in the inner folds; among equals the one nearest to a half."""
    from matchers.estimators import logistic

    work = [part.judged for part in parts]
    best = (-1.0, 0.0, 0.5)
    for threshold in _THRESHOLDS:
        matcher = FeatureMatcher(replace(model, threshold=threshold))
        assignments = []
        for part, odds in zip(parts, log_odds, strict=True):
            probabilities = logistic(model.slope * odds + model.offset)
            candidates = matcher.decided(part.judged.sentence, part.table, probabilities)
            assignments.append(decode(part.judged.sentence, part.judged.extractions, candidates))
        f1 = float(pair_f1(pair_counts(work, assignments).sum(axis=0)))
        best = max(best, (round(f1, 6), -abs(threshold - 0.5), threshold))
    return best[2]
