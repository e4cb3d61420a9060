"""Text as it is stored, and the one key by which two copies of a sentence are known for the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TypeVar

Item = TypeVar("Item")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Control characters but tab and line feed, the separators and directions of Unicode, and lone surrogates.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_NEITHER_LETTER_NOR_DIGIT = re.compile("[^a-z0-9]+")


def one_line(text: str) -> str:
    """White space of any kind folded to single spaces, none at the ends."""
    return " ".join(text.split())


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "sentence"), counted(12, "cluster")
    ('1 sentence', '12 clusters')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def check_id(value: str, what: str) -> None:
    """An id is a non-empty printable string without the marks of the text formats."""
    if not isinstance(value, str):
        raise ValueError(f"the id of a {what} is text, not {shown_type(value)}")
    if not value or value != one_line(value) or not value.isprintable() or "->" in value:
        raise ValueError(f"{value!r} can't be the id of a {what}")


def check_text(value: str, what: str) -> None:
    """Text that is stored has single spaces only and can be encoded."""
    if not isinstance(value, str):
        raise ValueError(f"{what} is text, not {shown_type(value)}")
    if value != one_line(value):
        raise ValueError(f"{what} has line breaks, tabs or doubled spaces: {value!r}")
    if not value.isascii() and _SURROGATE.search(value):
        raise ValueError(f"{what} has lone surrogates, which no encoding can write: {value!r}")


def printable(text: str) -> str:
    r"""A text that can't steer a terminal: escape sequences and other control characters are written out.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return _CONTROLS.sub(lambda match: ascii(match[0])[1:-1], text)


def shortened(text: str, length: int = 200) -> str:
    """A text for a message, cut where it is long.

    >>> shortened("a long line", 6)
    'a long...'
    """
    return text if len(text) <= length else text[:length] + "..."


def checked_items(values: Iterable[Item], kind: type[Item], what: str) -> tuple[Item, ...]:
    """A list or tuple as a tuple, all of one kind; text is no list of letters."""
    if not isinstance(values, list | tuple):
        raise ValueError(f"{what} are a tuple of {kind.__name__}, not {shown_type(values)}")
    for value in values:
        if not isinstance(value, kind):
            raise ValueError(f"{what} are a tuple of {kind.__name__}; it has {shown_type(value)}")
    return tuple(values)


def shown_type(value: object) -> str:
    """A value with its type, for messages, cut where it is long.

    >>> shown_type(3.5), shown_type("court")
    ('the float 3.5', "the str 'court'")
    """
    return f"the {type(value).__name__} {repr(value)[:60]}"


def sentence_key(text: str) -> str:
    """What all ways of writing a sentence have in common: its letters and digits, case folded, Unicode normalised.

    Spaces, punctuation, quotation marks, hyphens and invisible characters don't matter. A sentence without letters and
    digits is known by its normalised text.

    >>> sentence_key("The old mill , built in 1840 , burned .")
    'theoldmillbuiltin1840burned'
    >>> sentence_key("the old mill, built in 1840, burned.") == sentence_key("The old mill , built in 1840 , burned .")
    True
    """
    if text.isascii():
        normal = text.lower()
        return _NEITHER_LETTER_NOR_DIGIT.sub("", normal) or one_line(normal)
    # Invisible characters go first: one between a letter and its accent would keep the two apart.
    visible = "".join(character for character in text if unicodedata.category(character) != "Cf")
    # Folding may take a composed character apart, so the text is composed again.
    normal = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
    return "".join(character for character in normal if character.isalnum()) or one_line(normal)
