"""What can be wrong with an input file: errors that stop the work and warnings that are recovered from."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TextIO

from data.text import printable

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
        return printable((place + self.message).replace("\n", " ").replace("\r", " "))


@dataclass
class Diagnostics:
    """Collects the warnings and notes of a run.

    `strict` turns the first warning into an error. `lenient` turns into warnings those errors about a file that leave
    something to be taken from it. `most` is how many warnings of a file are kept, where not all are; `left_out` says
    how many others there were.
    """

    strict: bool = False
    lenient: bool = False
    problems: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    most: int | None = None
    left_out: Counter[str] = field(default_factory=Counter)

    def warn(self, kind: str, message: str, path: object = "", line: int = 0) -> None:
        """Record a recovered defect, or refuse it when strict."""
        if self.strict:
            raise InputError(message, path or None, line or None)
        if self.most is None or sum(problem.path == str(path) for problem in self.problems) < self.most:
            self.problems.append(Problem(kind, message, str(path), line))
        else:
            self.left_out[str(path)] += 1

    def take(self, others: Diagnostics) -> None:
        """Record what others met."""
        for problem in others.problems:
            self.warn(problem.kind, problem.message, problem.path, problem.line)
        self.left_out.update(others.left_out)

    def refuse(self, kind: str, message: str, done: str, path: object = "", line: int = 0) -> None:
        """Refuse a defect, or record it when lenient, with what is then done."""
        if not self.lenient:
            raise InputError(message, path or None, line or None)
        self.warn(kind, f"{message}; {done}", path, line)

    def note(self, message: str, path: object = "") -> None:
        """Record what the user may want to know though nothing is wrong, each thing once."""
        noted = Problem("note", message, str(path))
        if noted not in self.notes:
            self.notes.append(noted)

    def counts(self) -> Counter[str]:
        """How often each kind of defect was met."""
        return Counter(problem.kind for problem in self.problems)

    def show(self, stream: TextIO | None = None) -> None:
        """Print the notes, then the warnings, at most ten a file and then how many more there are."""
        out = sys.stderr if stream is None else stream
        self.show_notes(out)
        by_path: dict[str, list[Problem]] = {}
        for problem in self.problems:
            by_path.setdefault(problem.path, []).append(problem)
        for path, problems in by_path.items():
            for problem in problems[:SHOWN_PER_FILE]:
                print(f"warning: {problem}", file=out)
            met = len(problems) + self.left_out[path]
            if met > SHOWN_PER_FILE:
                more = Problem("more", f"{met - SHOWN_PER_FILE} more warnings ({met} in all)", path)
                print(f"warning: {more}", file=out)

    def show_notes(self, stream: TextIO | None = None) -> None:
        """Print the notes only."""
        for note in self.notes:
            print(note, file=sys.stderr if stream is None else stream)
