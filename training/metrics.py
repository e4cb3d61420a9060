"""How well a matcher agrees with people: on pairs, on extractions, on systems' scores and on their ranking.

Everything is computed from counts per sentence, so that resampling sentences is a matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from matchers.bootstrap import Interval, interval
from matchers.interface import Assignment
from matchers.scoring import Counts, Score, count
from training.judged import Judged

TP, FP, FN = range(3)
MEASURES = ("precision", "recall", "f1")


@dataclass(frozen=True)
class PairScore:
    """Agreement with people on extraction-cluster pairs."""

    tp: int
    fp: int
    fn: int

    @property
    def precision(self) -> float:
        """The share of the matcher's matches that people made too."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 0.0

    @property
    def recall(self) -> float:
        """The share of people's matches that the matcher made too."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 0.0

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        return float(pair_f1(numpy.array([self.tp, self.fp, self.fn])))


def pair_f1(counts: NDArray[numpy.int64] | NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """F1 of true and false positives and false negatives along the last axis."""
    both = 2.0 * counts[..., TP] + counts[..., FP] + counts[..., FN]
    return numpy.divide(2.0 * counts[..., TP], both, out=numpy.zeros_like(both), where=both > 0)


def sentence_positions(work: Sequence[Judged]) -> dict[str, int]:
    """The judged sentences in their order."""
    return {sentence_id: number for number, sentence_id in enumerate(dict.fromkeys(p.sentence.id for p in work))}


def pair_counts(work: Sequence[Judged], assignments: Sequence[Assignment]) -> Counts:
    """True positives, false positives and false negatives of each judged sentence."""
    positions = sentence_positions(work)
    counts = numpy.zeros((len(positions), 3), dtype=numpy.int64)
    for part, assignment in zip(work, assignments, strict=True):
        row = counts[positions[part.sentence.id]]
        for index, label in enumerate(part.labels):
            found = {match.cluster for match in assignment.of(index)}
            row += (len(found & label), len(found - label), len(label - found))
    return counts


def pair_score(counts: Counts) -> PairScore:
    """The score of counts of all sentences."""
    tp, fp, fn = (int(value) for value in counts.sum(axis=0))
    return PairScore(tp, fp, fn)


def accuracy(work: Sequence[Judged], assignments: Sequence[Assignment]) -> float:
    """The share of extractions for which matcher and people name the same clusters."""
    right = total = 0
    for part, assignment in zip(work, assignments, strict=True):
        for index, label in enumerate(part.labels):
            right += {match.cluster for match in assignment.of(index)} == label
            total += 1
    return right / total if total else 0.0


def system_counts(work: Sequence[Judged], assignments: Sequence[Assignment], systems: Sequence[str]) -> Counts:
    """The counts that give systems' scores, of shape (systems, sentences, 4).

    A sentence's clusters count for every system, whether or not it extracted anything from it.
    """
    positions = sentence_positions(work)
    order = {system: number for number, system in enumerate(systems)}
    counts = numpy.zeros((len(systems), len(positions), 4), dtype=numpy.int64)
    for part in work:
        counts[:, positions[part.sentence.id], 3] = len(part.sentence.clusters)
    for part, assignment in zip(work, assignments, strict=True):
        counts[order[part.system], positions[part.sentence.id]] = count(assignment, "count")
    return counts


def system_scores(counts: Counts, systems: Sequence[str]) -> dict[str, Score]:
    """The score of each system."""
    return {system: Score.of(counts[number].sum(axis=0)) for number, system in enumerate(systems)}


@dataclass(frozen=True)
class Correlation:
    """How a matcher's scores of systems go with people's."""

    pearson: float
    spearman: float
    kendall: float
    pairwise_accuracy: float
    mae: float


def correlation(ours: Sequence[float], theirs: Sequence[float]) -> Correlation:
    """The correlations of two lists of scores; those that are not defined (a constant list) are 0.

    >>> correlation([0.1, 0.2, 0.3], [0.2, 0.4, 0.6]).kendall
    1.0
    """
    from scipy import stats

    first, second = numpy.asarray(ours, dtype=float), numpy.asarray(theirs, dtype=float)
    if len(first) < 2 or numpy.ptp(first) == 0 or numpy.ptp(second) == 0:
        values = (0.0, 0.0, 0.0)
    else:
        values = (
            float(stats.pearsonr(first, second)[0]),
            float(stats.spearmanr(first, second)[0]),
            float(stats.kendalltau(first, second)[0]),
        )
    return Correlation(*values, pairwise_accuracy(first, second), float(numpy.abs(first - second).mean()))


def pairwise_accuracy(first: NDArray[numpy.float64], second: NDArray[numpy.float64]) -> float:
    """The share of pairs of systems that both lists order alike."""
    upper = numpy.triu_indices(len(first), 1)
    signs = [numpy.sign(values[:, None] - values[None, :])[upper] for values in (first, second)]
    return float(numpy.mean(signs[0] == signs[1])) if len(upper[0]) else 1.0


def pearson_rows(first: NDArray[numpy.float64], second: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """Pearson's correlation of the rows of two arrays; not a number where a row is constant."""
    a = first - first.mean(axis=-1, keepdims=True)
    b = second - second.mean(axis=-1, keepdims=True)
    scale = numpy.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))
    rows: NDArray[numpy.float64] = numpy.divide(
        (a * b).sum(axis=-1), scale, out=numpy.full_like(scale, numpy.nan), where=scale > 0
    )
    return rows


@dataclass(frozen=True)
class Difference:
    """A difference of two matchers on the same sentences, with its interval and p-value."""

    value: float
    interval: Interval
    p: float


def f1_difference(ours: Counts, theirs: Counts, resamples: int, seed: int) -> Difference:
    """The paired difference in pair F1: a bootstrap interval, and the p-value of a permutation test.

    The permutation test swaps the two matchers' counts in random sentences.
    """
    generator = numpy.random.default_rng(seed)
    sentences = len(ours)
    weights = generator.multinomial(sentences, numpy.full(sentences, 1 / sentences), size=resamples).astype(float)
    spread = pair_f1(weights @ ours) - pair_f1(weights @ theirs)
    value = float(pair_f1(ours.sum(axis=0)) - pair_f1(theirs.sum(axis=0)))
    swapped = generator.integers(0, 2, size=(resamples, sentences)).astype(float)
    first = swapped @ ours + (1 - swapped) @ theirs
    second = swapped @ theirs + (1 - swapped) @ ours
    chance = numpy.abs(pair_f1(first) - pair_f1(second))
    p = float((1 + (chance >= abs(value) - 1e-12).sum()) / (1 + resamples))
    return Difference(value, interval(spread), p)


def f1_interval(counts: Counts, resamples: int, seed: int) -> Interval:
    """The 95 % interval of pair F1 by resampling sentences."""
    generator = numpy.random.default_rng(seed)
    sentences = len(counts)
    weights = generator.multinomial(sentences, numpy.full(sentences, 1 / sentences), size=resamples).astype(float)
    return interval(pair_f1(weights @ counts))
