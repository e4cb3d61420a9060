"""A sentence's clusters made ready for matching, as they are written or without punctuation and case.

Slots that several formulations share are stored once, and what an extraction's slot matches is remembered, since
systems extract the same arguments again and again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from data.model import Extraction, Formulation, Sentence, Slot
from matchers.patterns import Groups, Pattern, Text
from matchers.punctuation import plain

WRITTEN, PLAIN = "written", "plain"

Words = tuple[str, ...]
Slots = tuple[Words, Words, Words]


@dataclass(frozen=True)
class Triple:
    """A formulation in a view: which cluster it belongs to and its slots, as positions in the view's patterns."""

    cluster: int
    formulation: Formulation
    slots: tuple[int, int, int]


class View:
    """The formulations of a sentence in one reading of its words."""

    def __init__(self, sentence: Sentence, kind: str) -> None:
        self.sentence = sentence
        self.kind = kind
        self._read: Callable[[Words], Words] = plain if kind == PLAIN else _as_written
        self.patterns: list[Pattern] = []
        self.triples: list[Triple] = []
        known: dict[Groups, int] = {}
        for position, cluster in enumerate(sentence.clusters):
            for formulation in cluster.formulations:
                slots = []
                for slot in formulation.slots:
                    groups = self._groups(slot)
                    if groups not in known:
                        known[groups] = len(self.patterns)
                        self.patterns.append(Pattern(groups))
                    slots.append(known[groups])
                self.triples.append(Triple(position, formulation, (slots[0], slots[1], slots[2])))
        self._openers: dict[str, list[int]] = {}
        for number, pattern in enumerate(self.patterns):
            for word in pattern.openers:
                self._openers.setdefault(word, []).append(number)
        self._accepted: dict[Words, frozenset[int]] = {}
        self._contained: dict[Words, frozenset[int]] = {}

    def _groups(self, slot: Slot) -> Groups:
        read = tuple((self._read(group.words), group.optional) for group in slot.groups)
        kept = tuple((words, optional) for words, optional in read if words)
        return kept or tuple((group.words, group.optional) for group in slot.groups)

    def words(self, text: str) -> Words:
        """An extraction's slot in this reading; one of nothing but punctuation stays as it is."""
        written = tuple(text.split())
        return self._read(written) or written

    def slots(self, extraction: Extraction) -> Slots:
        """An extraction's slots in this reading."""
        return (self.words(extraction.arg1), self.words(extraction.relation), self.words(extraction.arg2))

    def accepted(self, words: Words) -> frozenset[int]:
        """The patterns that stand for exactly these words."""
        found = self._accepted.get(words)
        if found is None:
            text = Text(words)
            near = self._openers.get(words[0], ()) if words else range(len(self.patterns))
            found = frozenset(number for number in near if self.patterns[number].accepts(text))
            self._accepted[words] = found
        return found

    def contained(self, words: Words) -> frozenset[int]:
        """The patterns that a run of these words is read by."""
        found = self._contained.get(words)
        if found is None:
            text = Text(words)
            near = {number for word in text.positions for number in self._openers.get(word, ())}
            found = frozenset(number for number in near if self.patterns[number].stands_in(text))
            self._contained[words] = found
        return found

    @cached_property
    def pairs(self) -> dict[int, set[int]]:
        """The sentence's rewriting pairs; see `matchers.alternatives`."""
        from matchers.alternatives import rewriting_pairs

        return rewriting_pairs(self)

    @cached_property
    def _lines(self) -> dict[str, list[tuple[int, Pattern]]]:
        """The linearizations, the three slots of each triple in a row, by the words that they can begin with."""
        found: dict[str, list[tuple[int, Pattern]]] = {}
        for number, triple in enumerate(self.triples):
            line = Pattern.joined(self.patterns[slot] for slot in triple.slots)
            for word in line.openers:
                found.setdefault(word, []).append((number, line))
        return found

    def linear(self, words: Words) -> list[int]:
        """The triples whose linearization stands for exactly these words."""
        text = Text(words)
        return [number for number, line in self._lines.get(words[0], ()) if line.accepts(text)]


def _as_written(words: Words) -> Words:
    return words


@lru_cache(maxsize=1024)
def view(sentence: Sentence, kind: str) -> View:
    """The view of a sentence; made once."""
    return View(sentence, kind)
