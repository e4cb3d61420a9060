"""Trained estimators as plain numbers: a linear model, trees, or corrected trees, read from JSON and run with numpy.

Nothing that is loaded can run code, and no training library is needed to score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from data.problems import InputError
from matchers.features.thickness import THICK

Rows = NDArray[numpy.float64]


def logistic(values: Rows) -> Rows:
    """Log-odds as probabilities."""
    odds: Rows = 1.0 / (1.0 + numpy.exp(-numpy.clip(values, -50, 50)))
    return odds


@dataclass(frozen=True)
class Linear:
    """Log-odds that are a weighted sum of standardised features."""

    means: Rows
    scales: Rows
    weights: Rows
    intercept: float

    def log_odds(self, rows: Rows) -> Rows:
        """The log-odds of each row."""
        result: Rows = ((rows - self.means) / self.scales) @ self.weights + self.intercept
        return result

    def as_json(self) -> dict[str, Any]:
        """The numbers of the model."""
        return {
            "type": "linear",
            "means": self.means.tolist(),
            "scales": self.scales.tolist(),
            "weights": self.weights.tolist(),
            "intercept": self.intercept,
        }


@dataclass(frozen=True)
class Trees:
    """Log-odds that are a sum of trees' leaves, or the log-odds of their mean probability.

    Features are compared with thresholds in 32 bits or in 64, as they were in training.

    Each tree has, for every node, the feature (-1 in a leaf), the threshold (a row with at most it goes left), the
    children and the value.
    """

    means: Rows
    trees: tuple[tuple[NDArray[numpy.int64], Rows, NDArray[numpy.int64], NDArray[numpy.int64], Rows], ...]
    averaged: bool
    intercept: float = 0.0
    single: bool = True

    def log_odds(self, rows: Rows) -> Rows:
        """The log-odds of each row."""
        total = numpy.zeros(len(rows))
        single = rows.astype(numpy.float32) if self.single else rows  # it decides at the very threshold
        for feature, threshold, left, right, value in self.trees:
            node = numpy.zeros(len(rows), dtype=numpy.int64)
            while True:
                inner = feature[node] >= 0
                if not inner.any():
                    break
                at = node[inner]
                low = single[inner, feature[at]] <= threshold[at]
                node[inner] = numpy.where(low, left[at], right[at])
            total += value[node]
        if self.averaged:
            share = numpy.clip(total / len(self.trees), 1e-6, 1 - 1e-6)
            return numpy.log(share / (1 - share))
        return total + self.intercept

    def as_json(self) -> dict[str, Any]:
        """The numbers of the model."""
        names = ("feature", "threshold", "left", "right", "value")
        return {
            "type": "trees",
            "means": self.means.tolist(),
            "averaged": self.averaged,
            "intercept": self.intercept,
            "single": self.single,
            "trees": [{name: part.tolist() for name, part in zip(names, tree, strict=True)} for tree in self.trees],
        }


@dataclass(frozen=True)
class Corrected:
    """Trees, alone or beside a linear model, with a correction: what ships, adapted to another judge.

    The log-odds are scaled, and those of a linear model are added.
    """

    base: Trees | ByThickness
    scale: float
    correction: Linear

    @property
    def means(self) -> Rows:
        """The features' means in the training of the trees."""
        return self.base.means

    def log_odds(self, rows: Rows) -> Rows:
        """The log-odds of each row."""
        return self.scale * self.base.log_odds(rows) + self.correction.log_odds(rows)

    def as_json(self) -> dict[str, Any]:
        """The numbers of the model."""
        return {
            "type": "corrected",
            "base": self.base.as_json(),
            "scale": self.scale,
            "correction": self.correction.as_json(),
        }


@dataclass(frozen=True)
class ByThickness:
    """A linear model where the gold lists many wordings, and trees where it lists one; between them in proportion.

    `column` is the feature that says how many wordings a sentence's clusters have on average.
    """

    thick: Linear
    thin: Trees
    column: int

    @property
    def means(self) -> Rows:
        """The features' means in the training of the trees."""
        return self.thin.means

    def log_odds(self, rows: Rows) -> Rows:
        """The log-odds of each row."""
        share = numpy.clip((rows[:, self.column] - 1.0) / (THICK - 1.0), 0.0, 1.0)
        result: Rows = share * self.thick.log_odds(rows) + (1.0 - share) * self.thin.log_odds(rows)
        return result

    def as_json(self) -> dict[str, Any]:
        """The numbers of both models."""
        return {
            "type": "by_thickness",
            "thick": self.thick.as_json(),
            "thin": self.thin.as_json(),
            "column": self.column,
        }


