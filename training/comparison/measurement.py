"""Measurements of speed and memory, and their table."""

from __future__ import annotations

from dataclasses import dataclass

from data.command_line import table


@dataclass(frozen=True)
class Measurement:
    """One run at one size: what was done in which time, and the highest memory; `done` is below 1 if time was over.

    The ratios are to the rules at the same size. `command_seconds` is the time of `matchers.score`, end to end, for the
    `command_pairs` of the dataset: at size 1, if the matcher needs no training and there was time.
    """

    scale: int
    extractions: int
    pairs: int
    seconds: float
    megabytes: float
    done: float = 1.0
    speed_ratio: float | None = None
    memory_ratio: float | None = None
    command_pairs: int = 0
    command_seconds: float | None = None
    command_ratio: float | None = None

    @property
    def extractions_per_second(self) -> float:
        """The throughput in extractions."""
        return self.extractions / max(self.seconds, 1e-9)

    @property
    def pairs_per_second(self) -> float:
        """The throughput in extraction-cluster pairs."""
        return self.pairs / max(self.seconds, 1e-9)

    @property
    def command_pairs_per_second(self) -> float | None:
        """The throughput of `matchers.score` in pairs, end to end."""
        return self.command_pairs / self.command_seconds if self.command_seconds else None


Speeds = dict[str, list[Measurement]]


def speed_table(speeds: Speeds) -> str:
    """The measurements for a terminal."""
    rows = [["matcher", "size", "extractions/s", "pairs/s", "x rules", "memory", "x rules", ""]]
    for name, measurements in speeds.items():
        for one in measurements:
            rows.append(
                [
                    name,
                    f"{one.scale}x",
                    f"{one.extractions_per_second:,.0f}",
                    f"{one.pairs_per_second:,.0f}",
                    f"{one.speed_ratio:.2f}" if one.speed_ratio else "",
                    f"{one.megabytes:,.0f} MB",
                    f"{one.memory_ratio:.2f}" if one.memory_ratio else "",
                    "" if one.done == 1 else f"stopped after {one.seconds:.0f} s at {one.done:.0%}",
                ]
            )
    legend = "pairs: each extraction with each cluster of its sentence; timed is matching, without imports and loading"
    parts = [table(rows), legend]
    commands = [["matchers.score, end to end", "pairs", "seconds", "pairs/s", "x rules"]]
    for name, one in ((name, measurements[0]) for name, measurements in speeds.items() if measurements):
        if one.command_seconds and one.command_pairs_per_second:
            ratio = f"{one.command_ratio:.2f}" if one.command_ratio else ""
            speed = f"{one.command_pairs_per_second:,.0f}"
            commands.append([name, f"{one.command_pairs:,}", f"{one.command_seconds:.2f}", speed, ratio])
    if len(commands) > 1:
        parts += ["", table(commands), "from the start of the interpreter to the scores of the whole dataset"]
    return "\n".join(parts)
