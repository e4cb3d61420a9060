from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchers.features.edits import NONE, OWN, Edits, cheaper, edits_of, extra, missing, tenths, without_own

EACH = (*map(missing, ("mill", "of", "be")), *map(extra, ("mill", "of", "be", "a", "now")), OWN)
counts = st.lists(st.integers(0, 40), min_size=9, max_size=9)


def tally(found: list[int]) -> int:
    """The tally of so many edits of each kind."""
    return sum(number * one for number, one in zip(found, EACH, strict=True))


def test_edits_add_up_and_cost_by_kind() -> None:
    total = missing("chemist") + missing("of") + extra("a") + without_own(["now", "mill", "be"], frozenset({"mill"}))
    found = edits_of(total)
    assert found == Edits(missing_content=1, missing_preposition=1, extra_function=1, determiners=1, adverbs=1, own=1)
    assert found.cost == pytest.approx(3 + 1.5 + 1 + 0.3 + 0.4 + 0.1)
    assert edits_of(0) is NONE and NONE.cost == 0


def test_light_edits() -> None:
    assert Edits(determiners=1, adverbs=2, own=1).only_light
    assert not Edits(determiners=1, extra_preposition=1).only_light


@given(counts)
def test_a_tally_has_all_counts_and_the_cost_in_tenths(found: list[int]) -> None:
    assert edits_of(tally(found)) == Edits(*found)
    assert tenths(tally(found)) == round(10 * Edits(*found).cost)


@given(counts, counts)
def test_tallies_compare_as_their_costs(first: list[int], second: list[int]) -> None:
    assert cheaper(tally(first), tally(second)) == (Edits(*first).cost < Edits(*second).cost)
