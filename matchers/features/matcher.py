"""The feature-based matcher: a classifier over the features of pairs, decoded together with the rules.

Pairs on which a rule fires are kept as the rules keep them. To these the classifier adds the pairs that no rule
matches and that it finds probable enough, which may take only clusters and extractions that the rules leave free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy
from numpy.typing import NDArray

from data.model import Cluster, Extraction, Sentence
from matchers.estimators import Estimator, logistic
from matchers.features import FEATURES, Feature, PairTable, pair_table
from matchers.halves import in_halves
from matchers.interface import Assignment, Candidate, Matcher, Reason, decode
from matchers.readings import Reading

LEARNED = "features"
ENCODER = "cross_encoder"
# What a model may use: the features of pairs and, where there is one, a cross-encoder's word on them.
COLUMNS: tuple[Feature, ...] = (*FEATURES, Feature(ENCODER, "encoder", "the cross-encoder's log-odds of a match", 1))
COLUMN_NAMES = tuple(feature.name for feature in COLUMNS)
_SHOWN = 6
_MEANINGS = {feature.name: feature.meaning for feature in COLUMNS}


@dataclass(frozen=True)
class Model:
    """What is trained: which features are used, the estimator, its calibration, and the threshold of the decision."""

    features: tuple[str, ...]
    estimator: Estimator
    slope: float = 1.0
    offset: float = 0.0
    threshold: float = 0.5

    def probabilities(self, values: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
        """The calibrated probability of each row of all features."""
        if not len(values):
            return numpy.zeros(0)
        return logistic(self.slope * self.estimator.log_odds(values[:, self.columns]) + self.offset)

    @property
    def columns(self) -> list[int]:
        """The positions of the features that are used."""
        return [COLUMN_NAMES.index(name) for name in self.features]


@dataclass
class FeatureMatcher(Matcher):
    """Matches by a model over the features of pairs."""

    model: Model
    name: str = LEARNED
    hash: str = "unsaved"
    trained_on: frozenset[str] = field(default_factory=frozenset)
    english: str = "the lemmas and word lists of its features"

    def tables(self, work: Sequence[tuple[Sentence, Sequence[Extraction]]]) -> list[PairTable]:
        """The features of the pairs of each part of the work."""
        return [pair_table(*part) for part in work]

    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        """Pairs on which a rule fires, and pairs that are probable enough."""
        [table] = self.tables([(sentence, extractions)])
        return self.decided(sentence, table, self.model.probabilities(table.values))

    def decided(self, sentence: Sentence, table: PairTable, probabilities: NDArray[numpy.float64]) -> list[Candidate]:
        """The candidates among a table's pairs, given their probabilities."""
        found = []
        for row, probability in enumerate(probabilities):
            index, cluster = int(table.extraction[row]), int(table.cluster[row])
            rule = table.rules.get((index, cluster))
            if rule is not None:
                # rules come before the classifier: their scores are put above all its probabilities
                found.append(Candidate(index, cluster, (1 + rule.score) / 2, rule.exact, rule.reason))
            elif probability >= self.model.threshold:
                reason = _reason(sentence, cluster, table.readings[row], float(probability))
                found.append(Candidate(index, cluster, float(probability) * 0.75, False, reason))
        return found

    def match_many(self, work: Sequence[tuple[Sentence, Sequence[Extraction]]]) -> list[Assignment]:
        """Assignments of many systems and sentences, with one call of the model, or two at once for much work."""
        return [
            decode(sentence, extractions, candidates)
            for (sentence, extractions), candidates in zip(work, in_halves(self.candidates_of, work), strict=True)
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
            f"{self.name}: probability {probability:.3f}, threshold {self.model.threshold:.3f}; "
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
        """Checkpoint and threshold, for the signature."""
        return {"checkpoint": self.hash[:12], "threshold": f"{self.model.threshold:.4f}", "assignment": "optimal"}


def _edits(reading: Reading) -> str:
    edits = [f"{count} {name.replace('_', ' ')}" for name, count in reading.edits._asdict().items() if count]
    return f"{reading.kind}, " + (", ".join(edits) or "no edits")


def _reason(sentence: Sentence, cluster: int, reading: Reading, probability: float) -> Reason:
    formulation = str(sentence.clusters[cluster].formulations[reading.formulation])
    text = f"states '{formulation}' with probability {probability:.3f} (read as {_edits(reading)})"
    return Reason(LEARNED, text, formulation)
