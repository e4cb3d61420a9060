"""Matchers by name: sets of rules, the field's scorers, checkpoints by name or folder."""

from __future__ import annotations

from data.problems import InputError
from matchers.interface import Matcher
from matchers.rules import RULES, RuleMatcher

RULE_NAMES = ("em", "em+af", "em+lod", "em+af+lod", "rules")


def load(name: str) -> Matcher:
    """The matcher of a name.

    >>> load("em+af").name
    'em+af'
    """
    if name == "rules" or all(part in RULES for part in name.lower().split("+")):
        return RuleMatcher(name)
    raise InputError(f"no matcher is called {name!r}; the names are {', '.join(RULE_NAMES)}")
