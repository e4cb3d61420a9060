"""The geometry of a profile's pictures: bars of errors, lines of F1 by kind of sentence, spans of lengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.model import SLOT_NAMES
from matchers.pages.plots import Axis, Tick
from matchers.profiling.errors import ERROR_BUCKETS, Right
from matchers.profiling.profiles import Profile, SystemProfile
from matchers.scoring.bootstrap import Interval
from matchers.scoring.results import bounds_text

STEP, HEIGHT, LABEL, ASIDE = 96.0, 230.0, 15.0, 18.0  # of a plot of lines: between buckets, of its axis, of labels
SLOT_TITLES = {"arg1": "first argument", "relation": "relation", "arg2": "second argument"}


@dataclass(frozen=True)
class Bar:
    """A bar: its length in percent of the cell, its text, and whether it is the longest of its row."""

    length: float
    text: str
    highest: bool = False


@dataclass(frozen=True)
class BarColumn:
    """A column of bars: its title, and which slots are right in it, if it is an error bucket."""

    title: str
    right: Right | None = None


@dataclass(frozen=True)
class BarTable:
    """Bars in rows and columns, all to one scale."""

    columns: tuple[BarColumn, ...]
    rows: tuple[tuple[str, str, tuple[Bar, ...]], ...]


@dataclass(frozen=True)
class Line:
    """A system's line: its path, its points with the ends of their intervals, where its label stands, what it says."""

    name: str
    path: str
    points: tuple[tuple[float, float, float | None, float | None], ...]
    label_x: float
    label_y: float
    text: str

    @property
    def moved(self) -> bool:
        """Whether the label stands so far from the line's end that a line must lead to it."""
        return abs(self.label_y - self.points[-1][1]) > LABEL / 3


@dataclass(frozen=True)
class LinePlot:
    """F1 by the buckets of one dimension; a bucket has a place, a label and the number of its sentences."""

    title: str
    width: float
    height: float
    buckets: tuple[tuple[float, str, int], ...]
    ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Span:
    """How long a system's extractions are, as places in percent and as text."""

    name: str
    shortest: float
    lower: float
    median: float
    mean: float
    upper: float
    longest: float
    text: str
    note: str


@dataclass(frozen=True)
class SpanPlot:
    """Spans one below the other on one axis."""

    ticks: tuple[Tick, ...]
    rows: tuple[Span, ...]


@dataclass(frozen=True)
class Pictures:
    """All pictures of a profile; those of errors are left out where slots mean nothing."""

    slots: BarTable | None
    buckets: BarTable | None
    lines: tuple[LinePlot, ...]
    lengths: SpanPlot


def pictures(profile: Profile, slots: bool = True) -> Pictures:
    """The pictures of a profile, the system of the best F1 first."""
    systems = by_f1(profile.systems)
    return Pictures(
        slot_bars(systems) if slots else None,
        bucket_bars(systems) if slots else None,
        tuple(line_plot(name, sizes, systems) for name, sizes in profile.sizes.items()),
        span_plot(systems),
    )


def by_f1(systems: Sequence[SystemProfile]) -> list[SystemProfile]:
    """The systems, the best first."""
    return sorted(systems, key=lambda system: (-system.score.f1, system.name))


def slot_bars(systems: Sequence[SystemProfile]) -> BarTable:
    """The share of errors in which each slot is wrong; a share of 1 fills its cell."""
    columns = tuple(BarColumn(SLOT_TITLES[name]) for name in SLOT_NAMES)
    return BarTable(columns, tuple(_bars(system, list(system.errors.slots.values())) for system in systems))


def bucket_bars(systems: Sequence[SystemProfile]) -> BarTable:
    """The share of errors in each bucket; the highest of all fills its cell."""
    columns = tuple(BarColumn(wrong_slots(bucket), bucket) for bucket in ERROR_BUCKETS)
    shares = [[system.errors.share(bucket) for bucket in ERROR_BUCKETS] for system in systems]
    full = max((share for own in shares for share in own), default=0.0) or 1.0
    return BarTable(columns, tuple(_bars(system, own, full) for system, own in zip(systems, shares, strict=True)))


