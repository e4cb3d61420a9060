"""Precision-recall and calibration curves from the scores that a matcher gives to pairs, before they are assigned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from training.evaluation.crossval import PairScores
from training.labels.judged_parts import Judged

BINS = 10
LEAST = 5  # pairs in a bin that is shown
POINTS = 200


@dataclass(frozen=True)
class CurvePoint:
    """Recall and precision if all pairs of at least this score were matches."""

    recall: float
    precision: float
    score: float


@dataclass(frozen=True)
class Bin:
    """Pairs of similar scores: their mean score, the share that people matched, and how many they are."""

    score: float
    share: float
    pairs: int


@dataclass(frozen=True)
class Curves:
    """What a matcher's scores are worth: the curve, its average precision, and the calibration with its mean error."""

    points: tuple[CurvePoint, ...]
    average_precision: float
    bins: tuple[Bin, ...]
    calibration_error: float


def curves(work: Sequence[Judged], scores: Sequence[PairScores]) -> Curves | None:
    """The curves of a matcher; None if it gives all pairs one score. Pairs without a score come after all others."""
    scored = labelled(work, scores)
    if len({score for score, _ in scored}) < 2:
        return None
    positives = sum(len(label) for part in work for label in part.labels)
    points = precision_recall(scored, positives)
    gains = zip(points, (0.0, *(point.recall for point in points)), strict=False)
    area = sum((point.recall - before) * point.precision for point, before in gains)
    bins = calibration(scored)
    error = sum(one.pairs * abs(one.score - one.share) for one in bins) / len(scored)
    return Curves(thinned(points), area, tuple(one for one in bins if one.pairs >= LEAST), error)


def labelled(work: Sequence[Judged], scores: Sequence[PairScores]) -> list[tuple[float, bool]]:
    """The scores of pairs, the highest first, with whether people matched the pair."""
    pairs = [
        (score, part.sentence.clusters[cluster].id in part.labels[extraction])
        for part, own in zip(work, scores, strict=True)
        for extraction, cluster, score in own
    ]
    return sorted(pairs, key=lambda item: -item[0])


def precision_recall(scored: Sequence[tuple[float, bool]], positives: int) -> list[CurvePoint]:
    """A point for each distinct score, the highest first.

    >>> [(p.recall, p.precision) for p in precision_recall([(0.9, True), (0.5, False), (0.5, True)], 4)]
    [(0.25, 1.0), (0.5, 0.6666666666666666)]
    """
    points = []
    right = 0
    for number, (score, label) in enumerate(scored, 1):
        right += label
        if number == len(scored) or scored[number][0] != score:
            points.append(CurvePoint(right / positives if positives else 0.0, right / number, score))
    return points


def thinned(points: Sequence[CurvePoint]) -> tuple[CurvePoint, ...]:
    """At most so many points as a plot can show."""
    step = max(1, len(points) // POINTS)
    kept = list(points[::step])
    return tuple(kept if kept[-1] is points[-1] else [*kept, points[-1]])


def calibration(scored: Sequence[tuple[float, bool]]) -> list[Bin]:
    """Bins of equal width from 0 to 1, those with pairs only.

    >>> calibration([(0.91, True), (0.93, False), (0.12, False)])
    [Bin(score=0.12, share=0.0, pairs=1), Bin(score=0.92, share=0.5, pairs=2)]
    """
    bins: dict[int, list[tuple[float, bool]]] = {}
    for score, label in scored:
        bins.setdefault(min(BINS - 1, max(0, int(score * BINS))), []).append((score, label))
    return [
        Bin(sum(score for score, _ in own) / len(own), sum(label for _, label in own) / len(own), len(own))
        for _, own in sorted(bins.items())
    ]
