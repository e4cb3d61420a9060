"""Finished shards of a scoring run, kept beside its output, so that a run that was stopped goes on where it was.

A shard is known by the hash of its sentences and extractions as their files have them; all shards of a file are of one
matcher with its settings, which are named in it. What is kept has a hash of its own. Whatever does not agree is done
again. The file is a SQLite file, and nothing in it is ever run.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy

from data.problems import InputError
from data.streaming.files import RawShard
from matchers.counts import Counts

SUFFIX = ".shards"
_TABLES = """
    create table if not exists terms (terms text not null);
    create table if not exists shards
        (number integer primary key, input text not null, counts blob not null, seen integer not null,
         lines text not null, output text not null);
"""


@dataclass(frozen=True)
class Done:
    """What came of one shard: its counts, of the shape (sentences, systems, 4); its matches as lines, if asked for.

    `seen` is how many of its sentences the matcher was trained on.
    """

    counts: Counts
    seen: int
    lines: str

    @property
    def digest(self) -> str:
        """The hash of all of it."""
        content = self.counts.astype("<i8").tobytes() + self.lines.encode()
        return hashlib.sha256(f"{self.counts.shape} {self.seen} ".encode() + content).hexdigest()


class Finished:
    """The finished shards of a run; `others` says that there were some of other settings, which are gone."""

    def __init__(self, database: sqlite3.Connection, systems: int, others: bool) -> None:
        self.database, self.systems, self.others = database, systems, others

    def find(self, shard: RawShard) -> Done | None:
        """What came of a shard when it was as it is now."""
        query = "select input, counts, seen, lines, output from shards where number = ?"
        row = self.database.execute(query, (shard.number,)).fetchone()
        if row is None or row[0] != shard.digest or len(row[1]) % (8 * 4 * self.systems):
            return None
        counts = numpy.frombuffer(row[1], "<i8").reshape(-1, self.systems, 4).astype(numpy.int64)
        done = Done(counts, row[2], row[3])
        return done if done.digest == row[4] and len(counts) == len(shard.names) else None

    def keep(self, number: int, digest: str, done: Done) -> None:
        """Keep what came of the shard with this number and hash."""
        counts = done.counts.astype("<i8").tobytes()
        row = (number, digest, counts, done.seen, done.lines, done.digest)
        self.database.execute("insert or replace into shards values (?, ?, ?, ?, ?, ?)", row)
        self.database.commit()


@contextmanager
def finished_shards(path: Path, terms: str, systems: int) -> Iterator[Finished]:
    """The finished shards in a file, which is made if it is not there; those of other terms are dropped."""
    try:
        with closing(sqlite3.connect(path, timeout=0)) as database:
            database.executescript(
                "pragma synchronous = off; pragma locking_mode = exclusive; begin exclusive; commit;"
            )
            database.executescript(_TABLES)
            before = [row[0] for row in database.execute("select terms from terms")]
            if before != [terms]:
                database.executescript("delete from terms; delete from shards;")
                database.execute("insert into terms values (?)", (terms,))
            database.commit()
            yield Finished(database, systems, bool(before) and before != [terms])
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            raise InputError("is in use: another run keeps its finished shards there", path) from None
        raise InputError(f"can't keep finished shards: {error}; remove it, or name another output", path) from None
