"""Marks of words: the guess, a function of the user's own, and what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.problems import InputError
from training.studio.highlighting import guess, load_highlighter


def test_the_guess_knows_verbs_and_names() -> None:
    words = "The mayor of Oss opened a museum in Tarn .".split()
    assert [word for word, mark in zip(words, guess(words, "en"), strict=True) if mark == "verb"] == ["opened"]
    assert [word for word, mark in zip(words, guess(words, "en"), strict=True) if mark == "entity"] == ["Oss", "Tarn"]


def test_german_capitals_and_words_without_case_tell_nothing() -> None:
    assert set(guess("Der Hund bellt .".split(), "de")) == {""}
    assert set(guess("غادرت العبارة الميناء .".split(), "ar")) == {""}


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_marks.py").write_text(
        "def all_verbs(words, language): return ['verb'] * len(words)\n"
        "def too_few(words, language): return []\n"
        "def odd(words, language): return ['colour'] * len(words)\n"
        "def broken(words, language): return words[99]\n"
        "number = 3\n"
    )
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("own")
def test_a_function_of_the_users_own() -> None:
    assert load_highlighter("own_marks:all_verbs")(["a", "b"], "en") == ["verb", "verb"]
    assert load_highlighter("own_marks:odd")(["a"], "en") == [""]
    with pytest.raises(InputError, match="0 marks for 2 words"):
        load_highlighter("own_marks:too_few")(["a", "b"], "en")
    with pytest.raises(InputError, match="own_marks:broken failed: IndexError"):
        load_highlighter("own_marks:broken")(["a", "b"], "en")


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("name", ["own_marks", "own_marks:nothing", "nowhere:f", "own_marks:number", ":f"])
def test_what_is_no_function_is_an_error(name: str) -> None:
    with pytest.raises(InputError, match="--highlight"):
        load_highlighter(name)
