"""The geometry of a chart of ranks: a column a ranking, a line a system; where lines cross, rankings disagree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

RANK, MARGIN, MARGIN_TOP, LETTER = 38.0, 112.0, 62.0, 7.4  # between ranks, beside and above them, of a name


@dataclass(frozen=True)
class RankColumn:
    """A ranking: its title, a note below it, and the rank of each system that it knows; equal ranks are ties."""

    title: str
    note: str
    ranks: Mapping[str, int]


@dataclass(frozen=True)
class RankNode:
    """A system's rank in a column; `off` ones are marked."""

    column: int
    x: float
    y: float
    rank: int
    off: bool


@dataclass(frozen=True)
class RankPiece:
    """A line from one node to the next; `skips` if a column between them does not know the system."""

    path: str
    off: bool
    skips: bool


@dataclass(frozen=True)
class RankLine:
    """A system's ranks from column to column."""

    name: str
    nodes: tuple[RankNode, ...]
    pieces: tuple[RankPiece, ...]
    text: str


@dataclass(frozen=True)
class RankChart:
    """How ranks change from column to column: places of the columns with title and note, and the systems' lines."""

    width: float
    height: float
    columns: tuple[tuple[float, str, str], ...]
    lines: tuple[RankLine, ...]


def ranks(values: Mapping[str, float]) -> dict[str, int]:
    """The rank of each, from 1 for the highest; equal values by name.

    >>> ranks({"a": 0.1, "b": 0.3, "c": 0.2})
    {'b': 1, 'c': 2, 'a': 3}
    """
    ordered = sorted(values, key=lambda name: (-values[name], name))
    return {name: rank for rank, name in enumerate(ordered, 1)}


def shared_ranks(values: Mapping[str, float]) -> dict[str, int]:
    """The rank of each, from 1 for the highest; equal values share theirs.

    >>> shared_ranks({"a": 0.1, "b": 0.3, "c": 0.3})
    {'b': 1, 'c': 1, 'a': 3}
    """
    ordered = sorted(values, key=lambda name: (-values[name], name))
    return {name: 1 + sum(value > values[name] for value in values.values()) for name in ordered}


def rank_chart(
    names: Sequence[str],
    columns: Sequence[RankColumn],
    distance: float,
    off_node: Callable[[str, int], bool],
    off_piece: Callable[[str, int, int], bool],
) -> RankChart:
    """The chart of these systems; the functions say what is marked, by a system's name and one column or two."""
    margin = max([MARGIN, *(24 + LETTER * len(name) for name in names)])
    places = [margin + number * distance for number in range(len(columns))]
    heights = [_heights(column.ranks) for column in columns]
    lines = []
    for name in names:
        nodes = [
            RankNode(number, places[number], heights[number][name], column.ranks[name], off_node(name, number))
            for number, column in enumerate(columns)
            if name in column.ranks
        ]
        pieces = tuple(_piece(*two, off_piece(name, two[0].column, two[1].column)) for two in pairwise(nodes))
        said = ", ".join(f"{columns[node.column].title} {node.rank}" for node in nodes)
        lines.append(RankLine(name, tuple(nodes), pieces, f"{name}: {said}"))
    lines.sort(key=lambda line: not any(piece.skips for piece in line.pieces))  # these pass below others' nodes
    titles = tuple((place, column.title, column.note) for place, column in zip(places, columns, strict=True))
    longest = max((len(column.ranks) for column in columns), default=0)
    return RankChart(places[-1] + margin, MARGIN_TOP + longest * RANK, titles, tuple(lines))


def _heights(found: Mapping[str, int]) -> dict[str, float]:
    """Where each system of a column stands; those of one rank stand one below the other."""
    ordered = sorted(found, key=lambda name: (found[name], name))
    return {name: MARGIN_TOP + (place + 0.5) * RANK for place, name in enumerate(ordered)}


def _piece(left: RankNode, right: RankNode, off: bool) -> RankPiece:
    bend = (right.x - left.x) / 2
    path = f"M{left.x} {left.y}C{left.x + bend} {left.y} {right.x - bend} {right.y} {right.x} {right.y}"
    return RankPiece(path, off, right.column - left.column > 1)
