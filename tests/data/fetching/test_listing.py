"""What there is to fetch and what is there, as JSON and as tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.fetching.listing import places, sets_json, sets_text, verdicts_json, verdicts_text
from data.fetching.manifest import FileSet, file_sets, verify
from tests.data.file_server import DATASETS, write_copy, write_manifest


@pytest.fixture
def tiny(tmp_path: Path) -> FileSet:
    return file_sets(write_manifest(tmp_path / "m.json"), DATASETS)["tiny"]


def test_sets_are_listed_with_their_place(tiny: FileSet, tmp_path: Path) -> None:
    assert places([tiny], tmp_path) == {"tiny": None}
    assert "not fetched" in sets_text([tiny], {"tiny": None})
    where = places([tiny], write_copy(tmp_path / "data"))
    assert where == {"tiny": tmp_path / "data"}
    (listed,) = sets_json([tiny], where)["sets"]
    assert listed["folder"] == str(tmp_path / "data") and listed["files"] == 2 and listed["citation"] == tiny.citation
    assert sets_text([tiny], where).splitlines()[-1] == f"  {tiny.citation}"


def test_verdicts_name_what_is_missing_and_spoilt(tiny: FileSet, tmp_path: Path) -> None:
    folder = write_copy(tmp_path / "data", "tiny/gold.txt")
    (folder / "tiny/gold.txt").write_bytes(b"spoilt")
    verdict = verify(tiny, folder)
    (judged,) = verdicts_json([verdict], folder)["sets"]
    assert judged["state"] == "corrupted" and judged["missing"] == ["tiny/out/a.txt"]
    assert judged["corrupted"][0]["got"]["bytes"] == 6
    assert "corrupted 1 of 2 files, missing 1 of 2 files" in verdicts_text([verdict], folder)
