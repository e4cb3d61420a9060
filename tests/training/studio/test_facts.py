"""What can be done with clusters, and that all of it can be undone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.gold import MOST_CLUSTERS
from data.model import Sentence
from training.studio.actions import AddSentence, Edit, clusters_json, clusters_of
from training.studio.facts import RefusedError, Request, edited
from training.studio.state import Draft, State
from training.studio.store import Event

START = [["1", ["a --> b --> c", "a --> b c --> XXX"]], ["2", ["d --> e --> f"]]]


def draft() -> Draft:
    sentence = Sentence("1", "a b c d e f .", clusters_of(START))
    return State([Event(1, "then", "Ada", AddSentence(sentence))]).drafts["1"]


def after(*requests: Request) -> tuple[list[object], Draft]:
    one = draft()
    for request in requests:
        one.take(edited(one, request), "Ada")
    return clusters_json(one.now.clusters), one


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (Request("add", target="2", text="d --> e --> [f]"), [START[0], ["2", ["d --> e --> f", "d --> e --> [f]"]]]),
        (Request("add", target="new", text="x --> y --> XXX"), [*START, ["3", ["x --> y --> XXX"]]]),
        (Request("replace", "1", 1, text="a --> b --> [c]"), [["1", ["a --> b --> c", "a --> b --> [c]"]], START[1]]),
        (Request("delete", "1", 0), [["1", ["a --> b c --> XXX"]], START[1]]),
        (Request("delete", "2", 0), [START[0]]),
        (Request("move", "1", 0, target="2"),
         [["1", ["a --> b c --> XXX"]], ["2", ["d --> e --> f", "a --> b --> c"]]]),
        (Request("move", "1", 1, target="new"), [["1", ["a --> b --> c"]], START[1], ["3", ["a --> b c --> XXX"]]]),
        (Request("copy", "1", 0, target="2"), [START[0], ["2", ["d --> e --> f", "a --> b --> c"]]]),
        (Request("up", "1", 1), [["1", ["a --> b c --> XXX", "a --> b --> c"]], START[1]]),
        (Request("merge", "1", target="2"), [["2", ["d --> e --> f", "a --> b --> c", "a --> b c --> XXX"]]]),
        (Request("merge", "2", target="1"), [["1", ["a --> b --> c", "a --> b c --> XXX", "d --> e --> f"]]]),
        (Request("split", "1", places=(0,)), [["1", ["a --> b c --> XXX"]], START[1], ["3", ["a --> b --> c"]]]),
        (Request("copy cluster", "2"), [*START, ["3", ["d --> e --> f"]]]),
        (Request("delete cluster", "1"), [START[1]]),
        (Request("cluster up", "2"), [START[1], START[0]]),
    ],
)  # fmt: skip
def test_an_operation_does_what_it_says_and_is_undone_and_redone(request_: Request, expected: list[object]) -> None:
    found, one = after(request_)
    assert found == expected
    one.take(edited(one, Request("undo")), "Ada")
    assert clusters_json(one.now.clusters) == START
    one.take(edited(one, Request("redo")), "Ada")
    assert clusters_json(one.now.clusters) == expected


@pytest.mark.parametrize(
    "request_",
    [
        Request("add", target="9", text="a --> b --> c"),
        Request("add", target="1", text="a --> b --> c"),
        Request("add", target="1", text="a --> b"),
        Request("add", target="1", text="a --> XXX --> b"),
        Request("add", target="1", text="[a --> b --> c"),
        Request("add", target="1", text="a --> b --> c --> d"),
        Request("delete", "1", 7),
        Request("delete", "1", -1),
        Request("move", "1", 0, target="1"),
        Request("move", "2", 0, target="new"),
        Request("merge", "1", target="1"),
        Request("split", "1", places=(0, 1)),
        Request("split", "1"),
        Request("up", "1", 0),
        Request("cluster up", "1"),
        Request("status", text="finished"),
        Request("note", text="x" * 10_001),
        Request("undo"),
        Request("redo"),
        Request("dance"),
    ],
)
def test_what_can_not_be_done_is_refused_in_a_sentence(request_: Request) -> None:
    with pytest.raises(RefusedError, match=r".{10,}"):
        edited(draft(), request_)


def test_more_clusters_than_gold_may_have_are_refused_before_they_are_saved() -> None:
    clusters = clusters_of([[str(n), ["a --> b --> c"]] for n in range(1, MOST_CLUSTERS + 1)])
    one = State([Event(1, "then", "Ada", AddSentence(Sentence("1", "a b c .", clusters)))]).drafts["1"]
    with pytest.raises(RefusedError, match=f"more than {MOST_CLUSTERS} clusters"):
        edited(one, Request("add", target="new", text="x --> y --> z"))


def test_notes_and_status_are_undone_too() -> None:
    _, one = after(Request("note", text="look again"), Request("status", text="doubtful"), Request("undo"))
    assert (one.now.note, one.now.status) == ("look again", "open")
    one.take(edited(one, Request("undo")), "Ada")
    assert one.now.note == ""


def test_a_number_never_comes_back_with_another_meaning() -> None:
    found, _ = after(Request("delete cluster", "2"), Request("add", target="new", text="x --> y --> z"))
    assert [cluster[0] for cluster in found] == ["1", "3"]  # type: ignore[index]


OPERATIONS = st.builds(
    Request,
    st.sampled_from(
        ["add", "delete", "move", "copy", "merge", "split", "copy cluster", "delete cluster", "undo", "redo"]
    ),
    st.sampled_from(["1", "2", "3"]),
    st.integers(0, 2),
    st.just((0,)),
    st.sampled_from(["1", "2", "new"]),
    st.sampled_from(["g --> h --> i", "j --> k --> XXX"]),
)


@given(st.lists(OPERATIONS, max_size=12))
def test_everything_can_be_undone_to_the_start(requests: list[Request]) -> None:
    one = draft()
    for request in requests:
        try:
            one.take(edited(one, request), "Ada")
        except RefusedError:
            continue
    while one.past:
        one.take(edited(one, Request("undo")), "Ada")
    assert clusters_json(one.now.clusters) == START


def test_an_edit_after_an_undo_leaves_nothing_to_redo() -> None:
    _, one = after(Request("delete cluster", "1"), Request("undo"), Request("note", text="x"))
    with pytest.raises(RefusedError):
        edited(one, Request("redo"))
    assert isinstance(edited(one, Request("undo")), Edit)
