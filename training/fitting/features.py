"""Fitting the feature-based classifier: from judged parts to a model, its calibration, thresholds and anchor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy

from data.thinning import FULL
from matchers.features.estimators import Estimator
from matchers.features.groups import NAMES
from matchers.features.matcher import FeatureMatcher, Model
from training.fitting.decisions import Odds, Scored, calibrated, decided, has_encoder
from training.fitting.estimation import fit_estimator, used_columns
from training.fitting.parts import Part
from training.labels.folds import folds
from training.labels.judged_parts import GENERATED, keys
from training.recipes import Recipe


def fit_features(recipe: Recipe, parts: Sequence[Part], beside: Sequence[Part], seed: int) -> FeatureMatcher:
    """A matcher trained on parts, with others beside them.

    What the recipe leaves open comes from inner folds: the weight of generated parts, the calibration, the thresholds
    and the anchor.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # small matrices: more threads are slower, and may differ in the last digit
        return _fit_features(recipe, parts, beside, seed)


def _fit_features(recipe: Recipe, parts: Sequence[Part], beside: Sequence[Part], seed: int) -> FeatureMatcher:
    columns = used_columns(recipe.classifier)
    start = Model(tuple(NAMES[column] for column in columns), _UNFITTED)
    scales = recipe.classifier.calibrated or any(map(has_encoder, parts))
    asks = scales or _is_open(recipe)
    choices: list[tuple[float, int, Model, list[Part]]] = []
    for weight in recipe.supervision.generated_weight:
        weighted = [_reweighted(part, weight) for part in beside]
        scored = inner_scores(recipe, parts, weighted, columns, seed) if asks else []
        f1, model = decided(scored, calibrated(scored, start) if scales else start, recipe.classifier)
        choices.append((f1, -len(choices), model, weighted))
    _, _, model, weighted = max(choices, key=lambda choice: choice[:2])
    estimator = fit_estimator(recipe.classifier, parts, weighted, columns, seed)
    return FeatureMatcher(replace(model, estimator=estimator), recipe.name or "features")


def _is_open(recipe: Recipe) -> bool:
    """Whether a recipe leaves a weight, a threshold or the anchor to inner folds."""
    given = recipe.classifier
    thresholds = (given.threshold, *([given.thin_threshold] if recipe.levels else []))
    return None in thresholds or len(given.anchor) > 1 or len(recipe.supervision.generated_weight) > 1


def _reweighted(part: Part, weight: float) -> Part:
    return replace(part, weight=weight) if part.judged.source == GENERATED else part


def inner_scores(
    recipe: Recipe, parts: Sequence[Part], beside: Sequence[Part], columns: list[int], seed: int
) -> list[Scored]:
    """The log-odds of the pairs, at each level, by an estimator that was trained without their sentence."""
    odds: dict[tuple[int, int], Odds] = {}
    for fold in folds([part.judged for part in parts], "sentence", recipe.inner_folds, seed):
        held = keys(parts[position].judged for position in fold.test)
        others = [part for part in beside if part.judged.key not in held]
        train = [parts[position] for position in fold.train]
        estimator = fit_estimator(recipe.classifier, train, others, columns, seed)
        for position in fold.test:
            for number, version in enumerate(parts[position].every):
                rows = version.table.values[:, columns]
                odds[position, number] = estimator.log_odds(rows) if len(rows) else numpy.zeros(0)
    return [
        Scored(
            level,
            [part.every[number] for part in parts],
            [odds[position, number] for position in range(len(parts))],
        )
        for number, level in enumerate((FULL, *recipe.levels))
    ]


class _Unfitted:
    """Stands for the estimator while all else is decided."""


_UNFITTED: Estimator = _Unfitted()  # type: ignore[assignment]
