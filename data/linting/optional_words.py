"""Slots with optional groups, compared without listing their resolutions.

Two slots *share a resolution* if some choice of their optional groups makes them the same words. It is decided by
walking both slots together, never by listing the choices, of which there are 2 to the power of the groups.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from data.model import Slot


@dataclass(frozen=True)
class Walk:
    """Words in order, and where an optional group may be jumped over: from its first word to after its last."""

    words: tuple[str, ...]
    jumps: dict[int, int]

    @classmethod
    def of(cls, *parts: Slot) -> Walk:
        """The slots as one walk."""
        words: list[str] = []
        jumps = {}
        for group in (group for part in parts for group in part.groups):
            if group.optional:
                jumps[len(words)] = len(words) + len(group.words)
            words.extend(group.words)
        return cls(tuple(words), jumps)

    def reach(self, places: Iterable[int]) -> frozenset[int]:
        """The places that can be reached from these without taking a word."""
        reached = set(places)
        todo = list(reached)
        while todo:
            place = self.jumps.get(todo.pop())
            if place is not None and place not in reached:
                reached.add(place)
                todo.append(place)
        return frozenset(reached)

    def take(self, places: Iterable[int], word: str) -> frozenset[int]:
        """The places after this word has been taken from one of these."""
        return self.reach(p + 1 for p in places if p < len(self.words) and self.words[p] == word)


def may_meet(first: Walk, second: Walk) -> bool:
    """Whether the first words allow that two walks meet, which is quick to say: one that is required must be there."""
    for one, other in ((first, second), (second, first)):
        if one.words and 0 not in one.jumps and one.words[0] not in other.words:
            return False
    return True


def meet(first: Walk, second: Walk) -> bool:
    """Whether some choice of optional groups makes the two the same words."""
    seen: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    ends = (len(first.words), len(second.words))
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        if here == ends:
            return True
        i, j = here
        if i in first.jumps:
            todo.append((first.jumps[i], j))
        if j in second.jumps:
            todo.append((i, second.jumps[j]))
        if i < ends[0] and j < ends[1] and first.words[i] == second.words[j]:
            todo.append((i + 1, j + 1))
    return False


def within(special: Walk, general: Walk) -> bool:
    """Whether every resolution of the first is one of the second."""
    seen: set[tuple[int, frozenset[int]]] = set()
    todo = [(0, general.reach([0]))]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        place, places = here
        if place in special.jumps:
            todo.append((special.jumps[place], places))
        if place == len(special.words):
            if len(general.words) not in places:
                return False
        elif after := general.take(places, special.words[place]):
            todo.append((place + 1, after))
        else:
            return False
    return True


def share_resolution(first: Slot, second: Slot) -> bool:
    """Whether some choice of optional groups makes the two slots the same words.

    >>> from data.formats.slots import parse_slot
    >>> share_resolution(parse_slot("[the] old port")[0], parse_slot("the [old] [new] port")[0])
    True
    >>> share_resolution(parse_slot("[the] old port")[0], parse_slot("a [old] port")[0])
    False
    """
    return meet(Walk.of(first), Walk.of(second))


def is_within(special: Slot, general: Slot) -> bool:
    """Whether every resolution of the first slot is one of the second.

    >>> from data.formats.slots import parse_slot
    >>> is_within(parse_slot("the port")[0], parse_slot("[the] [old] port")[0])
    True
    """
    return within(Walk.of(special), Walk.of(general))
