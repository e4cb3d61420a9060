"""How well a matcher agrees with people: on pairs, on extractions, on systems' scores and on their ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from matchers.counts import Counts, Score, Sums, count
from matchers.interface import Assignment
from training.labels.judged_parts import Judged

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


def pair_f1(counts: Sums) -> NDArray[numpy.float64]:
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
            said = {match.cluster for match in assignment.of(index)}
            row += (len(said & label), len(said - label), len(label - said))
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


def system_scores(counts: Sums, systems: Sequence[str]) -> dict[str, Score]:
    """The score of each system."""
    return {system: Score.of(counts[number].sum(axis=0)) for number, system in enumerate(systems)}


@dataclass(frozen=True)
class Correlation:
    """How a matcher's scores of systems go with people's; None where that is not defined."""

    pearson: float | None
    spearman: float | None
    kendall: float | None
    pairwise_accuracy: float | None
    mae: float


def correlation(ours: Sequence[float], theirs: Sequence[float]) -> Correlation:
    """The correlations of two lists of scores; none is defined of less than two systems or of scores without variance.

    >>> correlation([0.1, 0.2, 0.3], [0.2, 0.4, 0.6]).kendall
    1.0
    """
    from scipy import stats

    first, second = numpy.asarray(ours, dtype=float), numpy.asarray(theirs, dtype=float)
    if len(first) < 2 or numpy.ptp(first) == 0 or numpy.ptp(second) == 0:
        return Correlation(None, None, None, pairwise_accuracy(first, second), float(numpy.abs(first - second).mean()))
    values = (
        float(stats.pearsonr(first, second)[0]),
        float(stats.spearmanr(first, second)[0]),
        float(stats.kendalltau(first, second)[0]),
    )
    return Correlation(*values, pairwise_accuracy(first, second), float(numpy.abs(first - second).mean()))


def pairwise_accuracy(first: NDArray[numpy.float64], second: NDArray[numpy.float64]) -> float | None:
    """The share of pairs of systems that both lists order alike; None where there are no pairs."""
    upper = numpy.triu_indices(len(first), 1)
    signs = [numpy.sign(values[:, None] - values[None, :])[upper] for values in (first, second)]
    return float(numpy.mean(signs[0] == signs[1])) if len(upper[0]) else None


def pearson_rows(first: NDArray[numpy.float64], second: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """Pearson's correlation of the rows of two arrays; not a number where a row is constant."""
    a = first - first.mean(axis=-1, keepdims=True)
    b = second - second.mean(axis=-1, keepdims=True)
    scale = numpy.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))
    rows: NDArray[numpy.float64] = numpy.divide(
        (a * b).sum(axis=-1), scale, out=numpy.full_like(scale, numpy.nan), where=scale > 0
    )
    return rows


def kendall_rows(first: NDArray[numpy.float64], second: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """Kendall's tau-b of the rows of two arrays; not a number where a row is constant.

    >>> kendall_rows(numpy.array([[0.1, 0.2, 0.3]]), numpy.array([[0.1, 0.3, 0.2]])).round(4).tolist()
    [0.3333]
    """
    upper = numpy.triu_indices(first.shape[-1], 1)
    signs = [_order(values[..., upper[0]] - values[..., upper[1]]) for values in (first, second)]
    scale = numpy.sqrt(numpy.abs(signs[0]).sum(axis=-1) * numpy.abs(signs[1]).sum(axis=-1))
    together = (signs[0] * signs[1]).sum(axis=-1)
    rows: NDArray[numpy.float64] = numpy.divide(together, scale, out=numpy.full_like(scale, numpy.nan), where=scale > 0)
    return rows


def _order(gaps: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """Which of two scores is higher; scores that differ by rounding alone are equal."""
    return numpy.where(numpy.abs(gaps) < 1e-12, 0.0, numpy.sign(gaps))


def mae_rows(first: NDArray[numpy.float64], second: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The mean absolute error of the rows of two arrays."""
    rows: NDArray[numpy.float64] = numpy.abs(first - second).mean(axis=-1)
    return rows
