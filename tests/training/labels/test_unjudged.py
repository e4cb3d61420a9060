from __future__ import annotations

from tests.training.labels.chemist import BENCHMARK, GOLD, OTHER
from training.labels.judged_parts import key_of
from training.labels.unjudged import silver


def test_silver_labels_are_the_rules_matches() -> None:
    [first, second] = silver(BENCHMARK)
    assert (first.system, first.source, first.labels) == ("x", "silver", (frozenset({"1"}), frozenset()))
    assert (second.system, second.source, second.labels) == ("y", "silver", (frozenset({"1"}), frozenset()))


def test_held_out_sentences_give_nothing() -> None:
    held = frozenset({key_of(GOLD)})
    assert {part.sentence.text for part in silver(BENCHMARK, held)} == {OTHER.text}
    assert silver(BENCHMARK, held | {key_of(OTHER)}) == []
