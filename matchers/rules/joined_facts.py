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
from dataclasses import dataclass
from itertools import product

from matchers.exact import exact_triples
from matchers.patterns import Text
from matchers.views import Rewritten, Slots, Triple, View, Words

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


def rewriting_pairs(view: View) -> dict[int, set[int]]:
    """The rewriting pairs of a sentence, each as two of the view's patterns: for a first one all its second ones."""
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
    found = view.rewritten.get(words)
    if found is None:
        found = view.rewritten[words] = list(_rewritten(view, words))
    for kept, pair, dropped, keeps_first in found:
        new = (kept, slots[1], slots[2]) if position == 0 else (slots[0], slots[1], kept)
        yield Alternative(new, pair, dropped, keeps_first)


def _rewritten(view: View, words: Words) -> Iterator[Rewritten]:
    """What can be kept of an argument, by which pair, what is dropped, and whether what is kept comes first in it."""
    have = set(words)
    if len(words) < 2 or sum([view.patterns[number].required <= have for number in view.paired]) < 2:
        return
    contained = view.contained(words)
    firsts = sorted(number for number in contained if number in view.pairs)
    pairs = [(first, second) for first in firsts for second in sorted(contained & view.pairs[first])]
    if not pairs:
        return
    text = Text(words)
    spans = {number: view.patterns[number].spans(text) for number in set().union(*pairs)}
    for pair in pairs:
        for one, other in product(spans[pair[0]], spans[pair[1]]):
            (start, middle), (later, end) = sorted((one, other))
            if middle <= later:
                yield tidy(words[:later], words[end:]), pair, words[later:end], True
                yield tidy(words[:start], words[middle:]), pair, words[start:middle], False


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
