"""What kind of word stands at a border, what kind of relation a slot is, and the stem of a word; all on lemmas."""

from __future__ import annotations

from functools import lru_cache

from matchers.text.word_lists import AUXILIARIES, DETERMINERS, FUNCTION, MODALS, PREPOSITIONS

CONTENT, PREPOSITION, DETERMINER, AUXILIARY, OTHER = range(5)
NOTHING = -1
COSTS = (2.0, 1.5, 0.3, 0.6, 1.0)  # of a word of each kind that differs; a content word that is missing costs 3

_PERSONAL = frozenset("he she it they we i you him them us me his her its their".split())
_ENDINGS = (
    "ization", "ation", "ingly", "ings", "ing", "edly", "ment", "ness", "ion", "ies", "ers", "ed", "er",
    "or", "es", "ly", "s", "e", "y",
)  # fmt: skip

Words = tuple[str, ...]


@lru_cache(maxsize=1 << 16)
def kind(word: str) -> int:
    """The kind of a lemma."""
    if word in DETERMINERS:
        return DETERMINER
    if word in AUXILIARIES or word in MODALS:
        return AUXILIARY
    if word in PREPOSITIONS:
        return PREPOSITION
    return OTHER if word in FUNCTION else CONTENT


def first_kind(words: Words) -> int:
    """The kind of the first word, or `NOTHING`."""
    return kind(words[0]) if words else NOTHING


def last_kind(words: Words) -> int:
    """The kind of the last word, or `NOTHING`."""
    return kind(words[-1]) if words else NOTHING


def content_words(words: Words) -> frozenset[str]:
    """The content words."""
    return frozenset([word for word in words if kind(word) == CONTENT])


def head_verb(words: Words) -> str:
    """The stem of a relation's first content word, which is its verb in most cases; nothing if it has none."""
    return next((stem(word) for word in words if kind(word) == CONTENT), "")


def is_pronoun(words: Words) -> bool:
    """Whether an argument is a personal pronoun and nothing else of weight."""
    return not _PERSONAL.isdisjoint(words) and not content_words(words)


@lru_cache(maxsize=1 << 16)
def relation_kind(words: Words) -> int:
    """What a relation is made of, by what an annotator would do with its borders.

    0 nothing, 1 a form of be alone, 2 of have, 3 other auxiliaries, 4 no content word but a preposition, 5 one content
    word, 6 be with one, 7 be with more, 8 have with some, 9 several without either.

    >>> relation_kind(("be",)), relation_kind(("be", "in")), relation_kind(("be", "part", "of"))
    (1, 4, 6)
    """
    if not words:
        return 0
    content = len([word for word in words if kind(word) == CONTENT])
    if not content:
        if any(kind(word) == PREPOSITION for word in words):
            return 4
        return 1 if "be" in words else 2 if "have" in words else 3
    if words[0] == "be":
        return 6 if content == 1 else 7
    if words[0] == "have":
        return 8
    return 5 if content == 1 else 9


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The beginning of a word that other words of its family share, roughly.

    >>> stem("invention") == stem("inventor") == stem("invent")
    True
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)][:6]
    return word[:6]
