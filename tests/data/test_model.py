"""The nouns of a benchmark: what they take, and what they say of what they don't."""

from __future__ import annotations

from typing import Any

import pytest

from data.model import Benchmark, Extraction, Judgment, Sentence, System

ANNA = Extraction("1", "Anna", "paints", "houses")
NUMBER: Any = 3
TEXT: Any = "court"


def test_an_extraction_of_a_tuple_is_folded_to_one_line() -> None:
    assert Extraction.of(("1", " Anna", "paints\n", "houses")) == ANNA == Extraction.of(ANNA)
    assert Extraction.of(["1", "Anna", "paints", "houses", 0.5]).confidence == 0.5


def test_a_system_of_tuples() -> None:
    system = System.of("mine", [("1", "Anna", "paints", "houses"), ANNA, ("2", "Bo", "bakes", "")])
    assert system.by_sentence == {"1": (ANNA, ANNA), "2": (Extraction("2", "Bo", "bakes", ""),)}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Extraction("1", NUMBER, "b", "c"), "arg1 is text, not the int 3"),
        (lambda: Extraction(NUMBER, "a", "b", "c"), "the id of a sentence is text, not the int 3"),
        (lambda: Extraction("1", "", "", ""), "at least one word"),
        (lambda: Extraction("1", "a", "b", "c", TEXT), "a confidence is a number, not the str 'court'"),
        (lambda: Extraction("1", "a", "b", "c", True), "a confidence is a number, not the bool True"),
        (lambda: Extraction("1", "a", "b", "c", float("nan")), "a confidence is a finite number, not nan"),
        (lambda: Extraction.of(("1", "a", "b")), "an extraction is a tuple .*, not the tuple"),
        (lambda: Extraction.of(TEXT), "an extraction is a tuple .*, not the str 'court'"),
        (lambda: Extraction.of((1, "a", "b", "c")), "the sentence id of an extraction is text, not the int 1"),
        (lambda: Extraction.of(("1", "a", 2.0, "c")), "relation of an extraction is text, not the float 2.0"),
        (lambda: System(NUMBER), "the id of a system is text"),
        (lambda: System("mine", TEXT), "the extractions of mine are a tuple of Extraction, not the str 'court'"),
        (lambda: System("mine", (TEXT,)), "the extractions of mine are a tuple of Extraction; it has the str 'court'"),
        (lambda: Judgment("mine", TEXT), "a judgment is of an Extraction, not of the str 'court'"),
        (lambda: Judgment("mine", ANNA, TEXT), "the clusters of a judgment are a tuple of str, not the str 'court'"),
        (lambda: Judgment("mine", ANNA, ("1", "1")), "a judgment names a cluster twice"),
        (lambda: Benchmark(NUMBER, ()), "the name of a benchmark is text"),
        (lambda: Benchmark("gold", TEXT), "the sentences of a benchmark are a tuple of Sentence, not the str 'court'"),
        (lambda: Benchmark("gold", (Sentence("1", "a"),) * 2), "two sentences are called '1'"),
        (lambda: Benchmark("gold", (), (System("x"), System("y"), System("x"))), "two systems are called 'x'"),
    ],
)
def test_what_is_wrong_is_said(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_a_restricted_benchmark_keeps_what_belongs_to_its_sentences() -> None:
    bo = Extraction("2", "Bo", "bakes", "")
    whole = Benchmark(
        "gold",
        (Sentence.of("Anna paints houses .", "Anna --> paints --> houses"), Sentence.of("Bo bakes .", id="2")),
        (System("mine", (ANNA, bo)),),
        (Judgment("mine", ANNA, ("1",)), Judgment("mine", bo)),
    )
    part = whole.restricted(["2"])
    assert [s.id for s in part] == ["2"] and part.systems == (System("mine", (bo,)),)
    assert part.judgments == (Judgment("mine", bo),)
    assert (whole.cluster_count, part.cluster_count, whole.extraction_count, part.extraction_count) == (1, 0, 2, 1)
