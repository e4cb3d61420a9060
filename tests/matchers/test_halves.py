from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from matchers.halves import LEAST, in_halves, may_fork

ITEMS = list(range(LEAST + 7))
# where the second half is computed, as a program of its own: test runners have threads, from which nothing is forked
PROGRAM = """
import os
from matchers.halves import LEAST, in_halves

here = os.getpid()

def where(items):
    {trouble}
    return [(item, os.getpid() == here) for item in items]

found = in_halves(where, list(range(LEAST + 7)))
assert [item for item, _ in found] == list(range(LEAST + 7))
print(sum(own for _, own in found), len(found))
"""


def squares(items: list[int]) -> list[int]:
    return [item * item for item in items]


def ran(trouble: str = "pass") -> list[int]:
    """How many items this process computed, and how many there are."""
    command = [sys.executable, "-c", PROGRAM.format(trouble=trouble)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stderr == ""
    return [int(number) for number in found.stdout.split()]


def test_the_result_is_that_of_the_function() -> None:
    assert in_halves(squares, ITEMS) == squares(ITEMS) and in_halves(squares, []) == []


@pytest.mark.skipif(sys.platform != "linux" or (os.cpu_count() or 1) < 2, reason="needs Linux and two cores")
def test_another_process_does_the_second_half() -> None:
    assert ran() == [len(ITEMS) // 2, len(ITEMS)]


def test_a_process_that_fails_is_stood_in_for() -> None:
    assert ran("assert os.getpid() == here") == [len(ITEMS), len(ITEMS)]
    assert ran("os.getpid() == here or os._exit(3)") == [len(ITEMS), len(ITEMS)]


def test_an_error_is_seen() -> None:
    def fails(items: list[int]) -> list[int]:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        in_halves(fails, ITEMS)


def test_nothing_is_forked_beside_threads() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert not may_fork()
    finally:
        done.set()
        thread.join()
