"""How a cost stands among others."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

FAR = 50.0  # what costs more is far, however far
_MOST = 10.0


def standing(cost: float, costs: Sequence[float]) -> tuple[int, float]:
    """How many of these costs are less, and how far a cost is above the least other one; it is one of them itself.

    >>> standing(2.0, [0.5, 2.0, 7.0]), standing(0.5, [0.5, 2.0, 7.0])
    ((1, 1.5), (0, -1.5))
    """
    if len(costs) == 1:
        return 0, 0.0  # with nothing to compare it to, a cost says nothing of rank
    rank = bisect_left(costs, cost)
    gap = cost - (costs[0] if rank else costs[1])
    return rank, max(-_MOST, min(_MOST, gap))
