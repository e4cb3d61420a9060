"""The feature-based matcher: a classifier over the features of pairs, decoded together with the rules.

The anchor says what of the rules' matches is out of the classifier's reach:

- `rules`: all of it. Where a rule fires, its match is kept; the classifier adds pairs that no rule matches.
- `choice`: that there is a match. With which of the clusters on which rules fire, the classifier says.
- `exact`: exact matches alone. Of the rest the classifier decides by itself, with the rules among its features.
- `none`: nothing.

How probable is enough depends on how many wordings the gold lists: a wording that is not among many is rather none of
the fact's, while one that is not among one says little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy
from numpy.typing import NDArray

from data.model import Cluster, Extraction, Sentence
from matchers.assignment import decode
from matchers.features.estimators import Estimator, logistic
from matchers.features.groups import FEATURES, NAMES, THIN_NAMES
from matchers.features.readings import Reading
from matchers.features.rows import PairTable, pair_table
from matchers.features.thickness import threshold_at
from matchers.interface import Assignment, Candidate, Matcher, Reason

LEARNED = "features"
ENCODER_COLUMN = len(FEATURES)  # of a table that also has a cross-encoder's log-odds, the column of these
Anchor = Literal["rules", "choice", "exact", "none"]
ANCHORS: tuple[Anchor, ...] = ("rules", "choice", "exact", "none")
_SHOWN = 6
_MEANINGS = {feature.name: feature.meaning for feature in FEATURES}


@dataclass(frozen=True)
class Model:
    """What is trained: which features are used, the estimator, its calibration, the thresholds of the decision.

    `threshold` is for gold with many wordings a fact, `thin_threshold` for gold with one; see `threshold_at`. Where a
    table also has a cross-encoder's log-odds, they count `encoder_slope` times beside the estimator's.
    """

    features: tuple[str, ...]
    estimator: Estimator
    slope: float = 1.0
    offset: float = 0.0
    threshold: float = 0.5
    thin_threshold: float | None = None
    anchor: Anchor = "rules"
    encoder_slope: float = 0.0

    def threshold_of(self, sentence: Sentence) -> float:
        """How probable a match must be, given how thin the sentence's gold is."""
        return threshold_at(sentence, self.threshold, self.thin_threshold)

    def calibrated(self, odds: NDArray[numpy.float64], said: NDArray[numpy.float64] | None) -> NDArray[numpy.float64]:
        """The probabilities of the estimator's log-odds and, where there is one, of a cross-encoder's."""
        total = self.slope * odds + self.offset
        return logistic(total if said is None else total + self.encoder_slope * said)

    def probabilities(self, values: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
        """The calibrated probability of each row of all features."""
        if not len(values):
            return numpy.zeros(0)
        said = values[:, ENCODER_COLUMN] if self.encoder_slope else None
        return self.calibrated(self.estimator.log_odds(values[:, self.columns]), said)

    @property
    def is_thin(self) -> bool:
        """Whether it uses features that only thin gold needs."""
        return not THIN_NAMES.isdisjoint(self.features)

    @property
    def columns(self) -> list[int]:
        """The positions of the features that are used."""
        return [NAMES.index(name) for name in self.features]


@dataclass
class FeatureMatcher(Matcher):
    """Matches by a model over the features of pairs."""

    worth_workers = 700

    model: Model
    name: str = LEARNED
    hash: str = "unsaved"
    trained_on: frozenset[str] = field(default_factory=frozenset)
    english: str = "the lemmas and word lists of its features"

    def tables(self, work: Sequence[tuple[Sentence, Sequence[Extraction]]]) -> list[PairTable]:
        """The features of the pairs of each part of the work."""
        return [pair_table(*part, thin=self.model.is_thin) for part in work]

    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        """Pairs on which a rule fires, and pairs that are probable enough."""
        [table] = self.tables([(sentence, extractions)])
        return self.decided(sentence, table, self.model.probabilities(table.values))

    def decided(self, sentence: Sentence, table: PairTable, probabilities: NDArray[numpy.float64]) -> list[Candidate]:
        """The candidates among a table's pairs, given their probabilities."""
        candidates: list[Candidate] = []
        threshold, anchor = self.model.threshold_of(sentence), self.model.anchor
        fired = {index for index, _ in table.rules} if anchor == "choice" else set()
        for row, probability in enumerate(probabilities.tolist()):
            index, cluster = int(table.extraction[row]), int(table.cluster[row])
            rule = table.rules.get((index, cluster))
            if rule is not None and (anchor == "rules" or (rule.exact and anchor != "none")):
                # rules come before the classifier: their scores are put above all its probabilities
                candidates.append(Candidate(index, cluster, (1 + rule.score) / 2, rule.exact, rule.reason))
            elif index in fired:
                if rule is not None:
                    candidates.append(Candidate(index, cluster, 0.5 + probability / 4, False, rule.reason))
            elif probability >= threshold:
                reason = rule.reason if rule else _reason(sentence, cluster, table.readings[row], probability)
                candidates.append(Candidate(index, cluster, probability * 0.75, False, reason))
        return candidates

    def match_many(self, work: Sequence[tuple[Sentence, Sequence[Extraction]]]) -> list[Assignment]:
        """Assignments of many systems and sentences, with one call of the model."""
        return [
            decode(sentence, extractions, candidates, self.decoding)
            for (sentence, extractions), candidates in zip(work, self.candidates_of(work), strict=True)
        ]

    def candidates_of(self, work: Sequence[tuple[Sentence, Sequence[Extraction]]]) -> list[list[Candidate]]:
        """The candidates of each part of the work."""
        if not work:
            return []
        tables = self.tables(work)
        sizes = numpy.cumsum([len(table.values) for table in tables])[:-1]
        split = numpy.split(self.model.probabilities(numpy.concatenate([table.values for table in tables])), sizes)
        return [
            self.decided(sentence, table, probabilities)
            for (sentence, _), table, probabilities in zip(work, tables, split, strict=True)
        ]

    def pair_scores(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[tuple[int, int, float]]:
        """The probability of every pair that was looked at."""
        [table] = self.tables([(sentence, extractions)])
        values = zip(table.extraction, table.cluster, self.model.probabilities(table.values), strict=True)
        return [(int(index), int(cluster), float(value)) for index, cluster, value in values]

    def explain_pair(self, sentence: Sentence, extraction: Extraction, cluster: Cluster) -> list[str]:
        """The probability and the features that decided: how far each moves the log-odds from its mean."""
        [table] = self.tables([(sentence, [extraction])])
        rows = [row for row, number in enumerate(table.cluster) if sentence.clusters[number].id == cluster.id]
        if not rows:
            return [f"{self.name}: not a candidate, too few words in common"]
        values = table.values[rows[0]]
        probability = float(self.model.probabilities(values[None, :])[0])
        lines = [
            f"{self.name}: probability {probability:.3f}, threshold {self.model.threshold_of(sentence):.3f}; "
            f"read as {_edits(table.readings[rows[0]])}"
        ]
        for name, value, effect in self._effects(values)[:_SHOWN]:
            lines.append(f"  {effect:+.2f}  {name} = {value:g}  ({_MEANINGS[name]})")
        return lines

    def _effects(self, values: NDArray[numpy.float64]) -> list[tuple[str, float, float]]:
        """Features by how far they move the log-odds, against their mean in training."""
        columns = self.model.columns
        used = values[columns]
        means = self.model.estimator.means
        changed = numpy.tile(used, (len(columns), 1))
        numpy.fill_diagonal(changed, means)
        base = float(self.model.estimator.log_odds(used[None, :])[0])
        effects = self.model.slope * (base - self.model.estimator.log_odds(changed))
        order = numpy.argsort(-numpy.abs(effects), kind="stable")
        return [(self.model.features[i], float(used[i]), float(effects[i])) for i in order if abs(effects[i]) > 0.005]

    @property
    def settings(self) -> dict[str, str]:
        """Checkpoint, thresholds (of full and of thin gold) and anchor, for the signature."""
        thin = self.model.thin_threshold
        thresholds = f"{self.model.threshold:.4f}" + (f"-{thin:.4f}" if thin is not None else "")
        return {
            "checkpoint": self.hash[:12],
            "threshold": thresholds,
            "anchor": self.model.anchor,
            "assignment": self.decoding,
        }


def _edits(reading: Reading) -> str:
    edits = [f"{count} {name.replace('_', ' ')}" for name, count in reading.edits._asdict().items() if count]
    return f"{reading.kind}, " + (", ".join(edits) or "no edits")


def _reason(sentence: Sentence, cluster: int, reading: Reading, probability: float) -> Reason:
    formulation = str(sentence.clusters[cluster].formulations[reading.formulation])
    text = f"states '{formulation}' with probability {probability:.3f} (read as {_edits(reading)})"
    return Reason(LEARNED, text, formulation)
