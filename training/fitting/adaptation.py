"""Adapting a trained classifier to another judge's habits with few judgments.

What was trained is the prior: its log-odds are scaled and corrected by a linear model over its features, and departing
from them costs. How much it costs is chosen on inner folds, so that few judgments move little and many move more. Of a
linear model the result is linear again, of trees it is the trees with their correction. The threshold and the anchor
stay; what they are applied to follows the judge.

What a judge says under full gold stays true when the gold is thinned, so the judgments are learned from under thinner
gold too: that is more to learn from, and what is right for full gold alone is not taken for right everywhere.

    matcher = starting_matcher("features", benchmark)
    adapted = adapt(matcher, prepared(judged(benchmark)))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray

from data.model import Benchmark
from data.problems import InputError
from data.thinning import FIRST, FULL, Thinness
from matchers.checkpoints import load_checkpoint, open_checkpoint, seen_sentences
from matchers.features.estimators import ByThickness, Corrected, Estimator, Linear, Trees
from matchers.features.matcher import FeatureMatcher, Model
from training.fitting.decisions import Odds, Scored, mean_f1
from training.fitting.parts import Part, featurise
from training.labels.folds import folds
from training.labels.judged_parts import Judged, keys
from training.recipe_values import check_name
from training.recipes import Recipe

PRIORS = (100.0, 30.0, 10.0, 3.0)  # what a squared unit of correction costs, the strongest first
_COUNTING = ("name", "seed", "folds", "inner_folds")
LEVELS = (Thinness.of(FIRST), Thinness.of("random-1"))
_SCALE_PRIOR = 10.0  # of the factor of the log-odds, whatever the prior is of the features
_OFFSET_PRIOR = 1.0
_UNSEEN = 100  # rows that a feature's scale is told of before the judge's: what is rare there is not taken for much


@dataclass(frozen=True)
class Correction:
    """How log-odds change: a factor less one, and a linear model that is added."""

    factor: float
    added: Linear

    def of(self, odds: Odds, rows: Odds) -> Odds:
        """The corrected log-odds of rows."""
        return (1 + self.factor) * odds + self.added.log_odds(rows) if len(rows) else odds


def adaptation_recipe(recipe: Recipe, start: str, overrides: Sequence[str] = ()) -> Recipe:
    """What of a recipe counts where a checkpoint is adapted: its seed and its folds; the rest is the checkpoint's."""
    if recipe.kind != "features":
        raise InputError(f"the recipe {recipe.name} is of kind {recipe.kind!r}; a recipe of features adapts {start}")
    keys_of = [override.partition("=")[0] for override in overrides]
    for key in keys_of:
        if key not in _COUNTING:
            raise InputError(f"{key} has no effect where a checkpoint is adapted; {', '.join(_COUNTING)} have")
    name = recipe.name if "name" in keys_of else f"{open_checkpoint(start).config.get('name')}-adapted"
    check_name(name)
    return Recipe("features", name, recipe.seed, recipe.folds, recipe.inner_folds)


def starting_matcher(name: str, benchmark: Benchmark) -> FeatureMatcher:
    """The matcher of a checkpoint that may be adapted to a judged benchmark, or an error that says why it may not."""
    kind = open_checkpoint(name).config.get("kind")
    if kind != "features":
        raise InputError(f"{name} is of kind {kind!r}; only checkpoints of features can be adapted, such as features")
    matcher = load_checkpoint(name)
    assert isinstance(matcher, FeatureMatcher)
    if seen := seen_sentences(matcher, benchmark):
        raise InputError(
            f"{name} was trained on {seen} of these sentences, so that nothing could be measured on them; start from "
            "a checkpoint that does not know them, such as the one that it was adapted from"
        )
    return matcher


def prepared(work: Sequence[Judged]) -> list[Part]:
    """Judged parts as `adapt` takes them: with their features, under the gold as it is and under thinner gold."""
    return [featurise(part, 1.0, LEVELS) for part in work]


