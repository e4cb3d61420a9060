"""How well a matcher agrees with people: on pairs, on extractions, on systems' scores and on their ranking.

Everything is computed from counts per sentence, so that resampling sentences is a matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from matchers.bootstrap import Interval, interval, resampled_scores, resampled_sums
from matchers.interface import Assignment
from matchers.scoring import CLAIMED, CLUSTERS, COVERED, RIGHT, Counts, Score, Sums, count, ratios
from training.judged import Judged

_CELLS = 4_000_000  # swaps held at once
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


def system_scores(counts: Sums, systems: Sequence[str]) -> dict[str, Score]:
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
    spread = pair_f1(resampled_sums([ours, theirs], resamples, seed))
    value = float(pair_f1(ours.sum(axis=0)) - pair_f1(theirs.sum(axis=0)))
    first, second = swapped_sums(ours[None], theirs[None], resamples, seed)
    chance = pair_f1(first[:, 0]) - pair_f1(second[:, 0])
    return Difference(value, interval(spread[:, 0] - spread[:, 1]), permutation_p(value, chance))


def f1_interval(counts: Counts, resamples: int, seed: int) -> Interval:
    """The 95 % interval of pair F1 by resampling sentences."""
    return interval(pair_f1(resampled_sums([counts], resamples, seed)[:, 0]))


def defined_interval(values: NDArray[numpy.float64]) -> Interval | None:
    """The 95 % interval of resampled values; None if no value is defined."""
    return None if numpy.isnan(values).all() else interval(values)


def pearson_difference(ours: Sums, theirs: Sums, manual: Counts, resamples: int, seed: int) -> Difference | None:
    """The difference of two matchers' correlations with people, in the systems' F1; None where one is not defined.

    All arguments have the shape (systems, sentences, 4). The permutation test swaps what the two matchers say of random
    sentences, for all systems at once.
    """
    f1 = MEASURES.index("f1")
    people = ratios(manual.sum(axis=1))[:, f1]
    value = _pearson_gap(ratios(ours.sum(axis=1))[:, f1], ratios(theirs.sum(axis=1))[:, f1], people)
    resampled = [resampled_scores(list(sums), resamples, seed)[:, :, f1] for sums in (ours, theirs, manual)]
    bounds = defined_interval(_pearson_gap(*resampled))
    if numpy.isnan(value) or bounds is None:
        return None
    first, second = swapped_sums(same_scale(ours), same_scale(theirs), resamples, seed)
    chance = _pearson_gap(ratios(first)[:, :, f1], ratios(second)[:, :, f1], people[None, :])
    return Difference(float(value), bounds, permutation_p(float(value), chance))


def _pearson_gap(
    ours: NDArray[numpy.float64], theirs: NDArray[numpy.float64], manual: NDArray[numpy.float64]
) -> NDArray[numpy.float64]:
    return pearson_rows(ours, manual) - pearson_rows(theirs, manual)


def same_scale(sums: Sums) -> NDArray[numpy.float64]:
    """Sums whose precision, recall and F1 are multiplied by one factor, so that the systems' mean F1 is 1.

    A correlation does not change by it. Without it, swapping sentences of a scorer that gives high scores with those of
    one that gives low scores would test the height and not the ranking.
    """
    scaled = sums.astype(float)
    for top, bottom in ((RIGHT, CLAIMED), (COVERED, CLUSTERS)):
        scaled[..., [top, bottom]] /= scaled[..., bottom].sum() or 1.0
    scaled[..., [RIGHT, COVERED]] /= ratios(scaled.sum(axis=1))[:, MEASURES.index("f1")].mean() or 1.0
    return scaled


def swapped_sums(
    ours: Sums, theirs: Sums, resamples: int, seed: int
) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """Both matchers' sums over sentences after swapping them in random ones: (resamples, systems, columns) each."""
    systems, sentences, columns = ours.shape
    first, second = (
        sums.transpose(1, 0, 2).reshape(sentences, systems * columns).astype(float) for sums in (ours, theirs)
    )
    generator = numpy.random.default_rng([seed, 1])  # another stream than that of the resampling
    step = max(1, _CELLS // sentences)
    mixed = numpy.concatenate(
        [
            first.sum(axis=0)
            + generator.integers(0, 2, size=(min(step, resamples - start), sentences)) @ (second - first)
            for start in range(0, resamples, step)
        ]
    )
    shape = (resamples, systems, columns)
    return mixed.reshape(shape), ((first + second).sum(axis=0) - mixed).reshape(shape)


def permutation_p(value: float, chance: NDArray[numpy.float64]) -> float:
    """The two-sided p-value of a difference among those that came by chance; one that is not defined is as large."""
    extreme = numpy.isnan(chance) | (numpy.abs(chance) >= abs(value) - 1e-9)
    return float((1 + extreme.sum()) / (1 + len(chance)))


def holm(values: Sequence[float]) -> list[float]:
    """P-values of several tests, corrected so that the chance of any false finding stays what it is for one.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, position in enumerate(sorted(range(len(values)), key=lambda number: values[number])):
        highest = max(highest, min(1.0, (len(values) - rank) * values[position]))
        corrected[position] = highest
    return corrected
