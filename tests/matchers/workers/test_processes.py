from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from data.problems import InputError
from matchers.workers.processes import Processes


@dataclass(frozen=True)
class Numbers:
    """A shard of numbers."""

    numbers: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"s{number}" for number in self.numbers)


@dataclass(frozen=True)
class Squares:
    """A job that dies or fails at certain numbers: the first time, or each time; `log` remembers the first."""

    log: Path
    dies_at: int = -1
    fails_at: int = -1
    always: bool = False
    wrong_input: bool = False

    def __call__(self, shard: Numbers) -> list[int]:
        for number in shard.numbers:
            if number in (self.dies_at, self.fails_at) and (self.always or not self.log.exists()):
                self.log.write_text("once")
                if self.wrong_input:
                    raise InputError("is no number", "numbers.txt", 7)
                if number == self.dies_at:
                    os.kill(os.getpid(), signal.SIGKILL)
                raise ValueError("too square")
        time.sleep(0.01 * (shard.numbers[0] % 3))  # so that shards end in another order than they began
        return [number * number for number in shard.numbers]


def shards(many: int = 12) -> Iterator[Numbers]:
    return (Numbers((2 * n, 2 * n + 1)) for n in range(many))


def squares(job: Squares, count: int = 2) -> list[int]:
    with Processes(job, count) as pool:
        return [number for shard in pool.map(shards()) for number in shard]


EXPECTED = [number * number for number in range(24)]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_results_come_in_order(tmp_path: Path, count: int) -> None:
    assert squares(Squares(tmp_path / "log"), count) == EXPECTED


@pytest.mark.parametrize("number", [0, 7, 23])
def test_a_worker_that_dies_is_replaced(tmp_path: Path, number: int) -> None:
    assert squares(Squares(tmp_path / "log", dies_at=number)) == EXPECTED
    assert (tmp_path / "log").exists()


def test_a_shard_that_fails_once_is_done_again(tmp_path: Path) -> None:
    assert squares(Squares(tmp_path / "log", fails_at=9)) == EXPECTED


def test_a_shard_that_kills_its_worker_twice_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="failed twice, as its process died, on the sentences s8, s9;"):
        squares(Squares(tmp_path / "log", dies_at=9, always=True))
    assert not multiprocessing.active_children()


def test_a_shard_that_fails_twice_is_named_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="with ValueError: too square, on the sentences s8, s9;"):
        squares(Squares(tmp_path / "log", fails_at=9, always=True))
    assert not multiprocessing.active_children()


def test_wrong_input_is_told_as_it_is_and_not_tried_again(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^numbers\.txt:7: is no number$"):
        squares(Squares(tmp_path / "log", fails_at=9, always=True, wrong_input=True))


def test_shards_are_taken_as_they_are_needed(tmp_path: Path) -> None:
    taken: list[int] = []

    def watched() -> Iterator[Numbers]:
        for number, shard in enumerate(shards(100)):
            taken.append(number)
            yield shard

    with Processes(Squares(tmp_path / "log"), 2) as pool:
        results = pool.map(watched())
        next(results)
        assert len(taken) <= 5
    assert not multiprocessing.active_children()


SCRIPT = """
import sys, time
from data.command_line import run
from matchers.workers.processes import Processes
from tests.matchers.workers.test_processes import Numbers, shards

class Slow:
    def __call__(self, shard):
        print("working", flush=True)
        time.sleep(60)

def main(arguments):
    with Processes(Slow(), 2) as pool:
        list(pool.map(shards()))

sys.exit(run(main))
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_its_parent(how: signal.Signals) -> None:
    parent = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert parent.stdout and parent.stdout.readline().startswith(b"working")
    children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
    if not children.exists():
        parent.kill()
        pytest.skip("needs /proc to see a process's children")
    workers = [int(pid) for pid in children.read_text().split()]
    assert len(workers) == 2
    parent.send_signal(how)
    parent.wait(10)
    deadline = time.monotonic() + 10
    while any(map(_lives, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(_lives, workers))


def _lives(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
