"""Slots as readers make them of text: with the defects that were mended, or of plain words."""

from __future__ import annotations

from functools import lru_cache

from data.brackets import parse
from data.model import ARROW, Group, Slot


@lru_cache(maxsize=65536)  # a file repeats most of its slots
def parse_slot(text: str) -> tuple[Slot, tuple[str, ...]]:
    """The slot that a text in bracket notation stands for, and the defects that were mended.

    >>> slot, defects = parse_slot("[old]harbour wall]")
    >>> str(slot), defects
    ('[old] harbour wall', ('glued bracket', 'stray bracket'))
    """
    parsed = parse(text)
    return Slot(tuple(Group(words, optional) for words, optional in parsed.groups)), parsed.defects


def plain_words(text: str) -> tuple[str, ...]:
    """The words of a text that has no notation, without the marks that a gold slot can't hold.

    >>> plain_words("[sic] Arden --> Oslo")
    ('sic', 'Arden', 'Oslo')
    """
    return tuple(text.replace("[", "").replace("]", "").replace(ARROW, " ").split())


def plain_slot(text: str) -> Slot:
    """A slot of required words from a text that has no notation."""
    words = plain_words(text)
    return Slot((Group(words),) if words else ())
