"""Slots with optional groups, compared without listing their resolutions."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from data.linting.optional_words import is_within, share_resolution
from data.model import Group, Slot


def resolutions(slot: Slot) -> set[tuple[str, ...]]:
    choices = [[group.words, ()] if group.optional else [group.words] for group in slot.groups]
    return {tuple(word for words in chosen for word in words) for chosen in product(*choices)}


GROUPS = st.builds(Group, st.lists(st.sampled_from("ab"), min_size=1, max_size=3).map(tuple), st.booleans())


SLOTS = st.lists(GROUPS, max_size=5).map(lambda groups: Slot(tuple(groups)))


@settings(max_examples=500)
@given(SLOTS, SLOTS)
def test_shared_resolution_is_what_listing_the_resolutions_says(first: Slot, second: Slot) -> None:
    assert share_resolution(first, second) == bool(resolutions(first) & resolutions(second))


@settings(max_examples=500)
@given(SLOTS, SLOTS)
def test_within_is_what_listing_the_resolutions_says(first: Slot, second: Slot) -> None:
    assert is_within(first, second) == (resolutions(first) <= resolutions(second))


def test_forty_optional_groups_are_decided_at_once() -> None:
    many = Slot(tuple(Group((f"w{n}",), True) for n in range(40)))
    assert share_resolution(many, Slot((Group(("w3", "w17")),)))
    assert not share_resolution(many, Slot((Group(("w17", "w3")),)))
    assert is_within(Slot((Group(("w3",)), Group(("w9",), True))), many)
