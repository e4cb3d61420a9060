"""A sentence's clusters made ready for matching, as they are written or without punctuation and case.

Slots that several formulations share are stored once, and what an extraction's slot matches is remembered, since
systems extract the same arguments again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from typing import NamedTuple

from data.model import Extraction, Formulation, Sentence, Slot
from matchers.text.patterns import Groups, Pattern, Text
from matchers.text.punctuation import plain
from matchers.text.word_lists import lemma

WRITTEN, PLAIN, SOFT = "written", "plain", "soft"

Words = tuple[str, ...]
Slots = tuple[Words, Words, Words]

NOTHING = Text(())
NONE: frozenset[int] = frozenset()


class Triple(NamedTuple):
    """A formulation in a view: which cluster it belongs to and its slots, as positions in the view's patterns."""

    cluster: int
    formulation: Formulation
    slots: tuple[int, int, int]


class View:
    """The formulations of a sentence in one reading of its words."""

    def __init__(self, sentence: Sentence, kind: str) -> None:
        self.sentence = sentence
        self.kind = kind
        self._read: Callable[[Words], Words] = _READINGS[kind]
        self.patterns: list[Pattern] = []
        self.triples: list[Triple] = []
        known: dict[Groups, int] = {}
        met: dict[int, int] = {}  # by identity: readers share the objects of repeated slots, and hashing them is slow
        for position, cluster in enumerate(sentence.clusters):
            for formulation in cluster.formulations:
                first, second, third = formulation.slots
                for slot in (first, second, third):
                    if id(slot) not in met:
                        groups = self._groups(slot)
                        if groups not in known:
                            known[groups] = len(self.patterns)
                            self.patterns.append(_pattern(groups))
                        met[id(slot)] = known[groups]
                self.triples.append(Triple(position, formulation, (met[id(first)], met[id(second)], met[id(third)])))
        self._openers: dict[str, list[int]] = {}
        for number, pattern in enumerate(self.patterns):
            for word in pattern.openers:
                self._openers.setdefault(word, []).append(number)
        self._by_relation: dict[int, list[int]] = {}
        for number, triple in enumerate(self.triples):
            self._by_relation.setdefault(triple.slots[1], []).append(number)
        self._accepted: dict[Words, frozenset[int]] = {}
        self._contained: dict[Words, frozenset[int]] = {}
        self._linear: dict[Words, list[int]] = {}
        self._related: dict[frozenset[int], list[Triple]] = {}

    def _groups(self, slot: Slot) -> Groups:
        read = [(self._read(group.words), group.optional) for group in slot.groups]
        kept = [(words, optional) for words, optional in read if words]
        return tuple(kept) or tuple((group.words, group.optional) for group in slot.groups)

    def words(self, text: str) -> Words:
        """An extraction's slot in this reading; one of nothing but punctuation stays as it is."""
        written = tuple(text.split())
        return self._read(written) or written

    def slots(self, extraction: Extraction) -> Slots:
        """An extraction's slots in this reading."""
        return (self.words(extraction.arg1), self.words(extraction.relation), self.words(extraction.arg2))

    def accepted(self, words: Words) -> frozenset[int]:
        """The patterns that stand for exactly these words."""
        patterns = self._accepted.get(words)
        if patterns is None:
            near = self._openers.get(words[0], ()) if words else range(len(self.patterns))
            patterns = self._accepted[words] = self._filtered(words, near, Pattern.accepts) if near else NONE
        return patterns

    def contained(self, words: Words) -> frozenset[int]:
        """The patterns that a run of these words is read by."""
        patterns = self._contained.get(words)
        if patterns is None:
            near = {number for word in set(words) & self._openers.keys() for number in self._openers[word]}
            patterns = self._contained[words] = self._filtered(words, near, Pattern.stands_in) if near else NONE
        return patterns

    def _filtered(self, words: Words, near: Iterable[int], reads: Callable[[Pattern, Text], bool]) -> frozenset[int]:
        """The patterns among these that read words; only those are run whose required words are all there."""
        have = set(words)
        able = [number for number in near if self.patterns[number].required <= have]
        text = Text(words) if able else NOTHING
        return frozenset([number for number in able if reads(self.patterns[number], text)])

    def with_relations(self, relations: frozenset[int]) -> list[Triple]:
        """The triples whose relation is one of these patterns, in the order of the gold."""
        triples = self._related.get(relations)
        if triples is None:
            numbers = [number for relation in relations for number in self._by_relation.get(relation, ())]
            triples = [self.triples[number] for number in sorted(numbers)]
            self._related[relations] = triples
        return triples

    @cached_property
    def _lines(self) -> dict[int, dict[int, list[tuple[int, int]]]]:
        """The triples by first argument and then by relation: second arguments with the triple's position."""
        lines: dict[int, dict[int, list[tuple[int, int]]]] = {}
        for number, triple in enumerate(self.triples):
            arg1, relation, arg2 = triple.slots
            lines.setdefault(arg1, {}).setdefault(relation, []).append((arg2, number))
        return lines

    def linear(self, words: Words) -> list[int]:
        """The triples whose linearization, the three slots in a row, stands for exactly these words."""
        numbers = self._linear.get(words)
        if numbers is None:
            text, size, have, patterns = Text(words), len(words), set(words), self.patterns
            numbers = []
            for arg1, relations in self._lines.items():
                after_arg1 = patterns[arg1].run(text, 1) if patterns[arg1].required <= have else 0
                for relation, ends in relations.items() if after_arg1 else ():
                    reached = patterns[relation].run(text, after_arg1) if patterns[relation].required <= have else 0
                    if reached:
                        numbers.extend(n for arg2, n in ends if patterns[arg2].run(text, reached) >> size & 1)
            numbers.sort()
            self._linear[words] = numbers
        return numbers


@lru_cache(maxsize=65536)
def _pattern(groups: Groups) -> Pattern:
    """The pattern of groups, which are often the same in several readings and sentences."""
    return Pattern(groups)


def _as_written(words: Words) -> Words:
    return words


@lru_cache(maxsize=65536)
def _lemmas(words: Words) -> Words:
    return tuple(lemma(word) for word in plain(words))


_READINGS: dict[str, Callable[[Words], Words]] = {WRITTEN: _as_written, PLAIN: plain, SOFT: _lemmas}


@lru_cache(maxsize=1024)
def view(sentence: Sentence, kind: str) -> View:
    """The view of a sentence; made once."""
    return View(sentence, kind)
