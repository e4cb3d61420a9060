"""A JSON document as a tree of objects that know their place, so that every mistake in it can be found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.jsonlines import Record, parse_json
from data.problems import InputError


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


def read_tree(text: str, path: Path) -> Node:
    """The document in a text, whose top must be an object."""
    value = parse_json(text, path)
    if not isinstance(value, dict):
        raise InputError("a JSON object was expected", path)
    return Node(value, path)
