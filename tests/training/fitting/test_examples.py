from __future__ import annotations

import pytest

from data.model import Extraction
from data.thinning import Thinness
from tests.matchers import tiny
from tests.matchers.facts import sentence, triple
from training.fitting.examples import dataset, examples, without
from training.labels.judged_parts import Judged, Source

GOLD = sentence("Mara Venn --> moved to --> Oslo", "Mara Venn --> moved to Oslo in --> June", "it --> is --> cold")
PLAIN = triple("Mara Venn - moved to - Oslo")
DETAILED = triple("Mara Venn - moved to - Oslo in June")
ADVERB = triple("Mara Venn - moved to - Oslo also")


def labelled(source: Source, *labels: tuple[Extraction, str]) -> dict[str, int]:
    part = Judged(
        GOLD,
        "pithy",
        tuple(extraction for extraction, _ in labels),
        tuple(frozenset(label.split()) for _, label in labels),
        source=source,
    )
    parts = ([part], ()) if source == "people" else ([], [([part], 0.5)])
    return {example.text: example.label for example in examples(*parts, 9, 9)}


def test_a_repeat_on_which_a_rule_fires_is_no_negative() -> None:
    found = labelled("people", (PLAIN, "1"), (DETAILED, ""))
    assert not [text for text in found if text.startswith("[LOD]")]
    found = labelled("people", (DETAILED, ""))
    assert [label for text, label in found.items() if text.startswith("[LOD]")] == [0]


def test_exact_pairs_are_not_learned_from() -> None:
    assert not [text for text in labelled("people", (PLAIN, "1")) if text.startswith("[EM]")]


def test_silver_negatives_that_take_hardly_any_edits_are_left_out() -> None:
    near = "[NONE] [SAME] [0] [W1] [T1] mara venn [REL] moved to [ARG] oslo [+] also [/+]"
    assert labelled("people", (ADVERB, ""))[near] == 0
    assert labelled("generated", (ADVERB, ""))[near] == 0
    assert near not in labelled("silver", (ADVERB, ""))


def test_under_thin_gold_the_same_labels_hold() -> None:
    """What a second wording makes exact is learned as a match where that wording is left out."""
    gold = sentence(["Mara Venn --> moved to --> Oslo", "Mara Venn --> settled in --> Oslo"])
    said = triple("Mara Venn - settled in - Oslo")
    part = Judged(gold, "pithy", (said,), (frozenset({"1"}),))
    assert examples([part], (), 9, 9) == []
    [thin] = examples([part], (), 9, 9, [Thinness.of("first")])
    assert thin.label == 1 and "[W1]" in thin.text


def test_each_text_is_learned_once_with_its_greatest_weight() -> None:
    part = Judged(GOLD, "judged", (ADVERB,), (frozenset({"1"}),))
    found = examples([part, part], [([part], 0.5)], 9, 9)
    assert len({(example.text, example.label) for example in found}) == len(found)
    assert {example.weight for example in found} == {1.0}


def test_only_the_nearest_negatives_are_taken() -> None:
    few, many = examples(tiny.parts(), (), 1, 1), examples(tiny.parts(), (), 9, 9)
    assert sum(not e.label for e in few) < sum(not e.label for e in many)
    assert sum(e.label for e in few) == sum(e.label for e in many)


def test_further_parts_of_held_out_sentences_are_left_out() -> None:
    first = tiny.parts()[0]
    (kept, weight), *_ = without([(tiny.parts(), 0.5)], frozenset({first.key}))
    assert weight == 0.5
    assert kept
    assert all(part.sentence.text != first.sentence.text for part in kept)


def test_examples_become_a_dataset() -> None:
    pytest.importorskip("datasets", reason="needs the extra `cross-encoder`")
    found = examples(tiny.parts(), (), 2, 2)
    table = dataset(found, tiny.matcher().scorer.tokenizer, 16)
    assert len(table) == len(found)
    assert set(table.column_names) == {"input_ids", "label", "weight", "length"}
    assert max(table["length"]) == 16
