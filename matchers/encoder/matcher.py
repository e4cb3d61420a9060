"""The cross-encoder: a language model that reads how an extraction differs from a cluster and says if it is a match.

Pairs that are exact are matches without asking it, and pairs that take too many edits are none; of the others it gives
a probability, and those from the threshold on are candidates. If it keeps the rules, every pair on which one fires is a
candidate too, and the model only adds to them. All sentences of `match_many` are scored together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from data.command_line import progress
from data.model import Cluster, Extraction, Sentence
from matchers.assignment import decode
from matchers.encoder.pair_text import EncodedPair, encoded_pairs
from matchers.encoder.text_scorer import PairScorer, multiplies_16_bits
from matchers.features.thickness import threshold_at
from matchers.interface import Assignment, Candidate, Matcher, Reason

if TYPE_CHECKING:
    from matchers.encoder.trained import Weights

NAME = "cross_encoder"
FAR = 10.0  # no positive pair of BenchIE^FL_match takes edits of more than 6

Work = Sequence[tuple[Sentence, Sequence[Extraction]]]


@dataclass(frozen=True)
class Scored:
    """A pair with its probability."""

    pair: EncodedPair
    probability: float


class CrossEncoderMatcher(Matcher):
    """Matches by a cross-encoder's probability of a pair."""

    name = NAME
    hash = ""  # of the checkpoint that it was loaded from
    trained_on: frozenset[str] = frozenset()
    worth_workers = None  # torch takes all processors by itself
    english = "the lemmas by which its pairs are chosen and marked"

    def __init__(
        self,
        scorer: PairScorer,
        threshold: float,
        weights: Weights,
        keeps_rules: bool = False,
        quiet: bool = True,
        thin_threshold: float | None = None,
    ) -> None:
        self.scorer = scorer
        self.threshold, self.thin_threshold = threshold, thin_threshold
        self.weights = weights
        self.keeps_rules = keeps_rules
        if scorer.precision == "bfloat16" and not multiplies_16_bits():
            self.caution = "this processor has no 16-bit arithmetic, so @bfloat16 is slower than 32 bits; see @auto"
        self.quiet = quiet

    def show_progress(self, quiet: bool) -> None:
        """Draw a bar over pairs and over batches, which take the time."""
        self.quiet = quiet

    def scored(self, work: Work) -> list[list[Scored]]:
        """The pairs of each part of the work that are worth a look, with their probabilities."""
        watched = progress(work, "pairs", self.quiet, len(work))
        encoded = [encoded_pairs(sentence, extractions) for sentence, extractions in watched]
        texts = [pair.text for pairs in encoded for pair in pairs if is_judged(pair)]
        known = dict(zip(texts, self.scorer.probabilities(texts, self.quiet), strict=True))
        return [
            [Scored(pair, known[pair.text] if is_judged(pair) else float(pair.exact)) for pair in pairs]
            for pairs in encoded
        ]

    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        """The pairs that are exact, or whose probability reaches the threshold."""
        return self._chosen(sentence, self.scored([(sentence, extractions)])[0])

    def _chosen(self, sentence: Sentence, scored: Sequence[Scored]) -> list[Candidate]:
        return chosen(sentence, scored, self.threshold_of(sentence), self.keeps_rules)

    def threshold_of(self, sentence: Sentence) -> float:
        """How probable a match must be, given how thin the sentence's gold is."""
        return threshold_at(sentence, self.threshold, self.thin_threshold)

    def match_many(self, work: Work) -> list[Assignment]:
        """The assignments of many systems and sentences, their pairs scored in common batches."""
        return [
            decode(sentence, extractions, self._chosen(sentence, scored), self.decoding)
            for (sentence, extractions), scored in zip(work, self.scored(work), strict=True)
        ]

    def pair_scores(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[tuple[int, int, float]]:
        """The probability of every pair that is worth a look."""
        pairs = self.scored([(sentence, extractions)])[0]
        return [(one.pair.extraction, one.pair.cluster, one.probability) for one in pairs]

    def explain_pair(self, sentence: Sentence, extraction: Extraction, cluster: Cluster) -> list[str]:
        """The marked difference, and the probability that the model gives to it."""
        for one in self.scored([(sentence, [extraction])])[0]:
            if sentence.clusters[one.pair.cluster] is cluster or sentence.clusters[one.pair.cluster].id == cluster.id:
                if one.pair.exact:
                    return [f"difference: {one.pair.text}", "exact: a match without asking the model"]
                if not is_judged(one.pair):
                    edits = f"takes edits of {one.pair.reading.cost:.1f}, more than {FAR:g}: the model is not asked"
                    return [f"difference: {one.pair.text}", edits]
                verdict = f"probability {one.probability:.3f}, threshold {self.threshold_of(sentence):.3f}"
                return [f"difference: {one.pair.text}", verdict]
        return ["too far from this cluster to be looked at"]

    @property
    def settings(self) -> dict[str, str]:
        """The checkpoint, the base model, the threshold and, if it is not 32 bits, the precision."""
        settings = {"checkpoint": self.hash[:12]} if self.hash else {}
        thin = "" if self.thin_threshold is None else f"-{self.thin_threshold:.4f}"
        settings |= {"base_model": self.weights.base_model, "threshold": f"{self.threshold:.4f}{thin}"}
        if self.keeps_rules:
            settings["keeps"] = "rules"
        if self.scorer.precision != "float32":
            settings["precision"] = self.scorer.precision
        return settings


def is_judged(pair: EncodedPair) -> bool:
    """Whether the model has a say: the pair is neither exact nor far."""
    return not pair.exact and pair.reading.cost <= FAR


def chosen(
    sentence: Sentence, scored: Sequence[Scored], threshold: float, keeps_rules: bool = False
) -> list[Candidate]:
    """The candidates among scored pairs."""
    candidates = []
    for one in scored:
        pair = one.pair
        if pair.exact and pair.rule is not None:
            candidates.append(pair.rule)
        elif one.probability >= threshold or (keeps_rules and pair.rule is not None):
            formulation = str(sentence.clusters[pair.cluster].formulations[pair.reading.formulation])
            reason = Reason(NAME, f"{pair.text} (probability {one.probability:.3f})", formulation)
            candidates.append(Candidate(pair.extraction, pair.cluster, closeness(one), False, reason))
    return candidates


def closeness(one: Scored) -> float:
    """What assignment prefers a candidate by: the probability and, where a rule fires, how close that finds it.

    Two clusters that an extraction joins look alike to the model; which of them it centres on, the rules know.
    """
    rule = one.pair.rule
    return (one.probability + (rule.score if rule else 0.0)) / 2
