"""Pairs as a typed data set."""

from __future__ import annotations

from pathlib import Path

import pytest

import data
from data.catalog import load
from data.problems import Diagnostics, InputError


def test_pairs_are_a_typed_dataset(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    from data.formats.pairs import export_pairs

    sample = load("sample", diagnostics=Diagnostics())
    table = data.pairs(sample)
    assert len(table) == 8740 and sum(table["label"]) == 810
    assert str(table.features["label"].dtype) == "int8"
    for name in ("pairs.parquet", "pairs.jsonl"):
        export_pairs(sample, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    with pytest.raises(InputError, match=r"\.parquet or \.jsonl"):
        export_pairs(sample, tmp_path / "pairs.txt")
