"""Words without punctuation and case, for the Punc rule and for features.

Punctuation and symbol characters of any script count as spaces, so that `one-third`, `one - third` and `one third` are
the same words, wherever the tokeniser put the spaces.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_NEGATION = re.compile(r"n['\u2019]t\b", re.IGNORECASE)


class _Spaces(dict[int, str]):
    """Characters that count as spaces; filled as they are met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = " " if unicodedata.category(character)[0] in "PS" else character
        return self[code]


_SPACES = _Spaces()


@lru_cache(maxsize=65536)
def plain_words(word: str) -> tuple[str, ...]:
    """The words that are left of a token: none of a comma, several of a hyphenated word.

    >>> plain_words("One-third"), plain_words("``"), plain_words("didn't"), plain_words("n't")
    (('one', 'third'), (), ('did', 'nt'), ('nt',))
    """
    return tuple(_NEGATION.sub(" nt", word).translate(_SPACES).casefold().split())


@lru_cache(maxsize=65536)
def plain(words: tuple[str, ...]) -> tuple[str, ...]:
    """A word sequence without punctuation and case."""
    return tuple(plain for word in words for plain in plain_words(word))
