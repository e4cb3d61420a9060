"""Edits: how many words of each kind a reading has to take away or put in, and what that costs.

Edits are added up and compared far more often than they are looked at. Until then they are *tallies*: integers in which
each kind of edit has bits of its own, with the cost in tenths above them. Tallies are added as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from matchers.text.word_lists import ADVERBS, FUNCTION, PREPOSITIONS

_LIGHT = ADVERBS - {"first", "well", "here", "there", "today", "yesterday", "tomorrow", "ago"}
_DETERMINER = "a"
_TENTHS = (30, 15, 10, 20, 15, 10, 3, 4, 1)  # the weights of `Edits.cost`
_WIDTH = 24  # bits of a kind: no slot has that many words
_COST = _WIDTH * len(_TENTHS)


class Edits(NamedTuple):
    """How many words of each kind a reading has to take away or put in."""

    missing_content: int = 0
    missing_preposition: int = 0
    missing_function: int = 0
    extra_content: int = 0
    extra_preposition: int = 0
    extra_function: int = 0
    determiners: int = 0
    adverbs: int = 0
    own: int = 0

    @property
    def cost(self) -> float:
        """A weighted sum: content words weigh most, determiners and adverbs least."""
        return (
            3.0 * self.missing_content
            + 2.0 * self.extra_content
            + 1.5 * (self.missing_preposition + self.extra_preposition)
            + 1.0 * (self.missing_function + self.extra_function)
            + 0.3 * self.determiners
            + 0.4 * self.adverbs
            + 0.1 * self.own
        )

    @property
    def only_light(self) -> bool:
        """Whether only determiners, adverbs and the cluster's own words are in the way."""
        return not any(self[:6])


NONE = Edits()
_KINDS = {name: number for number, name in enumerate(Edits._fields)}


def _tally(kind: int) -> int:
    return 1 << _WIDTH * kind | _TENTHS[kind] << _COST


OWN = _tally(_KINDS["own"])  # an extra word that is the cluster's own


@lru_cache(maxsize=65536)
def missing(word: str) -> int:
    """The tally of a lemma that has to be put in."""
    return _tally(_kind(word, _KINDS["missing_content"]))


@lru_cache(maxsize=65536)
def extra(word: str) -> int:
    """The tally of a lemma that has to be taken away."""
    return _tally(_kind(word, _KINDS["extra_content"]))


def _kind(word: str, content: int) -> int:
    """The kind of edit of a word, given that of content words; prepositions and function words follow it."""
    if word == _DETERMINER:
        return _KINDS["determiners"]
    if word in _LIGHT:
        return _KINDS["adverbs"]
    if word in PREPOSITIONS:
        return content + 1
    return content + 2 if word in FUNCTION else content


def without_own(words: Iterable[str], own: frozenset[str]) -> int:
    """The tally of extra lemmas, of which those that are the cluster's own count as such."""
    return sum(OWN if word in own else extra(word) for word in words)


@lru_cache(maxsize=65536)
def edits_of(tally: int) -> Edits:
    """The edits of a tally.

    >>> edits_of(missing("mill") + extra("of") + extra("of"))  # doctest: +ELLIPSIS
    Edits(missing_content=1, missing_preposition=0, missing_function=0, extra_content=0, extra_preposition=2, ...)
    """
    edits = Edits(*(tally >> _WIDTH * kind & (1 << _WIDTH) - 1 for kind in range(len(_TENTHS))))
    return edits if any(edits) else NONE


def tenths(tally: int) -> int:
    """The cost of a tally, times ten; never above that of a tally with more edits."""
    return tally >> _COST


def cheaper(first: int, second: int) -> bool:
    """Whether one tally costs less than another, by `Edits.cost` to its last digit."""
    if first >> _COST != second >> _COST:
        return first < second
    return first != second and edits_of(first).cost < edits_of(second).cost