def adapt(start: FeatureMatcher, parts: Sequence[Part], inner_folds: int = 5, seed: int = 1) -> FeatureMatcher:
    """The matcher, adapted to prepared parts; it keeps its name and the sentences that it knows.

    With the judgments of a single sentence, which has no inner folds, the strongest prior is taken.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        model = start.model
        prior = PRIORS[0]
        if len(keys(part.judged for part in parts)) > 1:
            prior = _chosen_prior(model, parts, inner_folds, seed)
        found = fit_correction(model, parts, prior)
    estimator = corrected(model, found)
    return replace(start, model=replace(model, estimator=estimator, slope=1.0, offset=0.0), hash="unsaved")


def _chosen_prior(model: Model, parts: Sequence[Part], inner_folds: int, seed: int) -> float:
    """The prior whose mean F1 over levels, averaged with those of its neighbours, is best on inner folds."""
    inner = folds([part.judged for part in parts], "sentence", inner_folds, seed)
    f1 = []
    for prior in PRIORS:
        odds: dict[tuple[int, int], Odds] = {}
        for fold in inner:
            found = fit_correction(model, [parts[position] for position in fold.train], prior)
            for position in fold.test:
                for number, version in enumerate(parts[position].every):
                    rows = version.table.values[:, model.columns]
                    odds[position, number] = found.of(_margins(model, rows), rows)
        scored = [
            Scored(level, [part.every[number] for part in parts], [odds[place, number] for place in range(len(parts))])
            for number, level in enumerate((FULL, *LEVELS))
        ]
        f1.append(mean_f1(scored, replace(model, slope=1.0, offset=0.0)))
    smooth = [round(float(numpy.mean(f1[max(0, place - 1) : place + 2])), 6) for place in range(len(f1))]
    return PRIORS[smooth.index(max(smooth))]


def fit_correction(model: Model, parts: Sequence[Part], prior: float) -> Correction:
    """The correction that the labels of parts and their thin versions ask for, held back by the prior."""
    from scipy.optimize import minimize

    versions = [(version, 1.0 / len(part.every)) for part in parts for version in part.every]
    rows = numpy.concatenate([part.table.values[part.trained] for part, _ in versions])[:, model.columns]
    labels = numpy.concatenate([part.labels[part.trained] for part, _ in versions])
    weights = numpy.concatenate([numpy.full(int(part.trained.sum()), weight) for part, weight in versions])
    means, scales = _standard(model, rows)
    odds, standard = _margins(model, rows), (rows - means) / scales
    signs = numpy.where(labels, 1.0, -1.0)
    costs = numpy.concatenate([[_SCALE_PRIOR, _OFFSET_PRIOR], numpy.full(len(means), prior)])
    design = numpy.column_stack([odds, numpy.ones(len(odds)), standard])

    def loss(values: NDArray[numpy.float64]) -> tuple[float, NDArray[numpy.float64]]:
        margins = signs * (odds + design @ values)
        pull = -weights * signs / (1.0 + numpy.exp(numpy.clip(margins, -50, 50)))
        total = float(weights @ numpy.logaddexp(0.0, -margins)) + 0.5 * float(costs @ (values * values))
        return total, design.T @ pull + costs * values

    fitted = minimize(loss, numpy.zeros(design.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 1000}).x
    return Correction(float(fitted[0]), Linear(means, scales, fitted[2:], float(fitted[1])))


def _standard(model: Model, rows: Odds) -> tuple[Odds, Odds]:
    """Means and scales of features: those of a linear model are its own, of trees the scales are found in the rows."""
    if isinstance(model.estimator, Linear):
        return model.estimator.means, model.estimator.scales
    means = model.estimator.means
    squares = ((rows - means) ** 2).sum(axis=0) + _UNSEEN * numpy.maximum(1.0, means**2)
    return means, numpy.sqrt(squares / (len(rows) + _UNSEEN))


def _margins(model: Model, rows: Odds) -> Odds:
    """The calibrated log-odds of rows of the model's features."""
    return model.slope * model.estimator.log_odds(rows) + model.offset if len(rows) else numpy.zeros(0)


def corrected(model: Model, correction: Correction) -> Estimator:
    """The estimator that gives the corrected log-odds, with the calibration in it."""
    scale, offset = (1 + correction.factor) * model.slope, (1 + correction.factor) * model.offset
    added = replace(correction.added, intercept=correction.added.intercept + offset)
    base = model.estimator
    if isinstance(base, Linear):
        return _summed(base, scale, added)
    if isinstance(base, Trees | ByThickness):
        return Corrected(base, scale, added)
    return Corrected(base.base, base.scale * scale, _summed(base.correction, scale, added))


def _summed(first: Linear, factor: float, second: Linear) -> Linear:
    """A linear model times a factor, and another one; standardised as the second is."""
    weights = factor * first.weights * second.scales / first.scales + second.weights
    moved = float(first.weights @ ((second.means - first.means) / first.scales))
    return Linear(second.means, second.scales, weights, factor * (first.intercept + moved) + second.intercept)
