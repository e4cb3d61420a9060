from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchers.text.punctuation import plain, plain_words


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("Oslo , Norway", "oslo norway"),
        ("Oslo, Norway.", "oslo norway"),
        ("`` Dawn ''", "dawn"),
        ('"Dawn"', "dawn"),
        ("\u201cDawn\u201d", "dawn"),
        ("\u00abDawn\u00bb \u2039x\u203a \u201ey\u201f", "dawn x y"),
        ("half-open half \u2010 open half\u2011open", "half open half open half open"),
        ("1999\u20132004 1999\u20142004 1999 -- 2004", "1999 2004 1999 2004 1999 2004"),
        ("$ 5 5\u20ac 5 %", "5 5 5"),
        ("\u3002\u4f60\u597d\u3001", "\u4f60\u597d"),
        ("\u00bfDe veras?", "de veras"),
        ("-LRB- sic -RRB-", "lrb sic rrb"),
        ("a/b a_b a*b", "a b a b a b"),
        ("STRASSE Stra\u00dfe", "strasse strasse"),
    ],
)
def test_punctuation_and_symbols_are_spaces_and_case_is_folded(written: str, left: str) -> None:
    assert " ".join(plain(tuple(written.split()))) == left


def test_a_negation_reads_the_same_however_it_was_split() -> None:
    assert plain(("did", "n't")) == plain(("didn't",)) == plain(("didn\u2019t",)) == ("did", "nt")
    assert plain(("won't", "wont")) == ("wo", "nt", "wont")


def test_a_word_of_punctuation_leaves_nothing() -> None:
    assert plain_words("--") == plain_words("\u2026") == ()


@given(st.lists(st.text(min_size=1).filter(lambda text: text.split() == [text]), max_size=4).map(tuple))
def test_nothing_left_has_punctuation_and_twice_is_once(words: tuple[str, ...]) -> None:
    left = plain(words)
    assert all(unicodedata.category(character)[0] not in "PS" for word in left for character in word)
    assert all(word.split() == [word] for word in left)


@given(st.lists(st.sampled_from(["Oslo", "n't", "a-b", ",", "did", "U.S."]), max_size=5).map(tuple))
def test_it_does_not_matter_where_words_are_split(words: tuple[str, ...]) -> None:
    assert plain(words) == tuple(plain for word in words for plain in plain_words(word))
