"""The hybrid matcher: the feature-based classifier with a cross-encoder's word as one more feature.

Only pairs that are neither exact nor far are asked of the cross-encoder; the others have a fixed value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy
from numpy.typing import NDArray

from data.model import Cluster, Extraction, Sentence
from matchers.classifier import ENCODER, FeatureMatcher
from matchers.cross_encoder import CrossEncoderMatcher, Work, is_judged
from matchers.encoding import encoded_table
from matchers.features import PairTable, pair_table

SURE = 6.0  # log-odds are cut off here, on both sides
NAME = "hybrid"


@dataclass
class HybridMatcher(FeatureMatcher):
    """Matches by a model over the features of pairs, the last of which is the cross-encoder's."""

    encoder: CrossEncoderMatcher = field(kw_only=True)
    name: str = NAME
    english: str = "the lemmas and word lists of its features and of the texts that its cross-encoder reads"

    def tables(self, work: Work) -> list[PairTable]:
        """The features of the pairs of each part of the work, with the cross-encoder's log-odds."""
        return with_encoder(self.encoder, work, [pair_table(*part) for part in work])

    def explain_pair(self, sentence: Sentence, extraction: Extraction, cluster: Cluster) -> list[str]:
        """The features that decided, then what the cross-encoder read."""
        lines = super().explain_pair(sentence, extraction, cluster)
        return [*lines, *(f"  {ENCODER}: {line}" for line in self.encoder.explain_pair(sentence, extraction, cluster))]

    @property
    def settings(self) -> dict[str, str]:
        """Checkpoint, threshold, base model and, if it is not 32 bits, the precision, for the signature."""
        return {**self.encoder.settings, **super().settings}


def with_encoder(encoder: CrossEncoderMatcher, work: Work, tables: Sequence[PairTable]) -> list[PairTable]:
    """Tables with a further column: the cross-encoder's log-odds of each pair."""
    encoded = [encoded_table(*part, table) for part, table in zip(work, tables, strict=True)]
    texts = [pair.text for pairs in encoded for pair in pairs if is_judged(pair)]
    known = dict(zip(texts, encoder.scorer.probabilities(texts, encoder.quiet), strict=True))
    found = []
    for table, pairs in zip(tables, encoded, strict=True):
        said = numpy.array([known[pair.text] if is_judged(pair) else float(pair.exact) for pair in pairs])
        found.append(replace(table, values=numpy.column_stack([table.values, _log_odds(said)])))
    return found


def _log_odds(probabilities: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    least = 1.0 / (1.0 + numpy.exp(SURE))
    inside = numpy.clip(probabilities, least, 1.0 - least)
    found: NDArray[numpy.float64] = numpy.log(inside / (1.0 - inside))
    return found
