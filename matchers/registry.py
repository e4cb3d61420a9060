"""Matchers by name: sets of rules, the field's scorers, zero-shot scorers, language models, checkpoints, own ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from data.problems import InputError
from matchers.interface import Matcher
from matchers.own_matcher import checked_matcher, load_own_matcher, names_own_matcher
from matchers.rules.matcher import RuleMatcher, is_rule_set

RULE_NAMES = ("em", "em+af", "em+lod", "em+af+lod", "rules")
TOKEN_NAMES = ("wire57", "oie2016")
ZERO_SHOT = ("cosine", "nli", "rerank")
LLM = "llm"


def load(name: str | Path | Matcher) -> Matcher:
    """The matcher of a name or of a checkpoint's folder; a matcher is given back as it is.

    >>> load("em+af").name
    'em+af'
    """
    if isinstance(name, Matcher):
        return checked_matcher(name)
    name = str(name)
    if is_rule_set(name):
        return RuleMatcher(name)
    kind = name.partition(":")[0]
    if kind.partition("@")[0] in ZERO_SHOT:  # `cosine@0.9` is the default model with another threshold
        return _zero_shot(name)
    make = _MAKERS.get(kind)
    return make(name) if make else _trained_or_own(name)


def _wire57(name: str) -> Matcher:
    from matchers.tokens.token_gold import Reading
    from matchers.tokens.wire57 import Wire57Matcher

    return Wire57Matcher(Reading.of(name.partition(":")[2]))


def _oie2016(name: str) -> Matcher:
    from matchers.tokens.oie2016 import Oie2016Matcher
    from matchers.tokens.token_gold import Reading

    return Oie2016Matcher(Reading.of(name.partition(":")[2]))


def _zero_shot(name: str) -> Matcher:
    from matchers.encoder.zero_shot import load_zero_shot

    return load_zero_shot(name)


def _llm(name: str) -> Matcher:
    from matchers.llm.matcher import load_llm

    return load_llm(name)


_MAKERS: dict[str, Callable[[str], Matcher]] = {
    "wire57": _wire57,
    "oie2016": _oie2016,
    LLM: _llm,
}


def _trained_or_own(name: str) -> Matcher:
    from matchers.checkpoints import is_checkpoint, load_checkpoint, shipped

    if is_checkpoint(name):
        return load_checkpoint(name)
    if names_own_matcher(name):
        return load_own_matcher(name)
    names = ", ".join((*RULE_NAMES, *TOKEN_NAMES, *(f"{kind}:MODEL" for kind in (*ZERO_SHOT, LLM)), *shipped()))
    raise InputError(
        f"no matcher is called {name[:100]!r}, nor a checkpoint folder; the names are {names}, and my_module:MyMatcher"
    )
