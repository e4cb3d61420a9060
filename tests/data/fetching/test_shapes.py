"""What `data.fetch --json` writes has the shape that docs/json.md tells."""

from __future__ import annotations

import json
from pathlib import Path

from data.fetch import main
from data.fetching.shapes import FileSetsJson, VerdictsJson
from matchers.scoring.schema import problems
from tests.data.file_server import BIG, DATASETS, write_copy, write_manifest


def test_lists_and_verdicts_have_the_documented_shape(tmp_path: Path) -> None:
    manifest, target = write_manifest(tmp_path / "manifest.json"), tmp_path / "out.json"
    folder = write_copy(tmp_path / "data", "tiny/gold.txt", BIG)
    given = ["--data", str(folder), "--quiet", "--json", str(target)]
    assert main(["--list", *given], manifest, DATASETS) == 0
    listed = json.loads(target.read_text())
    assert problems(listed, FileSetsJson) == []
    assert {one["folder"] for one in listed["sets"]} == {None, str(folder)}
    (folder / BIG).write_bytes(b"spoilt")
    assert main(["--verify", *given], manifest, DATASETS) == 1
    verdicts = json.loads(target.read_text())
    assert problems(verdicts, VerdictsJson) == []
    assert verdicts["sets"][0]["corrupted"] and verdicts["sets"][1]["missing"]
