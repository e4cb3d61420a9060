"""How text is stored, and the one key of a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.text import check_id, check_text, one_line, sentence_key
from tests.strategies import characters

SENTENCE = "Renée 's file , the 2nd half-page , said « no » ."
WAYS = {
    "as it is": SENTENCE,
    "no space before marks": "Renée's file, the 2nd half-page, said «no».",
    "doubled and no-break spaces": "Renée  's\u00a0file , the 2nd half-page , said « no » .",
    "a zero-width space": "Ren\u200bée 's file , the 2nd half-page , said « no » .",
    "a zero-width joiner before an accent": "Rene\u200d\u0301e 's file , the 2nd half-page , said « no » .",
    "a letter and its accent apart": "Rene\u0301e 's file , the 2nd half-page , said « no » .",
    "capitals": "RENÉE 'S FILE , THE 2ND HALF-PAGE , SAID « NO » .",
    "full-width letters and digits": "Renée 's file , the \uff12\uff4e\uff44 half-page , said « no » .",
    "a ligature": "Renée 's \ufb01le , the 2nd half-page , said « no » .",
    "other quotation marks and hyphens": "Renée \u2019s file , the 2nd half\u2010page , said \u201cno\u201d .",
    "a soft hyphen": "Renée 's file , the 2nd half-\u00adpage , said « no » .",
    "a byte-order mark and a line end": "\ufeffRenée 's file , the 2nd half-page , said « no » .\r\n",
    "no final mark": "Renée 's file , the 2nd half-page , said « no »",
    "a superscript": "Renée 's file , the 2\u207f\u1d48 half-page , said « no » .",
}


@pytest.mark.parametrize("written", WAYS.values(), ids=WAYS)
def test_a_sentence_has_one_key_however_it_is_written(written: str) -> None:
    assert sentence_key(written) == "renéesfilethe2ndhalfpagesaidno"


@pytest.mark.parametrize("other", ["Renée said no .", SENTENCE.replace("2nd", "3rd"), SENTENCE.replace("no", "not")])
def test_other_words_make_another_key(other: str) -> None:
    assert sentence_key(other) != sentence_key(SENTENCE)


def test_scripts_without_case_have_keys() -> None:
    assert sentence_key("北京 是 首都 。") == sentence_key("北京是首都") == "北京是首都"


def test_a_sentence_without_letters_and_digits_is_known_by_its_text() -> None:
    assert sentence_key("... !") == "... !" and sentence_key("\u2026  !") == "... !"
    assert sentence_key("?") != sentence_key("!")


def test_folding_that_takes_a_letter_apart() -> None:
    assert sentence_key("\u01f0") == sentence_key("J\u030c")  # casefold decomposes the first


@given(st.text(characters))
def test_the_key_of_a_key_is_itself(text: str) -> None:
    key = sentence_key(text)
    assert sentence_key(key) == key


@given(st.text(characters))
def test_ascii_takes_the_quick_way_to_the_same_key(text: str) -> None:
    assert sentence_key(text + "é").removesuffix("é") == "".join(c for c in sentence_key(text) if c.isalnum())


@pytest.mark.parametrize("wrong", ["", "a  b", "a\tb", " a", "a->b", "a\x1b"])
def test_an_id_is_printable_and_has_no_marks(wrong: str) -> None:
    with pytest.raises(ValueError, match="can't be the id of a sentence"):
        check_id(wrong, "sentence")


def test_stored_text_can_be_written() -> None:
    check_text("a b é", "a word")
    with pytest.raises(ValueError, match="doubled spaces"):
        check_text("a  b", "a word")
    with pytest.raises(ValueError, match="lone surrogates"):
        check_text("\ud800", "a word")


def test_one_line_folds_white_space() -> None:
    assert one_line("\ta \u2028 b\n") == "a b"