def wrong_slots(right: Right) -> str:
    """An error bucket in words.

    >>> wrong_slots((1, 0, 0)), wrong_slots((0, 0, 0))
    ('relation and arg2 wrong', 'all wrong')
    """
    wrong = [name for name, is_right in zip(SLOT_NAMES, right, strict=True) if not is_right]
    return "all wrong" if len(wrong) == len(SLOT_NAMES) else f"{' and '.join(wrong)} wrong"


def _bars(system: SystemProfile, shares: Sequence[float], full: float = 1.0) -> tuple[str, str, tuple[Bar, ...]]:
    most = max(shares)
    bars = tuple(Bar(round(100 * share / full, 2), f"{share:.2f}", 0 < share == most) for share in shares)
    return system.name, f"{system.errors.wrong:,} wrong", bars


def line_plot(title: str, sizes: Mapping[str, int], systems: Sequence[SystemProfile]) -> LinePlot:
    """F1 by the buckets of a dimension; empty buckets are left out of the lines."""
    full = [label for label, size in sizes.items() if size]
    places = {label: round(number * STEP, 2) for number, label in enumerate(sizes)}
    scores = {system.name: system.by_bucket[title] for system in systems}
    bounds = {system.name: system.intervals[title] for system in systems}
    highest = max(
        (own.high if (own := bounds[name].get(label)) else scores[name][label].f1 for name in scores for label in full),
        default=0.0,
    )
    axis = Axis.over(0.0, max(0.05, highest))
    height = max(HEIGHT, LABEL * len(systems))

    def down(value: float) -> float:
        return round(height * (1 - axis.at(value) / 100), 2)

    def ends(name: str, label: str) -> tuple[float | None, float | None]:
        own = bounds[name].get(label)
        return (down(own.low), down(own.high)) if own else (None, None)

    lines_of = {
        name: [(places[label], down(own[label].f1), *ends(name, label)) for label in full]
        for name, own in scores.items()
    }
    labels = spread({name: points[-1][1] for name, points in lines_of.items() if points}, height)
    lines = tuple(
        Line(
            name,
            "M" + "L".join(f"{x} {y}" for x, y, _, _ in points),
            tuple(points),
            points[-1][0] + ASIDE,
            labels[name],
            f"{name}: " + ", ".join(_said(label, scores[name][label].f1, bounds[name].get(label)) for label in full),
        )
        for name, points in lines_of.items()
        if points
    )
    width = max(places.values(), default=0.0) + ASIDE + 7.2 * max((len(name) for name in lines_of), default=0)
    buckets = tuple((places[label], label, size) for label, size in sizes.items())
    return LinePlot(title, width, height, buckets, axis.ticks, lines)


def _said(label: str, f1: float, bounds: Interval | None) -> str:
    return f"{label} {f1:.3f} {bounds_text(bounds, 2) if bounds else ''}".rstrip()


def spread(places: Mapping[str, float], height: float, gap: float = LABEL) -> dict[str, float]:
    """Where labels stand so that none covers another: as near as can be to their places, within the height.

    >>> spread({"a": 10.0, "b": 12.0, "c": 60.0}, 100.0)
    {'a': 10.0, 'b': 25.0, 'c': 60.0}
    """
    labels: dict[str, float] = {}
    last = -gap
    for name in sorted(places, key=lambda name: (places[name], name)):
        last = labels[name] = max(places[name], last + gap)
    limit = height
    for name in reversed(list(labels)):
        limit = labels[name] = min(labels[name], limit)
        limit -= gap
    return labels


def span_plot(systems: Sequence[SystemProfile]) -> SpanPlot:
    """How many words the systems' extractions have."""
    axis = Axis.over(0.0, max((system.lengths.longest for system in systems), default=0) or 1)
    rows = []
    for system in systems:
        own = system.lengths
        note = f"{own.lower:.0f} to {own.upper:.0f}"
        rows.append(
            Span(
                system.name,
                axis.at(own.shortest),
                axis.at(own.lower),
                axis.at(own.median),
                axis.at(own.mean),
                axis.at(own.upper),
                axis.at(own.longest),
                f"{own.mean:.1f}",
                note,
            )
        )
    ticks = tuple(Tick(tick.at, tick.text.removesuffix(".0")) for tick in axis.ticks)
    return SpanPlot(ticks, tuple(rows))
