"""The manifest: what the package ships, what is refused, what a check finds."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from data.catalog import DATASETS as CATALOG
from data.fetching.manifest import check, choose, file_sets, place, read_manifest, verify
from data.problems import InputError
from tests.data.file_server import DATASETS, FILES, entry, packaged_entries, write_copy, write_manifest


def test_packaged_manifest_has_every_file_of_every_set() -> None:
    paths = {file.path for file in read_manifest()}
    for dataset in CATALOG.values():
        assert set(dataset.files) <= paths, dataset.name
    sets = file_sets()
    assert list(sets) == [*CATALOG, "carb"]
    assert sets["carb"].licences == ("MIT",)
    assert len(sets["wire57_match"].files) == 9


def test_packaged_manifest_holds_facts_only() -> None:
    names = {"path", "repository", "commit", "upstream_path", "sha256", "bytes", "licence"}
    assert all(set(each) == names for each in packaged_entries())


def test_packaged_manifest_agrees_with_the_real_files(real_data: Path) -> None:
    checks = [check(file, real_data / file.path) for file in read_manifest()]
    present = [one for one in checks if one.found]
    assert present
    assert all(one.verified for one in present)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../outside.txt",
        "tiny/../../outside.txt",
        "tiny/./gold.txt",
        "tiny//gold.txt",
        "tiny\\..\\gold.txt",
        "C:gold.txt",
        "~/gold.txt",
        ".hidden",
        "tiny/.fetch.lock",
        "tiny/gold.txt\n",
        "tiny/go\x00ld.txt",
        "",
        None,
        7,
    ],
)
def test_hostile_paths_are_refused(tmp_path: Path, path: object) -> None:
    manifest = write_manifest(tmp_path / "m.json", path=path)
    with pytest.raises(InputError, match="entry 1"):
        read_manifest(manifest)


@pytest.mark.parametrize(
    "changes",
    [
        {"repository": "https://evil.example/x"},
        {"repository": "only-one"},
        {"commit": "main"},
        {"upstream_path": "../../other/repo/file"},
        {"sha256": "abc"},
        {"bytes": -1},
        {"bytes": True},
        {"bytes": "12"},
        {"licence": None},
    ],
)
def test_bad_facts_are_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    with pytest.raises(InputError, match="entry 1"):
        read_manifest(write_manifest(tmp_path / "m.json", **changes))


@pytest.mark.parametrize(("text", "message"), [("{", "not JSON"), ("{}", "list"), ("[3]", "entry 1 is no JSON object")])
def test_manifest_that_is_none(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "m.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_manifest(path)
    with pytest.raises(InputError, match="no such file"):
        read_manifest(tmp_path / "none.json")


def test_file_that_is_listed_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(json.dumps([entry("a/B.txt", b""), entry("a/b.txt", b"")]))
    with pytest.raises(InputError, match="twice"):
        read_manifest(path)


def test_set_whose_file_the_manifest_lacks(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(json.dumps([entry("tiny/gold.txt", b"")]))
    with pytest.raises(InputError, match=r"tiny/out/a\.txt.*the data set tiny"):
        file_sets(path, DATASETS)


def test_choosing_by_name(tmp_path: Path) -> None:
    sets = file_sets(write_manifest(tmp_path / "m.json"), DATASETS)
    assert [one.name for one in choose([], sets)] == ["tiny", "other", "carb"]
    assert [one.name for one in choose(["other", "tiny", "other"], sets)] == ["other", "tiny"]
    with pytest.raises(InputError, match="no data set is called 'tny'; the names are tiny, other, carb"):
        choose(["tny"], sets)
    with pytest.raises(InputError, match="comes with the package"):
        choose(["sample"], sets)


def test_verdicts(tmp_path: Path) -> None:
    tiny = file_sets(write_manifest(tmp_path / "m.json"), DATASETS)["tiny"]
    assert str(verify(tiny, tmp_path)) == "missing 2 of 2 files"
    write_copy(tmp_path)
    assert str(verify(tiny, tmp_path)) == "complete"
    (tmp_path / "tiny/gold.txt").write_bytes(b"spoilt")
    (tmp_path / "tiny/out/a.txt").unlink()
    verdict = verify(tiny, tmp_path)
    assert (verdict.state, str(verdict)) == ("corrupted", "corrupted 1 of 2 files, missing 1 of 2 files")
    told = str(verdict.corrupted[0])
    assert hashlib.sha256(FILES["tiny/gold.txt"]).hexdigest() in told
    assert told.endswith(f"got sha256 {hashlib.sha256(b'spoilt').hexdigest()} (6 bytes)")


def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    file = read_manifest(write_manifest(tmp_path / "m.json"))[0]
    folder, outside = tmp_path / "data", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "tiny").symlink_to(outside)
    with pytest.raises(InputError, match="leads out of"):
        place(file, folder)
    (folder / "tiny").unlink()
    (folder / "tiny").mkdir()
    (folder / "tiny/gold.txt").symlink_to(outside / "victim")
    with pytest.raises(InputError, match="leads out of"):
        place(file, folder)
    assert not list(outside.iterdir())
