"""The geometry of a picture: F1 over the number of formulations in the gold, a line a matcher, random draws aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.thinning import RANDOM
from matchers.pages.plots import Axis, Tick
from matchers.pages.profile_plots import ASIDE, LABEL, spread
from matchers.scoring.bootstrap import Interval
from training.comparison.contenders import BASELINE
from training.comparison.thin_results import AtLevel, ThinComparison, ThinResult
from training.evaluation.figures import span

WIDTH, HEIGHT = 460.0, 300.0  # of the lines
STRIP, MARGIN = 84.0, 18.0  # of the strip of random draws to their left, and what stays empty at its sides
LETTER, NAME_GAP = 7.2, 46.0  # the width of a letter, and of the names below the axis


@dataclass(frozen=True)
class Mark:
    """A figure with the ends of its interval, if it has one."""

    x: float
    y: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class CurveLine:
    """A matcher: its line over the levels with the band of its intervals, and its mark for random draws."""

    name: str
    path: str
    band: str
    marks: tuple[Mark, ...]
    draw: Mark | None
    label_y: float
    text: str

    @property
    def moved(self) -> bool:
        """Whether the label stands so far from the line's end that a line must lead to it."""
        return abs(self.label_y - self.marks[-1].y) > LABEL / 3


@dataclass(frozen=True)
class LevelName:
    """A level below the axis: where it is, where its name has room, and how many formulations its gold has."""

    x: float
    name_x: float
    name: str
    formulations: str


@dataclass(frozen=True)
class ThinCurve:
    """The whole picture; the strip of random draws lies from `start` to 0, left of the lines."""

    width: float
    height: float
    start: float
    end: float
    label_x: float
    levels: tuple[LevelName, ...]
    ticks: tuple[Tick, ...]
    lines: tuple[CurveLine, ...]


def thin_curve(comparison: ThinComparison) -> ThinCurve:
    """The picture of all matchers that make matches."""
    drawn = [result for result in comparison.results if result.mean]
    spans = [_ends(at) for result in drawn for at in result.levels]
    lowest, highest = min((low for low, _ in spans), default=0.0), max((high for _, high in spans), default=1.0)
    axis = Axis.over(lowest, highest, 8)
    places = _places(comparison)
    labels = spread({result.name: _down(axis, _f1(result.levels[0])) for result in drawn}, HEIGHT)
    ordered = sorted(drawn, key=lambda result: result.name != BASELINE)  # the rules are ink, the others have a hue
    lines = tuple(
        _line(result, axis, places | {RANDOM: _in_strip(number, len(ordered))}, labels[result.name])
        for number, result in enumerate(ordered)
    )
    width = WIDTH + ASIDE + LETTER * max((len(line.name) for line in lines), default=0)
    return ThinCurve(width, HEIGHT, -STRIP, WIDTH, WIDTH + ASIDE, _names(comparison, places), axis.ticks, lines)


def _places(comparison: ThinComparison) -> dict[str, float]:
    """Where the levels stand: to scale by their formulations, and random draws in a strip of their own."""
    counts = {level.name: count for level, count in zip(comparison.levels, comparison.formulations, strict=True)}
    low, high = min(counts.values()), max(counts.values())
    places = {name: round(WIDTH * (count - low) / ((high - low) or 1), 2) for name, count in counts.items()}
    return places | {RANDOM: -STRIP / 2}


def _in_strip(number: int, count: int) -> float:
    """Where a matcher's mark stands in the strip, so that none covers another."""
    return round(MARGIN - STRIP + (STRIP - 2 * MARGIN) * (number + 0.5) / count, 2)


def _names(comparison: ThinComparison, places: dict[str, float]) -> tuple[LevelName, ...]:
    rooms = spread({name: x for name, x in places.items() if name != RANDOM}, WIDTH, NAME_GAP)
    rooms[RANDOM] = min(places[RANDOM], min(rooms.values()) - NAME_GAP)
    return tuple(
        LevelName(places[level.name], rooms[level.name], level.name, f"{count:,}")
        for level, count in zip(comparison.levels, comparison.formulations, strict=True)
    )


def _line(result: ThinResult, axis: Axis, places: dict[str, float], label_y: float) -> CurveLine:
    marks = {at.level.name: _mark(at, axis, places[at.level.name]) for at in result.levels}
    draw = marks.pop(RANDOM, None)
    way = sorted(marks.values(), key=lambda mark: mark.x)
    path = _path([(mark.x, mark.y) for mark in way])
    upper = [(mark.x, mark.high) for mark in way if mark.high is not None]
    lower = [(mark.x, mark.low) for mark in way if mark.low is not None]
    band = f"{_path([*upper, *reversed(lower)])}Z" if upper else ""
    said = ", ".join(_said(at) for at in result.levels)
    name = f"{result.name} (seen)" if result.seen else result.name
    return CurveLine(name, path, band, tuple(way), draw, label_y, f"{name}: {said}")


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in points)


def _mark(at: AtLevel, axis: Axis, x: float) -> Mark:
    bounds = _interval(at)
    ends = (_down(axis, bounds.low), _down(axis, bounds.high)) if bounds else (None, None)
    return Mark(x, _down(axis, _f1(at)), *ends)


def _said(at: AtLevel) -> str:
    bounds = _interval(at)
    return f"{at.level.name} {_f1(at):.3f}{f' {span(bounds, digits=2)}' if bounds else ''}"


def _down(axis: Axis, value: float) -> float:
    return round(HEIGHT * (1 - axis.at(value) / 100), 2)


def _f1(at: AtLevel) -> float:
    return (at.f1.value if at.f1 else None) or 0.0


def _interval(at: AtLevel) -> Interval | None:
    return at.f1.interval if at.f1 else None


def _ends(at: AtLevel) -> tuple[float, float]:
    bounds = _interval(at)
    return (bounds.low, bounds.high) if bounds else (_f1(at), _f1(at))
