"""A system's file checked in pieces: where extractions stand, and all that is wrong, told as `data.folder` tells it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from data.folder import of_another_benchmark
from data.formats.extractions import (
    HEADER_LINE,
    Form,
    Line,
    asks_for_confidence,
    is_header,
    left_out,
    line_of,
    looks_like_confidence,
    number_columns,
    warn_of_lines,
)
from data.formats.reading import ReadOptions
from data.problems import Diagnostics, InputError
from data.streaming.checked import Fault, undecoded
from data.streaming.index import Index, Run
from data.streaming.pieces import Piece


@dataclass(frozen=True)
class CheckedLines:
    """What is in a piece of a system's file: runs of one sentence's extractions, and what is wrong.

    `first` is the line of the first extraction, `shares` are its columns that look like confidences.
    """

    runs: tuple[Run, ...] = ()
    undecoded: Fault | None = None
    header: tuple[int, str] | None = None
    first: int = 0
    shares: frozenset[int] = frozenset()
    fault: Fault | None = None
    lines: int = 0
    wide: int = 0


def check_lines(piece: Piece, options: ReadOptions, form: Form) -> CheckedLines:
    """What is in a piece of a system's file."""
    if fault := undecoded(piece, options.encoding):
        return CheckedLines(undecoded=fault)
    rows = list(piece.lines(options.encoding))
    header = None
    if form == "tsv" and piece.is_first and rows and is_header(rows[0][2]):
        header = (rows[0][0], rows[0][2])
        del rows[0]
    numbered = ((number, line) for number, _, line in rows)
    shares = number_columns(numbered, options.confidence) if asks_for_confidence(options, form) else frozenset()
    read: list[tuple[int, Line]] = []
    fault = None
    try:
        for number, offset, line in rows:
            read.append((offset, line_of(number, line, piece.path, options, form)))
    except InputError as error:
        fault = Fault.of(error)
    end = piece.offset + len(piece.content)
    runs = tuple(_runs(read, end, options))
    wide = sum(line.wide for _, line in read)
    return CheckedLines(runs, None, header, rows[0][0] if rows else 0, shares, fault, len(rows), wide)


def _runs(read: list[tuple[int, Line]], end: int, options: ReadOptions) -> Iterator[Run]:
    """Consecutive extractions of one sentence; those that are dropped are runs of none."""
    ends = [*(offset for offset, _ in read), end][1:]
    last: Run | None = None
    for (start, line), stop in zip(read, ends, strict=True):
        kept = int(not (line.wide and options.nary == "drop"))
        sentence_id = line.extraction.sentence_id
        if last and last.sentence_id == sentence_id and (last.kept > 0) == (kept > 0):
            last = Run(sentence_id, last.start, stop, last.line, last.kept + kept)
        else:
            if last:
                yield last
            last = Run(sentence_id, start, stop, line.number, kept)
    if last:
        yield last


class SystemMerge:
    """Takes what was found in the pieces of one system's file, in their order, into an index."""

    def __init__(self, path: Path, system: int, index: Index, options: ReadOptions) -> None:
        self.path, self.system, self.index, self.options = path, system, index, options
        self.undecoded: Fault | None = None
        self.header: tuple[int, str] | None = None
        self.first = 0
        self.shares: frozenset[int] | None = None
        self.fault: Fault | None = None
        self.lines = self.wide = self.kept = 0
        self.strange: dict[str, int] = {}  # ids that the gold does not have, with their first lines
        self.unknown: str | None = None

    def take(self, checked: CheckedLines) -> None:
        """What was found in the next piece."""
        self.undecoded = self.undecoded or checked.undecoded
        self.header = self.header or checked.header
        if checked.lines:
            self.first = self.first or checked.first
            self.shares = checked.shares if self.shares is None else self.shares & checked.shares
        self.fault = self.fault or checked.fault
        self.lines, self.wide = self.lines + checked.lines, self.wide + checked.wide
        if self.undecoded or self.fault or self.unknown is not None:
            return
        self.kept += sum(run.kept for run in checked.runs)
        for run in self.index.add_runs(self.system, checked.runs):
            self.strange.setdefault(run.sentence_id, run.line)
            if run.kept:
                self.unknown = run.sentence_id
                return

    def finish(self, diagnostics: Diagnostics) -> None:
        """Tell what was wrong."""
        if self.undecoded:
            raise self.undecoded.error
        if self.header:
            diagnostics.warn(HEADER_LINE, left_out(self.header[1]), self.path, self.header[0])
        if self.shares:
            raise InputError(looks_like_confidence(self.options.confidence), self.path, self.first)
        if self.fault:
            raise self.fault.error
        warn_of_lines(self.lines, self.wide, self.options, self.path, diagnostics)
        if self.unknown is not None:
            message = of_another_benchmark(self.unknown, self.index.first_ids())
            raise InputError(message, self.path, self.strange[self.unknown])
