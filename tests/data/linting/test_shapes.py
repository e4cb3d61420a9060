"""What `data.lint --json` writes has the shape that docs/json.md tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from data.formats.textfile import sha256
from data.lint import main
from data.linting.published import PUBLISHED, Published
from data.linting.shapes import LintJson
from matchers.scoring.schema import problems

GOLD = """sent_id:1\tMara Venn sold the old mill to Tove .
1--> Cluster 1:
Mara Venn --> sold --> [the]mill
Mara Venn --> sold --> [the] mill
1--> Cluster 2:
Mara Venn --> sold --> the mill
sent_id:2\tRain fell .
"""
OTHER = "sent_id:1\tMara Venn sold the old mill to Tove .\n1--> Cluster 1:\nMara Venn --> sold mill to --> Tove\n"


def linted(*arguments: object) -> Any:
    target = Path(str(arguments[0])).with_suffix(".json")
    assert main([*map(str, arguments), "--quiet", "--json", str(target)]) == 0
    return json.loads(target.read_text())


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.txt"
    path.write_text(GOLD)
    return path


def test_reports_have_the_documented_shape(gold: Path, tmp_path: Path) -> None:
    alone = linted(gold)
    assert problems(alone, LintJson) == [] and alone["against"] is None
    assert any(one["found"] for one in alone["checks"])
    (tmp_path / "other.txt").write_text(OTHER)
    both = linted(gold, "--against", tmp_path / "other.txt")
    assert problems(both, LintJson) == [] and both["against"] and both["unpaired"] == ["2"]
    (tmp_path / "empty.txt").write_text("sent_id:1\tRain fell .\n")
    empty = linted(tmp_path / "empty.txt")
    assert problems(empty, LintJson) == [] and empty["statistics"]["formulation_length"] is None


def test_reports_on_published_annotations_have_the_documented_shape(
    gold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, digest = next(iter(PUBLISHED.values())), sha256(gold.read_bytes())
    monkeypatch.setitem(PUBLISHED, digest, Published("ours", digest, known.table5, known.table18))
    report = linted(gold)
    assert problems(report, LintJson) == []
    assert report["published"]["table5"] and any(row["readings"] for row in report["published"]["table5"])
