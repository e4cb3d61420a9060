"""One interface for those who work at once: a job is given to each worker once, then shard after shard.

Results come in the order of the shards. A worker that dies is replaced and its shard is done again; a shard that fails
twice is an error that names its sentences. What is wrong with the user's input (`InputError`) is not tried again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from data.problems import InputError

SHOWN = 5


class Shard(Protocol):
    """A part of the work that one worker does at a time."""

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of its sentences, for messages."""


Part = TypeVar("Part", bound=Shard)
Result = TypeVar("Result")
Job = Callable[[Part], Result]


class Pool(ABC, Generic[Part, Result]):
    """Does a job on shards; to be closed, as a context, whatever happens."""

    @abstractmethod
    def map(self, shards: Iterable[Part]) -> Iterator[Result]:
        """The results, in the order of the shards."""

    @abstractmethod
    def close(self) -> None:
        """End all workers at once."""

    def __enter__(self) -> Pool[Part, Result]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Here(Pool[Part, Result]):
    """Does the job in this process."""

    def __init__(self, job: Job[Part, Result]) -> None:
        self.job = job

    def map(self, shards: Iterable[Part]) -> Iterator[Result]:
        """One after the other."""
        for shard in shards:
            yield self.job(shard)

    def close(self) -> None:
        """Nothing is to be ended."""


def failed(shard: Shard, reason: str) -> InputError:
    """The error of a shard that failed twice."""
    shown = ", ".join(shard.names[:SHOWN]) + (f", ... ({len(shard.names)} in all)" if len(shard.names) > SHOWN else "")
    return InputError(f"matching failed twice, {reason}, on the sentences {shown}; --workers 1 shows where")
