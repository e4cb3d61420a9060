from __future__ import annotations

import pytest

from data.catalog import load
from data.model import Benchmark
from data.problems import Diagnostics
from tests.training.labels.chemist import BENCHMARK, GOLD, OTHER
from training.labels.generated import EDITS, KEEPING, generated
from training.labels.judged_parts import key_of, keys


def made(kind: str) -> set[tuple[str, frozenset[str]]]:
    """The generated extractions of one kind with their labels, over some seeds."""
    found = set()
    for seed in range(25):
        for part in generated(BENCHMARK, 1000, seed):
            if part.system == kind:
                found.add((str(part.extractions[0]), part.labels[0]))
    return found


@pytest.mark.parametrize(
    ("kind", "text", "cluster"),
    [
        ("trailing adverb", "Mara Venn - is - the chemist now", "1"),
        ("other determiner", "Mara Venn - is - a chemist", "1"),
        ("other tense of be", "Mara Venn - was - the chemist", "1"),
        ("preposition out of the relation", "Mara Venn - moved - to Oslo", None),
        ("truncated argument", "Mara Venn - did not sell - the old", None),
        ("dangling conjunction", "Mara Venn - moved to - Oslo and", None),
        ("negation lost", "Mara Venn - did sell - the old mill", None),
        ("arguments exchanged", "Oslo - moved to - Mara Venn", None),
        ("two joined", "Mara Venn - moved to - Oslo and Bergen", "2"),
        ("two joined", "Mara Venn - moved to - Bergen and Oslo", "3"),
        ("three joined", "Mara Venn - moved to - Oslo , Bergen and Tromso", None),
        ("detail joined", "Mara Venn - did not sell - the old mill in late May", "5"),
        ("detail truncated", "Mara Venn - did not sell - the old mill in late", None),
    ],
)
def test_edits_and_their_labels(kind: str, text: str, cluster: str | None) -> None:
    assert (text, frozenset({cluster} if cluster else ())) in made(kind)


def test_a_detail_with_an_adverb() -> None:
    found = made("detail and adverb")
    assert found and all(label == {"5"} for _, label in found)
    assert all(text.startswith("Mara Venn - did not sell - the old mill in late May ") for text, _ in found)


def test_only_edits_that_keep_the_fact_have_a_label() -> None:
    kinds = {part.system: part for part in generated(BENCHMARK, 1000, seed=1)}
    assert set(EDITS) <= kinds.keys()
    for kind in EDITS:
        assert {bool(label) for _, label in made(kind)} == {kind in KEEPING}


def test_each_made_extraction_is_a_part_of_its_own() -> None:
    for part in generated(BENCHMARK, 1000, seed=1):
        assert part.source == "generated"
        assert len(part.extractions) == len(part.labels) == 1
        assert part.extractions[0].sentence_id == part.sentence.id
        assert all(part.extractions[0].slots[:2])


def test_the_same_seed_makes_the_same() -> None:
    assert generated(BENCHMARK, 5, seed=3) == generated(BENCHMARK, 5, seed=3) != generated(BENCHMARK, 5, seed=4)


def test_a_sentence_s_parts_do_not_depend_on_the_others() -> None:
    alone = generated(Benchmark("one", (OTHER,)), 5, seed=3)
    assert alone == [part for part in generated(BENCHMARK, 5, seed=3) if part.sentence == OTHER] != []


def test_as_many_as_asked_for() -> None:
    assert len(generated(BENCHMARK, 3, seed=1)) == 6
    assert generated(BENCHMARK, 0, seed=1) == []


def test_held_out_texts_give_nothing() -> None:
    held = frozenset({key_of(GOLD)})
    assert {part.sentence.text for part in generated(BENCHMARK, 9, 1, held)} == {OTHER.text}


def test_the_sample_gives_both_labels() -> None:
    parts = generated(load("sample", diagnostics=Diagnostics()), 12, seed=1)
    positive = sum(bool(part.labels[0]) for part in parts)
    assert 0.2 < positive / len(parts) < 0.8
    assert len(keys(parts)) == 68
