"""Passages and their sentences."""

from __future__ import annotations

from pathlib import Path

from data.catalog import load
from data.formats.webassertions import align
from data.model import Sentence
from data.problems import Diagnostics


def test_a_sentence_that_no_passage_holds_is_left_out() -> None:
    passages = (Sentence("a", "the fox ran . it slept ."), Sentence("b", "rain fell on oslo ."))
    lines = ["The fox ran .", "Nobody wrote this .", "Rain fell on Oslo ."]
    assert align(lines, passages) == {"1": "a", "3": "b"}


def test_passages_take_their_sentences_extractions(real_data: Path) -> None:
    benchmark = load("webassertions", real_data, Diagnostics())
    assert len(benchmark.sentences) == 100 and len(benchmark.systems) == 7
    assert all(len(system.by_sentence) > 80 for system in benchmark.systems)
