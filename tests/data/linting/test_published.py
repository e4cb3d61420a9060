"""The published figures of gold files beside ours."""

from __future__ import annotations

import json
from pathlib import Path

from data.linting.published import PUBLISHED, Row


def test_a_note_says_which_reading_gives_the_papers_figure() -> None:
    assert Row("clusters", 12, "12", (("other", 13),)).note == ""
    assert "other" in Row("clusters", 12, "13", (("other", 13),)).note
    assert "cause not found" in Row("clusters", 12, "20", (("other", 13),)).note


def test_published_hashes_are_the_manifests(real_data: Path) -> None:
    manifest = {entry["path"]: entry["sha256"] for entry in json.loads((real_data / "MANIFEST.json").read_text())}
    wanted = {manifest["benchie_fl/gold/benchie_fl_300.txt"], manifest["benchie/gold/en.txt"]}
    assert set(PUBLISHED) == wanted
