"""Plots by their geometry: scales, ticks and marks, which templates draw as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from matchers.scoring.bootstrap import Interval


@dataclass(frozen=True)
class Tick:
    """A mark on an axis: its place in percent of the axis, and its text."""

    at: float
    text: str


@dataclass(frozen=True)
class Axis:
    """An axis from one value to another."""

    low: float
    high: float
    step: float

    @classmethod
    def over(cls, low: float, high: float, ticks: int = 5) -> Axis:
        """An axis with round ticks that holds these values.

        >>> Axis.over(0.03, 0.27)
        Axis(low=0.0, high=0.3, step=0.05)
        """
        if high - low < 1e-6:
            high = low + 0.1  # scores may all be 0
        raw = (high - low) / ticks
        magnitude = 10.0 ** math.floor(math.log10(raw))
        step = next(magnitude * factor for factor in (1, 2, 5, 10) if magnitude * factor >= raw * 0.999)
        start, end = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        return cls(round(start * step, 9), round(end * step, 9), round(step, 9))

    def at(self, value: float) -> float:
        """The place of a value in percent; what lies outside is put at the end."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 3)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """The ticks from low to high."""
        decimals = max(1, -math.floor(math.log10(self.step) + 1e-9))
        count = round((self.high - self.low) / self.step)
        values = [self.low + number * self.step for number in range(count + 1)]
        return tuple(Tick(self.at(value), f"{value:.{decimals}f}") for value in values)


UNIT = Axis(0.0, 1.0, 0.2)


def from_to(interval: Interval | None, digits: int = 2) -> str:
    """An interval as a note beside a value; nothing if there is none."""
    return f"{interval.low:.{digits}f} to {interval.high:.{digits}f}" if interval else ""


@dataclass(frozen=True)
class IntervalRow:
    """A value with its interval if it has one, as places in percent and as text; `mark` is `best`, `base` or none."""

    label: str
    at: float
    low: float | None
    high: float | None
    text: str
    note: str = ""
    mark: str = ""


@dataclass(frozen=True)
class IntervalPlot:
    """Values with intervals, one below the other, with a line at a reference."""

    ticks: tuple[Tick, ...]
    rows: tuple[IntervalRow, ...]
    reference: float | None = None


def interval_plot(
    values: Sequence[tuple[str, float, Interval | None, str]], axis: Axis | None = None, reference: float | None = None
) -> IntervalPlot:
    """The plot of named values with intervals and marks."""
    axis = axis or Axis.over(0.0, max(interval.high if interval else value for _, value, interval, _ in values))
    rows = tuple(
        IntervalRow(
            label,
            axis.at(value),
            axis.at(interval.low) if interval else None,
            axis.at(interval.high) if interval else None,
            f"{value:.3f}",
            from_to(interval, 3),
            mark,
        )
        for label, value, interval, mark in values
    )
    return IntervalPlot(axis.ticks, rows, None if reference is None else axis.at(reference))
