"""How many work at once: `--workers N`, `auto`, `ray` or `ray://HOST:PORT`."""

from __future__ import annotations

import argparse
import os
import re
from dataclasses import dataclass

from data.problems import InputError

AUTO, RAY = "auto", "ray"
MOST = 512
_ADDRESS = re.compile(r"ray://[^\s/@]+:\d{1,5}")


@dataclass(frozen=True)
class Workers:
    """A number of processes here, 0 for as many as pay; or a Ray cluster by its address, empty for a local one."""

    count: int = 1
    ray: str | None = None

    @classmethod
    def of(cls, text: str) -> Workers:
        """The choice of a flag.

        >>> Workers.of("2"), Workers.of("auto").count, Workers.of("ray://head:10001").ray
        (Workers(count=2, ray=None), 0, 'ray://head:10001')
        """
        if text == AUTO:
            return cls(0)
        if text == RAY:
            return cls(0, "")
        if _ADDRESS.fullmatch(text):
            return cls(0, text)
        if text.isascii() and text.isdecimal() and 1 <= int(text) <= MOST:
            return cls(int(text))
        raise InputError(f"--workers takes a number from 1 to {MOST}, auto, ray or ray://HOST:PORT, not {text[:60]!r}")

    def processes(self, extractions: int, worth: int | None) -> int:
        """How many processes match so many extractions; `worth`: from how many on a second one pays, None if never."""
        if self.count:
            return self.count
        return cores() if worth is not None and extractions >= worth else 1


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


ONE = Workers()


def add_workers_flag(command: argparse.ArgumentParser) -> None:
    """The flag of every command that matches many sentences."""
    command.add_argument(
        "--workers",
        default=AUTO,
        metavar="N",
        help="processes that match at once: a number, auto (default: where it pays), ray, or ray://HOST:PORT",
    )
