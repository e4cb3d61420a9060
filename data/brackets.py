"""The bracket notation of gold slots, `[the] High Court [of Arden]`: texts to groups of words.

A bracketed group of several words is one optional unit. Brackets glued to a word are split from it. A stray or
unclosed bracket is dropped and its words are required. Each of these is a defect with a name, for the reader to
report.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

EMPTY_SLOT = "XXX"
ARROW = "-->"
GLUED = "glued bracket"
STRAY = "stray bracket"
EMPTY = "empty bracket"

_TOKEN = re.compile(r"[\[\]]|[^\[\]\s]+")
_GLUED = re.compile(r"[^\s\[\]]\[|\][^\s\[\]]|\]\[")


@dataclass(frozen=True)
class Parsed:
    """The groups of a slot's text as (words, optional), and the defects that were mended."""

    groups: tuple[tuple[tuple[str, ...], bool], ...] = ()
    defects: tuple[str, ...] = ()


def parse(text: str) -> Parsed:
    """The groups that a text stands for.

    >>> parse("[old]harbour wall]")
    Parsed(groups=((('old',), True), (('harbour', 'wall'), False)), defects=('glued bracket', 'stray bracket'))
    """
    if text.strip() == EMPTY_SLOT:
        return Parsed()
    defects = [GLUED] if _GLUED.search(text) else []
    groups: list[tuple[tuple[str, ...], bool]] = []
    words: list[str] = []
    inside = False

    def close(optional: bool) -> None:
        if words:
            groups.append((tuple(words), optional))
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
    return Parsed(tuple(groups), tuple(defects))
