"""What the files of the project say of it agrees."""

from __future__ import annotations

import tomllib
from pathlib import Path

import yaml

from matchers.signature import VERSION

ROOT = Path(__file__).parents[1]


def test_one_version_licence_and_author() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == project["version"] == VERSION
    assert citation["license"] == project["license"]
    assert citation["authors"] == project["authors"]
    assert citation["cff-version"] == "1.2.0" and citation["message"] and citation["title"]
