"""Judged parts with the features of their pairs, under the gold as it is and under thinner ones.

What the full gold says stays true when it is thinned. So a part's labels hold for each of its thin versions too, and
what is doubtful under the full gold is as doubtful there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray

from data.thinning import Thinness, thin_sentence
from matchers.features.rows import PairTable, pair_table
from training.labels.held_out import is_doubtful
from training.labels.judged_parts import FORMULATIONS, GENERATED, Judged
from training.labels.material import Weighted


@dataclass(frozen=True)
class Part:
    """A judged part with the features of its pairs, their labels, and which of them are trained on.

    `thin` is the same part under thinner gold, in the order of the levels.
    """

    judged: Judged
    table: PairTable
    labels: NDArray[numpy.bool_]
    trained: NDArray[numpy.bool_]
    weight: float
    thin: tuple[Part, ...] = ()

    @property
    def weighted(self) -> Weighted:
        """The judged part with its weight, without features."""
        return Weighted(self.judged, self.weight)

    @property
    def every(self) -> tuple[Part, ...]:
        """The part and its thin versions."""
        return (self, *self.thin)


def featurise(part: Judged, weight: float = 1.0, levels: Sequence[Thinness] = ()) -> Part:
    """The features of a part's pairs; what is doubtful is not trained on."""
    table = pair_table(part.sentence, part.extractions)
    ids = [cluster.id for cluster in part.sentence.clusters]
    doubtful = {
        (index, cluster)
        for (index, cluster), reading in zip(_pairs(table), table.readings, strict=True)
        if ids[cluster] not in part.labels[index]
        and is_doubtful(part, index, ids[cluster], (index, cluster) in table.rules, reading.cost)
    }
    full = _labelled(part, table, doubtful, weight)
    thin = []
    for level in own_levels(part, levels):
        sentence = thin_sentence(part.sentence, level)
        judged = replace(part, sentence=sentence)
        thin.append(_labelled(judged, pair_table(sentence, part.extractions), doubtful, weight))
    return replace(full, thin=tuple(thin))


def own_levels(part: Judged, levels: Sequence[Thinness]) -> Sequence[Thinness]:
    """The levels that a part is learned from under.

    Formulations have thin gold of their own. Of generated parts there are many: each is thinned to one level, in turn.
    """
    if part.source == FORMULATIONS:
        return ()
    if part.source == GENERATED and levels:
        return [levels[sum(map(ord, str(part.extractions[0]))) % len(levels)]]
    return levels


def _labelled(part: Judged, table: PairTable, doubtful: set[tuple[int, int]], weight: float) -> Part:
    ids = [cluster.id for cluster in part.sentence.clusters]
    pairs = _pairs(table)
    labels = numpy.array([ids[cluster] in part.labels[index] for index, cluster in pairs], dtype=bool)
    trained = numpy.array([pair not in doubtful for pair in pairs], dtype=bool)
    return Part(part, table, labels, trained, weight)


def _pairs(table: PairTable) -> list[tuple[int, int]]:
    return list(zip(table.extraction.tolist(), table.cluster.tolist(), strict=True))
