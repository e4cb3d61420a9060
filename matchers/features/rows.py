"""Rows of features: for each extraction a row for every cluster that is near, and the table of a system's pairs.

A cluster is represented by its formulation that is closest to the extraction. Systems extract the same things from a
sentence again and again: each is described once. The gold is read in alphabetical order, see `in_order`; positions of
clusters and formulations are those of the sentence as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy
from numpy.typing import NDArray

from data.model import Extraction, Sentence
from matchers.features.groups import NAMES, Row, row
from matchers.features.in_order import in_order
from matchers.features.pair import Pair, Said, SentenceGold
from matchers.features.readings import Reader, Reading, reader
from matchers.features.standing import standing
from matchers.features.word_bits import masks
from matchers.matches import Candidate
from matchers.rules.matcher import RuleMatcher
from matchers.text.gold_index import view

_RULES = RuleMatcher()
_RULE_RIVAL, _RIVAL_RANK, _RIVAL_GAP = map(NAMES.index, ("rule_rival", "rival_rank", "rival_gap"))
_LINE, _LINE_RANK, _LINE_RIVAL = map(NAMES.index, ("line_whole", "line_rank", "line_rival_rank"))


@dataclass(frozen=True)
class Description:
    """An extraction beside the clusters that are near: for each the cheapest reading, its cost, and the features.

    Features that depend on the system's other extractions are 0. `rules` are the candidates of the rules, for an
    extraction that stands alone.
    """

    clusters: tuple[int, ...]
    readings: tuple[Reading, ...]
    costs: tuple[float, ...]
    rows: tuple[Row, ...]
    rules: tuple[Candidate, ...]


class Describer:
    """Describes the extractions of one sentence."""

    def __init__(self, sentence: Sentence, thin: bool = True) -> None:
        self.sentence = sentence
        self.thin = thin
        self.ordered = in_order(sentence)
        self.reader: Reader = reader(self.ordered.sentence)
        self.gold = SentenceGold(self.reader, self.reader.view.words(sentence.text))
        self._known: dict[tuple[str, str, str], Description] = {}

    def describe(self, extraction: Extraction) -> Description:
        """The description of an extraction; made once."""
        if extraction.slots not in self._known:
            self._known[extraction.slots] = self._described(extraction)
        return self._known[extraction.slots]

    def _described(self, extraction: Extraction) -> Description:
        bits = self.reader.bits.extraction(extraction)
        before, now = self.ordered.before, self.ordered.now.clusters
        rules = tuple(_RULES.candidates(self.sentence, [extraction]))
        fired = [replace(rule, cluster=now[rule.cluster]) for rule in rules]
        near = self.reader.near(bits)
        clusters = sorted({*near.clusters, *(candidate.cluster for candidate in fired)})
        if not clusters:
            return Description((), (), (), (), rules)
        slots = self.reader.view.slots(extraction)
        readings = self.reader.readings(slots, bits, clusters, near.lines)
        costs = [{reading.kind: reading.cost for reading in readings[cluster]} for cluster in clusters]
        least = tuple([min(own.values()) for own in costs])
        best = tuple(
            [readings[c][list(own.values()).index(low)] for c, own, low in zip(clusters, costs, least, strict=True)]
        )
        said = Said(self.gold, slots, bits, fired, sorted(least))
        pairs = zip(clusters, best, least, costs, strict=True)
        rows = [row(Pair(said, *pair), self.thin) for pair in pairs]
        order = sorted(range(len(clusters)), key=[before.clusters[cluster] for cluster in clusters].__getitem__)
        return Description(
            tuple([before.clusters[clusters[number]] for number in order]),
            tuple([before.reading(clusters[number], best[number]) for number in order]),
            tuple([least[number] for number in order]),
            tuple([rows[number] for number in order]),
            rules,
        )


@lru_cache(maxsize=1024)
def describer(sentence: Sentence, thin: bool = True) -> Describer:
    """What describes the extractions of a sentence; made once."""
    return Describer(sentence, thin)


def forget() -> None:
    """Forget what was prepared of sentences, for whoever measures what that takes."""
    for prepared in (view, masks, in_order, reader, describer):
        prepared.cache_clear()


@dataclass(frozen=True)
class PairTable:
    """The features of pairs: which extraction and cluster each row is of, its reading, the rules' candidates."""

    extraction: NDArray[numpy.int64]
    cluster: NDArray[numpy.int64]
    values: NDArray[numpy.float64]
    readings: tuple[Reading, ...]
    rules: dict[tuple[int, int], Candidate]


def pair_table(sentence: Sentence, extractions: Sequence[Extraction], thin: bool = True) -> PairTable:
    """The features of the candidate pairs of one system in one sentence; without `thin`, those of thin gold are 0."""
    described = list(map(describer(sentence, thin).describe, extractions))
    index = [number for number, one in enumerate(described) for _ in one.clusters]
    clusters = [cluster for one in described for cluster in one.clusters]
    rows = [row for one in described for row in one.rows]
    rules = {
        (number, rule.cluster): replace(rule, extraction=number) if number else rule
        for number, one in enumerate(described)
        for rule in one.rules
    }
    values = numpy.array(rows, dtype=float).reshape(len(rows), len(NAMES))
    if rows and thin:
        lines = values[:, _LINE].tolist()
        values[:, _LINE_RANK : _LINE_RANK + 2] = _rivals(index, lines)
        values[:, _LINE_RIVAL : _LINE_RIVAL + 2] = _rivals(clusters, lines)
    if len(described) > 1 and rows:
        values[:, _RIVAL_RANK : _RIVAL_GAP + 1] = _rivals(clusters, [cost for one in described for cost in one.costs])
        if rules:
            values[:, _RULE_RIVAL] = _rule_rivals(zip(index, clusters, strict=True), rules)
    readings = tuple(reading for one in described for reading in one.readings)
    return PairTable(numpy.array(index, dtype=int), numpy.array(clusters, dtype=int), values, readings, rules)


def _rivals(clusters: Sequence[int], costs: Sequence[float]) -> list[tuple[int, float]]:
    """How each pair stands among those of its cluster, or of its extraction."""
    of_cluster: dict[int, list[float]] = {}
    for cluster, cost in zip(clusters, costs, strict=True):
        of_cluster.setdefault(cluster, []).append(cost)
    for own in of_cluster.values():
        own.sort()
    return [standing(cost, of_cluster[cluster]) for cluster, cost in zip(clusters, costs, strict=True)]


def _rule_rivals(pairs: Iterable[tuple[int, int]], rules: dict[tuple[int, int], Candidate]) -> list[float]:
    """The score of the surest rule that fires for a pair's cluster and another extraction."""
    fired: dict[int, list[tuple[float, int]]] = {}
    for (index, cluster), rule in rules.items():
        fired.setdefault(cluster, []).append((rule.score, index))
    return [
        max((score for score, other in fired.get(cluster, ()) if other != index), default=0.0)
        for index, cluster in pairs
    ]
