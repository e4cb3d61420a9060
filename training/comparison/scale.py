"""How `matchers.score` grows with the data: time and memory at 1, 10 and, if asked, 100 and 1,000 times, with workers.

The data are written to files as often as the size says, each time under new sentence ids, and scored by the command as
users start it, with one worker and with two. Memory is that of the largest process, the interpreter and what processes
share included. How busy the machine was before is told, since a second worker gains nothing on a busy one.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from data.catalog import find, load
from data.command_line import progress, table
from data.formats.benchie import gold_text
from data.formats.extractions import tsv_text
from data.formats.reading import ReadOptions
from data.model import Benchmark, System
from data.problems import Diagnostics, InputError

SCALES = (1, 10)
WORKERS = (1, 2)
LARGE_SET = "benchie_fl"
_UNIT = 1024 * 1024 if sys.platform == "darwin" else 1024  # of the memory that the system tells, in MB


@dataclass(frozen=True)
class Run:
    """A run of the command: how long it took, its largest process, and the hash of the JSON that it wrote.

    `load` is how many processes wanted a processor before it began.
    """

    workers: int
    seconds: float
    megabytes: float
    sha256: str
    load: float


@dataclass(frozen=True)
class ScaleRuns:
    """The runs at one size, one for each number of workers."""

    scale: int
    sentences: int
    extractions: int
    runs: tuple[Run, ...]

    @property
    def gain(self) -> float:
        """How many times as fast the last run was as the first."""
        return self.runs[0].seconds / self.runs[-1].seconds

    @property
    def equal(self) -> bool:
        """Whether all wrote the same bytes."""
        return len({run.sha256 for run in self.runs}) == 1


Scales = dict[str, list[ScaleRuns]]


def measure_scales(
    given: dict[str, str],
    dataset: str,
    data: Path | None,
    encoding: str,
    scales: Sequence[int],
    limit: float,
    quiet: bool = False,
) -> Scales:
    """The runs of matchers by their names, on BenchIE^FL if it is found, else on the data set.

    `limit` is how many seconds a run may take at up to 100 times the data; at more it may take in proportion.
    """
    dataset = LARGE_SET if find(LARGE_SET, data) else dataset
    benchmark = load(dataset, data, Diagnostics(), ReadOptions(encoding))
    measured: Scales = {name: [] for name in given}
    steps = [(scale, name) for scale in scales for name in given]
    shown = progress(steps, "scale", quiet, len(steps))
    for scale in scales:
        with TemporaryDirectory(prefix="factmatch-scale-") as folder:
            files = write_repeated(benchmark, scale, Path(folder))
            for _, name in (next(shown) for _ in given):
                runs = tuple(
                    run_command(given[name], files, workers, limit * max(1, scale / 100)) for workers in WORKERS
                )
                sizes = (scale * len(benchmark.sentences), scale * benchmark.extraction_count)
                measured[name].append(ScaleRuns(scale, *sizes, runs))
    next(shown, None)  # so that the bar is taken away
    return measured


def write_repeated(benchmark: Benchmark, scale: int, folder: Path) -> list[str]:
    """Write gold and extractions as often as the scale says, under new ids; the flags that name the files."""
    systems = {system.name: folder / f"{number}.tsv" for number, system in enumerate(benchmark.systems)}
    with (folder / "gold.txt").open("w", encoding="utf-8", newline="\n") as stream:
        for copy in copies(benchmark, scale):
            stream.write(gold_text(copy) + "\n")
    for place, path in enumerate(systems.values()):
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            for copy in copies(replace(benchmark, sentences=(), systems=(benchmark.systems[place],)), scale):
                stream.write(tsv_text(copy.systems[0]))
    named = [flag for name, path in systems.items() for flag in ("--system", f"{name}={path}")]
    return ["--gold", str(folder / "gold.txt"), "--nary", "join", *named]


def copies(benchmark: Benchmark, scale: int) -> Iterator[Benchmark]:
    """The benchmark so many times, each time under new sentence ids and without confidences."""
    for copy in range(scale):
        yield replace(
            benchmark,
            sentences=tuple(replace(sentence, id=f"{sentence.id}~{copy}") for sentence in benchmark.sentences),
            systems=tuple(
                System(
                    system.name,
                    tuple(
                        replace(e, sentence_id=f"{e.sentence_id}~{copy}", confidence=None) for e in system.extractions
                    ),
                )
                for system in benchmark.systems
            ),
            judgments=(),
        )


def run_command(given: str, files: Sequence[str], workers: int, limit: float) -> Run:
    """One run of the command, to be ended when its time is over."""
    command = [sys.executable, "-m", "matchers.score", *files, "--matcher", given, "--workers", str(workers)]
    load = os.getloadavg()[0]
    started = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--quiet", "--json", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    over = threading.Timer(limit, lambda: os.killpg(process.pid, signal.SIGKILL))
    over.start()
    try:
        assert process.stdout and process.stderr
        said, wrong = process.stdout.read(), process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        over.cancel()
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    seconds = time.perf_counter() - started
    if process.returncode:
        reason = wrong.decode(errors="replace").strip().splitlines()[-1:] or [f"it had more than {limit:.0f} s"]
        raise InputError(f"{given} can't score so much with --workers {workers}: {reason[0].removeprefix('error: ')}")
    return Run(workers, seconds, used.ru_maxrss / _UNIT, hashlib.sha256(said).hexdigest(), load)


def scale_table(scales: Scales) -> str:
    """The runs for a terminal."""
    head = ["matchers.score by", "size", "sentences", "extractions"]
    for workers in WORKERS:
        head += [f"{workers} worker{'s' * (workers > 1)}", "largest process"]
    rows = [[*head, "gain", "load before", "JSON"]]
    for name, measured in scales.items():
        for one in measured:
            row = [name, f"{one.scale:,}x", f"{one.sentences:,}", f"{one.extractions:,}"]
            for run in one.runs:
                row += [f"{run.seconds:,.1f} s", f"{run.megabytes:,.0f} MB"]
            loads = ", ".join(f"{run.load:.1f}" for run in one.runs)
            rows.append([*row, f"{one.gain:.2f}", loads, "equal" if one.equal else "DIFFERENT"])
    legend = "load before: processes that wanted a processor; a second worker can only gain where one is free"
    return f"{table(rows)}\n{legend} (there are {os.cpu_count()})"
