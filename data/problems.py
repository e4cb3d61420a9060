"""What can be wrong with an input file: errors that stop the work and warnings that are recovered from."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TextIO

SHOWN_PER_FILE = 10


class InputError(Exception):
    """A mistake in what the user gave us: one line that names the file, the place and what to do.

    >>> str(InputError("a formulation needs three slots", "gold.txt", 7))
    'gold.txt:7: a formulation needs three slots'
    """

    def __init__(self, message: str, path: object = None, line: int | None = None) -> None:
        self.message = message
        self.path = None if path is None else str(path)
        self.line = line
        super().__init__(str(Problem("error", message, self.path or "", line or 0)))


@dataclass(frozen=True)
class Problem:
    """One recovered defect: its kind (a short name that can be counted), where it is and what was done."""

    kind: str
    message: str
    path: str = ""
    line: int = 0

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}: " if self.line else f"{self.path}: " if self.path else ""
        return (place + self.message).replace("\n", " ").replace("\r", " ")


@dataclass
class Diagnostics:
    """Collects the warnings of a run; `strict` turns the first of them into an error."""

    strict: bool = False
    problems: list[Problem] = field(default_factory=list)

    def warn(self, kind: str, message: str, path: object = "", line: int = 0) -> None:
        """Record a recovered defect, or refuse it when strict."""
        if self.strict:
            raise InputError(message, path or None, line or None)
        self.problems.append(Problem(kind, message, str(path), line))

    def counts(self) -> Counter[str]:
        """How often each kind of defect was met."""
        return Counter(problem.kind for problem in self.problems)

    def show(self, stream: TextIO | None = None) -> None:
        """Print the warnings, at most ten a file and then how many more there are."""
        out = sys.stderr if stream is None else stream
        by_path: dict[str, list[Problem]] = {}
        for problem in self.problems:
            by_path.setdefault(problem.path, []).append(problem)
        for path, found in by_path.items():
            for problem in found[:SHOWN_PER_FILE]:
                print(f"warning: {problem}", file=out)
            if len(found) > SHOWN_PER_FILE:
                more = len(found) - SHOWN_PER_FILE
                print(f"warning: {path}: {more} more warnings ({len(found)} in all)", file=out)
