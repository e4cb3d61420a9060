"""Which words of a sentence are of interest to who annotates it: verbs and named entities.

A light guess is built in. Where spaCy and a model of the language are installed, they say it; and the user may name a
function of their own, `module:function`, which gets the words and the language and gives a mark for each word.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from data.attacks.verbs import verb_positions
from data.problems import InputError

VERB, ENTITY = "verb", "entity"
Highlighter = Callable[[Sequence[str], str], Sequence[str]]
_GERMAN_LIKE = frozenset(("de", "lb"))  # every noun has a capital, so a capital tells nothing
_MODELS = {
    "en": "en_core_web_sm", "de": "de_core_news_sm", "zh": "zh_core_web_sm", "ja": "ja_core_news_sm",
    "fr": "fr_core_news_sm", "es": "es_core_news_sm", "it": "it_core_news_sm", "pt": "pt_core_news_sm",
    "ca": "ca_core_news_sm", "nl": "nl_core_news_sm",
}  # fmt: skip


def guess(words: Sequence[str], language: str) -> list[str]:
    """The built-in guess: verbs by English word lists and endings, entities by capitals.

    >>> guess("Yesterday Mara Venn moved to Oslo .".split(), "en")
    ['', 'entity', 'entity', 'verb', '', 'entity', '']
    """
    marks = [""] * len(words)
    if language == "en":
        for position in verb_positions(words):
            marks[position] = VERB
    if language not in _GERMAN_LIKE:
        for position, word in enumerate(words):
            if not marks[position] and _is_name(words, position, word):
                marks[position] = ENTITY
    return marks


def _is_name(words: Sequence[str], position: int, word: str) -> bool:
    """Whether a word has a capital that is not the sentence's: the first word needs another capital after it."""
    if not word[0].isupper() or word in ("I", "I'm"):
        return False
    if position and words[position - 1] not in (".", "!", "?", '"', "“", "''", "``"):
        return True
    follower = words[position + 1] if position + 1 < len(words) else ""
    return follower[:1].isupper() and word.lower() not in _OPENERS


_OPENERS = frozenset("the a an in on at when while after before although as if since for but and yesterday".split())


@lru_cache(maxsize=4)
def _spacy(language: str) -> Any | None:
    try:
        import spacy

        return spacy.load(_MODELS[language])
    except Exception:  # spaCy is not ours: whatever it lacks, the guess is there
        return None


def by_spacy(words: Sequence[str], language: str) -> list[str] | None:
    """What spaCy says, or None where it or a model of the language is not installed."""
    model = _spacy(language) if language in _MODELS else None
    if model is None:
        return None
    from spacy.tokens import Doc

    document = model(Doc(model.vocab, words=list(words)))
    return [VERB if token.pos_ in ("VERB", "AUX") else ENTITY if token.ent_type_ else "" for token in document]


def built_in(words: Sequence[str], language: str) -> Sequence[str]:
    """SpaCy's word where there is one, else the guess."""
    return by_spacy(words, language) or guess(words, language)


def load_highlighter(name: str | None) -> Highlighter:
    """The function that is named, or the built-in one."""
    if not name:
        return built_in
    module, _, function = name.partition(":")
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - as `python -m` finds modules
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"--highlight takes module:function, and {name!r} can't be imported: {error}") from None
    finally:
        sys.path.pop(0)
    if not callable(found):
        raise InputError(f"--highlight takes a function; {name!r} is none")
    return _checked(found, name)


def _checked(function: Callable[[list[str], str], Any], name: str) -> Highlighter:
    def highlight(words: Sequence[str], language: str) -> Sequence[str]:
        try:
            marks = [str(mark or "") for mark in function(list(words), language)]
        except Exception as error:  # whatever it is, it is the user's to mend
            raise InputError(f"{name} failed: {type(error).__name__}: {error}") from None
        if len(marks) != len(words):
            raise InputError(f"{name} gave {len(marks)} marks for {len(words)} words; one a word was expected")
        return [mark if mark in (VERB, ENTITY) else "" for mark in marks]

    return highlight
