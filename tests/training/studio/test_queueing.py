"""The queue: orders, a share that is judged twice, nobody given what another looks at."""

from __future__ import annotations

import pytest

from data.model import Extraction, Sentence, System
from training.studio.actions import AddSentence, Judge, clusters_of
from training.studio.api_matches import by_people
from training.studio.facts import RefusedError
from training.studio.judging import Item, Said, items_of
from training.studio.queueing import Ground, Queue
from training.studio.state import State
from training.studio.store import Event

CLUSTERS = clusters_of([["1", ["a --> b --> c"]]])
EXTRACTIONS = [Extraction(str(n % 3 + 1), "a", "b", f"c{n}") for n in range(60)]
SYSTEMS = (System("z", tuple(EXTRACTIONS[:30])), System("b", tuple(EXTRACTIONS[30:])))


class Room:
    """A state, its items and a queue."""

    def __init__(self, twice: float) -> None:
        self.state = State(Event(n, "", "f", AddSentence(Sentence(str(n), "a b", CLUSTERS))) for n in (1, 2, 3))
        self.items, self.queue = items_of(self.state, SYSTEMS), Queue(twice)
        self.said: dict[str, Said] = {}
        self.disputed: dict[str, int] = {}
        self.age = 0

    def next(self, person: str, order: str = "random") -> Item | None:
        self.queue.follow(self.state, self.items)
        ground = Ground(lambda: self.said, lambda: self.disputed, self.age)
        return self.queue.next(person, self.state, order, ground)

    def judge(self, person: str, item: Item) -> None:
        self.state.apply(Event(self.state.seq + 1, "", person, Judge(item.extraction, (), 1)))

    def judge_all(self, person: str) -> set[str]:
        found = set()
        while item := self.next(person):
            assert item.id not in found
            found.add(item.id)
            self.judge(person, item)
        return found


def test_once_means_that_nobody_judges_what_another_did() -> None:
    room = Room(0.0)
    first = room.next("Ada")
    assert first is not None
    assert room.next("Ada") == first  # until it is judged
    theirs = room.judge_all("Bo")
    assert len(theirs) == 59
    assert first.id not in theirs
    room.judge("Ada", first)
    assert room.next("Bo") is None
    assert (room.queue.wanted, room.queue.missing) == (60, 0)


def test_twice_means_two_people_and_not_three() -> None:
    room = Room(1.0)
    assert len(room.judge_all("Ada")) == 60
    assert room.queue.left("Bo", room.state) == 60
    assert len(room.judge_all("Bo")) == 60
    assert room.next("Cy") is None


def test_a_share_is_judged_twice_and_it_is_the_same_for_everybody() -> None:
    room, other = Room(0.3), Room(0.3)
    room.judge_all("Ada")
    other.judge_all("Cy")
    shared = room.judge_all("Bo")
    assert shared == other.judge_all("Dee")
    assert 5 < len(shared) < 35


def test_orders() -> None:
    room = Room(0.0)
    keys = list(room.items)
    doubts = {key: Said((), 0.5, "", number / 100) for number, key in enumerate(keys)}
    room.said, room.disputed = doubts, {keys[7]: 3, keys[3]: 2}
    by_order = {order: room.next(f"p {order}", order) for order in ("doubt", "disagreement", "sentence", "system")}
    assert by_order["doubt"] == room.items[keys[-1]]
    assert by_order["disagreement"] == room.items[keys[7]]
    assert by_order["sentence"] == room.items[keys[0]]
    found = by_order["system"]
    assert found is not None
    assert found.systems == ("b",)
    with pytest.raises(RefusedError):
        room.next("Ada", "taste")


def test_the_order_follows_when_matchers_say_more() -> None:
    room = Room(0.0)
    room.next("Ada", "doubt")
    last = list(room.items)[-1]
    room.said, room.age = {last: Said((), 0.5, "", 0.99)}, 1
    found = room.next("Bo", "doubt")
    assert found is not None
    assert found.id == last


def test_judgments_of_files_are_no_changes_of_mind() -> None:
    room = Room(0.0)
    for person in ("file", "Ada"):
        item = room.next(person)
        assert item is not None
        room.judge(person, item)
    assert by_people(room.state) == 1


def test_a_lease_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(0.0)
    first = room.next("Ada")
    assert room.next("Bo") != first
    monkeypatch.setattr("training.studio.queueing.LEASE", -1.0)
    again = Room(0.0)
    assert again.next("Ada") == again.next("Bo")
