"""The geometry of a chart of ranks: a column a ranking, a line a system; where lines cross, rankings disagree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

RANK, MARGIN, MARGIN_TOP, LETTER = 38.0, 112.0, 62.0, 7.4  # between ranks, beside and above them, of a name
ASIDE, NEAR = 20.0, 9.0  # from a node to its name, from a name to a line that crosses it
_STEPS, _HALVINGS = 8, 12

Point = tuple[float, float]


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
class RankLabel:
    """Where a system's name stands, and whether it ends or starts there."""

    x: float
    y: float
    anchor: str


@dataclass(frozen=True)
class RankLine:
    """A system's ranks from column to column, and its name at both ends."""

    name: str
    nodes: tuple[RankNode, ...]
    pieces: tuple[RankPiece, ...]
    labels: tuple[RankLabel, ...]
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


def rank_chart(
    names: Sequence[str],
    columns: Sequence[RankColumn],
    distance: float,
    off_node: Callable[[str, int], bool],
    off_piece: Callable[[str, int, int], bool],
) -> RankChart:
    """The chart of these systems; the functions say what is marked, by a system's name and one column or two.

    Columns stand further apart than the distance where names between them need it.
    """
    lines = _lines(names, columns, distance, off_node, off_piece)
    needed = _distance_for(lines)
    if needed > distance:
        distance, lines = needed, _lines(names, columns, needed, off_node, off_piece)
    lines.sort(key=lambda line: not any(piece.skips for piece in line.pieces))  # these are drawn below the others
    margin, places = _places(names, len(columns), distance)
    titles = tuple((place, column.title, column.note) for place, column in zip(places, columns, strict=True))
    longest = max((len(column.ranks) for column in columns), default=0)
    return RankChart(places[-1] + margin, MARGIN_TOP + longest * RANK, titles, tuple(lines))


def _places(names: Sequence[str], columns: int, distance: float) -> tuple[float, list[float]]:
    """The margin beside the columns, which has room for names, and where the columns stand."""
    margin = max([MARGIN, *(24 + LETTER * len(name) for name in names)])
    return margin, [margin + number * distance for number in range(columns)]


def _lines(
    names: Sequence[str],
    columns: Sequence[RankColumn],
    distance: float,
    off_node: Callable[[str, int], bool],
    off_piece: Callable[[str, int, int], bool],
) -> list[RankLine]:
    _, places = _places(names, len(columns), distance)
    heights = [_heights(column.ranks) for column in columns]
    nodes = {
        name: tuple(
            RankNode(number, places[number], heights[number][name], column.ranks[name], off_node(name, number))
            for number, column in enumerate(columns)
            if name in column.ranks
        )
        for name in names
    }
    courses = {
        name: [_course(left, right, places, heights) for left, right in pairwise(own)] for name, own in nodes.items()
    }
    ways = [way for own in courses.values() for course in own for way in pairwise(course)]
    lines = []
    for name, own in nodes.items():
        pieces = tuple(
            RankPiece(_path(course), off_piece(name, left.column, right.column), len(course) > 2)
            for course, (left, right) in zip(courses[name], pairwise(own), strict=True)
        )
        said = ", ".join(f"{columns[node.column].title} {node.rank}" for node in own)
        lines.append(RankLine(name, own, pieces, _labels(name, own, ways), f"{name}: {said}"))
    return lines


def _distance_for(lines: Sequence[RankLine]) -> float:
    """How far apart columns must stand so that no name between them covers another or a node."""
    room: dict[tuple[int, float], float] = {}  # the letters between a column and the next, at one height
    for line in lines:
        for label in line.labels:
            column = line.nodes[-1].column if label.anchor == "start" else line.nodes[0].column - 1
            room[column, label.y] = room.get((column, label.y), 0.0) + LETTER * len(line.name)
    between = [width for (column, _), width in room.items() if 0 <= column < _last(lines)]
    return max(between, default=0.0) + 2 * ASIDE + RANK / 2


def _last(lines: Sequence[RankLine]) -> int:
    return max((line.nodes[-1].column for line in lines), default=0)


def _labels(name: str, nodes: Sequence[RankNode], ways: Sequence[tuple[Point, Point]]) -> tuple[RankLabel, ...]:
    """A name left of its first node and right of its last; a single node has one, where fewer lines cross it."""
    left, right = (
        RankLabel(nodes[0].x - ASIDE, nodes[0].y + 4, "end"),
        RankLabel(nodes[-1].x + ASIDE, nodes[-1].y + 4, "start"),
    )
    if len(nodes) > 1:
        return left, right
    return (min((left, right), key=lambda label: _crossed(label, len(name) * LETTER, ways)),)


def _crossed(label: RankLabel, width: float, ways: Sequence[tuple[Point, Point]]) -> int:
    """How many lines pass through a name."""
    start = label.x if label.anchor == "start" else label.x - width
    places = [start + width * step / _STEPS for step in range(_STEPS + 1)]
    return sum(
        any(abs(_height_at(way, x) - label.y + 4) < NEAR for x in places if way[0][0] < x < way[1][0]) for way in ways
    )


def _height_at(way: tuple[Point, Point], x: float) -> float:
    """How high a line is at a place: its curve is level at both ends."""
    (left, top), (right, bottom) = way
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        across = 1.5 * middle * (1 - middle) + middle**3  # of a curve whose handles are half way
        low, high = (middle, high) if left + across * (right - left) < x else (low, middle)
    return top + (3 * low**2 - 2 * low**3) * (bottom - top)


def _heights(ranks_of: Mapping[str, int]) -> dict[str, float]:
    """Where each system of a column stands; those of one rank stand one below the other."""
    ordered = sorted(ranks_of, key=lambda name: (ranks_of[name], name))
    return {name: MARGIN_TOP + (place + 0.5) * RANK for place, name in enumerate(ordered)}


def _course(
    left: RankNode, right: RankNode, places: Sequence[float], heights: Sequence[Mapping[str, float]]
) -> list[Point]:
    """The points of a line from one node to the next; columns without the system are passed between their nodes."""
    course = [(left.x, left.y)]
    for column in range(left.column + 1, right.column):
        straight = left.y + (right.y - left.y) * (places[column] - left.x) / (right.x - left.x)
        gaps = (MARGIN_TOP + place * RANK for place in range(len(heights[column]) + 1))
        course.append((places[column], min(gaps, key=lambda gap: abs(gap - straight))))
    return [*course, (right.x, right.y)]


def _path(course: Sequence[Point]) -> str:
    """A line through these points, level at each."""
    path = f"M{course[0][0]} {course[0][1]}"
    for (left, top), (right, bottom) in pairwise(course):
        bend = (right - left) / 2
        path += f"C{left + bend} {top} {right - bend} {bottom} {right} {bottom}"
    return path
