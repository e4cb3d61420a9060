from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from data.catalog import load
from data.command_line import run
from data.formats.extractions import read_extractions
from data.formats.reading import ReadOptions
from data.problems import Diagnostics, InputError
from matchers.score import main as score

pyarrow = pytest.importorskip("pyarrow", reason="needs the extra `pairs`")
GOLD = "sent_id:1\tMara Venn lives in Oslo .\n1--> Cluster 1:\nMara Venn --> lives in --> Oslo\n"
ROW = {"sent_id": "1", "arg1": "Mara Venn", "rel": "lives in", "arg2": "Oslo"}


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


def read(path: Path, options: ReadOptions | None = None) -> list[tuple[Any, ...]]:
    read_system = read_extractions(path, Diagnostics(), options=options)
    return [(e.sentence_id, *e.slots, e.confidence) for e in read_system.extractions]


def test_rows_are_extractions(tmp_path: Path) -> None:
    rows = [ROW, {**ROW, "arg2": None}, {**ROW, "arg1": " \u00e9t\u00e9  chaud "}]
    assert read(write(tmp_path / "a.parquet", rows), ReadOptions(encoding="latin-1")) == [
        ("1", "Mara Venn", "lives in", "Oslo", None),
        ("1", "Mara Venn", "lives in", "", None),
        ("1", "\u00e9t\u00e9 chaud", "lives in", "Oslo", None),
    ]


def test_names_of_json_lines_numbers_and_columns_of_others(tmp_path: Path) -> None:
    row = {"sentence_id": 7, "arg1": "a", "relation": "b", "arg2": "c", "confidence": 0.5, "extra": "x", "arg3": "d"}
    assert read(write(tmp_path / "a.parquet", [row])) == [("7", "a", "b", "c d", 0.5)]


def test_scores_are_those_of_text(tmp_path: Path) -> None:
    (tmp_path / "gold.txt").write_text(GOLD)
    (tmp_path / "mine.tsv").write_text("1\tMara Venn\tlives in\tOslo\n")
    write(tmp_path / "mine.parquet", [ROW])
    found = []
    for name in ("mine.tsv", "mine.parquet"):
        flags = ["--gold", str(tmp_path / "gold.txt"), "--system", f"mine={tmp_path / name}", "--quiet"]
        assert run(score, [*flags, "--json", str(tmp_path / "out.json")]) == 0
        found.append((tmp_path / "out.json").read_text())
    assert found[0] == found[1]


def test_a_folder_with_judgments(tmp_path: Path) -> None:
    for name in ("gold", "extractions", "judgments"):
        (tmp_path / name).mkdir()
    (tmp_path / "gold/gold.txt").write_text(GOLD)
    write(tmp_path / "extractions/mine.parquet", [ROW])
    write(tmp_path / "judgments/all.parquet", [{**ROW, "system": "mine", "clusters": ["1"]}])
    benchmark = load(tmp_path)
    assert [system.name for system in benchmark.systems] == ["mine"]
    assert [judgment.clusters for judgment in benchmark.judgments] == [("1",)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"arg1": "a", "rel": "b"}], r"a.parquet: has no column 'sentence_id' or 'sent_id'; there are arg1, rel"),
        ([{**ROW, "relation": "x"}], r"a.parquet: has two columns for 'relation'"),
        ([ROW, {**ROW, "sent_id": None}], r"a.parquet:2: the field 'sentence_id' is missing"),
        ([ROW, {**ROW, "arg1": "", "rel": "", "arg2": ""}], r"a.parquet:2: an extraction needs at least one word"),
        ([{**ROW, "confidence": float("nan")}], r"a.parquet:1: column 'confidence' has 'nan', which is neither text"),
        ([{**ROW, "arg1": b"\xff"}], r"a.parquet:1: column 'arg1' has .* which is neither text nor a number"),
        ([{**ROW, "confidence": "high"}], r"a.parquet:1: 'confidence' must be a number"),
    ],
)
def test_what_is_wrong_is_told_with_its_row(tmp_path: Path, rows: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(write(tmp_path / "a.parquet", rows))


def test_what_is_no_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.parquet"
    with pytest.raises(InputError, match="no such file"):
        read(path)
    for content in (b"", b"PAR1 and then nothing", json.dumps(ROW).encode()):
        path.write_bytes(content)
        with pytest.raises(InputError, match="is no Parquet file"):
            read(path)
    write(path, [{**ROW, "arg2": "Oslo " * 1000}] * 500)
    monkeypatch.setattr("data.formats.parquet.ALWAYS", 1000)
    monkeypatch.setattr("data.formats.parquet.RATIO", 1)
    with pytest.raises(InputError, match="unpacks to more than"):
        read(path)
