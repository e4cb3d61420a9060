"""JSON with typed fields, as lines or as a tree: every mistake is an error that names its place and the field."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from data.formats.textfile import numbered_lines
from data.problems import InputError


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


@dataclass(frozen=True)
class Node(Record):
    """One JSON object of a document; `place` says where it is in words, as a document's lines say little.

    >>> node = Node({"words": "to"}, Path("gold.json"), place="sentence 4, tuple 2")
    >>> str(node.error("'words' must be a list"))
    "gold.json: sentence 4, tuple 2: 'words' must be a list"
    """

    line: int = 0
    place: str = ""

    def error(self, message: str) -> InputError:
        """An error at this object's place."""
        return InputError(f"{self.place}: {message}" if self.place else message, self.path)

    def values(self, name: str) -> list[Any]:
        """A field that holds a list; missing is an error."""
        value = self.fields.get(name)
        if not isinstance(value, list):
            raise self.error(f"the field {name!r} is missing or no list")
        return value

    def integer(self, name: str) -> int:
        """A field that holds a whole number; missing is an error."""
        value = self.fields.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(f"the field {name!r} is missing or no whole number")
        return value

    def flag(self, name: str) -> bool:
        """A field that holds true or false; missing is false."""
        value = self.fields.get(name, False)
        if not isinstance(value, bool):
            raise self.error(f"{name!r} must be true or false")
        return value

    def child(self, name: str, place: str = "") -> Node:
        """The object in a field; `place` is what it is called, the field's name if nothing else."""
        return self.of(self.fields.get(name), place or name)

    def children(self, name: str, what: str) -> tuple[Node, ...]:
        """The objects in a list, each called `what` and its number from 1."""
        return tuple(self.of(value, f"{what} {number}") for number, value in enumerate(self.values(name), 1))

    def of(self, value: Any, place: str) -> Node:
        """A value below this object as a node; anything but an object is an error."""
        below = Node({}, self.path, place=f"{self.place}, {place}" if self.place else place)
        if not isinstance(value, dict):
            raise below.error("is missing" if value is None else "a JSON object was expected")
        return Node(value, self.path, place=below.place)


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
        yield record_of(number, line, path)


def record_of(number: int, line: str, path: Path) -> Record:
    """The object in a line."""
    value = parse_json(line, path, number)
    if not isinstance(value, dict):
        raise InputError("a JSON object was expected", path, number)
    return Record(value, path, number)


def read_tree(text: str, path: Path) -> Node:
    """The document in a text, whose top must be an object."""
    value = parse_json(text, path)
    if not isinstance(value, dict):
        raise InputError("a JSON object was expected", path)
    return Node(value, path)


def dump_lines(values: Iterable[Mapping[str, object]]) -> str:
    """Objects as JSON Lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)
