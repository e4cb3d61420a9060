"""What a classifier's scores of inner folds decide: its calibration, its thresholds and its anchor.

All are chosen by the mean F1 over the levels of thinness. A threshold's F1 is averaged with those of its neighbours, so
that a chance peak on few sentences does not decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray

from data.thinning import RANDOM, Thinness
from matchers.assignment import decode
from matchers.features.matcher import ENCODER_COLUMN, FeatureMatcher, Model
from training.fitting.parts import Part
from training.metrics import pair_counts, pair_f1
from training.recipes import Classifier

THRESHOLDS = tuple(round(0.15 + 0.05 * step, 2) for step in range(16))

NEARLY = 0.002  # of F1: what is closer is as good

Odds = NDArray[numpy.float64]


@dataclass(frozen=True)
class Scored:
    """A level of thinness with its parts and the log-odds of their pairs, by estimators that had not seen them."""

    level: Thinness
    parts: Sequence[Part]
    log_odds: Sequence[Odds]

    def f1(self, model: Model) -> float:
        """The pair F1 of a model's decisions."""
        matcher = FeatureMatcher(model)
        assignments = []
        for part, odds in zip(self.parts, self.log_odds, strict=True):
            sentence = part.judged.sentence
            candidates = matcher.decided(sentence, part.table, model.calibrated(odds, _encoder_odds(part)))
            assignments.append(decode(sentence, part.judged.extractions, candidates))
        return float(pair_f1(pair_counts([part.judged for part in self.parts], assignments).sum(axis=0)))


def mean_f1(scored: Sequence[Scored], model: Model) -> float:
    """The mean F1 over levels, 0 over none; all draws together are one level."""
    by_level: dict[str, list[float]] = defaultdict(list)
    for one in scored:
        by_level[RANDOM if one.level.kept == 0 else str(one.level)].append(one.f1(model))
    return float(numpy.mean([numpy.mean(values) for values in by_level.values()])) if by_level else 0.0


def has_encoder(part: Part) -> bool:
    """Whether a part's table has a cross-encoder's log-odds."""
    return bool(part.table.values.shape[1] > ENCODER_COLUMN)


def _encoder_odds(part: Part) -> Odds | None:
    """A cross-encoder's log-odds of a part's pairs, where its table has them."""
    return part.table.values[:, ENCODER_COLUMN] if has_encoder(part) else None


def calibrated(scored: Sequence[Scored], model: Model) -> Model:
    """The model with Platt's slope and offset from scores of inner folds; a slope that isn't positive is left out.

    Where there is a cross-encoder, its log-odds are weighed in the same way beside the estimator's. Neither speaks
    against itself. Under gold with one wording a fact there is most to calibrate by; if that is among the levels, the
    others, where nearly every match is a rule's, are left out.
    """
    from sklearn.linear_model import LogisticRegression

    rows, labels = [], []
    for one in [one for one in scored if one.level.keeps_one] or scored:
        for part, odds in zip(one.parts, one.log_odds, strict=True):
            said = _encoder_odds(part)
            columns = [numpy.clip(odds, -15, 15), *([] if said is None else [said])]
            rows.append(numpy.column_stack(columns)[part.trained])
            labels.append(part.labels[part.trained])
    design, truth = numpy.concatenate(rows), numpy.concatenate(labels)
    beside_encoder = design.shape[1] > 1
    if len(set(truth.tolist())) < 2:
        return replace(model, encoder_slope=float(beside_encoder))
    fitted = LogisticRegression(C=1.0).fit(design, truth)
    slope, offset = float(fitted.coef_[0, 0]), float(fitted.intercept_[0])
    if beside_encoder:
        return replace(model, slope=max(0.0, slope), offset=offset, encoder_slope=max(0.0, float(fitted.coef_[0, 1])))
    return replace(model, slope=slope, offset=offset) if slope > 0 else model


def decided(scored: Sequence[Scored], model: Model, classifier: Classifier) -> tuple[float, Model]:
    """The model with the anchor and the thresholds that inner folds prefer, and its mean F1 over levels.

    The first level is the gold as it is and chooses the threshold; the thinner ones choose that of thin gold. What the
    recipe gives is not chosen.
    """
    choices: list[tuple[float, int, Model]] = []
    for anchor in classifier.anchor:
        chosen = replace(model, anchor=anchor, thin_threshold=classifier.thin_threshold)
        if classifier.threshold is None:
            chosen = _with_threshold(scored[:1], chosen, thin=False)
        else:
            chosen = replace(chosen, threshold=classifier.threshold)
        if classifier.thin_threshold is None and len(scored) > 1:
            chosen = _with_threshold(scored[1:], chosen, thin=True)
        choices.append((round(mean_f1(scored, chosen), 6), -len(choices), chosen))
    best = max(choices, key=lambda choice: choice[:2])
    return best[0], best[2]


def _with_threshold(scored: Sequence[Scored], model: Model, thin: bool) -> Model:
    """The model with the threshold of the best F1.

    Full gold lists nearly every wording, so that there the most cautious threshold is taken of those that are nearly as
    good; for thin gold the one nearest to a half of those that are as good.
    """
    tried = [
        replace(model, thin_threshold=threshold) if thin else replace(model, threshold=threshold)
        for threshold in THRESHOLDS
    ]
    f1 = [mean_f1(scored, one) for one in tried]
    smooth = [float(numpy.mean(f1[max(0, place - 1) : place + 2])) for place in range(len(f1))]
    order = list(zip(smooth, THRESHOLDS, tried, strict=True))
    if not thin:
        return max((item for item in order if item[0] >= max(smooth) - NEARLY), key=lambda item: item[1])[2]
    return max(order, key=lambda item: (round(item[0], 6), -abs(item[1] - 0.5)))[2]
