"""How the words of extractions differ from a sentence's gold slots and lines, as tallies of edits.

Systems extract the same arguments again and again, so what a slot's words were compared with is remembered.
"""

from __future__ import annotations

from typing import NamedTuple

from matchers.features.edits import extra, missing
from matchers.text.alignment import differences
from matchers.text.gold_index import View, Words
from matchers.text.patterns import Groups


class SlotDifference(NamedTuple):
    """How words differ from a gold slot: tallies of what is missing and extra, and the words that are in both."""

    missing: int
    extra: int
    kept: frozenset[str]


class LineDifference(NamedTuple):
    """How a linearization differs from a formulation's: a tally of what is missing, the extra words, their tally."""

    missing: int
    words: Words
    extra: int


SAME_NOTHING: frozenset[str] = frozenset()


class Differences:
    """Compares words with the patterns of a view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._known: dict[Words, dict[int, SlotDifference]] = {}
        self._lines: dict[Groups, Groups] = {}
        self._line_groups: dict[int, Groups] = {}
        self._required = [_required(pattern.groups) for pattern in view.patterns]

    def known(self, words: Words) -> dict[int, SlotDifference]:
        """What words were compared with, by pattern; `slot` adds to it."""
        return self._known.setdefault(words, {})

    def slot(self, words: Words, pattern: int) -> SlotDifference:
        """How words differ from a gold slot."""
        if pattern in self.view.accepted(words):
            difference = SlotDifference(0, 0, frozenset(words))
        else:
            vocabulary, required = self._required[pattern]
            if vocabulary.isdisjoint(words):
                difference = SlotDifference(required, sum(map(extra, words)), SAME_NOTHING)
            else:
                lacking, left_over, _ = differences(words, self.view.patterns[pattern].groups)
                difference = SlotDifference(
                    sum([missing(word) for word, _ in lacking]),
                    sum([extra(words[position]) for position in left_over]),
                    frozenset([word for position, word in enumerate(words) if position not in left_over]),
                )
        self.known(words)[pattern] = difference
        return difference

    def line(self, words: Words, groups: Groups) -> LineDifference:
        """How a linearization differs from a formulation's."""
        lacking, left_over, _ = differences(words, groups)
        added = tuple([words[position] for position in left_over])
        return LineDifference(sum([missing(word) for word, _ in lacking]), added, sum(map(extra, added)))

    def line_groups(self, triple: int) -> Groups:
        """The groups of a formulation's three slots in a row; the same object if only the slots' borders differ."""
        groups_of_line = self._line_groups.get(triple)
        if groups_of_line is None:
            merged: list[tuple[Words, bool]] = []
            for slot in self.view.triples[triple].slots:
                for words, optional in self.view.patterns[slot].groups:
                    if merged and not optional and not merged[-1][1]:
                        words = merged.pop()[0] + words
                    merged.append((words, optional))
            groups = tuple(merged)
            groups_of_line = self._line_groups[triple] = self._lines.setdefault(groups, groups)
        return groups_of_line


def _required(groups: Groups) -> tuple[frozenset[str], int]:
    """All words of a slot, and the tally of those that words lack which have none of them."""
    words = frozenset(word for group, _ in groups for word in group)
    return words, sum(missing(word) for group, optional in groups if not optional for word in group)
