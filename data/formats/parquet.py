"""Parquet is read as the JSON Lines that its rows would be: extractions, and judgments with their systems and clusters.

Its columns are called as the fields of JSON Lines, or `sent_id` and `rel` as in tab-separated files. An empty value is
a field that is missing. Errors name a row as they name a line, from 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from data.extras import missing_extra
from data.problems import InputError

PARQUET = ".parquet"
OTHER_NAMES = {"sent_id": "sentence_id", "rel": "relation"}
NEEDED = ("sentence_id", "arg1", "relation")
_ROWS = 1_000  # rows that are read at once
RATIO, ALWAYS = 100, 100_000_000  # as of compressed files: what unpacks to more is made to fill memory


def is_parquet(path: Path) -> bool:
    """Whether a file's name says that it is Parquet."""
    return path.suffix.lower() == PARQUET


def parquet_lines(path: Path) -> Iterator[bytes]:
    """A file's rows as lines of JSON, some at a time."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise missing_extra(f"reading {path}", "pyarrow", "pairs") from None
    most, total, row = max(RATIO * path.stat().st_size, ALWAYS), 0, 1
    try:
        with parquet.ParquetFile(path) as table:
            names = _columns(table.schema_arrow.names, path)
            for batch in table.iter_batches(batch_size=_ROWS, columns=list(names)):
                rows = batch.to_pylist()
                lines = "".join(_line(values, names, path, number) for number, values in enumerate(rows, row))
                content = lines.encode(errors="surrogatepass")
                row, total = row + len(rows), total + len(content)
                if total > most:
                    raise InputError(f"unpacks to more than {most:,} bytes, which no text does", path)
                yield content
    except pyarrow.ArrowException as error:
        raise InputError(f"is no Parquet file that can be read: {str(error).splitlines()[0][:120]}", path) from None


def _columns(names: list[str], path: Path) -> dict[str, str]:
    """The fields that columns stand for; what else a table has is left to those who made it."""
    fields = {name: OTHER_NAMES.get(name, name) for name in names}
    shown = ", ".join(names)[:200]
    for field in NEEDED:
        columns = [name for name, other in fields.items() if other == field]
        also = "".join(f" or {name!r}" for name, other in OTHER_NAMES.items() if other == field)
        if not columns:
            raise InputError(f"has no column {field!r}{also}; there are {shown}", path)
        if len(columns) > 1 or names.count(columns[0]) > 1:
            raise InputError(f"has two columns for {field!r}; there are {shown}", path)
    return fields


def _line(values: dict[str, Any], names: dict[str, str], path: Path, row: int) -> str:
    own = {names[name]: value for name, value in values.items() if value is not None}
    try:
        return json.dumps(own, ensure_ascii=False, allow_nan=False) + "\n"
    except (TypeError, ValueError):
        bad = next(name for name, value in own.items() if not _can_be_json(value))
        raise InputError(
            f"column {bad!r} has {str(own[bad])[:60]!r}, which is neither text nor a number", path, row
        ) from None


def _can_be_json(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True
