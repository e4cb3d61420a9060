"""When two formulations are the same: the tests, and which clusters are worth comparing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from data.linting.same_fact import (
    View,
    content_included,
    disjoint_argument,
    included,
    other_argument,
    pairs_to_compare,
    same_joined,
    same_required,
    same_slots,
    views,
)
from data.model import Cluster, Formulation, Group, Sentence, Slot

GROUPS = st.builds(Group, st.lists(st.sampled_from("abc"), min_size=1, max_size=2).map(tuple), st.booleans())
SLOTS = st.lists(GROUPS, max_size=3).map(lambda groups: Slot(tuple(groups)))
FORMULATIONS = st.builds(Formulation, SLOTS, SLOTS, SLOTS)
CLUSTERS = st.lists(st.lists(FORMULATIONS, max_size=3), max_size=6)


def view(text: str) -> View:
    return View(Formulation.of(text))


def test_slots_and_joined_words() -> None:
    one, other = view("Mara --> sold [it] --> to Tove"), view("Mara --> sold to --> Tove")
    assert not same_slots(one, other) and same_joined(one, other) and same_required(one, other)
    assert same_slots(one, view("Mara --> sold --> to [old] Tove"))


def test_other_arguments() -> None:
    one = view("Mara --> sold --> the mill")
    assert other_argument(one, view("[old] Mara --> sold --> the port"))
    assert not other_argument(one, view("Tove --> sold --> the port"))
    assert not other_argument(one, view("Mara --> sold --> the [old] mill"))
    assert not disjoint_argument(one, view("Mara --> sold --> the port"))
    assert disjoint_argument(one, view("Mara --> sold --> a port"))


def test_inclusion_ignores_case_and_punctuation_and_perhaps_function_words() -> None:
    one, other = view("Mara --> sold --> Mill ."), view("mara --> sold --> the old mill")
    assert included(one, other)
    fewer = view("mara --> was --> there")
    assert not included(view("Mara --> is --> there"), fewer) and content_included(view("Mara --> is --> there"), fewer)


@given(CLUSTERS)
def test_no_pair_that_is_the_same_goes_uncompared(clusters: list[list[Formulation]]) -> None:
    named = tuple(Cluster(str(number), tuple(own)) for number, own in enumerate(clusters))
    prepared = views(Sentence("1", "a", named))
    chosen = pairs_to_compare(prepared)
    assert chosen == sorted(set(chosen)) and all(one < other for one, other in chosen)
    for test in (same_slots, same_joined, same_required):
        for one, (_, firsts) in enumerate(prepared):
            for other, (_, seconds) in enumerate(prepared):
                if one < other and any(test(first, second) for first in firsts for second in seconds):
                    assert (one, other) in chosen


@given(FORMULATIONS, FORMULATIONS)
def test_the_quick_look_loses_no_other_argument(first: Formulation, second: Formulation) -> None:
    from data.linting.optional_words import meet

    one, two = View(first), View(second)
    (a, b, c), (d, e, f) = one.walks, two.walks
    assert other_argument(one, two) == (meet(a, d) and meet(b, e) and not meet(c, f))
