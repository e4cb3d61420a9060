"""Each row of the comparison in docs/studio.md names a test that is there."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "studio.md"


def test_every_row_is_true_by_a_test() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ") and "| our test |" not in line]
    assert len(rows) >= 20
    for row in rows:
        named = re.search(r"`(test_\w+\.py)::(test_\w+)` \|$", row)
        assert named, row
        assert f"def {named[2]}(" in (HERE / named[1]).read_text(), row


def test_its_pictures_are_there_and_small() -> None:
    for name in re.findall(r"\((images/[\w-]+\.png)\)", PAGE.read_text()):
        assert (PAGE.parent / name).stat().st_size < 150_000
