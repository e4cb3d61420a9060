"""A benchmark's files that are read as they are needed: first in pieces, to be checked, then shard by shard.

The files stay open meanwhile, and are told apart from what they were by size and time if somebody writes to them.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from data.formats.benchie import GoldReader, is_sentence_line
from data.formats.compressed import plain_path
from data.formats.extractions import form_of, line_of
from data.formats.plain import head_of, plain_stream
from data.formats.reading import ReadOptions
from data.formats.registry import other_format
from data.formats.textfile import decode, encoding_of, is_file, likely_size, numbered_lines
from data.model import Benchmark, Extraction, Sentence, Source, System
from data.problems import Diagnostics, InputError
from data.streaming.checked import Fault
from data.streaming.gold_check import CheckedGold, GoldMerge, check_gold
from data.streaming.index import Index, Range, new_index
from data.streaming.pieces import SIZE, Kind, Piece, can_be_parted, pieces
from data.streaming.system_check import CheckedLines, SystemMerge, check_lines
from data.text import check_id

Checked = CheckedGold | CheckedLines
Work = Callable[[Iterable[Piece]], Iterator[Any]]


@dataclass(frozen=True)
class BenchmarkFiles:
    """The files of a benchmark without judgments: gold in BenchIE's format, and a file for each system."""

    gold: Path
    systems: tuple[tuple[str, Path], ...]
    options: ReadOptions

    @property
    def paths(self) -> tuple[Path, ...]:
        """All files."""
        return (self.gold, *(path for _, path in self.systems))

    @property
    def size(self) -> int:
        """How many bytes they have in all, about, when they are unpacked."""
        return sum(map(likely_size, self.paths))

    def can_be_streamed(self) -> bool:
        """Whether this way of reading knows them; of what it does not know, or can't be read, reading whole tells."""
        names = [name for name, _ in self.systems]
        return (
            can_be_parted(self.options.encoding)
            and bool(names)
            and len(set(names)) == len(names)
            and all(map(_can_be_named, names))
            and all(is_file(path) and os.access(path, os.R_OK) for path in self.paths)
            and self._look_usual()
        )

    def _look_usual(self) -> bool:
        """Whether the files' beginnings say that they are in the usual formats."""
        try:
            others = [other_format(path, self.options.encoding) for _, path in self.systems]
            return not any(others) and self._looks_like_gold()
        except InputError:
            return False

    def _looks_like_gold(self) -> bool:
        """Whether a gold file's beginning says that it is BenchIE's; `guess_format` says the same of all of it."""
        text = head_of(self.gold, self.options.encoding)
        lines = [line for _, line in zip(range(2), (line for _, line in numbered_lines(text)), strict=False)]
        marked = any(map(is_sentence_line, lines))
        return marked and not text.lstrip().startswith("{") and plain_path(self.gold).suffix.lower() != ".xml"

    def check(self, piece: Piece) -> Checked:
        """What is in a piece of one of the files."""
        if piece.kind == "gold":
            return check_gold(piece, self.options.encoding)
        options = replace(self.options, encoding=encoding_of(piece.path, self.options.encoding))
        return check_lines(piece, options, piece.kind)


def _can_be_named(name: str) -> bool:
    try:
        check_id(name, "system")
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class RawShard:
    """Some sentences as their files have them: bytes of the gold, and of each system's file."""

    number: int
    names: tuple[str, ...]
    gold: bytes
    systems: tuple[bytes, ...]

    @property
    def digest(self) -> str:
        """The hash of all of it."""
        digest = hashlib.sha256()
        for content in (self.gold, *self.systems):
            digest.update(len(content).to_bytes(8, "big") + content)
        return digest.hexdigest()

    def benchmark(self, files: BenchmarkFiles) -> Benchmark:
        """These sentences as a benchmark; the files were checked, and what was mended in them was told."""
        systems = tuple(
            System(name, tuple(_extractions(content, path, files.options)))
            for (name, path), content in zip(files.systems, self.systems, strict=True)
        )
        return Benchmark(plain_path(files.gold).stem, _sentences(self.gold, files), systems)


def _sentences(content: bytes, files: BenchmarkFiles) -> tuple[Sentence, ...]:
    return GoldReader(files.gold, Diagnostics()).read(decode(content, files.gold, files.options.encoding))


