"""Where benchmarks rank systems differently: pairs of systems, and how far each two benchmarks agree.

A pair of systems is a disagreement if one benchmark puts the first above and another the second. It is significant if
that is so of two benchmarks each of which is sure of its order: p < 0.05 by paired bootstrap, not corrected for the
number of pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from matchers.bootstrap import difference_p
from matchers.rank_chart import shared_ranks
from matchers.side_by_side import Board, systems_of

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Order:
    """How a benchmark orders two systems: by how much the first is above the second in F1, and how sure that is."""

    gap: float
    p: float

    @property
    def sure(self) -> bool:
        """Whether the order would hold on other sentences like these."""
        return self.p < SIGNIFICANT


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


@dataclass(frozen=True)
class Agreement:
    """Two benchmarks: how many systems both have, and how many pairs of these they rank alike and opposite ways.

    `sure` of the opposite ones are significant on both. Pairs that one of them ties are neither.
    """

    first: str
    second: str
    systems: int
    alike: int
    opposite: int
    sure: int

    @property
    def pairs(self) -> int:
        """How many pairs of systems both have."""
        return self.systems * (self.systems - 1) // 2

    @property
    def kendall(self) -> float | None:
        """Kendall's tau, or nothing if there is no pair."""
        return (self.alike - self.opposite) / self.pairs if self.pairs else None


def order(board: Board, first: str, second: str) -> Order:
    """The order of two systems of a benchmark."""
    one, other = board.results[first], board.results[second]
    return Order(one.score.f1 - other.score.f1, difference_p(one.resampled, other.resampled))


def disagreements(scored: Sequence[Board]) -> tuple[list[Disagreement], int]:
    """The pairs of systems that are ranked differently, and how many pairs at least two benchmarks rank."""
    found, compared = [], 0
    for first, second in combinations(systems_of(scored), 2):
        common = [board for board in scored if first in board.results and second in board.results]
        compared += len(common) > 1
        pair = Disagreement(first, second, {b.way.dataset: order(b, first, second) for b in common})
        if pair.first_above and pair.second_above:
            found.append(pair)
    return found, compared


def agreements(scored: Sequence[Board]) -> list[Agreement]:
    """How far each two benchmarks agree that have systems in common."""
    found = []
    for one, other in combinations(scored, 2):
        common = [name for name in systems_of(scored) if name in one.results and name in other.results]
        both = [(order(one, *pair), order(other, *pair)) for pair in combinations(common, 2)]
        opposite = [two for two in both if two[0].gap * two[1].gap < 0]
        alike = sum(two[0].gap * two[1].gap > 0 for two in both)
        sure = sum(first.sure and second.sure for first, second in opposite)
        if common:
            found.append(Agreement(one.way.dataset, other.way.dataset, len(common), alike, len(opposite), sure))
    return found


def ranks_of(board: Board) -> dict[str, int]:
    """The rank of each system of a benchmark by F1; equal ones share theirs."""
    return shared_ranks({name: result.score.f1 for name, result in board.results.items()})
