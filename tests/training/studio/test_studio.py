"""A folder in the studio: files made elsewhere, versions, languages, what opens again."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from data.catalog import SAMPLE, load
from data.problems import Diagnostics, InputError
from training.studio.facts import Request
from training.studio.store import FILE
from training.studio.studio import ConflictError, Options, Studio

ADD = Request("add", target="new", text="ferry --> left --> XXX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    studio = Studio(tmp_path / "mine")
    studio.take("Ada", studio.incoming(b"The ferry left. Ruud slept.", ""))
    studio.edit("Ada", 1, 1, ADD)
    studio.close()
    return tmp_path / "mine"


def test_the_second_of_two_is_told_and_nothing_is_overwritten(folder: Path) -> None:
    studio = Studio(folder)
    studio.edit("Ada", 1, 2, Request("note", text="mine"))
    with pytest.raises(ConflictError) as caught:
        studio.edit("Bo", 1, 2, Request("note", text="theirs"))
    assert (caught.value.draft.now.note, studio.draft(1).now.note) == ("mine", "mine")


def test_everything_is_there_when_it_opens_again_undo_too(folder: Path) -> None:
    studio = Studio(folder)
    assert studio.draft(1).version == 2
    studio.edit("Ada", 1, 2, Request("undo"))
    assert studio.draft(1).now.clusters == ()


def test_a_copy_of_the_folder_is_a_backup(folder: Path, tmp_path: Path) -> None:
    running = Studio(folder)  # while it is open, with what was only just done
    running.edit("Ada", 2, 1, Request("note", text="fresh"))
    shutil.copytree(folder, tmp_path / "copy")
    assert Studio(tmp_path / "copy").draft(2).now.note == "fresh"


def test_gold_that_was_changed_outside_is_taken_over_and_can_be_undone(folder: Path) -> None:
    gold = folder / "gold" / "gold.txt"
    gold.write_text(gold.read_text().replace("ferry --> left", "[the] ferry --> left"))
    studio = Studio(folder)
    assert str(studio.draft(1).now.clusters[0].formulations[0]).startswith("[the]")
    studio.close()
    again = Studio(folder)
    assert again.draft(1).version == 3  # once, not every time
    again.edit("Ada", 1, 3, Request("undo"))
    assert str(again.draft(1).now.clusters[0].formulations[0]).startswith("ferry")


def test_gold_that_is_changed_outside_while_the_studio_runs_is_put_aside_and_told(folder: Path) -> None:
    studio = Studio(folder)
    gold = folder / "gold" / "gold.txt"
    for name in ("gold.txt.changed-outside", "gold.txt.changed-outside-2"):
        theirs = gold.read_text().replace("ferry --> left", f"{name} --> left")
        gold.write_text(theirs)
        studio.edit("Ada", 2, studio.draft(2).version, ADD)
        assert studio.write_files() == ["gold/gold.txt", f"gold/{name}"]
        assert (folder / "gold" / name).read_text() == theirs
        assert "changed outside" in studio.warnings[-1]
    studio.close()
    again = Studio(folder)  # which reads the one that it wrote
    assert len(again.draft(2).now.clusters) == 2
    again.close()


def test_an_older_file_of_our_own_is_not_taken_for_a_change(folder: Path) -> None:
    """As after a kill between the log and the file."""
    old = (folder / "gold" / "gold.txt").read_bytes()
    studio = Studio(folder)
    studio.edit("Ada", 1, 2, Request("delete cluster", "1"))
    studio.close()
    (folder / "gold" / "gold.txt").write_bytes(old)
    assert Studio(folder).draft(1).now.clusters == ()


def test_judgments_of_extractions_that_no_file_has_outlive_a_restart(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    for name in ("gold", "judgments"):
        shutil.copytree(SAMPLE / name, folder / name)
    before = {(j.system, j.extraction.slots): set(j.clusters) for j in load(str(folder), None, Diagnostics()).judgments}
    for _ in range(2):
        studio = Studio(folder)
        studio.edit("Ada", 1, studio.draft(1).version, Request("note", text=f"{len(studio.draft(1).now.note)}"))
        studio.close()
    after = {(j.system, j.extraction.slots): set(j.clusters) for j in load(str(folder), None, Diagnostics()).judgments}
    assert after.keys() == before.keys()


def test_a_judgments_file_in_csv_stays_one(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    for name in ("gold", "match"):
        (folder / name).mkdir(parents=True)
    (folder / "gold" / "gold.txt").write_text("sent_id:a\tRuud left .\na--> Cluster 1:\nRuud --> left --> XXX\n")
    (folder / "match" / "m.csv").write_text(",extraction,,system,\n0,Ruud - left -,1,pithy,1\n")
    studio = Studio(folder)
    studio.edit("Ada", 1, studio.draft(1).version, Request("note", text="x"))
    studio.close()
    assert sorted(path.name for path in folder.rglob("*.csv")) == ["m.csv"]
    (judgment,) = load(str(folder), None, Diagnostics()).judgments
    assert judgment.clusters == ("1",)


def test_the_language_is_the_folders(tmp_path: Path) -> None:
    Studio(tmp_path / "ja", Options(language="ja")).close()
    studio = Studio(tmp_path / "ja")
    assert studio.language == "ja"
    studio.take("Ada", studio.incoming("船が出た。".encode(), ""))
    assert studio.draft(1).text == "船 が 出 た 。"
    with pytest.raises(InputError, match="no language"):
        Studio(tmp_path / "odd", Options(language="klingonese"))


def test_what_is_wrong_with_a_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="can't be made"):
        Studio(tmp_path / "file")
    (tmp_path / "two" / "gold").mkdir(parents=True)
    for name in ("a.txt", "b.txt"):
        (tmp_path / "two" / "gold" / name).write_text("x")
    with pytest.raises(InputError, match="one gold file"):
        Studio(tmp_path / "two")


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may write everywhere, so root is somebody else for a while."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


@pytest.mark.parametrize(("of_folder", "of_file"), [(0o555, 0o666), (0o777, 0o444)])
def test_a_read_only_folder_or_file_is_a_clear_sentence(of_folder: int, of_file: int) -> None:
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        folder = Path(name)
        Studio(folder).close()
        (folder / FILE).chmod(of_file)
        folder.chmod(of_folder)
        try:
            with as_nobody(), pytest.raises(InputError, match="read-only"):
                Studio(folder)
        finally:
            folder.chmod(0o700)


def test_demo_lines_have_who_judged(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "demo")
    studio = Studio(tmp_path / "demo")
    studio.close()
    lines = (tmp_path / "demo" / "judgments" / "sample.jsonl").read_text().splitlines()
    assert {tuple(json.loads(line).get("by", ())) for line in lines} <= {("file",), ()}
