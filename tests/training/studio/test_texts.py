"""Pasted text to sentences, in the languages that AnnIE was shown with."""

from __future__ import annotations

import pytest

from data.problems import InputError
from training.studio.texts import LONGEST, sentences_of


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Dr. Ruud flew home. She slept.", "en", ["Dr. Ruud flew home .", "She slept ."]),
        ("It cost $2,500.50 (a lot), didn't it?", "en", ["It cost $ 2,500.50 ( a lot ) , did n't it ?"]),
        ("Ruud's ferry left at 10:30.", "en", ["Ruud 's ferry left at 10:30 ."]),
        ("One.\n\n Two. \n", "en", ["One .", "Two ."]),
        ("O alcalde abriu o museo en 1974. Logo foise.", "gl", ["O alcalde abriu o museo en 1974 .", "Logo foise ."]),
        ("غادرت العبارة الميناء.", "ar", ["غادرت العبارة الميناء ."]),
        ("船が出た。彼は帰った。", "ja", ["船 が 出 た 。", "彼 は 帰 っ た 。"]),
        ("他走了。", "zh", ["他 走 了 。"]),
        ("a [sic] --> b", "en", ["a ( sic ) → b"]),
    ],
)
def test_sentences_and_words(text: str, language: str, expected: list[str]) -> None:
    assert sentences_of(text, language) == expected


def test_unspaced_text_keeps_its_words_where_they_stand_apart() -> None:
    assert sentences_of("船 が 出た 。", "ja", by_character=False) == ["船 が 出た 。"]


def test_initials_without_end_are_refused_before_they_are_joined() -> None:
    """Joining all of them would take minutes, for a text of 8 MB days."""
    with pytest.raises(InputError, match=f"more than {LONGEST} characters"):
        sentences_of("A. " * 60_000, "en")


def test_a_closing_quote_stays_with_its_sentence() -> None:
    assert sentences_of("「 船 が 出た 。 」 と 言った 。", "ja", by_character=False) == [
        "「 船 が 出た 。 」 と 言った 。"
    ]


def test_lines_are_kept_whole_if_asked() -> None:
    assert sentences_of("One left. Two stayed.", "en", split=False) == ["One left . Two stayed ."]


@pytest.mark.parametrize("text", ["a" * (LONGEST + 1), "a\x00b", "a\x1bb", "\ud800"])
def test_what_is_no_sentence_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        sentences_of(text, "en")
