"""Both halves of a long list at once: the second in a forked process, where there is a core for it.

What is computed is the same either way. Nothing is forked from a process with threads or with torch, whose locks a
fork would copy, nor where the system does not fork; if the other process fails, its half is computed here.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

LEAST = 256  # below that, starting a process takes longer than it saves


def in_halves(function: Callable[[Sequence[Item]], list[Result]], items: Sequence[Item]) -> list[Result]:
    """What a function makes of items, which it treats one by one.

    >>> in_halves(lambda numbers: [number * number for number in numbers], range(4))
    [0, 1, 4, 9]
    """
    if len(items) < LEAST or not may_fork():
        return function(items)
    middle = len(items) // 2
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    other = context.Process(target=_send, args=(sender, function, items[middle:]))
    other.start()
    sender.close()
    first = function(items[:middle])
    try:
        second: list[Result] = receiver.recv()
    except EOFError:  # an error that is its items' fault comes again here, where it can be seen
        second = function(items[middle:])
    other.join()
    receiver.close()
    return [*first, *second]


def may_fork() -> bool:
    """Whether a forked process is possible, safe and of use."""
    return (
        sys.platform == "linux"
        and (os.cpu_count() or 1) > 1
        and threading.active_count() == 1
        and "torch" not in sys.modules
        and not multiprocessing.current_process().daemon
    )


def _send(sender: Connection, function: Callable[[Sequence[Item]], list[Result]], items: Sequence[Item]) -> None:
    try:
        found = function(items)
    except Exception:
        sender.close()  # without a word: the parent sees the error when it computes this half itself
        return
    sender.send(found)
    sender.close()
