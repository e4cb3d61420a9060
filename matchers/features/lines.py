"""An extraction's words in a row beside a formulation's: what is missing and extra, and what crossed which border.

Thin gold lists one place for the borders of slots; whether another is as good depends on which words cross it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from matchers.features.word_kinds import CONTENT, COSTS, kind
from matchers.text.alignment import differences
from matchers.text.gold_index import Slots, View, Words
from matchers.text.patterns import Groups

_MISSING_CONTENT = 3.0
_MOVED = 0.5

GoldLine = tuple[Groups, tuple[int, ...]]  # the groups of three slots in a row, and the slot of each


class Line:
    """The alignment of an extraction's words, in a row, with a formulation's.

    `missing` and `extra` count words by kind. `crossed[said][gold]` are the words that stand in the one slot of the
    extraction and in the other of the formulation.
    """

    def __init__(self, slots: Slots, gold: GoldLine) -> None:
        words = slots[0] + slots[1] + slots[2]
        lacking, extra, absent = differences(words, gold[0])
        self.words, self.extra_at = words, extra
        self.missing, self.extra = [0] * 5, [0] * 5
        for word, _ in lacking:
            self.missing[kind(word)] += 1
        for position in extra:
            self.extra[kind(words[position])] += 1
        self.dropped = sum([len(gold[0][group][0]) for group in absent])
        self.gold: tuple[list[str], list[str], list[str]] = ([], [], [])
        self.crossed: dict[tuple[int, int], list[str]] = {}
        self._walk(slots, gold, lacking, set(absent))

    def _walk(self, slots: Slots, gold: GoldLine, lacking: Sequence[tuple[str, int]], absent: set[int]) -> None:
        """Find which slots the words that both have stand in."""
        borders = (len(slots[0]), len(slots[0]) + len(slots[1]))
        left_over = set(self.extra_at)
        missing = position = place = 0
        for number, ((words, _), slot) in enumerate(zip(*gold, strict=True)):
            if number in absent:
                continue
            self.gold[slot].extend(words)
            for word in words:
                if missing < len(lacking) and lacking[missing] == (word, place):
                    missing += 1
                    continue
                while position in left_over:
                    position += 1
                if position >= len(self.words):
                    continue
                own = (position >= borders[0]) + (position >= borders[1])
                if own != slot:
                    self.crossed.setdefault((own, slot), []).append(word)
                position += 1
                place = position

    @cached_property
    def formulation(self) -> Slots:
        """The formulation's slots without the optional words that are absent."""
        return (tuple(self.gold[0]), tuple(self.gold[1]), tuple(self.gold[2]))

    @property
    def cost(self) -> float:
        """The weighted number of words that differ, wherever they stand."""
        cost = (_MISSING_CONTENT - COSTS[CONTENT]) * self.missing[CONTENT]
        for weight, missing, extra in zip(COSTS, self.missing, self.extra, strict=True):
            cost += weight * (missing + extra)
        return cost

    @property
    def whole_cost(self) -> float:
        """The cost with that of the words that crossed a border."""
        return self.cost + _MOVED * sum([len(words) for words in self.crossed.values()])

    @property
    def kept_between(self) -> tuple[int, int]:
        """The positions of the first and last word that both have; the end and -1 if there is none."""
        left_over = set(self.extra_at)
        kept = [position for position in range(len(self.words)) if position not in left_over]
        return (kept[0], kept[-1]) if kept else (len(self.words), -1)


def gold_line(view: View, triple: int) -> GoldLine:
    """A formulation's slots in a row."""
    groups, slots = [], []
    for slot, pattern in enumerate(view.triples[triple].slots):
        for group in view.patterns[pattern].groups:
            groups.append(group)
            slots.append(slot)
    return tuple(groups), tuple(slots)


def place_of(words: Words, sentence: Words) -> int:
    """Where words stand in a sentence in a row; -1 if they don't.

    >>> place_of(("old", "mill"), ("a", "old", "mill"))
    1
    """
    if words:
        for start in range(len(sentence) - len(words) + 1):
            if sentence[start] == words[0] and sentence[start : start + len(words)] == words:
                return start
    return -1
