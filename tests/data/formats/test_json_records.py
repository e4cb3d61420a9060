"""JSON with typed fields."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from data.formats.json_records import Record, dump_lines, parse_json, read_tree, records
from data.problems import InputError

PATH = Path("file.json")


def test_lines_are_records_with_their_numbers() -> None:
    first, second = records('{"id": 7}\n\n{"id": "x", "score": 1, "clusters": ["1", 2]}\n', PATH)
    assert (first.text("id"), second.text("id"), second.line) == ("7", "x", 3)
    assert second.number("score") == 1.0 and first.number("score") is None
    assert second.texts("clusters") == ("1", "2") and first.text("name", "usual") == "usual"


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda r: r.text("none"), "the field 'none' is missing"),
        (lambda r: r.text("flag"), "'flag' must be a string"),
        (lambda r: r.number("text"), "'text' must be a number"),
        (lambda r: r.number("flag"), "'flag' must be a number"),
        (lambda r: r.number("huge"), "'huge' is too large"),
        (lambda r: r.texts("text"), "the field 'text' is missing or no list"),
    ],
)
def test_mistakes_name_line_and_field(read: Any, message: str) -> None:
    record = Record({"flag": True, "text": "a", "huge": 10**400}, PATH, 4)
    with pytest.raises(InputError, match=rf"^file\.json:4: {message}"):
        read(record)


@pytest.mark.parametrize("text", ["{", "NaN", "[" * 100_000, "9" * 5000, '{"a": 1} x', ""])
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(InputError, match="is not JSON"):
        parse_json(text, PATH)


def test_a_line_that_is_no_object() -> None:
    with pytest.raises(InputError, match=r"file\.json:2: a JSON object was expected"):
        list(records("{}\n[1]\n", PATH))


def test_a_tree_knows_its_places() -> None:
    root = read_tree('{"sentences": [{"index": 0, "on": true}, {"index": "x"}], "file": {"name": 3}}', PATH)
    first, second = root.children("sentences", "sentence")
    assert (first.integer("index"), first.flag("on"), second.flag("on")) == (0, True, False)
    assert root.child("file").text("name") == "3"
    with pytest.raises(InputError, match="sentence 2: the field 'index' is missing or no whole number"):
        second.integer("index")
    with pytest.raises(InputError, match="sentence 1: 'index' must be true or false"):
        first.flag("index")
    with pytest.raises(InputError, match="none: is missing"):
        root.child("none")
    with pytest.raises(InputError, match="a JSON object was expected"):
        read_tree("[]", PATH)


def test_lines_are_written_as_they_are_read() -> None:
    values: list[dict[str, Any]] = [{"a": "Käse"}, {"b": None}]
    assert [record.fields for record in records(dump_lines(values), PATH)] == values
