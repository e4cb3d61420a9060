"""Files in pieces of whole lines, so that no file is in memory whole; gold is parted before a sentence's first line.

Only encodings in which line ends, tabs and the marks of the formats are the bytes of ASCII, and nothing else is.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from data.formats.benchie import SENTENCE_PREFIX
from data.formats.textfile import DEFAULT_ENCODING
from data.model import ARROW
from data.problems import Problem

SIZE = 1_000_000  # bytes that are read at once
ENCODINGS = frozenset(("utf-8", "ascii", "iso8859-1", "iso8859-15", "cp1252"))
_PREFIX, _ARROW, _TAB = SENTENCE_PREFIX.encode(), ARROW.encode(), b"\t"
_LINE_END = re.compile(rb"[\r\n]")

Kind = Literal["gold", "tsv", "jsonl"]
Border = Callable[[bytes], int]


@dataclass(frozen=True)
class Piece:
    """Some whole lines of a file with their place: offset, number of the first line, and the line feeds before it.

    `is_first` and `is_last` are about the pieces of a file that have more than blank lines, of which there is always
    one. A `broken` one is all that is said of a file that can't be read.
    """

    path: Path
    kind: Kind
    content: bytes
    offset: int = 0
    line: int = 1
    line_feeds: int = 0
    is_first: bool = True
    is_last: bool = True
    broken: Problem | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What it is called where it can't be dealt with."""
        return (f"from line {self.line} of {self.path}",)

    def lines(self, encoding: str) -> Iterator[tuple[int, int, str]]:
        """The lines that are not blank: number, offset in the file, text."""
        offset = self.offset
        for number, line in enumerate(self.content.splitlines(keepends=True), self.line):
            text = line.decode(encoding).rstrip("\r\n")
            if offset == 0:
                text = text.removeprefix("\ufeff")
            if text.strip():
                yield number, offset, text
            offset += len(line)


def can_be_parted(encoding: str) -> bool:
    """Whether files in this encoding can be parted.

    >>> can_be_parted("UTF8"), can_be_parted("utf-16")
    (True, False)
    """
    try:
        return codecs.lookup(encoding).name in ENCODINGS
    except (LookupError, ValueError):
        return False


def pieces(stream: BinaryIO, path: Path, kind: Kind, size: int = SIZE) -> Iterator[Piece]:
    """The pieces of a file; those of blank lines are left out, but one piece there is."""
    border = last_sentence if kind == "gold" else last_line
    waiting: Piece | None = None  # until it is known whether another follows
    offset, line, line_feeds = 0, 1, 0
    for content in _cut(stream, border, size):
        piece = Piece(path, kind, content, offset, line, line_feeds, waiting is None, is_last=False)
        offset, line, line_feeds = offset + len(content), line + line_ends(content), line_feeds + content.count(b"\n")
        if content.strip() and content.decode(DEFAULT_ENCODING, errors="replace").strip():
            if waiting:
                yield waiting
            waiting = piece
    yield _as_last(waiting or Piece(path, kind, b""))


def _as_last(piece: Piece) -> Piece:
    place = (piece.offset, piece.line, piece.line_feeds)
    return Piece(piece.path, piece.kind, piece.content, *place, piece.is_first, is_last=True)


def _cut(stream: BinaryIO, border: Border, size: int) -> Iterator[bytes]:
    rest = b""
    while block := stream.read(size):
        rest += block
        if end := border(rest):
            yield rest[:end]
            rest = rest[end:]
        else:  # something without a border, so that looking again must not take time with its square
            size = max(size, len(rest))
    if rest:
        yield rest


def last_line(content: bytes) -> int:
    r"""Where the last whole line ends; 0 if there is none.

    >>> last_line(b"a\nb\nc"), last_line(b"a\rb\r"), last_line(b"a")
    (4, 2, 0)
    """
    if end := content.rfind(b"\n") + 1:
        return end
    return content.rfind(b"\r", 0, -1) + 1  # a last one may be the first half of a line end


def last_sentence(content: bytes) -> int:
    """Where the last whole line begins that starts a sentence, but for the first line; 0 if there is none."""
    end = len(content)
    while (start := content.rfind(_PREFIX, 1, end)) > 0:
        line_end = _LINE_END.search(content, start)
        if line_end and content[start - 1] in b"\r\n":
            line = content[start : line_end.start()]
            if _TAB in line or _ARROW not in line:
                return start
        end = start
    return 0


def line_ends(content: bytes) -> int:
    r"""How many lines end in some bytes, whatever ends them.

    >>> line_ends(b"a\nb\r\nc\rd")
    3
    """
    return content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n")
