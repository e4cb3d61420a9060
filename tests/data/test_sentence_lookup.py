"""Sentences found by their text."""

from __future__ import annotations

import pytest

from data.model import Benchmark, Cluster, Extraction, Sentence, System
from data.problems import InputError
from data.sentence_lookup import ids_by_text, placed, with_gold_of

BENCHMARK = Benchmark("gold", (Sentence("7", "Bo bakes ."), Sentence("8", "It rained , again .")))


def test_sentences_are_known_by_their_key() -> None:
    assert ids_by_text(BENCHMARK) == {"bobakes": "7", "itrainedagain": "8"}


def test_of_two_sentences_of_one_text_the_first_counts() -> None:
    assert ids_by_text(Benchmark("gold", (Sentence("1", "Bo bakes ."), Sentence("2", "Bo bakes!")))) == {"bobakes": "1"}


def test_gold_of_the_same_texts_takes_over_and_the_rest_has_none() -> None:
    other = Benchmark("other", (Sentence("1", "it rained, again.", (Cluster("5", ()),)),))
    joined = with_gold_of(BENCHMARK, other)
    assert [(s.id, s.text, len(s.clusters)) for s in joined] == [
        ("7", "Bo bakes .", 0),
        ("8", "It rained , again .", 1),
    ]


def test_gold_of_an_unknown_text_is_an_error() -> None:
    with pytest.raises(InputError, match="sentence 1 is not among the 2 sentences"):
        with_gold_of(BENCHMARK, Benchmark("other", (Sentence("1", "Nobody bakes ."),)))


def test_extractions_are_placed_by_id_or_text_and_others_left_out() -> None:
    system = System(
        "pithy", tuple(Extraction(key, "Bo", "bakes", "") for key in ("7", "Bo bakes", "IT RAINED again", "x"))
    )
    result = placed(system, BENCHMARK)
    assert [e.sentence_id for e in result.system.extractions] == ["7", "7", "8"]
    assert result.originals == system.extractions[:3] and result.sentences == 2


def test_an_id_goes_before_a_text_that_looks_like_it() -> None:
    benchmark = Benchmark("gold", (Sentence("1", "2 ."), Sentence("2", "Bo bakes .")))
    result = placed(System("pithy", (Extraction("2", "Bo", "bakes", ""),)), benchmark)
    assert result.system.extractions[0].sentence_id == "2"
