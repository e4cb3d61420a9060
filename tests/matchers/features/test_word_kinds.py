from __future__ import annotations

import pytest

from matchers.features.word_kinds import (
    AUXILIARY,
    CONTENT,
    DETERMINER,
    NOTHING,
    PREPOSITION,
    first_kind,
    head_verb,
    is_pronoun,
    kind,
    last_kind,
    relation_kind,
    stem,
)


def test_kinds_of_lemmas() -> None:
    assert [kind(word) for word in ("mill", "of", "a", "be")] == [CONTENT, PREPOSITION, DETERMINER, AUXILIARY]


def test_kinds_at_borders() -> None:
    assert (first_kind(("of", "mill")), last_kind(("of", "mill")), first_kind(())) == (PREPOSITION, CONTENT, NOTHING)


@pytest.mark.parametrize(
    ("relation", "expected"),
    [("", 0), ("be", 1), ("have", 2), ("be in", 4), ("sell", 5), ("be part of", 6), ("have a mill", 8)],
)
def test_what_a_relation_is_made_of(relation: str, expected: int) -> None:
    assert relation_kind(tuple(relation.split())) == expected


def test_the_verb_is_found_behind_auxiliaries_and_by_its_stem() -> None:
    assert head_verb(("be", "invent", "by")) == head_verb(("invention",)) != head_verb(("sell",))
    assert head_verb(("be", "in")) == ""


def test_a_pronoun_alone_is_one() -> None:
    assert is_pronoun(("he",)) and not is_pronoun(("his", "mill")) and not is_pronoun(("mara",))


def test_short_words_are_their_own_stem() -> None:
    assert stem("ed") == "ed" and stem("sing") == "sing"
