"""Who looks at what next: the open cases in the order that a person chose.

Two people are not given one case at a time unless both have to judge it. What is open is kept up to date from one
judgment to the next, and the orders are sorted once, so that thirty people can judge thousands of cases at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from training.studio.facts import RefusedError
from training.studio.judging import Item, Said, needed, valid_judges
from training.studio.state import State

LEASE = 600.0  # seconds for which a case that one person looks at is not given to another
ORDERS = ("doubt", "disagreement", "random", "system", "sentence")
UNKNOWN = 0.5  # the doubt of a matcher that was not asked yet


@dataclass(frozen=True)
class Ground:
    """What an order is made from: what a matcher says, and how many answers the jury has; `age` tells if it is new."""

    said: Callable[[], Mapping[str, Said]]
    disputed: Callable[[], Mapping[str, int]]
    age: int = 0


class Queue:
    """Gives each person the next case that they should look at."""

    def __init__(self, twice: float) -> None:
        self.twice = twice
        self._leases: dict[str, tuple[str, float]] = {}  # case -> person, until when
        self._items: Mapping[str, Item] = {}
        self._seen = 0  # how many judgments of the state were taken into account
        self._open: dict[str, int] = {}  # case -> how many judgments it still needs
        self._sorted: dict[str, tuple[int, list[Item]]] = {}
        self.wanted = 0

    def follow(self, state: State, items: Mapping[str, Item]) -> None:
        """Take in what was judged since, or begin anew if there are other items."""
        if items is not self._items:
            self._items, self._sorted, self._seen = items, {}, len(state.judged)
            self._open = {key: count for key, item in items.items() if (count := self._missing(item, state))}
            self.wanted = sum(needed(item, self.twice) for item in items.values())
        for key in state.judged[self._seen :]:
            if key in items:
                self._open.pop(key, None)
                if count := self._missing(items[key], state):
                    self._open[key] = count
        self._seen = len(state.judged)

    def _missing(self, item: Item, state: State) -> int:
        return max(0, needed(item, self.twice) - len(valid_judges(state.cases.get(item.id), state)))

    @property
    def missing(self) -> int:
        """How many judgments are still needed."""
        return sum(self._open.values())

    def left(self, person: str, state: State) -> int:
        """How many cases are open for a person."""
        return sum(self._is_for(key, person, state) for key in self._open)

    @staticmethod
    def _is_for(key: str, person: str, state: State) -> bool:
        case = state.cases.get(key)
        return case is None or person not in case.opinions or person not in valid_judges(case, state)

    def next(self, person: str, state: State, order: str, ground: Ground) -> Item | None:
        """The next item for a person in an order, or None when nothing is left for them."""
        now = time.monotonic()
        for item in self._in_order(order, ground):
            if item.id not in self._open or not self._is_for(item.id, person, state):
                continue
            holder, until = self._leases.get(item.id, ("", 0.0))
            held = holder not in ("", person) and until > now and self._is_for(item.id, holder, state)
            if held and self._open[item.id] == 1:
                continue  # somebody else is looking at it, and nobody more is needed
            self._leases[item.id] = (person, now + LEASE)
            return item
        return None

    def _in_order(self, order: str, ground: Ground) -> list[Item]:
        if order not in ORDERS:
            raise RefusedError(f"There is no order {order!r}.")
        age, found = self._sorted.get(order, (-1, []))
        if age != ground.age:
            found = sorted(self._items.values(), key=self._key(order, ground))
            self._sorted[order] = (ground.age, found)
        return found

    def _key(self, order: str, ground: Ground) -> Callable[[Item], Any]:
        """What the items are sorted by."""
        place = {key: number for number, key in enumerate(self._items)}
        said = ground.said() if order in ("doubt", "disagreement") else {}
        disputed = ground.disputed() if order == "disagreement" else {}

        def doubt(item: Item) -> float:
            return said[item.id].doubt if item.id in said else UNKNOWN

        keys: dict[str, Callable[[Item], Any]] = {
            "doubt": lambda item: (-doubt(item), item.id),
            "disagreement": lambda item: (-disputed.get(item.id, 0), -doubt(item), item.id),
            "random": lambda item: item.id[8:],
            "system": lambda item: (item.systems[0], place[item.id]),
            "sentence": lambda item: place[item.id],
        }
        return keys[order]
