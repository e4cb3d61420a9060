from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.model import Cluster, Extraction, Formulation, Group, Sentence, Slot
from matchers import load
from matchers.rules.exact import dropped_groups, exact_triples
from matchers.text.gold_index import WRITTEN, View
from tests.matchers.facts import clusters_of, formulation, sentence, slots, triple

GOLD = sentence(
    [
        "[The] High Court [of Arden] --> rejected --> [the] appeal",
        "[the] appeal --> was rejected by --> [The] High Court",
    ],
    "[The] High Court --> sits --> XXX",
)


@pytest.mark.parametrize(
    ("extraction", "clusters"),
    [
        ("The High Court of Arden - rejected - the appeal", ("1",)),
        ("High Court - rejected - appeal", ("1",)),
        ("the appeal - was rejected by - High Court", ("1",)),
        ("High Court - sits - ", ("2",)),
        ("High Court of - rejected - appeal", ()),  # a group is present whole or not at all
        ("High Court - rejected the - appeal", ()),  # the slots count
        ("appeal - rejected - High Court", ()),
        ("high court - rejected - appeal", ()),  # case is Punc's
        ("High Court - sits - down", ()),
        ("High Court - rejected - ", ()),
    ],
)
def test_slots_must_be_equal_word_by_word(extraction: str, clusters: tuple[str, ...]) -> None:
    assert clusters_of("em", GOLD, extraction) == [clusters]


def test_the_reason_names_the_formulation_and_what_was_dropped() -> None:
    (match,) = load("em").match(GOLD, [triple("High Court of Arden - rejected - appeal")]).matches
    assert match.reason.rule == "em"
    assert match.reason.formulation == "[The] High Court [of Arden] --> rejected --> [the] appeal"
    assert match.reason.dropped == ("The", "the")
    assert "without the optional 'The', 'the'" in str(match.reason)


def test_dropped_groups_of_a_whole_match_are_none() -> None:
    seen = View(GOLD, WRITTEN)
    words = slots("The High Court - sits - ")
    (found,) = exact_triples(seen, words)
    assert dropped_groups(seen, found, words) == ()


def test_a_formulation_of_a_hundred_optional_groups() -> None:
    many = " ".join(f"[w{number}]" for number in range(100))
    gold = Sentence("1", "x", (Cluster("1", (formulation(f"{many} --> {many} --> {many} end"),)),))
    some = " ".join(f"w{number}" for number in range(0, 100, 3))
    extraction = Extraction("1", some, "w99", f"{some} end")
    assert load("em").match(gold, [extraction]).covered == {"1"}
    assert load("em").match(gold, [Extraction("1", some, "w99 w98", f"{some} end")]).covered == set()


groups = st.builds(Group, st.lists(st.sampled_from("ab"), min_size=1, max_size=2).map(tuple), st.booleans())
gold_slots = st.lists(groups, max_size=3).map(lambda found: Slot(tuple(found)))
clusters = st.lists(
    st.lists(st.builds(Formulation, gold_slots, gold_slots, gold_slots), min_size=1, max_size=2), min_size=1, max_size=3
)
extracted = st.lists(st.sampled_from("ab"), max_size=3).map(" ".join)


def expansion(slot: Slot) -> set[str]:
    """All texts that a slot stands for, listed."""
    choices = product(*((group.words, ()) if group.optional else (group.words,) for group in slot.groups))
    return {" ".join(word for words in choice for word in words) for choice in choices}


@given(clusters, extracted, extracted, extracted.filter(bool))
def test_em_is_membership_in_the_expansion(found: list[list[Formulation]], arg1: str, relation: str, arg2: str) -> None:
    gold = Sentence("1", "x", tuple(Cluster(str(n), tuple(listed)) for n, listed in enumerate(found)))
    texts = (arg1, relation, arg2)
    expected = {
        number
        for number, listed in enumerate(found)
        for one in listed
        if all(text in expansion(slot) for text, slot in zip(texts, one.slots, strict=True))
    }
    proposed = load("em").candidates(gold, [Extraction("1", *texts)])
    assert {candidate.cluster for candidate in proposed} == expected
