"""What tests of training share."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.catalog import SAMPLE


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A labelled folder: the first sentences of the sample."""
    folder = tmp_path / "small"
    for name in ("gold", "judgments"):
        (folder / name).mkdir(parents=True)
    blocks = (SAMPLE / "gold" / "sample.txt").read_text().split("\n\n")[:12]
    (folder / "gold" / "gold.txt").write_text("\n\n".join(blocks) + "\n")
    kept = {block.partition("sent_id:")[2].partition("\t")[0] for block in blocks}
    lines = (SAMPLE / "judgments" / "sample.jsonl").read_text().splitlines(keepends=True)
    chosen = [line for line in lines if str(json.loads(line)["sentence_id"]) in kept]
    (folder / "judgments" / "judgments.jsonl").write_text("".join(chosen))
    return folder
