"""The geometry of the report's plots: systems by a matcher against people, changes of rank, curves of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from matchers.pages.plots import UNIT, Axis, Tick
from matchers.pages.rank_chart import RankChart, RankColumn, ranks
from matchers.pages.rank_chart import rank_chart as chart_of_ranks
from training.comparison.results import Comparison, Result
from training.evaluation.figures import number
from training.pages.curves import Curves

SIDE = 200.0  # of a small plot, in the units of its own drawing
LABEL_HEIGHT, LETTER = 11.0, 5.6
COLUMN = 92.0  # from one ranking to the next


@dataclass(frozen=True)
class Point:
    """A mark with a label, to which a line leads if it is far; `off` is a disagreement with people."""

    name: str
    x: float
    y: float
    text: str
    off: bool = False
    label: str = ""
    label_x: float = 0.0
    label_y: float = 0.0
    anchor: str = "start"
    leader: bool = False


@dataclass(frozen=True)
class Panel:
    """A small plot: its title, a figure beside it, ticks of both axes, points and lines."""

    title: str
    figure: str
    ticks: tuple[Tick, ...]
    points: tuple[Point, ...] = ()
    line: str = ""
    others: tuple[str, ...] = ()
    diagonal: bool = True
    mark: str = ""


def system_panels(comparison: Comparison) -> list[Panel]:
    """A panel a matcher: the systems' F1 by it against their F1 by people; the best correlation first."""
    ordered = sorted(comparison.results, key=_correlated)
    return [_system_panel(comparison, result) for result in ordered]


def _correlated(result: Result) -> float:
    """The best correlation first; one that is not defined last."""
    return 2.0 if result.pearson is None else -result.pearson


def _system_panel(comparison: Comparison, result: Result) -> Panel:
    manual = {name: score.f1 for name, score in comparison.manual.items()}
    ours = {name: score.f1 for name, score in result.systems.items()}
    axis = Axis.over(0.0, 1.06 * max([0.05, *manual.values(), *ours.values()]), 4)
    by_people, by_matcher = ranks(manual), ranks(ours)
    points = [
        Point(
            name,
            _x(axis, manual[name]),
            _y(axis, ours[name]),
            f"{name}: {manual[name]:.3f} by people (rank {by_people[name]}), "
            f"{ours[name]:.3f} by {result.name} (rank {by_matcher[name]})",
            by_people[name] != by_matcher[name],
        )
        for name in manual
    ]
    return Panel(result.name, f"r = {number(result.pearson, 3)}", axis.ticks, tuple(placed(points)))


def _x(axis: Axis, value: float) -> float:
    return round(axis.at(value) / 100 * SIDE, 2)


def _y(axis: Axis, value: float) -> float:
    return round(SIDE - axis.at(value) / 100 * SIDE, 2)


Box = tuple[float, float, float, float]
_RINGS = (18, 28, 38, 50, 64, 80, 100)  # how far off a label may stand
_DIRECTIONS = tuple(
    (across * x, down * y) for x, y in ((0.9, 0.45), (0.5, 0.85)) for across in (1, -1) for down in (-1, 1)
)


def placed(points: Sequence[Point]) -> list[Point]:
    """The points with labels where there is room: beside, above, below; else further off, with a line to the point."""
    taken: list[Box] = [(point.x - 4, point.y - 4, point.x + 4, point.y + 4) for point in points]
    with_labels = []
    for point in points:
        width = len(point.name) * LETTER
        for label in _choices(point):
            left = {"start": label.x, "end": label.x - width, "middle": label.x - width / 2}[label.anchor]
            box = (left - 1, label.y - LABEL_HEIGHT + 2, left + width, label.y + 2)
            inside = box[0] >= 2 and box[2] <= SIDE + 14 and box[1] >= -6 and box[3] <= SIDE - 2
            if inside and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                point = replace(
                    point,
                    label=point.name,
                    label_x=round(label.x, 2),
                    label_y=round(label.y, 2),
                    anchor=label.anchor,
                    leader=label.far,
                )
                break
        with_labels.append(point)
    return with_labels


@dataclass(frozen=True)
class _Choice:
    """A place for a label."""

    x: float
    y: float
    anchor: str
    far: bool = False


def _choices(point: Point) -> Iterator[_Choice]:
    """Where a point's label may stand, the best place first."""
    yield _Choice(point.x + 7, point.y + 4, "start")
    yield _Choice(point.x - 7, point.y + 4, "end")
    yield _Choice(point.x, point.y - 8, "middle")
    yield _Choice(point.x, point.y + 16, "middle")
    for distance in _RINGS:
        for across, down in _DIRECTIONS:
            anchor = "start" if across > 0 else "end" if across < 0 else "middle"
            yield _Choice(point.x + distance * across, point.y + distance * down + 4, anchor, far=True)


def _overlap(first: Box, second: Box) -> bool:
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def rank_chart(comparison: Comparison) -> RankChart:
    """How ranks by F1 change from people's to those by each matcher; the best correlation comes first."""
    ordered = sorted(comparison.results, key=_correlated)
    manual = ranks({name: score.f1 for name, score in comparison.manual.items()})
    by_matcher = [(r.name, ranks({name: score.f1 for name, score in r.systems.items()})) for r in ordered]
    columns = [
        RankColumn("people", "", manual),
        *(RankColumn(name, _misplaced(manual, own), own) for name, own in by_matcher),
    ]

    def off(name: str, column: int) -> bool:
        return columns[column].ranks[name] != manual[name]

    def off_piece(name: str, left: int, right: int) -> bool:
        return off(name, left) or off(name, right)

    return chart_of_ranks(list(manual), columns, COLUMN, off, off_piece)


def _misplaced(manual: Mapping[str, int], column: Mapping[str, int]) -> str:
    count = sum(column[name] != rank for name, rank in manual.items())
    return f"{count} moved" if count else "same order"


def curve_panels(curves: Mapping[str, Curves], comparison: Comparison) -> list[Panel]:
    """Precision over recall of each matcher's scores, the others behind it; the dot is where its assignment ends."""
    paths = {name: _curve_path(own) for name, own in curves.items()}
    panels = []
    for result in comparison.results:
        if result.name in curves and result.pairs:
            score = result.pairs.score
            text = f"after assignment: precision {score.precision:.3f}, recall {score.recall:.3f}"
            dot = Point(result.name, _x(UNIT, score.recall), _y(UNIT, score.precision), text)
            others = tuple(path for name, path in paths.items() if name != result.name)
            figure = f"AP {curves[result.name].average_precision:.3f}"
            panels.append(Panel(result.name, figure, UNIT.ticks, (dot,), paths[result.name], others, False))
    return panels


def _curve_path(own: Curves) -> str:
    places = [(_x(UNIT, point.recall), _y(UNIT, point.precision)) for point in own.points]
    return "M" + "L".join(f"{x} {y}" for x, y in [(0.0, places[0][1]), *places])


def calibration_panels(curves: Mapping[str, Curves]) -> list[Panel]:
    """The share that people matched over the score that the matcher gave; on the diagonal a score can be believed."""
    panels = []
    for name, own in curves.items():
        points = tuple(
            Point(
                name, _x(UNIT, one.score), _y(UNIT, one.share), f"score {one.score:.2f}: {one.share:.0%} of {one.pairs}"
            )
            for one in own.bins
        )
        line = "M" + "L".join(f"{point.x} {point.y}" for point in points) if points else ""
        panels.append(Panel(name, f"error {own.calibration_error:.3f}", UNIT.ticks, points, line))
    return panels
