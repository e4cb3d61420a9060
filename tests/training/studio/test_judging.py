"""What counts for a case, who may settle it, and what an opinion may say."""

from __future__ import annotations

import pytest

from data.model import Extraction, Sentence, System
from training.studio.actions import AddSentence, Edit, Judge, Settle, clusters_of
from training.studio.facts import RefusedError
from training.studio.judging import OvertakenError, items_of, judgment, outcome, settlement
from training.studio.state import State, case_id
from training.studio.store import Event

CLUSTERS = clusters_of([["1", ["a --> b --> c"]], ["2", ["a --> b --> d"]], ["3", ["a --> e --> f"]]])
ONE, TWO = Extraction("1", "a", "b", "c"), Extraction("1", "a", "b", "d")
SYSTEMS = (System("s", (ONE, TWO, ONE)), System("t", (ONE,)))


def state(*said: tuple[str, object]) -> State:
    actions = [
        ("file", AddSentence(Sentence("1", "a b c", CLUSTERS))),
        ("file", AddSentence(Sentence("2", "x"))),
        *said,
    ]
    return State(Event(n, "then", who, action) for n, (who, action) in enumerate(actions, 1))  # type: ignore[arg-type]


def test_the_same_triple_is_one_item_with_all_its_systems() -> None:
    items = items_of(state(), SYSTEMS)
    assert [(item.extraction, item.systems) for item in items.values()] == [(ONE, ("s", "t")), (TWO, ("s",))]


def test_sentences_without_clusters_and_removed_ones_have_no_items() -> None:
    other = (System("s", (Extraction("2", "x", "y", "z"),)),)
    assert items_of(state(), other) == {}
    assert items_of(state(("Ada", Edit("1", CLUSTERS, "", "removed", "status"))), SYSTEMS) == {}


def outcome_of(*said: tuple[str, object]) -> tuple[str, ...] | None:
    found = state(*said)
    return outcome(found.cases[case_id(ONE)], found.drafts["1"])


def test_what_counts() -> None:
    one, two = Judge(ONE, ("1",), 1), Judge(ONE, ("2",), 1)
    assert outcome_of(("Ada", one)) == ("1",)
    assert outcome_of(("Ada", one), ("Bo", one)) == ("1",)
    assert outcome_of(("Ada", one), ("Bo", two)) is None
    assert outcome_of(("Ada", one), ("Bo", two), ("Cy", Settle(ONE, ()))) == ()
    assert outcome_of(("Ada", one), ("Ada", Judge(ONE, ("3",), 1, again=True))) == ("3",)


def test_a_judgment_of_a_cluster_that_is_gone_counts_no_more() -> None:
    gone = Edit("1", CLUSTERS[1:], "", "open", "delete cluster")
    assert outcome_of(("Ada", Judge(ONE, ("1",), 1)), ("Ada", gone)) is None
    assert outcome_of(("Ada", Judge(ONE, ("1",), 1)), ("Bo", Judge(ONE, ("2",), 1)), ("Ada", gone)) == ("2",)


@pytest.mark.parametrize("clusters", [("1", "2", "3"), ("1", "1"), ("9",), ("",)])
def test_an_opinion_names_clusters_of_its_sentence(clusters: tuple[str, ...]) -> None:
    found = state()
    item = items_of(found, SYSTEMS)[case_id(ONE)]
    with pytest.raises(RefusedError):
        judgment(found, "Ada", item, clusters)


def test_only_what_was_judged_before_is_judged_again() -> None:
    found = state()
    item = items_of(found, SYSTEMS)[case_id(ONE)]
    assert not judgment(found, "Ada", item, ("1",), again=True).again
    with pytest.raises(RefusedError, match="principle"):
        judgment(found, "Ada", item, (), principle="taste")
    with pytest.raises(RefusedError, match="reason"):
        judgment(found, "Ada", item, (), reason="x" * 2001)


def test_an_opinion_that_the_person_did_not_see_is_not_replaced_in_silence() -> None:
    found = state(("Ada", Judge(ONE, ("1",), 1)))
    item = items_of(found, SYSTEMS)[case_id(ONE)]
    with pytest.raises(OvertakenError, match="another tab: cluster 1") as caught:
        judgment(found, "Ada", item, ())
    assert caught.value.now == ("1",)
    assert judgment(found, "Ada", item, (), again=True, instead_of=("1",)).again
    with pytest.raises(OvertakenError):
        judgment(found, "Ada", item, (), again=True, instead_of=("2",))
    assert judgment(found, "Bo", item, ()).clusters == ()  # another person's is no business of theirs


def test_a_settlement_that_was_not_seen_is_not_replaced_in_silence() -> None:
    found = state(("Ada", Judge(ONE, ("1",), 1)), ("Bo", Judge(ONE, (), 1)), ("Cy", Settle(ONE, ("1",))))
    case = found.cases[case_id(ONE)]
    with pytest.raises(OvertakenError, match="Cy settled this in the meantime: cluster 1"):
        settlement(found, "Dee", False, case, (), "")
    assert settlement(found, "Dee", False, case, (), "", instead_of=("1",)).clusters == ()


def test_the_third_look_is_somebody_elses_or_the_owners() -> None:
    found = state(("Ada", Judge(ONE, ("1",), 1)))
    case = found.cases[case_id(ONE)]
    with pytest.raises(RefusedError, match="Two people"):
        settlement(found, "Cy", False, case, ("1",), "")
    found.apply(Event(9, "then", "Bo", Judge(ONE, (), 1)))
    with pytest.raises(RefusedError, match="somebody else's"):
        settlement(found, "Bo", False, case, ("1",), "")
    assert settlement(found, "Cy", False, case, ("1",), "").clusters == ("1",)
    assert settlement(found, "Ada", True, case, (), "").clusters == ()
