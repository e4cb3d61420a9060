"""Pasted text to sentences whose words stand apart, as gold files have them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from data.languages import UNSPACED, characters
from data.problems import InputError
from data.text import check_text, one_line

LONGEST = 5_000  # characters of a sentence
LONGEST_ABBREVIATION = 10
_END = re.compile(r"(?<=[.!?\u2026])[\"'\u201d\u2019)]*\s+(?=[\"'\u201c\u2018(]?[^\W\d_a-z])")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Sen|Gen|Col|Jr|Sr|vs|etc|No|Inc|Ltd|Co|U\.S|[A-Z])\.)$")
_UNSPACED_END = re.compile(r"(?<=[\u3002\uff01\uff1f])(?!\s*[\u300d\u300f\u201d])")
_WORD = re.compile(r"https?://\S+|\w+(?:[.,:]\d+)+%?|(?:[^\W\d_]\.){2,}|\w+(?:['\u2019\-\u2011]\w+)*|\.\.\.|--+|\S")
_CLITIC = re.compile(r"(?i)^(.+?)(n['\u2019]t|['\u2019](?:s|re|ve|ll|d|m))$")
_TITLE = re.compile(r"^(?:Mr|Mrs|Ms|Dr|Prof|St|Sen|Gen|Col|Jr|Sr|No)$")


def sentences_of(text: str, language: str, by_character: bool = True, split: bool = True) -> list[str]:
    r"""The sentences of a text, a line at a time, each with a space between its words.

    Brackets and long arrows become others, since gold files mean something by them.

    >>> sentences_of("Dr. Venn left. She didn't say why.\n2.5 tons sank.", "en")
    ['Dr. Venn left .', "She did n't say why .", '2.5 tons sank .']
    >>> sentences_of("他走了。", "zh")
    ['他 走 了 。']
    """
    found = []
    for line in text.replace("[", "(").replace("]", ")").replace("-->", "\u2192").splitlines():
        for piece in split_line(one_line(line), language) if split else [one_line(line)]:
            if piece:
                found.append(_checked(words_of(piece, language, by_character)))
    return found


def split_line(line: str, language: str) -> list[str]:
    """The sentences of a line; an abbreviation ends none."""
    if language in UNSPACED:
        return [piece.strip() for piece in _UNSPACED_END.split(line) if piece.strip()]
    pieces: list[str] = []
    for piece in _split_after(line):
        if pieces and _ABBREVIATION.search(pieces[-1][-LONGEST_ABBREVIATION:]):
            pieces[-1] += f" {piece}"
            _check_length(pieces[-1])  # before it grows so long that adding to it takes minutes
        else:
            pieces.append(piece)
    return pieces


def _split_after(line: str) -> Iterable[str]:
    start = 0
    for end in _END.finditer(line):
        yield line[start : end.end()].strip()
        start = end.end()
    yield line[start:].strip()


def words_of(sentence: str, language: str, by_character: bool = True) -> str:
    """A sentence with single spaces between its words and its punctuation.

    Text that is written without spaces is split into characters, unless its words stand apart already and
    `by_character` is off.
    """
    if language in UNSPACED:
        return " ".join(characters(sentence)) if by_character else one_line(sentence)
    words: list[str] = []
    for word in _WORD.findall(sentence):
        if word == "." and words and _TITLE.match(words[-1]):
            words[-1] += "."
        elif language == "en" and (parts := _CLITIC.match(word)):
            words.extend(parts.groups())
        else:
            words.append(word)
    return " ".join(words)


def _checked(text: str) -> str:
    text = one_line(text)
    _check_length(text)
    if any(unicodedata.category(character) == "Cc" for character in text):
        raise InputError("has control characters; it is no text")
    try:
        check_text(text, "a sentence")
    except ValueError as error:
        raise InputError(str(error)) from None
    return text


def _check_length(text: str) -> None:
    if len(text) > LONGEST:
        raise InputError(f"a sentence has more than {LONGEST} characters; put line breaks between sentences")
