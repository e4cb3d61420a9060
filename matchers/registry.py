"""Matchers by name: sets of rules, the field's scorers, zero-shot scorers, checkpoints by name or folder."""

from __future__ import annotations

from data.problems import InputError
from matchers.interface import Matcher
from matchers.rules import RULES, RuleMatcher

RULE_NAMES = ("em", "em+af", "em+lod", "em+af+lod", "rules")
TOKEN_NAMES = ("wire57", "oie2016")
ZERO_SHOT = ("cosine", "nli", "rerank")


def load(name: str) -> Matcher:
    """The matcher of a name.

    >>> load("em+af").name
    'em+af'
    """
    kind, _, rest = name.partition(":")
    if name == "rules" or all(part in RULES for part in name.lower().split("+")):
        return RuleMatcher(name)
    if kind == "wire57":
        from matchers.token_gold import Reading
        from matchers.wire57 import Wire57Matcher

        return Wire57Matcher(Reading.of(rest))
    if kind == "oie2016":
        from matchers.oie2016 import Oie2016Matcher
        from matchers.token_gold import Reading

        return Oie2016Matcher(Reading.of(rest))
    if kind in ZERO_SHOT:
        from matchers.zero_shot import load_zero_shot

        return load_zero_shot(name)
    from matchers.checkpoints import is_checkpoint, load_checkpoint, shipped

    if is_checkpoint(name):
        return load_checkpoint(name)
    names = ", ".join((*RULE_NAMES, *TOKEN_NAMES, *(f"{kind}:MODEL" for kind in ZERO_SHOT), *shipped()))
    raise InputError(f"no matcher is called {name!r}, nor a checkpoint folder; the names are {names}")
