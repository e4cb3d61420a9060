"""AF: an extraction that joins two facts in one argument is credited with one of them.

Rewriting pairs (A, B) are collected from the sentence's formulations: the two arguments of one whose relation reduces
to a form of *be* (A is B), and the arguments of two tuples that share the other argument and the relation. An argument
that contains A and B, in whole words and apart from each other, may drop either; where a conjunction or commas joined
them, these go with it. The alternative must then match exactly.

Choices where the paper leaves them open:
- Any form of *be* counts and not only *is*, since the guidelines accept another tense of it. Relations that reduce to
  one count as shared: `X is A` and `X is [a] B` give the pair (A, B), as in the paper's table 11.
- The extraction's relation need not be *is* and its argument need not contain *and*: a pair is enough, since commas,
  brackets and nothing at all join facts as *and* does.
- One rewriting only: three joined facts are too many (guidelines, level of detail).
- All alternatives that match are proposed and assignment credits one: the paper's "first matching alternative" is the
  one that keeps the part that the argument names first, then the one that keeps more words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

from matchers.rules.exact import exact_triples
from matchers.text.gold_index import Slots, Triple, View, Words
from matchers.text.patterns import Text

BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "am", "'s"})
CONJUNCTIONS = frozenset({"and", "or", "nor", "&", "and/or", "plus", "both", "either", "as", "well"})
COMMAS = frozenset({",", ";", "(", ")", "-", "--", "\u2013", "\u2014", "-lrb-", "-rrb-"})
LINKS = CONJUNCTIONS | COMMAS


@dataclass(frozen=True)
class Alternative:
    """An extraction with a part of one argument dropped: what is left, the pair that allowed it, what was dropped."""

    slots: Slots
    pair: tuple[int, int]
    dropped: Words
    keeps_first: bool


Span = tuple[int, int]
Spans = tuple[Span, ...]
Rewritten = tuple[Words, tuple[int, int], Words, bool]


@dataclass(frozen=True)
class RewritingPairs:
    """The rewriting pairs of a sentence, as positions of the view's patterns, and what they made of arguments."""

    seconds: dict[int, set[int]]  # for a first half all its second ones
    members: list[int]  # the patterns that are in a pair
    rewritten: dict[Words, list[Rewritten]] = field(default_factory=dict)  # arguments without a half of a pair

    def first_pair(self, firsts: set[int], seconds: set[int]) -> tuple[int, int] | None:
        """The first pair, in the order of the gold, that has a half in each of these."""
        for first in sorted(firsts & self.seconds.keys()):
            if both := self.seconds[first] & seconds:
                return first, min(both)
        return None


@lru_cache(maxsize=2048)
def rewriting_pairs(view: View) -> RewritingPairs:
    """The rewriting pairs of a view; collected once."""
    seconds = _collected(view)
    return RewritingPairs(seconds, list(set(seconds).union(*seconds.values())))


def _collected(view: View) -> dict[int, set[int]]:
    pairs: dict[int, set[int]] = {}
    by_rest: dict[tuple[int, int, int], list[int]] = {}
    be_relations = {pattern for form in BE for pattern in view.accepted((form,))}
    for triple in view.triples:
        arg1, relation, arg2 = triple.slots
        if relation in be_relations and arg1 != arg2:
            pairs.setdefault(arg1, set()).add(arg2)
        shared = -1 if relation in be_relations else relation
        for key, other in (((0, arg1, shared), arg2), ((2, arg2, shared), arg1)):
            seen = by_rest.setdefault(key, [])
            for earlier in seen:
                if earlier != other:
                    pairs.setdefault(earlier, set()).add(other)
            seen.append(other)
    return pairs


def alternatives(view: View, slots: Slots) -> Iterator[Alternative]:
    """The extractions that are left when one argument drops a half of a pair, where the other slots can match."""
    related = view.with_relations(view.accepted(slots[1]))
    if not related:
        return
    for position in (0, 2):
        other = view.accepted(slots[2 - position])
        if other and any(triple.slots[2 - position] in other for triple in related):
            yield from argument_alternatives(view, slots, position)


def argument_alternatives(view: View, slots: Slots, position: int) -> Iterator[Alternative]:
    """The extractions that are left when this argument drops a half of a pair."""
    words = slots[position]
    pairs = rewriting_pairs(view)
    if words not in pairs.rewritten:
        pairs.rewritten[words] = list(_rewritten(view, pairs, words))
    for kept, pair, dropped, keeps_first in pairs.rewritten[words]:
        new = (kept, slots[1], slots[2]) if position == 0 else (slots[0], slots[1], kept)
        yield Alternative(new, pair, dropped, keeps_first)


def _rewritten(view: View, known: RewritingPairs, words: Words) -> Iterator[Rewritten]:
    """What can be kept of an argument, by which pair, what is dropped, and whether what is kept comes first in it."""
    have = set(words)
    if len(words) < 2 or sum([view.patterns[number].required <= have for number in known.members]) < 2:
        return
    text = Text(words)
    numbers: dict[Spans, set[int]] = {}  # patterns that stand in the same places make the same of an argument
    for number in view.contained(words).intersection(known.members):
        numbers.setdefault(tuple(view.patterns[number].spans(text)), set()).add(number)
    places: list[tuple[tuple[int, int], list[tuple[Span, Span]]]] = []
    for (first, firsts), (second, seconds) in product(numbers.items(), repeat=2):
        apart = [pair for pair in map(_in_order, product(first, second)) if pair[0][1] <= pair[1][0]]
        if apart and (pair := known.first_pair(firsts, seconds)):
            places.append((pair, apart))
    for pair, apart in sorted(places):
        for (start, middle), (later, end) in apart:
            yield tidy(words[:later], words[end:]), pair, words[later:end], True
            yield tidy(words[:start], words[middle:]), pair, words[start:middle], False


def _in_order(spans: tuple[Span, Span]) -> tuple[Span, Span]:
    one, other = spans
    return (one, other) if one <= other else (other, one)


def tidy(before: Words, after: Words) -> Words:
    """What is left round a dropped part, without the conjunction and commas that joined it.

    >>> tidy(("Oslo", ",", "as", "well", "as"), ())
    ('Oslo',)
    """
    left, right = list(before), list(after)
    while left and left[-1].lower() in LINKS:
        left.pop()
    while right and (right[0].lower() in LINKS):
        right.pop(0)
    kept = left + right
    while kept and kept[0].lower() in LINKS:
        kept.pop(0)
    while kept and kept[-1].lower() in LINKS:
        kept.pop()
    return tuple(kept)


def alternative_triples(view: View, slots: Slots) -> Iterator[tuple[Triple, Alternative]]:
    """The formulations that an alternative of these slots is."""
    for alternative in alternatives(view, slots):
        for triple in exact_triples(view, alternative.slots):
            yield triple, alternative
