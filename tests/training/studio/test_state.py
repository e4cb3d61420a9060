"""The state follows from the log: opinions, reconsidered ones, people."""

from __future__ import annotations

from data.model import Extraction, Sentence
from training.studio.actions import Action, AddSentence, Invite, Join, Judge, Revoke, Settle, clusters_of
from training.studio.state import State, case_id
from training.studio.store import Event

FLEW = Extraction("1", "Ruud", "flew", "home")
SENTENCE = Sentence("1", "Ruud flew home .", clusters_of([["1", ["Ruud --> flew --> home"]], ["4", ["a --> b --> c"]]]))


def state(*steps: tuple[str, Action]) -> State:
    events = [("file", AddSentence(SENTENCE)), *steps]
    return State(Event(n, "then", person, action) for n, (person, action) in enumerate(events, 1))


def test_the_first_and_the_last_opinion_are_kept() -> None:
    first, second = Judge(FLEW, (), 1), Judge(FLEW, ("1",), 1, again=True)
    found = state(("Ada", first), ("Ada", second), ("Bo", first))
    opinion = found.cases[case_id(FLEW)].opinions["Ada"]
    assert (opinion.first, opinion.last) == (first, second)
    assert opinion.changed
    assert found.given == {"Ada": 1, "Bo": 1}
    assert (found.changed["Ada"], found.changed["Bo"]) == (1, 0)
    assert found.cases[case_id(FLEW)].disagrees


def test_a_change_of_mind_that_is_taken_back_counts_no_more() -> None:
    none, one = Judge(FLEW, (), 1), Judge(FLEW, ("1",), 1, again=True)
    found = state(("Ada", none), ("Ada", one), ("Ada", Judge(FLEW, (), 1, again=True)))
    assert found.changed["Ada"] == 0


def test_settling_keeps_all_opinions() -> None:
    found = state(("Ada", Judge(FLEW, (), 1)), ("Bo", Judge(FLEW, ("1",), 1)), ("Cy", Settle(FLEW, ("1",), "clear")))
    case = found.cases[case_id(FLEW)]
    assert set(case.opinions) == {"Ada", "Bo"}
    assert case.settled is not None
    assert (case.settled.clusters, case.settled_by) == (("1",), "Cy")


def test_people_come_go_and_may_be_invited_again() -> None:
    found = state(("Ada", Invite("Bo", "annotator", "l")), ("Bo", Join("Bo", "s")))
    assert (found.people["Bo"].link, found.people["Bo"].sessions) == ("", {"s"})
    found.apply(Event(9, "then", "Ada", Revoke("Bo")))
    assert found.people["Bo"].revoked
    assert not found.people["Bo"].sessions
    found.apply(Event(10, "then", "Ada", Invite("Bo", "annotator", "m")))
    assert not found.people["Bo"].revoked


def test_the_same_triple_of_another_sentence_is_another_case() -> None:
    assert case_id(FLEW) != case_id(Extraction("2", "Ruud", "flew", "home"))
    assert case_id(FLEW) != case_id(Extraction("1", "Ruud flew", "", "home"))
