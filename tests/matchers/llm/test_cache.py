from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from data.problems import InputError
from matchers.llm.cache import Answer, AnswerCache, Request

REQUEST = Request("small", "http://localhost:1/v1", '[{"role": "user"}]', '{"temperature": 0}')
ANSWER = Answer('{"fact": 1} \u00e9', 31, 4, 0.5)


def test_an_answer_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    first = AnswerCache(tmp_path / "deep" / "llm.sqlite")
    first.put(REQUEST, ANSWER)
    first.close()
    assert AnswerCache(tmp_path / "deep" / "llm.sqlite").get(REQUEST) == ANSWER


@pytest.mark.parametrize("change", ["model", "url", "prompt", "parameters"])
def test_another_request_has_another_answer(tmp_path: Path, change: str) -> None:
    cache = AnswerCache(tmp_path / "llm.sqlite")
    cache.put(REQUEST, ANSWER)
    assert cache.get(replace(REQUEST, **{change: "other"})) is None


def test_two_users_of_one_file_see_each_others_answers(tmp_path: Path) -> None:
    one, two = AnswerCache(tmp_path / "llm.sqlite"), AnswerCache(tmp_path / "llm.sqlite")
    one.put(REQUEST, ANSWER)
    two.put(replace(REQUEST, model="other"), ANSWER)
    assert two.get(REQUEST) == one.get(replace(REQUEST, model="other")) == ANSWER


def test_a_file_that_is_no_cache_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are notes, and quite long ones. " * 200, encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"notes\.txt: can't be used as a cache"):
        AnswerCache(path)
    assert path.read_bytes() == before


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE answers (question TEXT)")
    with pytest.raises(InputError, match="can't be used as a cache"):
        AnswerCache(path)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be used as a cache"):
        AnswerCache(tmp_path)
