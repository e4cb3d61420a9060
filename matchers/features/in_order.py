"""A sentence with its facts in alphabetical order, for results that don't depend on the order in which gold lists them.

Where several formulations or clusters are equally near, the first is taken. First is first in the alphabet here, not in
the file, so that gold with its lines in another order gives the same features.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate

from data.model import Cluster, Sentence
from matchers.features.readings import Reading


@dataclass(frozen=True)
class Places:
    """For each cluster and each formulation, counted through the sentence, its position in another order."""

    clusters: tuple[int, ...]
    lines: tuple[int, ...]
    starts: tuple[int, ...]  # the first line of each cluster in the own order
    ends: tuple[int, ...]  # the first line of each cluster in the other order

    def reading(self, cluster: int, reading: Reading) -> Reading:
        """A reading as a cluster's fact, by the positions in the other order."""
        line = self.lines[self.starts[cluster] + reading.formulation]
        detail = None if reading.detail is None else self.lines[reading.detail]
        return Reading(reading.kind, line - self.ends[self.clusters[cluster]], reading.edits, detail)


@dataclass(frozen=True)
class InOrder:
    """A sentence in alphabetical order; where what it has stood `before`, and where it stands `now`."""

    sentence: Sentence
    before: Places
    now: Places


@lru_cache(maxsize=1024)
def in_order(sentence: Sentence) -> InOrder:
    """A sentence with the formulations of each cluster, and then the clusters, in the order of their texts; made once.

    >>> sentence = Sentence.of("Bo bakes .", ["Bo --> is --> baking", "Bo --> bakes --> XXX"], "Al --> eats --> XXX")
    >>> ordered = in_order(sentence)
    >>> [[str(formulation) for formulation in cluster.formulations] for cluster in ordered.sentence.clusters]
    [['Al --> eats --> XXX'], ['Bo --> bakes --> XXX', 'Bo --> is --> baking']]
    >>> ordered.before.clusters, ordered.before.lines
    ((1, 0), (2, 1, 0))
    """
    texts = [[str(formulation) for formulation in cluster.formulations] for cluster in sentence.clusters]
    orders = [sorted(range(len(own)), key=own.__getitem__) for own in texts]
    clusters = sorted(
        range(len(texts)),
        key=lambda number: ([texts[number][place] for place in orders[number]], sentence.clusters[number].id),
    )
    written = tuple(accumulate([len(own) for own in texts], initial=0))[:-1]
    ordered = tuple(accumulate([len(texts[number]) for number in clusters], initial=0))[:-1]
    lines = tuple(written[number] + place for number in clusters for place in orders[number])
    before = Places(tuple(clusters), lines, ordered, written)
    now = Places(_inverse(before.clusters), _inverse(lines), written, ordered)
    facts = [sentence.clusters[number] for number in clusters]
    moved = [
        Cluster(fact.id, tuple(fact.formulations[place] for place in orders[number]))
        for number, fact in zip(clusters, facts, strict=True)
    ]
    return InOrder(replace(sentence, clusters=tuple(moved)), before, now)


def _inverse(places: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(range(len(places)), key=places.__getitem__))
