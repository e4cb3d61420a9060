"""The hybrid matcher: the feature-based classifier and a cross-encoder, whose log-odds are weighed and added.

Only pairs that are neither exact nor far are asked of the cross-encoder; the others have a fixed value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy
from numpy.typing import NDArray

from data.model import Cluster, Extraction, Sentence
from matchers.encoder.matcher import CrossEncoderMatcher, Work, is_judged
from matchers.encoder.pair_text import encoded_table
from matchers.features.matcher import FeatureMatcher
from matchers.features.rows import PairTable, pair_table

SURE = 6.0  # log-odds are cut off here, on both sides
NAME = "hybrid"


@dataclass
class HybridMatcher(FeatureMatcher):
    """Matches by a model over the features of pairs and the log-odds of a cross-encoder."""

    encoder: CrossEncoderMatcher = field(kw_only=True)
    name: str = NAME
    english: str = "the lemmas and word lists of its features and of the texts that its cross-encoder reads"

    def show_progress(self, quiet: bool) -> None:
        """Draw the cross-encoder's bar."""
        self.encoder.show_progress(quiet)

    def tables(self, work: Work) -> list[PairTable]:
        """The features of the pairs of each part of the work, with the cross-encoder's log-odds."""
        return with_encoder(self.encoder, work, [pair_table(*part, thin=self.model.is_thin) for part in work])

    def explain_pair(self, sentence: Sentence, extraction: Extraction, cluster: Cluster) -> list[str]:
        """The features that decided, then what the cross-encoder read."""
        lines = super().explain_pair(sentence, extraction, cluster)
        weight = f"  cross-encoder (its log-odds count {self.model.encoder_slope:.2f} times)"
        return [*lines, *(f"{weight}: {line}" for line in self.encoder.explain_pair(sentence, extraction, cluster))]

    @property
    def settings(self) -> dict[str, str]:
        """Checkpoint, threshold, base model and, if it is not 32 bits, the precision, for the signature."""
        return {**self.encoder.settings, **super().settings}


def with_encoder(encoder: CrossEncoderMatcher, work: Work, tables: Sequence[PairTable]) -> list[PairTable]:
    """Tables with a further column: the cross-encoder's log-odds of each pair."""
    encoded = [encoded_table(*part, table) for part, table in zip(work, tables, strict=True)]
    texts = [pair.text for pairs in encoded for pair in pairs if is_judged(pair)]
    known = dict(zip(texts, encoder.scorer.probabilities(texts, encoder.quiet), strict=True))
    extended = []
    for table, pairs in zip(tables, encoded, strict=True):
        said = numpy.array([known[pair.text] if is_judged(pair) else float(pair.exact) for pair in pairs])
        extended.append(replace(table, values=numpy.column_stack([table.values, _log_odds(said)])))
    return extended


def _log_odds(probabilities: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    least = 1.0 / (1.0 + numpy.exp(SURE))
    inside = numpy.clip(probabilities, least, 1.0 - least)
    odds: NDArray[numpy.float64] = numpy.log(inside / (1.0 - inside))
    return odds
