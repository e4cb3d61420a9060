"""What tests of sweeps share: a small sweep in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

SWEEP = """config: features
trials: 2
dataset: sample
space:
  classifier.strength: {low: 0.01, high: 3.0, log: true}
  inner_folds: {low: 2, high: 3}
  classifier.groups_without: {choices: [[], [rank]]}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of the sweep."""
    path = tmp_path / "mine.yaml"
    path.write_text(SWEEP)
    return path
