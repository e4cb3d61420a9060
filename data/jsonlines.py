"""JSON Lines with typed fields: every mistake is an error that names the line and the field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from data.problems import InputError
from data.textfile import numbered_lines


@dataclass(frozen=True)
class Record:
    """One JSON object of a file, with its place for error messages."""

    fields: dict[str, Any]
    path: Path
    line: int

    def text(self, name: str, default: str | None = None) -> str:
        """A string field; numbers are taken for their text, as ids often are."""
        value = self.fields.get(name, default)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise self.error(f"the field {name!r} is missing" if value is None else f"{name!r} must be a string")
        return value

    def number(self, name: str) -> float | None:
        """A numeric field that may be missing or null."""
        value = self.fields.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(f"{name!r} must be a number")
        try:
            return float(value)
        except OverflowError:
            raise self.error(f"{name!r} is too large") from None

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that holds a list of strings; missing is an error."""
        value = self.fields.get(name)
        if not isinstance(value, list):
            raise self.error(f"the field {name!r} is missing or no list")
        return tuple(replace(self, fields={name: item}).text(name) for item in value)

    def error(self, message: str) -> InputError:
        """An error at this record's line."""
        return InputError(message, self.path, self.line)


def parse_json(text: str, path: Path, line: int | None = None) -> Any:
    """The value of a JSON text, or a clear error."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", path, line or error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not JSON: {str(error)[:80]}", path, line) from None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON number")


def records(text: str, path: Path) -> Iterator[Record]:
    """The objects of a JSON Lines text."""
    for number, line in numbered_lines(text):
        value = parse_json(line, path, number)
        if not isinstance(value, dict):
            raise InputError("a JSON object was expected", path, number)
        yield Record(value, path, number)


def dump_lines(values: list[dict[str, Any]]) -> str:
    """Objects as JSON Lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)
