"""The bracket notation of gold slots: `[the] High Court [of Arden]`.

A bracketed group of several words is one optional unit. Brackets glued to a word are split from it. A stray or
unclosed bracket is dropped and its words are required. Each of these is a defect with a name, for the reader to
report.
"""

from __future__ import annotations

import re
from functools import lru_cache

from data.model import ARROW, EMPTY_SLOT, Group, Slot

GLUED = "glued bracket"
STRAY = "stray bracket"
EMPTY = "empty bracket"

_TOKEN = re.compile(r"[\[\]]|[^\[\]\s]+")
_GLUED = re.compile(r"[^\s\[\]]\[|\][^\s\[\]]|\]\[")


@lru_cache(maxsize=65536)  # a file repeats most of its slots
def parse_slot(text: str) -> tuple[Slot, tuple[str, ...]]:
    """The slot that a text stands for, and the defects that were mended.

    >>> slot, defects = parse_slot("[old]harbour wall]")
    >>> str(slot), defects
    ('[old] harbour wall', ('glued bracket', 'stray bracket'))
    """
    if text.strip() == EMPTY_SLOT:
        return Slot(), ()
    defects = [GLUED] if _GLUED.search(text) else []
    groups: list[Group] = []
    words: list[str] = []
    inside = False

    def close(optional: bool) -> None:
        if words:
            groups.append(Group(tuple(words), optional))
            words.clear()
        elif optional:
            defects.append(EMPTY)

    for token in _TOKEN.findall(text):
        if token == "[":
            if inside:
                defects.append(STRAY)
            close(optional=False)
            inside = True
        elif token == "]":
            if inside:
                close(optional=True)
            else:
                defects.append(STRAY)
            inside = False
        else:
            words.append(token)
    if inside:
        defects.append(STRAY)
    close(optional=False)
    return Slot(tuple(groups)), tuple(defects)


def plain_words(text: str) -> tuple[str, ...]:
    """The words of a text that has no notation, without the marks that a gold slot can't hold.

    >>> plain_words("[sic] Arden --> Oslo")
    ('sic', 'Arden', 'Oslo')
    """
    return tuple(text.replace("[", "").replace("]", "").replace(ARROW, " ").split())


def plain_slot(text: str) -> Slot:
    """A slot of required words from a text that has no notation."""
    return Slot.of(" ".join(plain_words(text)))
