"""Trained estimators as plain numbers: a linear model or trees, read from JSON and run with numpy.

Nothing that is loaded can run code, and no training library is needed to score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from data.problems import InputError

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

    Each tree has, for every node, the feature (-1 in a leaf), the threshold (a row with at most it goes left), the
    children and the value.
    """

    means: Rows
    trees: tuple[tuple[NDArray[numpy.int64], Rows, NDArray[numpy.int64], NDArray[numpy.int64], Rows], ...]
    averaged: bool
    intercept: float = 0.0

    def log_odds(self, rows: Rows) -> Rows:
        """The log-odds of each row."""
        total = numpy.zeros(len(rows))
        single = rows.astype(numpy.float32)  # scikit-learn compares features so: it decides at the very threshold
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
            "trees": [{name: part.tolist() for name, part in zip(names, tree, strict=True)} for tree in self.trees],
        }


Estimator = Linear | Trees


def estimator_of(value: dict[str, Any], features: int) -> Estimator:
    """The estimator of its JSON; numbers that don't fit together are an error."""
    try:
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
        return Trees(means, trees, bool(value["averaged"]), intercept)
    except KeyError as error:
        raise InputError(f"the weights are damaged: {error} is missing") from None
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        raise InputError(f"the weights are damaged: {error}") from None


def _numbers(value: Any) -> Rows:
    """A list of finite numbers."""
    found: Rows = numpy.array(value, dtype=float)
    if found.ndim != 1 or not numpy.isfinite(found).all():
        raise ValueError("a list of finite numbers was expected")
    return found


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
