"""YAML files as nodes that know their lines; what could hang us or run code is refused before anything is built.

Only plain keys and values are taken: no aliases, which a few lines of can make billions of values, no tags, no key
twice, no deep nesting.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from data.formats.textfile import read_text
from data.problems import InputError

MOST_BYTES, MOST_EVENTS, MOST_DEPTH = 1_000_000, 20_000, 20
_SHOWN = 60


def read_yaml(path: Path) -> Any:
    """The root node of a YAML file, which knows the lines of its parts; None if the file is empty."""
    return compose(read_text(path), path)


def compose(text: str, path: Path | None = None) -> Any:
    """The root node of a YAML text; None if it is empty."""
    import yaml

    if len(text) > MOST_BYTES:
        raise InputError(f"is too long: a recipe has at most {MOST_BYTES:,} characters", path)
    try:
        _check_events(text, path)
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = " ".join(str(getattr(error, "problem", None) or error).split())
        raise InputError(f"is not YAML: {problem[:200]}", path, mark.line + 1 if mark else None) from None


def _check_events(text: str, path: Path | None) -> None:
    import yaml

    depth = documents = 0
    for number, event in enumerate(yaml.parse(text, Loader=yaml.SafeLoader)):
        line = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent):
            raise InputError("aliases such as *name can't be used here; write the value out", path, line)
        if getattr(event, "tag", None) is not None:
            raise InputError("the value can't be read: tags such as !!int can't be used here", path, line)
        documents += isinstance(event, yaml.DocumentStartEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEPTH or number > MOST_EVENTS or documents > 1:
            raise InputError("has more values, levels or documents than a recipe can need", path, line)


def entries(node: Any, path: Path) -> Iterator[tuple[str, int, Any]]:
    """The keys of a YAML mapping, each once, with its line and the node of its value."""
    import yaml

    if not isinstance(node, yaml.MappingNode):
        raise InputError("keys and values were expected", path, node.start_mark.line + 1)
    seen: set[str] = set()
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise InputError("a key was expected, not several values", path, line)
        key = str(key_node.value)
        if key in seen:
            raise InputError(f"the key {shown(key)} is there twice", path, line)
        seen.add(key)
        yield key, line, value_node


def loaded(node: Any, path: Path | None = None) -> Any:
    """The plain value of a YAML node."""
    import yaml

    try:
        return yaml.SafeLoader("").construct_object(node, deep=True)
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError):
        raise InputError("the value can't be read", path, node.start_mark.line + 1) from None


def shown(value: object) -> str:
    r"""A value as it is shown in an error: printable and short.

    >>> shown("a\0b"), shown(10**99)
    ("'a\\x00b'", 'a number of 100 digits')
    """
    if isinstance(value, int) and abs(value) >= 10**20:
        return f"a number of {len(str(abs(value)))} digits" if abs(value) < 10**1000 else "an enormous number"
    text = repr(value[:_SHOWN] if isinstance(value, str | list) else value)
    return text if len(text) <= 2 * _SHOWN else f"{text[: 2 * _SHOWN]}..."


def is_file(path: Path) -> bool:
    """Whether there is a file of this name; what can't be a name is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
