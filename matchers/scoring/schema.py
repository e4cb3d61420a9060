"""The shape of a JSON result as a document, and whether a value has that shape.

A shape is a `TypedDict`, whose docstring says what it is, and whose keys say what they are in `Annotated`. The document
`docs/json.md` is made of shapes, and tests hold what the commands write to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

_NAMES = {str: "text", int: "whole number", float: "number", bool: "true or false", NoneType: "null", Any: "anything"}


@dataclass(frozen=True)
class Key:
    """A key of an object: its name, the type of its value, what it says, and whether it may be missing."""

    name: str
    kind: Any
    text: str
    optional: bool


def keys_of(shape: type) -> list[Key]:
    """The keys of a shape, in its order."""
    keys = []
    for name, hint in get_type_hints(shape, include_extras=True).items():
        text, optional = "", False
        while (around := get_origin(hint)) in (Annotated, NotRequired):
            optional = optional or around is NotRequired
            text = str(hint.__metadata__[0]) if around is Annotated else text
            hint = hint.__origin__ if around is Annotated else get_args(hint)[0]
        keys.append(Key(name, hint, text, optional))
    return keys


def type_text(kind: Any) -> str:
    """A type in words.

    >>> type_text(list[float] | None), type_text(dict[str, int]), type_text(list[tuple[str, float]])
    ('list of numbers, or null', 'object: a name to whole number', 'list of [text, number]')
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return ", or ".join(type_text(part) for part in sorted(inner, key=lambda part: part is NoneType))
    if origin is list:
        return f"list of {_plural(inner[0])}"
    if origin is tuple:
        return f"[{', '.join(map(type_text, inner))}]"
    if origin is dict:
        return f"object: a name to {type_text(inner[1])}"
    if is_typeddict(kind):
        return f"[{title_of(kind)}](#{title_of(kind).lower().replace(' ', '-')})"
    return _NAMES[kind]


def _plural(kind: Any) -> str:
    return type_text(kind) if is_typeddict(kind) or get_origin(kind) else {str: "texts"}.get(kind, f"{_NAMES[kind]}s")


def title_of(shape: type) -> str:
    """What a shape is called.

    >>> title_of(type("SystemProfileJson", (), {}))
    'System profile'
    """
    name = shape.__name__.removesuffix("Json")
    return name[0] + "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name[1:])


def parts_of(kind: Any) -> Iterator[type]:
    """The shapes that a type is made of, itself first if it is one."""
    if is_typeddict(kind):
        yield kind
        for key in keys_of(kind):
            yield from parts_of(key.kind)
    else:
        for part in get_args(kind):
            yield from parts_of(part)


def document(shapes: Sequence[type]) -> str:
    """The shapes and all their parts, each once, in Markdown."""
    every = dict.fromkeys(part for shape in shapes for part in parts_of(shape))
    return "\n".join(_section(shape, shape in shapes) for shape in every)


def _section(shape: type, whole: bool) -> str:
    said = " ".join((shape.__doc__ or "").split())
    rows = [
        f"| `{key.name}`{' (may be missing)' if key.optional else ''} | {type_text(key.kind)} | {key.text} |"
        for key in keys_of(shape)
    ]
    head = ["| key | value | what it is |", "|---|---|---|"]
    return "\n".join([f"{'##' if whole else '###'} {title_of(shape)}", "", said, "", *head, *rows, ""])


def problems(value: object, kind: Any, place: str = "") -> list[str]:
    """Where a value does not have a type's shape; empty if it has.

    >>> problems({"a": 1.5}, dict[str, int])
    ['a: 1.5 is no whole number']
    """
    if is_typeddict(kind):
        return _object_problems(value, kind, place)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        tried = [problems(value, part, place) for part in inner]
        return [] if [] in tried else max(tried, key=len)
    if origin is list and isinstance(value, list):
        return [line for number, part in enumerate(value) for line in problems(part, inner[0], f"{place}[{number}]")]
    if origin is tuple and isinstance(value, list) and len(value) == len(inner):
        places = enumerate(zip(value, inner, strict=True))
        return [line for number, (part, own) in places for line in problems(part, own, f"{place}[{number}]")]
    if origin is dict and isinstance(value, dict):
        parts = ((f"{place}.{name}".lstrip("."), part) for name, part in value.items())
        return [line for where, part in parts for line in problems(part, inner[1], where)]
    wanted: Any = {float: (int, float), Any: object}.get(kind, kind) if origin is None else origin
    fits = origin is not tuple and isinstance(value, wanted) and (isinstance(value, bool) <= (kind in (bool, Any)))
    return [] if fits else [f"{place}: {value!r} is no {type_text(kind)}"]


def _object_problems(value: object, shape: type, place: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{place}: {value!r} is no {title_of(shape)}"]
    keys = {key.name: key for key in keys_of(shape)}
    lines = [f"{place}: no {name}" for name, key in keys.items() if not key.optional and name not in value]
    lines += [f"{place}: {name} is not in {title_of(shape)}" for name in value if name not in keys]
    for name, key in keys.items():
        if name in value:
            lines += problems(value[name], key.kind, f"{place}.{name}".lstrip("."))
    return lines
