"""Workers as processes of this machine, on `concurrent.futures`.

A fork shares what was loaded, so nothing is loaded twice; from a process with threads or torch, whose locks a fork
would copy, and where the system does not fork, processes are started anew and the job is sent to each once. Workers
leave Ctrl-C to the parent, which ends them, and end by themselves if the parent is gone.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import Any

from data.problems import InputError
from matchers.workers.pool import Job, Part, Pool, Result, failed

AHEAD = 2  # shards a worker that may wait for their turn
_LOOK = 1.0  # seconds between two looks at the parent

_job: Any = None  # what a worker does; set once in each


class Processes(Pool[Part, Result]):
    """A number of processes that do a job."""

    def __init__(self, job: Job[Part, Result], count: int) -> None:
        self.job = job
        self.count = count
        self._pool: ProcessPoolExecutor | None = None
        self._children: set[BaseProcess] = set()

    def map(self, shards: Iterable[Part]) -> Iterator[Result]:
        """The results in order; never more shards are under way than workers and some ahead."""
        waiting: deque[tuple[Part, Future[Result]]] = deque()
        coming = iter(shards)
        while True:
            while len(waiting) < self.count * AHEAD and (shard := next(coming, None)) is not None:
                waiting.append((shard, self._submit(shard)))
            if not waiting:
                return
            shard, future = waiting.popleft()
            try:
                yield future.result()
            except InputError:
                raise
            except BrokenProcessPool:  # one of those under way has killed its worker, and nobody knows which
                under_way = [shard, *(other for other, _ in waiting)]
                waiting.clear()
                for one in under_way:
                    yield self._again(one)
            except Exception as error:
                yield self._again(shard, error)

    def _submit(self, shard: Part) -> Future[Result]:
        try:
            return self._workers().submit(_work, shard)
        except BrokenProcessPool:
            lost: Future[Result] = Future()
            lost.set_exception(BrokenProcessPool("a worker has died"))
            return lost

    def _again(self, shard: Part, before: Exception | None = None) -> Result:
        """The shard alone in new workers, so that it is known whose fault it is."""
        self.close()
        try:
            done: Result = self._workers().submit(_work, shard).result()
        except InputError:
            raise
        except BrokenProcessPool:
            raise failed(shard, "as its process died") from None
        except Exception as error:
            raise failed(shard, f"with {type(error).__name__}: {str(error)[:200]}") from before or error
        return done

    def _workers(self) -> ProcessPoolExecutor:
        if self._pool is None:
            before = set(multiprocessing.active_children())
            context = multiprocessing.get_context("fork" if may_fork() else "spawn")
            setup = (self.job, os.getpid(), self.count)
            self._pool = ProcessPoolExecutor(self.count, context, _start, setup)
            for started in [self._pool.submit(_nothing) for _ in range(self.count)]:
                started.result()  # so that all workers are there, and known, and none is added while the pool breaks
            self._children = set(multiprocessing.active_children()) - before
        return self._pool

    def close(self) -> None:
        """End all workers at once."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        self._children |= set((getattr(pool, "_processes", None) or {}).values())
        for child in self._children:
            child.kill()
        pool.shutdown(wait=True, cancel_futures=True)
        for child in self._children:
            child.join(5)
        self._children = set()


def may_fork() -> bool:
    """Whether a forked process is possible and safe."""
    return sys.platform == "linux" and threading.active_count() == 1 and "torch" not in sys.modules


def _start(job: Any, parent: int, count: int) -> None:
    global _job
    _job = job
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a fork has its parent's way of ending
    if "torch" in sys.modules:  # processes share the processors, which torch would take all for itself
        sys.modules["torch"].set_num_threads(max(1, (os.cpu_count() or 1) // count))
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)


def _nothing() -> None:
    """Done to start a worker."""


def _work(shard: Any) -> Any:
    return _job(shard)
