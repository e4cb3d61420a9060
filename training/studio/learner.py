"""The process that learns from what was judged: a learning curve beside the rules, then a checkpoint.

It reads a copy of the folder that the studio made for it, and says on stdout, a JSON object a line, how far it is. All
figures are cross-validated by sentence; each point of the curve has a share of the judged sentences, chosen by chance.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.catalog import load
from data.command_line import run
from data.model import Benchmark
from data.problems import Diagnostics, InputError

if TYPE_CHECKING:
    from matchers.scoring.bootstrap import Interval
    from training.evaluation.report import Report

SHARES = (0.25, 0.5, 0.75, 1.0)
FEWEST = 3  # sentences of a point; cross-validation within cross-validation needs that many
FOLDS = 5


@dataclass(frozen=True)
class Point:
    """A point of the learning curve: F1 against people with 95 % intervals, of what was learned and of the rules.

    Too few sentences have no interval.
    """

    sentences: int
    judgments: int
    f1: float
    low: float | None
    high: float | None
    rules: float
    rules_low: float | None
    rules_high: float | None


def say(**values: Any) -> None:
    """One line of progress."""
    print(json.dumps(values), flush=True)


def judged_sentences(benchmark: Benchmark) -> list[str]:
    """The ids of the sentences that have judgments, in a random order that is always the same."""
    ids = list(dict.fromkeys(judgment.extraction.sentence_id for judgment in benchmark.judgments))
    random.Random(1).shuffle(ids)
    return ids


def trained(benchmark: Benchmark, sentences: int, output: Path | None, base: str) -> Report:
    """Cross-validate on a judged benchmark and, with an output, train on all of it; `base` is a checkpoint to adapt."""
    from training.from_python import train

    folds = min(FOLDS, sentences)
    overrides = [f"folds={folds}", f"inner_folds={min(3, folds)}"]
    return train(benchmark, "features", overrides, output=output, resamples=1000, start=base or None)


def point(report: Report, sentences: int, judgments: int) -> Point:
    """The point of a report."""
    ours, rules = report.matcher, report.rules
    return Point(sentences, judgments, ours.score.f1, *ends(ours.interval), rules.score.f1, *ends(rules.interval))


def ends(interval: Interval | None) -> tuple[float | None, float | None]:
    """The ends of an interval; too few sentences have none."""
    return (interval.low, interval.high) if interval else (None, None)


def learn(folder: Path, output: Path, base: str = "") -> None:
    """Measure the curve and write the checkpoint."""
    benchmark = load(str(folder), None, Diagnostics())
    ids = judged_sentences(benchmark)
    if len(ids) < FEWEST:
        raise InputError(f"judge extractions of at least {FEWEST} sentences before learning; there are {len(ids)}")
    sizes = sorted({max(FEWEST, round(share * len(ids))) for share in SHARES})
    points: list[dict[str, Any]] = []
    for step, size in enumerate(sizes):
        last = step == len(sizes) - 1
        say(step=step, steps=len(sizes), doing=f"{size} of {len(ids)} sentences", points=points)
        part = benchmark.restricted(ids[:size])
        report = trained(part, size, output if last else None, base)
        points.append(asdict(point(report, size, len(part.judgments))))
    difference = {"value": report.difference.value, "interval": ends(report.difference.interval)}
    say(step=len(sizes), steps=len(sizes), doing="done", points=points, difference=difference, done=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn."""
    command = argparse.ArgumentParser(description="What the studio runs to learn; not meant to be typed.")
    command.add_argument("folder", type=Path)
    command.add_argument("output", type=Path)
    command.add_argument("--base", default="")
    options = command.parse_args(arguments)
    try:
        learn(options.folder, options.output, options.base)
    except InputError as error:
        say(error=error.message)
        return 1
    except BrokenPipeError:  # the studio is gone, and nobody waits for this
        sys.stdout = io.StringIO()
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(run(main))
