"""The studio's file: an append-only log in SQLite, and the hashes of the files that were written from it.

What is acknowledged is on the disk: each append is one transaction, and the log can't be changed afterwards. A studio
holds its file alone, so that a second one on the same folder is told instead of writing beside it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from data.problems import InputError
from training.studio.actions import Action, decode, encode

FILE = "studio.sqlite"
READ_ONLY = "can't be written: the folder or the file is read-only"
APPLICATION = 0x46614D61  # "FaMa", which tells our files from other programs'
MIGRATIONS = (
    """
    CREATE TABLE log (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        person TEXT NOT NULL,
        kind TEXT NOT NULL,
        body TEXT NOT NULL
    );
    CREATE TRIGGER log_is_kept BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
    CREATE TRIGGER log_is_fixed BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
    """,
    """
    CREATE TABLE written (sha256 TEXT PRIMARY KEY, at TEXT NOT NULL);
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    """,
)


@dataclass(frozen=True)
class Event:
    """An action with its place in the log, its time and its person."""

    seq: int
    at: str
    person: str
    action: Action


class StoreError(Exception):
    """What could not be saved, in a sentence for the person who did it."""


class Store:
    """The log of one folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        for place in (folder, self.path):  # some file systems answer SQLite with no more than "disk I/O error"
            if place.exists() and not os.access(place, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
                raise InputError(READ_ONLY, self.path)
        try:
            self._connection = sqlite3.connect(
                self.path, isolation_level=None, check_same_thread=False, timeout=1, cached_statements=16
            )
            self._open()
        except sqlite3.Error as error:
            raise InputError(_sentence(error), self.path) from None

    def _open(self) -> None:
        run = self._connection.execute
        run("PRAGMA locking_mode = EXCLUSIVE")
        version = run("PRAGMA user_version").fetchone()[0]
        application = run("PRAGMA application_id").fetchone()[0]
        if application not in (0, APPLICATION) or (version and not application):
            raise InputError("is a database of another program", self.path)
        if version > len(MIGRATIONS):
            message = f"was made by a newer version of the studio (its format is {version}, this one reads"
            raise InputError(f"{message} {len(MIGRATIONS)}); update factmatch", self.path)
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        for number in range(version, len(MIGRATIONS)):
            script = f"BEGIN IMMEDIATE; {MIGRATIONS[number]}; PRAGMA application_id = {APPLICATION};"
            self._connection.executescript(f"{script} PRAGMA user_version = {number + 1}; COMMIT;")
        run("BEGIN IMMEDIATE")  # takes the lock that the studio holds from here on
        run("INSERT OR REPLACE INTO setting VALUES ('opened', ?)", (_now(),))
        run("COMMIT")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def events(self) -> Iterator[Event]:
        """The whole log in order."""
        try:
            for seq, at, person, kind, body in self._connection.execute("SELECT * FROM log ORDER BY seq"):
                yield Event(seq, at, person, decode(kind, body))
        except sqlite3.Error as error:
            raise InputError(_sentence(error), self.path) from None

    def append(self, person: str, actions: Sequence[Action]) -> list[Event]:
        """Save actions, all or none; when this returns, they are on the disk."""
        at, found = _now(), []
        with self._transaction() as cursor:
            for action in actions:
                kind, body = encode(action)
                cursor.execute("INSERT INTO log (at, person, kind, body) VALUES (?, ?, ?, ?)", (at, person, kind, body))
                found.append(Event(int(cursor.lastrowid or 0), at, person, action))
        return found

    def setting(self, name: str) -> str | None:
        """A setting of the folder, such as its language."""
        row = self._connection.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set(self, name: str, value: str) -> None:
        """Keep a setting."""
        with self._transaction() as cursor:
            cursor.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, value))

    def note_written(self, sha256: str) -> None:
        """Remember that a file of this hash is ours, before it is written."""
        with self._transaction() as cursor:
            cursor.execute("INSERT OR IGNORE INTO written VALUES (?, ?)", (sha256, _now()))

    def is_ours(self, sha256: str) -> bool:
        """Whether a file of this hash was written by the studio."""
        return bool(self._connection.execute("SELECT 1 FROM written WHERE sha256 = ?", (sha256,)).fetchone())

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Cursor]:
        cursor = self._connection.cursor()
        try:
            cursor.execute("BEGIN IMMEDIATE")
            yield cursor
            cursor.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.rollback()
            raise StoreError(f"Not saved: the studio's file {_sentence(error)}.") from None
        finally:
            cursor.close()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _sentence(error: sqlite3.Error) -> str:
    """What is wrong with the file, in words."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "is open in another studio; close that one first"
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return READ_ONLY
    if name.startswith("SQLITE_FULL"):
        return "can't be written: the disk is full"
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return "is damaged or no database; restore it from a copy"
    return f"can't be used: {error}"