def _extractions(content: bytes, path: Path, options: ReadOptions) -> Iterator[Extraction]:
    form = form_of(path)
    for number, line in numbered_lines(decode(content, path, encoding_of(path, options.encoding))):
        read = line_of(number, line, path, options, form)
        if not (read.wide and options.nary == "drop"):
            yield read.extraction


class OpenFiles:
    """Files that are open, and the index of their sentences, which is there when they were checked.

    Those of systems are opened when their turn comes to be checked.
    """

    def __init__(self, files: BenchmarkFiles, index: Index, stack: ExitStack) -> None:
        self.files, self.index, self.stack = files, index, stack
        self.extractions: tuple[int, ...] = ()
        self.streams = [stack.enter_context(plain_stream(files.gold))]
        self._marks = [_mark(self.streams[0])]
        self.source = Source(files.gold, _sha256(self.streams[0]))
        index.gold_end = self.streams[0].seek(0, os.SEEK_END)

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark without its sentences and extractions: its name, source and systems."""
        return Benchmark(
            self.files.gold.stem, (), tuple(System(name) for name, _ in self.files.systems), (), self.source
        )

    def check(self, work: Work, diagnostics: Diagnostics) -> None:
        """Check the files, by somebody who does the work on their pieces; file by file it is told what is wrong."""
        lasts: deque[bool] = deque()
        coming = work(self._pieces(lasts))
        systems = [
            SystemMerge(path, number, self.index, self.files.options)
            for number, (_, path) in enumerate(self.files.systems)
        ]
        merges: list[GoldMerge | SystemMerge] = [GoldMerge(self.files.gold, self.index), *systems]
        for merge in merges:
            for checked in coming:
                merge.take(checked)
                if lasts.popleft():
                    break
            merge.finish(diagnostics)
        self.extractions = tuple(merge.kept for merge in systems)

    def _pieces(self, lasts: deque[bool]) -> Iterator[Piece]:
        kinds: list[Kind] = ["gold", *(form_of(path) for _, path in self.files.systems)]
        for number, (path, kind) in enumerate(zip(self.files.paths, kinds, strict=True)):
            try:
                self._open(number, path)
            except InputError as error:
                lasts.append(True)
                yield Piece(path, kind, b"", broken=Fault.of(error).problem)
                return
            for piece in pieces(self.streams[number], path, kind, SIZE):
                lasts.append(piece.is_last)
                yield piece

    def _open(self, number: int, path: Path) -> None:
        if number == len(self.streams):
            self.streams.append(self.stack.enter_context(plain_stream(path)))
            self._marks.append(_mark(self.streams[number]))
        self.streams[number].seek(0)

    def shards(self) -> Iterator[RawShard]:
        """The sentences by the shard, in the order of the gold."""
        return map(self.shard, range(self.index.shard_count))

    def shard(self, number: int) -> RawShard:
        """One shard."""
        gold, *systems = self.streams
        parts = zip(systems, self.index.system_ranges(number, len(systems)), strict=True)
        own = tuple(b"".join(_read(stream, one) for one in ranges) for stream, ranges in parts)
        shard = RawShard(number, self.index.ids(number), _read(gold, self.index.gold_range(number)), own)
        self._check_unchanged()
        return shard

    def _check_unchanged(self) -> None:
        for path, stream, mark in zip(self.files.paths, self.streams, self._marks, strict=True):
            if _mark(stream) != mark:
                raise InputError("was changed while it was being read; run the command again", path)


def _sha256(stream: BinaryIO) -> str:
    digest = hashlib.sha256()
    while block := stream.read(SIZE):
        digest.update(block)
    return digest.hexdigest()


def _mark(stream: BinaryIO) -> tuple[int, int]:
    """What changes when somebody writes to a file."""
    status = os.fstat(stream.fileno())
    return status.st_size, status.st_mtime_ns


def _read(stream: BinaryIO, place: Range) -> bytes:
    stream.seek(place.start)
    return stream.read(place.stop - place.start)


@contextmanager
def opened(files: BenchmarkFiles, shard_size: int) -> Iterator[OpenFiles]:
    """The files, open as long as they are needed, with an index by shards of so many sentences."""
    with ExitStack() as stack:
        yield OpenFiles(files, stack.enter_context(new_index(shard_size)), stack)
