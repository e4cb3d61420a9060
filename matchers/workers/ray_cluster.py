"""Workers on a Ray cluster: one that is started here, or one that runs at an address (`ray://HOST:PORT`).

Each processor of the cluster is an actor that is given the job once. Nodes need the same version of FactMatch and of
Python; the working folder is not sent, only the job and the shards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from data.extras import missing_extra
from data.problems import InputError
from matchers.workers.pool import Job, Part, Pool, Result, failed

AHEAD = 2  # shards an actor that may wait for their turn


class RayWorkers(Pool[Part, Result]):
    """The processors of a Ray cluster."""

    def __init__(self, job: Job[Part, Result], address: str = "") -> None:
        try:
            import ray
        except ImportError:
            raise missing_extra("--workers ray", "Ray", "ray") from None
        self.ray: Any = ray
        self.ours = not ray.is_initialized()  # what was there before stays when the work is done
        if self.ours:
            try:
                ray.init(address or None, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
            except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
                where = address or "this machine"
                raise InputError(f"no Ray cluster can be used at {where}: {str(error)[:200]}") from None
        self.actor: Any = ray.remote(num_cpus=1, max_restarts=0)(Actor)
        self.job = ray.put(job)
        self.count = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.actors = [self.actor.remote(self.job) for _ in range(self.count)]

    def map(self, shards: Iterable[Part]) -> Iterator[Result]:
        """The results in order."""
        waiting: deque[tuple[Part, int, Any]] = deque()
        coming = enumerate(shards)
        while True:
            while len(waiting) < self.count * AHEAD and (new := next(coming, None)) is not None:
                number, shard = new
                place = number % self.count
                waiting.append((shard, place, self.actors[place].work.remote(shard)))
            if not waiting:
                return
            shard, place, reference = waiting.popleft()
            try:
                yield self.ray.get(reference)
            except self.ray.exceptions.RayError as error:  # an error of the job, or an actor that died
                yield self._again(shard, place, error)

    def _again(self, shard: Part, place: int, before: Exception) -> Result:
        """The shard once more, in a new actor."""
        cause = getattr(before, "cause", None)
        if isinstance(cause, InputError):
            raise cause
        actor = self.actor.remote(self.job)
        self.actors[place] = actor
        try:
            done: Result = self.ray.get(actor.work.remote(shard))
        except self.ray.exceptions.RayTaskError as error:
            told = str(getattr(error, "cause", error)).splitlines()[-1:] or [""]
            raise failed(shard, f"with {told[0][:200]}") from None
        except self.ray.exceptions.RayError:
            raise failed(shard, "as its process died") from None
        return done

    def close(self) -> None:
        """End the actors, and the cluster if it was started here."""
        for actor in self.actors:
            self.ray.kill(actor)
        self.actors = []
        if self.ours:
            self.ray.shutdown()


class Actor:
    """A worker of the cluster."""

    def __init__(self, job: Any) -> None:
        self.job = job

    def work(self, shard: Any) -> Any:
        """The result of one shard."""
        return self.job(shard)
