from __future__ import annotations

import pytest

from data.model import Cluster, Formulation, Sentence, Slot
from matchers.text.gold_index import PLAIN, WRITTEN, View, view
from tests.matchers.facts import sentence, triple

GOLD = sentence(
    ["Mara Venn --> moved to --> [the] U.S.", "Mara Venn --> moved [quickly] --> to [the] U.S."],
    ["[Mara] Venn --> left --> XXX", "Mara Venn --> moved to --> [the] U.S."],
)


def texts(seen: View, numbers: frozenset[int]) -> set[str]:
    return {str(seen.patterns[number]) for number in numbers}


def test_shared_slots_are_stored_once() -> None:
    seen = View(GOLD, WRITTEN)
    assert sorted(map(str, seen.patterns)) == [
        "", "Mara Venn", "[Mara] Venn", "[the] U.S.", "left", "moved [quickly]", "moved to", "to [the] U.S.",
    ]  # fmt: skip
    assert [found.cluster for found in seen.triples] == [0, 0, 1, 1]
    assert seen.triples[0].slots == seen.triples[3].slots


def test_equal_slots_that_are_other_objects_are_one_pattern() -> None:
    facts = (Formulation(Slot.of("Mara"), Slot.of("met"), Slot.of("Mara")) for _ in range(2))
    assert len(View(Sentence("1", "x", (Cluster("1", tuple(facts)),)), WRITTEN).patterns) == 2


def test_what_a_slot_matches() -> None:
    seen = View(GOLD, WRITTEN)
    assert texts(seen, seen.accepted(("Mara", "Venn"))) == {"Mara Venn", "[Mara] Venn"}
    assert texts(seen, seen.accepted(("Venn",))) == {"[Mara] Venn"}
    assert texts(seen, seen.accepted(())) == {""}
    assert texts(seen, seen.accepted(("mara", "venn"))) == set()
    assert texts(seen, seen.contained(("to", "the", "U.S.", "again"))) == {"[the] U.S.", "to [the] U.S."}
    assert texts(seen, seen.contained(())) == set()


def test_without_punctuation_and_case() -> None:
    seen = View(GOLD, PLAIN)
    assert texts(seen, seen.accepted(("u", "s"))) == {"[the] u s"}
    assert seen.slots(triple("MARA Venn - moved to - the U.S. .")) == (
        ("mara", "venn"),
        ("moved", "to"),
        ("the", "u", "s"),
    )


def test_a_slot_of_punctuation_only_stays_as_it_is() -> None:
    gold = sentence("Mara --> wrote --> !", "Mara --> wrote --> ? [!]")
    seen = View(gold, PLAIN)
    assert seen.words("!") == ("!",)
    assert texts(seen, seen.accepted(("!",))) == {"!"}
    assert texts(seen, seen.accepted(("?",))) == {"? [!]"}


def test_linearizations() -> None:
    seen = View(GOLD, WRITTEN)
    assert seen.linear(("Mara", "Venn", "moved", "to", "the", "U.S.")) == [0, 1, 3]
    assert seen.linear(("Mara", "Venn", "moved", "quickly", "to", "U.S.")) == [1]
    assert seen.linear(("Venn", "left")) == [2]
    assert seen.linear(("Mara", "Venn", "moved", "to", "the")) == []
    assert seen.linear(("Mara", "Venn", "moved", "to", "the", "U.S.", "again")) == []


def test_triples_by_relation_keep_the_order_of_the_gold() -> None:
    seen = View(GOLD, WRITTEN)
    both = seen.accepted(("moved", "to")) | seen.accepted(("moved",))
    assert seen.with_relations(both) == [seen.triples[0], seen.triples[1], seen.triples[3]]
    assert seen.with_relations(frozenset()) == []


def test_a_view_is_made_once_a_sentence() -> None:
    assert view(GOLD, PLAIN) is view(GOLD, PLAIN)
    other = sentence("Mara --> left --> Oslo")
    assert other.id == GOLD.id and other.text == GOLD.text
    assert view(other, PLAIN) is not view(GOLD, PLAIN)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(KeyError):
        View(GOLD, "sideways")
