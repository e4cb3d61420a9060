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
        for feature, threshold, left, right, value in self.trees:
            node = numpy.zeros(len(rows), dtype=numpy.int64)
            while True:
                inner = feature[node] >= 0
                if not inner.any():
                    break
                at = node[inner]
                low = rows[inner, feature[at]] <= threshold[at]
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
        means = numpy.array(value["means"], dtype=float)
        if value["type"] == "linear":
            found = Linear(
                means,
                numpy.array(value["scales"], dtype=float),
                numpy.array(value["weights"], dtype=float),
                float(value["intercept"]),
            )
            sizes = {len(found.means), len(found.scales), len(found.weights)}
            if sizes != {features} or not (found.scales > 0).all():
                raise ValueError(f"{features} features, but weights for {sizes}")
            return found
        trees = tuple(
            (
                numpy.array(tree["feature"], dtype=numpy.int64),
                numpy.array(tree["threshold"], dtype=float),
                numpy.array(tree["left"], dtype=numpy.int64),
                numpy.array(tree["right"], dtype=numpy.int64),
                numpy.array(tree["value"], dtype=float),
            )
            for tree in value["trees"]
        )
        for tree in trees:
            _check_tree(tree, features)
        return Trees(means, trees, bool(value["averaged"]), float(value["intercept"]))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise InputError(f"the weights are damaged: {error}") from None


def _check_tree(tree: tuple[NDArray[Any], ...], features: int) -> None:
    """A tree whose children come after their parent can't loop."""
    feature, threshold, left, right, value = tree
    size = len(feature)
    if not size or any(len(part) != size for part in (threshold, left, right, value)):
        raise ValueError("a tree's lists differ in length")
    inner = feature >= 0
    here = numpy.arange(size)[inner]
    for child in (left[inner], right[inner]):
        if ((child <= here) | (child >= size)).any():
            raise ValueError("a tree's children are out of order")
    if (feature >= features).any():
        raise ValueError("a tree asks for a feature that there is not")
