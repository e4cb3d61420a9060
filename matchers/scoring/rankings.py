"""Where benchmarks rank systems differently: pairs of systems, and how far each two benchmarks agree.

A pair of systems is a disagreement if one benchmark puts the first above and another the second. It is significant if
that is so of two benchmarks each of which is sure of its order: p < 0.05, not corrected for the number of pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from matchers.scoring.boards import Board, systems_of
from matchers.scoring.shapes import AgreementJson, DisagreementJson
from matchers.scoring.significance import is_significant


@dataclass(frozen=True)
class Order:
    """How a benchmark orders two systems: by how much the first is above the second in F1, and how sure that is."""

    gap: float
    p: float

    @property
    def sure(self) -> bool:
        """Whether the order would hold on other sentences like these."""
        return is_significant(self.p)


@dataclass(frozen=True)
class Disagreement:
    """Two systems that benchmarks rank differently, with the order by each benchmark that has both."""

    first: str
    second: str
    orders: Mapping[str, Order]

    @property
    def first_above(self) -> tuple[str, ...]:
        """The benchmarks that put the first system above."""
        return tuple(name for name, order in self.orders.items() if order.gap > 0)

    @property
    def second_above(self) -> tuple[str, ...]:
        """The benchmarks that put the second system above."""
        return tuple(name for name, order in self.orders.items() if order.gap < 0)

    @property
    def significant(self) -> bool:
        """Whether both sides have a benchmark that is sure."""
        return all(any(self.orders[name].sure for name in side) for side in (self.first_above, self.second_above))

    @property
    def alone(self) -> str | None:
        """The benchmark that stands alone against several others, if there is one."""
        sides = sorted((self.first_above, self.second_above), key=len)
        return sides[0][0] if len(sides[0]) == 1 < len(sides[1]) else None

    def to_json(self) -> DisagreementJson:
        """The disagreement as JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "first_above": list(self.first_above),
            "second_above": list(self.second_above),
            "p": {name: self.orders[name].p for name in (*self.first_above, *self.second_above)},
            "significant": self.significant,
        }


@dataclass(frozen=True)
class Agreement:
    """Two benchmarks: how many systems both have, and how many pairs of these they rank alike and opposite ways.

    `sure` of the opposite ones are significant on both. Pairs that one of them ties are neither. `ranked` says that
    neither of them ties all.
    """

    first: str
    second: str
    systems: int
    alike: int
    opposite: int
    sure: int
    ranked: bool = True

    @property
    def pairs(self) -> int:
        """How many pairs of systems both have."""
        return self.systems * (self.systems - 1) // 2

    @property
    def kendall(self) -> float | None:
        """Kendall's tau, or nothing if there is no pair or no ranking."""
        return (self.alike - self.opposite) / self.pairs if self.pairs and self.ranked else None

    def to_json(self) -> AgreementJson:
        """The agreement as JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "systems": self.systems,
            "pairs": self.pairs,
            "alike": self.alike,
            "opposite": self.opposite,
            "significantly_opposite": self.sure,
            "kendall": self.kendall,
        }


def order(board: Board, first: str, second: str) -> Order:
    """The order of two systems of a benchmark."""
    scores = board.scores
    return Order(scores[first].f1 - scores[second].f1, scores.p(first, second))


def disagreements(boards: Sequence[Board]) -> tuple[list[Disagreement], int]:
    """The pairs of systems that are ranked differently, and how many pairs at least two benchmarks rank."""
    different, compared = [], 0
    for first, second in combinations(systems_of(boards), 2):
        common = [board for board in boards if {first, second} <= set(board.scores.names)]
        compared += len(common) > 1
        pair = Disagreement(first, second, {board.name: order(board, first, second) for board in common})
        if pair.first_above and pair.second_above:
            different.append(pair)
    return different, compared


def agreements(boards: Sequence[Board]) -> list[Agreement]:
    """How far each two benchmarks agree that have systems in common."""
    compared = []
    for one, other in combinations(boards, 2):
        common = [name for name in systems_of(boards) if name in one.scores.names and name in other.scores.names]
        both = [(order(one, *pair), order(other, *pair)) for pair in combinations(common, 2)]
        opposite = [two for two in both if two[0].gap * two[1].gap < 0]
        alike = sum(two[0].gap * two[1].gap > 0 for two in both)
        sure = sum(first.sure and second.sure for first, second in opposite)
        ranked = all(any(two[which].gap for two in both) for which in (0, 1))
        if common:
            compared.append(Agreement(one.name, other.name, len(common), alike, len(opposite), sure, ranked))
    return compared


def ranks_of(board: Board) -> dict[str, int]:
    """The rank of each system of a benchmark by F1; equal ones share theirs."""
    return shared_ranks({system.name: system.f1 for system in board.scores.systems})


def shared_ranks(values: Mapping[str, float]) -> dict[str, int]:
    """The rank of each, from 1 for the highest; equal values share theirs.

    >>> shared_ranks({"a": 0.1, "b": 0.3, "c": 0.3})
    {'b': 1, 'c': 1, 'a': 3}
    """
    ordered = sorted(values, key=lambda name: (-values[name], name))
    return {name: 1 + sum(value > values[name] for value in values.values()) for name in ordered}
