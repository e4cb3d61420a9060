"""Where each sentence stands: in the gold, and in each system's file. A SQLite file, so that memory need not hold it.

Sentences are found again by the shard, some at a time in the order of the gold. A shard's gold is one range of bytes,
and a system's extractions of it are a few: one where its file is sorted as the gold is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import NamedTuple

from data.problems import InputError

_TABLES = """
    create table sentences (position integer primary key, id text not null unique, start integer not null);
    create table runs (shard integer, system integer, start integer, stop integer, primary key (shard, system, start))
        without rowid;
"""
_QUICK = "pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -16000;"  # lives as long as the run


class Place(NamedTuple):
    """Where a sentence begins: the offset in the file, and the line."""

    id: str
    start: int
    line: int


class Run(NamedTuple):
    """Lines of a system's file about one sentence, side by side, and how many of them are kept as extractions."""

    sentence_id: str
    start: int
    stop: int
    line: int
    kept: int


class Range(NamedTuple):
    """Bytes of a file."""

    start: int
    stop: int


class Index:
    """The index of one benchmark's files; `size` is how many sentences a shard has."""

    def __init__(self, database: sqlite3.Connection, size: int) -> None:
        self.database, self.size = database, size
        self.sentence_count = 0
        self.gold_end = 0

    def add_sentences(self, places: Sequence[Place]) -> Place | None:
        """Take the next sentences of the gold; the first that has the id of an earlier one is given back."""
        for place in places:
            try:
                row = (self.sentence_count, place.id, place.start)
                self.database.execute("insert into sentences values (?, ?, ?)", row)
            except sqlite3.IntegrityError:
                return place
            self.sentence_count += 1
        return None

    def add_runs(self, system: int, runs: Iterable[Run]) -> Iterator[Run]:
        """Take the next runs of a system's file; those of sentences that the gold does not have are given back."""
        rows: list[tuple[int, int, int, int]] = []
        for run in runs:
            position = self._position(run.sentence_id)
            if position is None:
                yield run
            elif run.kept:
                shard = position // self.size
                if rows and rows[-1][0] == shard and rows[-1][3] == run.start:
                    rows[-1] = (shard, system, rows[-1][2], run.stop)
                else:
                    rows.append((shard, system, run.start, run.stop))
        self.database.executemany("insert into runs values (?, ?, ?, ?)", rows)

    def _position(self, sentence_id: str) -> int | None:
        row = self.database.execute("select position from sentences where id = ?", (sentence_id,)).fetchone()
        return int(row[0]) if row else None

    def first_ids(self) -> list[str]:
        """The ids of the first sentences."""
        return [row[0] for row in self.database.execute("select id from sentences order by position limit 3")]

    @property
    def shard_count(self) -> int:
        """How many shards there are."""
        return -(-self.sentence_count // self.size)

    def gold_range(self, shard: int) -> Range:
        """Where the sentences of a shard stand in the gold, whose end is known."""
        query = "select start from sentences where position in (?, ?) order by position"
        rows = self.database.execute(query, (shard * self.size, (shard + 1) * self.size)).fetchall()
        return Range(rows[0][0], rows[1][0] if len(rows) > 1 else self.gold_end)

    def ids(self, shard: int) -> tuple[str, ...]:
        """The ids of a shard's sentences."""
        query = "select id from sentences where position >= ? and position < ? order by position"
        return tuple(row[0] for row in self.database.execute(query, (shard * self.size, (shard + 1) * self.size)))

    def system_ranges(self, shard: int, systems: int) -> list[list[Range]]:
        """Where each system's extractions of a shard's sentences stand in its file, in the file's order."""
        ranges: list[list[Range]] = [[] for _ in range(systems)]
        query = "select system, start, stop from runs where shard = ? order by system, start"
        for system, start, stop in self.database.execute(query, (shard,)):
            ranges[system].append(Range(start, stop))
        return ranges


@contextmanager
def new_index(size: int) -> Iterator[Index]:
    """An index in a temporary file that nobody sees, which is gone whatever ends the process."""
    try:
        with closing(sqlite3.connect("", isolation_level=None)) as database:
            database.executescript(_QUICK + _TABLES)
            database.execute("begin")
            yield Index(database, size)
    except sqlite3.OperationalError as error:
        raise InputError(f"the index of the sentences can't be kept in the temporary folder: {error}") from None
