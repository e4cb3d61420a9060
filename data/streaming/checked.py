"""What is found wrong in the pieces of a file, put together to the very warnings and errors of reading it whole.

An error in one piece may come before what is said of an earlier one: bytes that don't decode are told first, whatever
else is wrong. So nothing is told before all pieces of a file are checked.
"""

from __future__ import annotations

from dataclasses import dataclass

from data.formats.textfile import decode
from data.problems import SHOWN_PER_FILE, Diagnostics, InputError, Problem
from data.streaming.pieces import Piece


@dataclass(frozen=True)
class Fault:
    """An error as a value, which can be kept and sent."""

    problem: Problem

    @classmethod
    def of(cls, error: InputError, line_feeds: int = 0) -> Fault:
        """An error that was caught; `line_feeds` are those before its piece, where it counted only the piece's."""
        line = error.line + line_feeds if error.line else 0
        return cls(Problem("error", error.message, error.path or "", line))

    @property
    def line(self) -> int:
        """Its line, 0 if it has none."""
        return self.problem.line

    @property
    def error(self) -> InputError:
        """The error, to be raised."""
        return InputError(self.problem.message, self.problem.path or None, self.problem.line or None)


def undecoded(piece: Piece, encoding: str) -> Fault | None:
    """The error about a piece that can't be read, or whose bytes are not text in this encoding."""
    if piece.broken:
        return Fault(piece.broken)
    try:
        decode(piece.content, piece.path, encoding)
    except InputError as error:
        return Fault.of(error, piece.line_feeds)
    return None


class Events:
    """Warnings in their order and the error that ends them; of many warnings only as many are kept as are shown."""

    def __init__(self) -> None:
        self.warnings = Diagnostics(most=SHOWN_PER_FILE)
        self.fault: Fault | None = None

    def take(self, problems: tuple[Problem, ...], fault: Fault | None) -> None:
        """What comes next, unless an error came before it."""
        if self.fault is None:
            self.warnings.take(Diagnostics(problems=list(problems)))
            self.fault = fault

    def tell(self, diagnostics: Diagnostics) -> None:
        """Tell all of it, where the first warning may be made an error; the error is raised."""
        diagnostics.take(self.warnings)
        if self.fault:
            raise self.fault.error
