"""EM: an extraction states a cluster's fact if its slots are, word by word, those of one of its formulations.

Optional groups may be present or absent, each for itself. The slots must agree one by one: a word that stands in
another slot than in the formulation is a difference.
"""

from __future__ import annotations

from collections.abc import Iterator

from matchers.text.gold_index import Slots, Triple, View


def exact_triples(view: View, slots: Slots) -> Iterator[Triple]:
    """The formulations that these slots are."""
    arg1 = view.accepted(slots[0])
    if not arg1:
        return
    relation = view.accepted(slots[1])
    if not relation:
        return
    arg2 = view.accepted(slots[2])
    if not arg2:
        return
    for triple in view.with_relations(relation):
        if triple.slots[0] in arg1 and triple.slots[2] in arg2:
            yield triple


def dropped_groups(view: View, triple: Triple, slots: Slots) -> tuple[str, ...]:
    """The optional words that the formulation has and the extraction leaves out."""
    absent: list[str] = []
    for words, slot in zip(slots, triple.slots, strict=True):
        pattern = view.patterns[slot]
        if len(words) < pattern.longest:
            absent.extend(" ".join(group) for group in pattern.resolution(words) or ())
    return tuple(absent)
