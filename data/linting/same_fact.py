"""When two formulations are the same, or differ in one argument: the tests that the checks of a gold are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from data.linting.optional_words import Walk, may_meet, meet
from data.model import Cluster, Formulation, Sentence

_WORD = re.compile(r"\w+")


class View:
    """A formulation prepared for comparison."""

    def __init__(self, formulation: Formulation) -> None:
        self.formulation = formulation
        self.required = tuple(word for slot in formulation.slots for word in slot.required)
        self.words = tuple(word for slot in formulation.slots for word in slot.words)
        self.required_set, self.word_set = frozenset(self.required), frozenset(self.words)

    @cached_property
    def walks(self) -> tuple[Walk, ...]:
        """The slots, one by one."""
        return tuple(Walk.of(slot) for slot in self.formulation.slots)

    @cached_property
    def joined(self) -> Walk:
        """The slots as one."""
        return Walk.of(*self.formulation.slots)

    @cached_property
    def bag(self) -> frozenset[str]:
        """All words in lower case, without those that are punctuation."""
        return _bag(self.words)

    @cached_property
    def required_bag(self) -> frozenset[str]:
        """The required words in lower case, without those that are punctuation."""
        return _bag(self.required)

    def may_meet(self, other: View) -> bool:
        """Whether the words allow a shared resolution at all, which is quick to say."""
        return self.required_set <= other.word_set and other.required_set <= self.word_set


def pairs_to_compare(clusters: Clusters) -> list[tuple[int, int]]:
    """The places of clusters that may have a formulation in common, in order.

    What two formulations share has all required words of both; so the rarest required word of one must be a word of
    the other, and few pairs of many are left.
    """
    places: dict[str, set[int]] = {}
    for place, (_, formulations) in enumerate(clusters):
        for word in {word for view in formulations for word in view.word_set}:
            places.setdefault(word, set()).add(place)
    pairs: set[tuple[int, int]] = set()
    for place, (_, formulations) in enumerate(clusters):
        for view in formulations:
            rarest = min((places[word] for word in view.required_set), key=len, default=range(len(clusters)))
            pairs.update((place, other) for other in rarest if other > place)
    return sorted(pairs)


def _bag(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for word in words if _WORD.search(word))


Test = Callable[[View, View], bool]
Clusters = Sequence[tuple[Cluster, Sequence[View]]]


def same_slots(first: View, second: View) -> bool:
    """Each slot shares a resolution with its counterpart."""
    return first.may_meet(second) and all(map(meet, first.walks, second.walks))


def same_joined(first: View, second: View) -> bool:
    """The words share a resolution, however they fall into slots."""
    return first.may_meet(second) and meet(first.joined, second.joined)


def same_required(first: View, second: View) -> bool:
    """The words are the same once optional ones are dropped, however they fall into slots."""
    return first.required == second.required


def other_argument(first: View, second: View) -> bool:
    """First argument and relation share a resolution each, and the second arguments share none."""
    (a, b, c), (d, e, f) = first.walks, second.walks
    return may_meet(a, d) and meet(a, d) and meet(b, e) and not meet(c, f)


def disjoint_argument(first: View, second: View) -> bool:
    """As `other_argument`, and the second arguments have no required word in common."""
    one, two = (_bag(view.formulation.arg2.required) for view in (first, second))
    return not one & two and other_argument(first, second)


def included(first: View, second: View) -> bool:
    """The required words of one are all among the words of the other."""
    return first.required_bag <= second.bag or second.required_bag <= first.bag


FUNCTION_WORDS = frozenset(
    _WORD.findall(
        "the a an of in on at to for and or by with from is was are were be been has had have that as its his her "
        "their it he she they this"
    )
)


def content_included(first: View, second: View) -> bool:
    """As `included`, with function words left out."""
    one, two = first.required_bag - FUNCTION_WORDS, second.required_bag - FUNCTION_WORDS
    return one <= second.bag or two <= first.bag


def views(sentence: Sentence) -> Clusters:
    """The sentence's clusters with their formulations prepared for comparison."""
    return [(cluster, [View(formulation) for formulation in cluster.formulations]) for cluster in sentence.clusters]
