"""Formulations that may mean the same, and extractions as starting points."""

from __future__ import annotations

import pytest

from data.model import Extraction, Sentence, System
from training.studio.actions import clusters_of
from training.studio.suggestions import from_systems, rewordings


def texts(formulation: str) -> dict[str, str]:
    return {one.text: one.why for one in rewordings(clusters_of([["1", [formulation]]]))}


@pytest.mark.parametrize(
    ("formulation", "expected", "why"),
    [
        ("Ruud --> flew to --> Tarn", "Ruud --> flew --> to Tarn", "another border"),
        ("Ruud --> flew --> to Tarn", "Ruud --> flew to --> Tarn", "another border"),
        ("Ruud --> is --> [a] pilot", "Ruud --> is [a] --> pilot", "another border"),
        ("Ruud --> is --> a pilot", "[a] pilot --> is --> Ruud", "the other way round"),
        ("the mayor --> opened --> [a] museum", "[a] museum --> was opened by --> the mayor", "passive"),
        ("Brandt --> wrote --> two books", "two books --> were written by --> Brandt", "passive"),
        ("[a] museum --> was opened by --> the mayor", "the mayor --> opened --> [a] museum", "active"),
        ("the mayor --> left --> XXX", "[the] mayor --> left --> XXX", "article optional"),
    ],
)
def test_rewordings(formulation: str, expected: str, why: str) -> None:
    assert texts(formulation).get(expected) == why


def test_nothing_that_is_there_is_suggested_nor_in_languages_we_have_no_words_of() -> None:
    both = clusters_of([["1", ["Ruud --> flew to --> Tarn", "Ruud --> flew --> to Tarn"]]])
    assert rewordings(both) == []
    assert rewordings(clusters_of([["1", ["the mayor --> left --> XXX", "[the] mayor --> left --> XXX"]]])) == []
    assert rewordings(both[:1], "gl") == []


def test_an_adjective_is_not_turned_round() -> None:
    assert "the other way round" not in texts("Ruud --> is --> Danish").values()


def test_a_clause_has_no_passive() -> None:
    assert "passive" not in texts("The council --> voted --> to close the tunnel").values()


def test_extractions_of_most_systems_come_first_and_those_that_match_are_left_out() -> None:
    sentence = Sentence("1", "Ruud flew home .", clusters_of([["1", ["Ruud --> flew --> XXX"]]]))
    rare, usual, known = (
        Extraction("1", "Ruud", *rest) for rest in (("flew home", ""), ("flew", "home"), ("flew", ""))
    )
    systems = (System("s", (rare, usual, known)), System("t", (usual,)))
    found = from_systems(sentence, systems, frozenset({str(known)}))
    assert [one.text for one in found] == ["Ruud --> flew --> home", "Ruud --> flew home --> XXX"]
    assert found[0].why == "extracted by s, t"
