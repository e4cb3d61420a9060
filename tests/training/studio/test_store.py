"""The log: what was acknowledged is there, nobody changes it, and what can be wrong with the file is said."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from data.model import Extraction, Sentence
from data.problems import InputError
from training.studio.actions import AddSentence, Edit, Invite, Join, Judge, Revoke, Settle, clusters_of
from training.studio.store import FILE, MIGRATIONS, Store, StoreError

FLEW = Extraction("1", "Lena Ruud", "flew", "")
CLUSTERS = clusters_of([["1", ["[the] ferry --> left --> XXX", "[a b] c --> d --> e [f]"]]])
ACTIONS = (
    AddSentence(Sentence("1", "the ferry left .", CLUSTERS)),
    Edit("1", CLUSTERS, "a note\nof two lines", "doubtful", "note", "do"),
    Judge(FLEW, ("1", "2"), 3, True, "identical", "because <b>", True, True),
    Settle(FLEW, (), "no"),
    Invite("Bo", "annotator", "0" * 64),
    Join("Bo", "1" * 64),
    Revoke("Bo"),
)


def test_every_action_reads_back_equal_and_in_order(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append("Ada", ACTIONS[:3])
    store.append("Bo", ACTIONS[3:])
    store.close()
    events = list(Store(tmp_path).events())
    assert tuple(event.action for event in events) == ACTIONS
    assert [event.seq for event in events] == list(range(1, 8))
    assert [event.person for event in events] == ["Ada"] * 3 + ["Bo"] * 4


def test_the_log_can_only_grow(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append("Ada", ACTIONS[:1])
    store.close()
    connection = sqlite3.connect(tmp_path / FILE)
    for statement in ("DELETE FROM log", "UPDATE log SET person = 'Bo'"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)


def test_a_second_studio_on_the_folder_is_told(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(InputError, match="open in another studio"):
        Store(tmp_path)
    store.close()
    Store(tmp_path).close()


def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    Store(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    with pytest.raises(InputError, match="newer version"):
        Store(tmp_path)


def test_an_older_database_is_brought_up_to_date(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.executescript(f"{MIGRATIONS[0]}; PRAGMA application_id = {0x46614D61}; PRAGMA user_version = 1;")
    connection.execute(
        "INSERT INTO log (at, person, kind, body) VALUES ('then', 'Ada', 'Revoke', '{\"name\": \"Bo\"}')"
    )
    connection.commit()
    connection.close()
    store = Store(tmp_path)
    assert [event.action for event in store.events()] == [Revoke("Bo")]
    assert not store.is_ours("0")
    store.note_written("0")
    assert store.is_ours("0")


def test_another_programs_database_and_no_database_are_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.executescript("PRAGMA user_version = 3; CREATE TABLE theirs (a);")
    connection.close()
    with pytest.raises(InputError, match="another program"):
        Store(tmp_path)
    (tmp_path / FILE).write_bytes(b"this is no database at all, but long enough to be read as one" * 20)
    with pytest.raises(InputError, match="damaged or no database"):
        Store(tmp_path)


def test_a_full_disk_is_a_clear_sentence_and_loses_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append("Ada", ACTIONS[:1])
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")  # as if the disk had no more room
    with pytest.raises(StoreError, match=r"Not saved: .* the disk is full"):
        for _ in range(1000):
            store.append("Ada", [Settle(FLEW, (), "x" * 1000)])
    saved = len(list(store.events()))
    store.close()
    again = Store(tmp_path)
    assert len(list(again.events())) == saved
    again.append("Ada", ACTIONS[-1:])


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="read-only"):
        Store(tmp_path / "nowhere")


def test_a_line_that_this_version_does_not_know_is_an_error(tmp_path: Path) -> None:
    Store(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("INSERT INTO log (at, person, kind, body) VALUES ('then', 'Ada', 'Dance', '{}')")
    connection.commit()
    connection.close()
    with pytest.raises(InputError, match="'Dance'"):
        list(Store(tmp_path).events())
