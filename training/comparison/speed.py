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
from dataclasses import asdict, replace
from pathlib import Path

from data.catalog import load
from data.command_line import own_process, progress, run
from data.formats.reading import ReadOptions
from data.model import Benchmark, Extraction, Sentence
from data.problems import Diagnostics, InputError
from matchers.features.rows import forget
from training.comparison.contenders import BASELINE, Matching, fresh_start
from training.comparison.ground import Ground, Terms, Work
from training.comparison.lineup import find_contender
from training.comparison.measurement import Measurement, Speeds
from training.flags import add_supervision_flag, supervision_names

SCALES = (1, 10, 100)
BATCH = 256  # parts that are handed to a matcher at once
COMMAND_LIMITS = 30  # how many times the limit of a measurement the whole command may take
_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def repeated(ground: Ground, scale: int) -> list[tuple[Sentence, tuple[Extraction, ...]]]:
    """The judged parts, as often as the scale says, each time under new sentence ids."""
    parts = []
    for copy in range(scale):
        sentences = {s.id: replace(s, id=f"{s.id}~{copy}") if copy else s for s in ground.sentences}
        for part in ground.work:
            sentence = sentences[part.sentence.id]
            own = tuple(replace(e, sentence_id=sentence.id) if copy else e for e in part.extractions)
            parts.append((sentence, own))
    return parts


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
    arguments = ["--dataset", dataset, "--matcher", given, "--quiet", "--encoding", encoding]
    command = own_process("matchers.score", [*arguments, *(["--data", str(data)] if data else [])])
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
    given: Mapping[str, str],
    dataset: str,
    data: Path | None,
    encoding: str,
    limit: float,
    quiet: bool,
    supervision: str | None = None,
) -> Speeds:
    """The measurements of contenders by their names, at each scale, with the ratios to the rules."""
    jobs = [(name, scale) for name in given for scale in SCALES]
    measured: Speeds = {name: [] for name in given}
    for name, scale in progress(jobs, "speed", quiet, len(jobs)):
        measured[name].append(in_a_process(given[name], scale, dataset, data, encoding, limit, supervision))
    return {name: [_beside(one, measured[BASELINE]) for one in own] for name, own in measured.items()}


def in_a_process(
    given: str,
    scale: int,
    dataset: str,
    data: Path | None,
    encoding: str,
    limit: float,
    supervision: str | None = None,
) -> Measurement:
    """One measurement in a process of its own, so that none profits from what another left in memory."""
    arguments = [given, str(scale), dataset, str(limit), "--encoding", encoding]
    arguments += ["--data", str(data)] if data else []
    arguments += ["--supervision", supervision] if supervision else []
    command = own_process("training.comparison.speed", arguments)
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure one contender at one scale and print it as JSON; `training.benchmark --speed` calls this."""

    command = argparse.ArgumentParser(prog="python -m training.comparison.speed", description=main.__doc__)
    command.add_argument("matcher")
    command.add_argument("scale", type=int)
    command.add_argument("dataset")
    command.add_argument("limit", type=float)
    command.add_argument("--encoding", default="utf-8")
    command.add_argument("--data", type=Path)
    add_supervision_flag(command)
    options = command.parse_args(arguments)
    benchmark = load(options.dataset, options.data, Diagnostics(), ReadOptions(options.encoding))
    ground = Ground.of(benchmark)
    contender = find_contender(options.matcher)
    worker = contender.worker(ground, Terms(data=options.data, supervision=supervision_names(options.supervision)))
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
