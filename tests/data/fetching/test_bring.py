"""Bringing files to a folder, as a program does it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from data.fetching.bring import LOCK, absent_files, alone, download_files, import_files
from data.fetching.download import Remote
from data.fetching.manifest import FileSet, file_sets
from data.problems import InputError
from tests.data.file_server import BIG, DATASETS, FILES, FileServer, write_copy, write_manifest


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with FileServer() as running:
        yield running


@pytest.fixture
def tiny(tmp_path: Path) -> FileSet:
    return file_sets(write_manifest(tmp_path / "m.json"), DATASETS)["tiny"]


def test_what_is_absent_or_spoilt(tiny: FileSet, tmp_path: Path) -> None:
    folder = write_copy(tmp_path / "data", "tiny/gold.txt")
    absent, spoilt = absent_files([tiny, tiny], folder)
    assert [file.path for file in absent] == [BIG] and not spoilt
    (folder / "tiny/gold.txt").write_bytes(b"spoilt")
    absent, spoilt = absent_files([tiny], folder)
    assert len(absent) == 2 and [check.file.path for check in spoilt] == ["tiny/gold.txt"]


def test_a_file_that_fails_keeps_none_away(server: FileServer, tiny: FileSet, tmp_path: Path) -> None:
    server.statuses["tiny/gold.txt"] = 404
    brought = download_files(tiny.files, tmp_path / "data", Remote(server.base, 5.0, ()), quiet=True)
    assert brought.files == 2 and len(brought.errors) == 1 and "answered 404" in brought.errors[0]
    assert (tmp_path / "data" / BIG).read_bytes() == FILES[BIG]


def test_a_server_that_refuses_ends_it_with_advice(server: FileServer, tiny: FileSet, tmp_path: Path) -> None:
    server.statuses = dict.fromkeys(FILES, 503)
    with pytest.raises(InputError, match=r"answered 503 .*; import a local copy with --from DIR"):
        download_files(tiny.files, tmp_path / "data", Remote(server.base, 5.0, ()), quiet=True)


def test_a_partial_copy_is_taken_unless_it_must_be_whole(tiny: FileSet, tmp_path: Path) -> None:
    copy = write_copy(tmp_path / "copy", BIG)
    assert import_files(tiny.files, tmp_path / "data", copy, whole=False, quiet=True).files == 1
    with pytest.raises(InputError, match=r"this copy lacks 1 of 2 files, the first is tiny/gold.txt"):
        import_files(tiny.files, tmp_path / "other", copy, whole=True, quiet=True)
    with pytest.raises(InputError, match="no such folder"):
        import_files(tiny.files, tmp_path / "data", tmp_path / "none", whole=False)


def test_one_run_at_a_time_and_no_link_followed(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="needs file locks")
    with alone(tmp_path), pytest.raises(InputError, match="another run is bringing files"), alone(tmp_path):
        pass
    with alone(tmp_path):
        pass
    (tmp_path / LOCK).unlink()
    (tmp_path / LOCK).symlink_to(tmp_path / "victim")
    with pytest.raises(InputError, match="is a link, where a file of our own was expected"), alone(tmp_path):
        pass
    assert not (tmp_path / "victim").exists()