Estimator = Linear | Trees | Corrected | ByThickness


def estimator_of(value: dict[str, Any], features: int) -> Estimator:
    """The estimator of its JSON; numbers that don't fit together are an error."""
    try:
        if value["type"] == "corrected":
            return _corrected(value, features)
        if value["type"] == "by_thickness":
            return _by_thickness(value, features)
        means = _numbers(value["means"])
        intercept = float(_numbers([value["intercept"]])[0])
        if len(means) != features:
            raise ValueError(f"{features} features, but the means of {len(means)}")
        if value["type"] == "linear":
            scales, weights = _numbers(value["scales"]), _numbers(value["weights"])
            if {len(scales), len(weights)} != {features} or not (scales > 0).all():
                raise ValueError(f"{features} features, but {len(weights)} weights and {len(scales)} scales above 0")
            return Linear(means, scales, weights, intercept)
        if value["type"] != "trees":
            raise ValueError(f"an estimator of type {value['type']!r} is not known")
        trees = tuple(
            (
                numpy.array(tree["feature"], dtype=numpy.int64),
                _numbers(tree["threshold"]),
                numpy.array(tree["left"], dtype=numpy.int64),
                numpy.array(tree["right"], dtype=numpy.int64),
                _numbers(tree["value"]),
            )
            for tree in value["trees"]
        )
        if not trees:
            raise ValueError("there are no trees")
        for tree in trees:
            _check_tree(tree, features)
        return Trees(means, trees, bool(value["averaged"]), intercept, bool(value.get("single", True)))
    except KeyError as error:
        raise InputError(f"the weights are damaged: {error} is missing") from None
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        raise InputError(f"the weights are damaged: {error}") from None


def _corrected(value: dict[str, Any], features: int) -> Corrected:
    """Trees with their correction; neither is corrected again."""
    if value["base"]["type"] not in ("trees", "by_thickness") or value["correction"]["type"] != "linear":
        raise ValueError("a correction is of trees, and linear")
    base, correction = (estimator_of(value[part], features) for part in ("base", "correction"))
    if not isinstance(base, Trees | ByThickness) or not isinstance(correction, Linear):
        raise ValueError("a correction is of trees, and linear")
    return Corrected(base, float(_numbers([value["scale"]])[0]), correction)


def _by_thickness(value: dict[str, Any], features: int) -> ByThickness:
    """A linear model beside trees; neither is parted again."""
    if (value["thick"]["type"], value["thin"]["type"]) != ("linear", "trees"):
        raise ValueError("for thick gold there is a linear model, for thin gold there are trees")
    thick, thin, column = estimator_of(value["thick"], features), estimator_of(value["thin"], features), value["column"]
    if not isinstance(thick, Linear) or not isinstance(thin, Trees):
        raise ValueError("for thick gold there is a linear model, for thin gold there are trees")
    if not isinstance(column, int) or not 0 <= column < features:
        raise ValueError("the feature that says how thin the gold is is not there")
    return ByThickness(thick, thin, column)


def _numbers(value: Any) -> Rows:
    """A list of finite numbers."""
    numbers: Rows = numpy.array(value, dtype=float)
    if numbers.ndim != 1 or not numpy.isfinite(numbers).all():
        raise ValueError("a list of finite numbers was expected")
    return numbers


def _check_tree(tree: tuple[NDArray[Any], ...], features: int) -> None:
    """A tree whose children come after their parent can't loop."""
    feature, _, left, right, _ = tree
    size = len(feature)
    if not size or any(part.shape != (size,) for part in tree):
        raise ValueError("a tree's lists differ in length")
    inner = feature >= 0
    here = numpy.arange(size)[inner]
    for child in (left[inner], right[inner]):
        if ((child <= here) | (child >= size)).any():
            raise ValueError("a tree's children are out of order")
    if (feature >= features).any():
        raise ValueError("a tree asks for a feature that there is not")
