"""What a feature is called, what it means, and which way it may speak."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Feature:
    """A named number about a pair, and which way it may speak: for a match (1), against it (-1, most), either (0).

    A linear model keeps to the signs, so that it does not take chance for a reason and go astray on other texts.
    """

    name: str
    group: str
    meaning: str
    sign: int = -1


class Speaks(NamedTuple):
    """What a feature means and which way it speaks; the annotation of a group's field."""

    meaning: str
    sign: int


def against(meaning: str) -> Speaks:
    """A number that speaks against a match, if at all."""
    return Speaks(meaning, -1)


def for_match(meaning: str) -> Speaks:
    """A number that speaks for a match, if at all."""
    return Speaks(meaning, 1)


def either(meaning: str) -> Speaks:
    """A number that may speak either way."""
    return Speaks(meaning, 0)
