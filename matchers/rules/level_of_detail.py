"""LoD: an extraction that says a second fact's detail in its argument is credited with the fact it centres on.

Its linearization is verbatim that of a formulation, only the slot borders differ: that is the detail. Its relation and
one argument are those of a formulation, in the same slots, whose remaining argument is contained in the extraction's:
that is the centre, and the match. `Tove - hosts - Lanterns on a station` has the words of `Tove - hosts Lanterns on - a
station` and is credited with `Tove - hosts - Lanterns`.

Choices where the paper leaves them open:
- The relation and the argument must come from one formulation.
- Of several centres the one that the remaining argument begins with is preferred, as details follow what they detail
  (`was - reappointed warden` centres on `was - reappointed`); then the one that covers more of it.
- Centre and detail may be formulations of one cluster: then only a border moved, and the relation still holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from matchers.text.gold_index import Slots, Triple, View, Words
from matchers.text.patterns import Text


@dataclass(frozen=True)
class Centre:
    """A formulation that an extraction may centre on: its remaining argument, and the extraction's that contains it."""

    triple: Triple
    remaining: int
    words: Words


@dataclass(frozen=True)
class Detailed:
    """The formulation that an extraction centres on, the one whose words it has, and how close it is to the first."""

    centre: Triple
    detail: Triple
    closeness: float


def centres(view: View, slots: Slots) -> list[Centre]:
    """The formulations whose relation and one argument these slots have and whose other argument they contain."""
    relation = view.accepted(slots[1])
    if not relation:
        return []
    arg1, arg2 = view.accepted(slots[0]), view.accepted(slots[2])
    near = []
    for triple in view.with_relations(relation):
        first, _, third = triple.slots
        if first in arg1 and third in view.contained(slots[2]):
            near.append(Centre(triple, third, slots[2]))
        elif third in arg2 and first in view.contained(slots[0]):
            near.append(Centre(triple, first, slots[0]))
    return near


def detailed_triples(view: View, slots: Slots) -> Iterator[Detailed]:
    """The formulations that the slots centre on, each with the first one whose linearization they have."""
    near = centres(view, slots)
    if near and (lines := view.linear(slots[0] + slots[1] + slots[2])):
        detail = view.triples[lines[0]]
        for centre in near:
            yield Detailed(centre.triple, detail, _closeness(view, centre.remaining, centre.words))


def _closeness(view: View, pattern: int, words: Words) -> float:
    """How much of an argument its contained part is, from 0 to 1; at least a half if the argument begins with it."""
    spans = view.patterns[pattern].spans(Text(words))
    return max(((start == 0) + (end - start) / len(words)) / 2 for start, end in spans)
