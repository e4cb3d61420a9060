"""Speed and memory: each contender in a process of its own, on 1, 10 and 100 times the data, beside the rules.

Pairs are all there are, each extraction with each cluster of its sentence: a matcher that drops some without a look has
dealt with them too. The time of a size is that of matching and assignment alone, of sentences that are not prepared;
imports, loading and training are not in it. Once for each matcher that needs no training, `matchers.score` is run on
the whole dataset and timed end to end: from the start of the interpreter over imports and reading of files to the
scores with their intervals.

The data are repeated under new sentence ids; words that were met are remembered. Memory is the highest that the process
held while matching, interpreter and data included; it is the figure that decides whether a machine is enough. A
measurement ends when its time is over; what was done by then gives the throughput, and the table says so.

A recipe is trained in the process that is measured, and what training leaves in memory counts. What a trained matcher
costs is measured on its checkpoint.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from data.commands import progress, run, table
from data.model import Benchmark, Extraction, Sentence
from data.problems import Diagnostics, InputError
from matchers.descriptions import forget
from training.contenders import BASELINE, Matching, find_contender, fresh_start
from training.verdicts import Ground, Terms, Work

SCALES = (1, 10, 100)
BATCH = 256  # parts that are handed to a matcher at once
COMMAND_LIMITS = 30  # how many times the limit of a measurement the whole command may take
_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


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


def repeated(ground: Ground, scale: int) -> list[tuple[Sentence, tuple[Extraction, ...]]]:
    """The judged parts, as often as the scale says, each time under new sentence ids."""
    found = []
    for copy in range(scale):
        sentences = {s.id: replace(s, id=f"{s.id}~{copy}") if copy else s for s in ground.sentences}
        for part in ground.work:
            sentence = sentences[part.sentence.id]
            own = tuple(replace(e, sentence_id=sentence.id) if copy else e for e in part.extractions)
            found.append((sentence, own))
    return found


def measure(worker: Callable[[Work], object], work: Work, scale: int, limit: float) -> Measurement:
    """Match by the batch until all is done or the time is over."""
    peak = Peak()
    extractions = pairs = parts = 0
    started = time.perf_counter()
    for batch in batches(work):
        worker(batch)
        parts += len(batch)
        extractions += sum(len(own) for _, own in batch)
        pairs += sum(len(own) * len(sentence.clusters) for sentence, own in batch)
        if time.perf_counter() - started > limit:
            break
    seconds = time.perf_counter() - started
    return Measurement(scale, extractions, pairs, seconds, peak.megabytes(), parts / len(work))


def batches(work: Work) -> Iterator[Work]:
    """The work in equal parts."""
    for start in range(0, len(work), BATCH):
        yield work[start : start + BATCH]


def time_command(
    given: str, benchmark: Benchmark, dataset: str, data: Path | None, encoding: str, limit: float
) -> tuple[int, float | None]:
    """The pairs of a dataset and the seconds in which `matchers.score` deals with them; None if it takes too long."""
    pairs = sum(len(benchmark.by_id[e.sentence_id].clusters) for s in benchmark.systems for e in s.extractions)
    command = [sys.executable, "-m", "matchers.score", "--dataset", dataset, "--matcher", given, "--quiet"]
    command += ["--encoding", encoding, *(["--data", str(data)] if data else [])]
    started = time.perf_counter()
    try:
        subprocess.run(command, capture_output=True, check=True, timeout=limit * COMMAND_LIMITS)
    except subprocess.TimeoutExpired:
        return pairs, None
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["it gave no reason"]
        raise InputError(f"{given} can't score {dataset}: {reason[0].removeprefix('error: ')}") from None
    return pairs, time.perf_counter() - started


class Peak:
    """The highest memory of this process from now on, or, where that can't be reset, since its start."""

    def __init__(self) -> None:
        try:
            _RESET.write_text("5")  # Linux: forget the highest memory so far
            self.reset = True
        except OSError:
            self.reset = False

    def megabytes(self) -> float:
        """The highest resident memory."""
        if self.reset:
            for line in _STATUS.read_text().splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
        import resource

        highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return highest / (1024 * 1024 if sys.platform == "darwin" else 1024)


def measure_all(
    given: Mapping[str, str], dataset: str, data: Path | None, encoding: str, limit: float, quiet: bool
) -> Speeds:
    """The measurements of contenders by their names, at each scale, with the ratios to the rules."""
    jobs = [(name, scale) for name in given for scale in SCALES]
    found: Speeds = {name: [] for name in given}
    for name, scale in progress(jobs, "speed", quiet, len(jobs)):
        found[name].append(in_a_process(given[name], scale, dataset, data, encoding, limit))
    return {name: [_beside(one, found[BASELINE]) for one in own] for name, own in found.items()}


def in_a_process(given: str, scale: int, dataset: str, data: Path | None, encoding: str, limit: float) -> Measurement:
    """One measurement in a process of its own, so that none profits from what another left in memory."""
    command = [sys.executable, "-m", "training.speed", given, str(scale), dataset, str(limit), "--encoding", encoding]
    if data:
        command += ["--data", str(data)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it gave no reason"]
        raise InputError(f"the speed of {given} could not be measured: {last[0].removeprefix('error: ')}")
    return Measurement(**json.loads(done.stdout))


def _beside(one: Measurement, rules: Sequence[Measurement]) -> Measurement:
    base = next(other for other in rules if other.scale == one.scale)
    speed = one.extractions_per_second / base.extractions_per_second
    command = None
    if one.command_pairs_per_second and base.command_pairs_per_second:
        command = one.command_pairs_per_second / base.command_pairs_per_second
    memory = one.megabytes / base.megabytes
    return replace(one, speed_ratio=speed, memory_ratio=memory, command_ratio=command)


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure one contender at one scale and print it as JSON; `training.benchmark --speed` calls this."""
    from data.catalog import load
    from data.folder import ReadOptions

    command = argparse.ArgumentParser(prog="python -m training.speed", description=main.__doc__)
    command.add_argument("matcher")
    command.add_argument("scale", type=int)
    command.add_argument("dataset")
    command.add_argument("limit", type=float)
    command.add_argument("--encoding", default="utf-8")
    command.add_argument("--data", type=Path)
    options = command.parse_args(arguments)
    benchmark = load(options.dataset, options.data, Diagnostics(), ReadOptions(options.encoding))
    ground = Ground.of(benchmark)
    contender = find_contender(options.matcher)
    worker = contender.worker(ground, Terms(data=options.data))
    fresh_start(worker, ground)
    forget()
    measurement = measure(worker, repeated(ground, options.scale), options.scale, options.limit)
    if options.scale == 1 and isinstance(contender, Matching):
        pairs, seconds = time_command(
            options.matcher, benchmark, options.dataset, options.data, options.encoding, options.limit
        )
        measurement = replace(measurement, command_pairs=pairs, command_seconds=seconds)
    print(json.dumps(asdict(measurement)))
    return 0


if __name__ == "__main__":
    raise SystemExit(run(main))
