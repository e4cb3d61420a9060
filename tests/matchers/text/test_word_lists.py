from __future__ import annotations

import pytest

from matchers.text import word_lists as words
from matchers.text.word_lists import lemma


@pytest.mark.parametrize(
    ("word", "expected"),
    [("was", "be"), ("children", "child"), ("moved", "move"), ("an", "a"), ("the", "a"), ("a", "a"), ("1999", "1999")],
)
def test_the_dictionary_form(word: str, expected: str) -> None:
    assert lemma(word) == expected


@pytest.mark.parametrize("word", ["café", "北京", "страна"])
def test_words_that_are_not_english_stay_as_they_are(word: str) -> None:
    assert lemma(word) == word


def test_lemmas_are_lower_case() -> None:
    assert lemma("oslo") == "oslo"


def test_the_lists_hold_plain_words() -> None:
    lists = [value for name, value in vars(words).items() if name.isupper()]
    assert len(lists) >= 10
    for members in lists:
        assert all(word == word.strip().lower() and word for word in members)


def test_kinds_that_must_not_overlap() -> None:
    assert not words.PREPOSITIONS & words.DETERMINERS
    assert not words.PREPOSITIONS & words.CONJUNCTIONS
    assert words.PREPOSITIONS <= words.FUNCTION and words.DETERMINERS <= words.FUNCTION
