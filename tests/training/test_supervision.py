from __future__ import annotations

from dataclasses import replace

import pytest

from data.catalog import load
from data.model import Benchmark, System
from data.problems import Diagnostics
from data.reviews import Review, extraction_key, sentence_key
from tests.matchers.facts import sentence, triple
from training.judged import Judged
from training.supervision import EDITS, KEEPING, allowed_beside, generated, reviewed, silver, source_of, texts

GOLD = sentence(
    "Mara Venn --> is --> the chemist",
    "Mara Venn --> moved to --> Oslo",
    "Mara Venn --> moved to --> Bergen",
    "Mara Venn --> moved to --> Tromso",
    "Mara Venn --> did not sell --> the old mill",
    "Mara Venn --> did not sell the old mill in --> late May",
    text="Mara Venn , the chemist , moved to Oslo , Bergen and Tromso , and did not sell the old mill in late May .",
)
OTHER = sentence("Bo Kern --> bakes --> bread", text="Bo Kern bakes bread .", name="2")
BENCHMARK = Benchmark(
    "small",
    (GOLD, OTHER),
    (
        System("x", (triple("Mara Venn - is - the chemist"), triple("Mara - is - a chemist"))),
        System("y", (triple("Bo Kern - bakes - bread", "2"), triple("bread - bakes - Bo Kern", "2"))),
    ),
)


def made(kind: str) -> set[tuple[str, frozenset[str]]]:
    """The generated extractions of one kind with their labels, over some seeds."""
    found = set()
    for seed in range(25):
        for part in generated(BENCHMARK, 1000, seed):
            if part.system == f"generated:{kind}":
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
    kinds = {part.system.removeprefix("generated:"): part for part in generated(BENCHMARK, 1000, seed=1)}
    assert set(EDITS) <= kinds.keys()
    for kind in EDITS:
        assert {bool(label) for _, label in made(kind)} == {kind in KEEPING}


def test_each_made_extraction_is_a_part_of_its_own() -> None:
    for part in generated(BENCHMARK, 1000, seed=1):
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
    held = frozenset({GOLD.text})
    assert {part.sentence.text for part in generated(BENCHMARK, 9, 1, held)} == {OTHER.text}
    assert {part.sentence.text for part in silver(BENCHMARK, held)} == {OTHER.text}
    assert silver(BENCHMARK, held | {OTHER.text}) == []


def test_silver_labels_are_the_rules_matches() -> None:
    [first, second] = silver(BENCHMARK)
    assert (first.system, first.labels) == ("silver:x", (frozenset({"1"}), frozenset()))
    assert (second.system, second.labels) == ("silver:y", (frozenset({"1"}), frozenset()))


def test_what_is_allowed_beside() -> None:
    train = [Judged(GOLD, "x", (), ())]
    own, systems = frozenset({GOLD.text, OTHER.text}), frozenset({"x", "y"})
    made_of = {part.sentence: part for part in generated(BENCHMARK, 1, seed=1)}
    assert allowed_beside(made_of[GOLD], train, own, systems)
    assert not allowed_beside(made_of[OTHER], train, own, systems)  # its sentence is held out
    third = replace(OTHER, text="Nobody judged this .")
    assert allowed_beside(Judged(third, "silver:x", (), ()), train, own, systems)
    assert not allowed_beside(Judged(third, "silver:y", (), ()), train, own, systems)  # its system is held out
    assert allowed_beside(Judged(third, "silver:z", (), ()), train, own, systems)
    assert allowed_beside(Judged(third, "reviewed:x", (), ()), train, own, systems)
    assert not allowed_beside(Judged(third, "reviewed:y", (), ()), train, own, systems)


def review(text: str, first: str, second: str, sure: bool = True) -> Judged:
    """The part of one system that extracts this, and an exact match before it, when two passes say this of it."""
    exact, other = triple("Mara Venn - is - the chemist"), triple(text)
    said = Review(frozenset(first.split()), frozenset(second.split()), sure)
    benchmark = Benchmark("small", (GOLD, OTHER), (System("x", (exact, other)),))
    [part] = reviewed(benchmark, {sentence_key(GOLD): {extraction_key(other): said}})
    assert part.labels[0] == {"1"} and 0 not in part.unclear and source_of(part) == "reviewed"
    return part


def test_reviews_are_labels() -> None:
    matched = review("Mara Venn - moved to - Oslo now", "2", "2")
    assert matched.labels[1] == {"2"} and not matched.unclear
    unmatched = review("Mara Venn - moved - to Oslo", "", "", sure=False)
    assert unmatched.labels[1] == frozenset() and not unmatched.unclear


def test_reviews_that_differ_or_are_unsure_are_not_trained_on() -> None:
    assert review("Mara Venn - moved to - Oslo now", "2", "").unclear == {1}
    assert review("Mara Venn - moved to - Oslo now", "2", "2", sure=False).unclear == {1}


@pytest.mark.parametrize(
    ("text", "cluster"),
    [
        ("Mara - moved to - Oslo", "2"),  # lacks a required word
        ("Mara Venn - moved - to Oslo", "2"),  # the preposition is out of the relation
        ("Mara Venn - moved happy to - Oslo", "2"),  # the relation says more
    ],
)
def test_matches_that_people_would_hardly_accept_are_not_trained_on(text: str, cluster: str) -> None:
    assert review(text, cluster, cluster).unclear == {1}


def test_where_a_rule_fires_only_what_both_passes_confirm_is_trained_on() -> None:
    joined = "Mara Venn - moved to - Oslo and Bergen"  # AF fires
    confirmed = review(joined, "2", "2", sure=False)
    assert confirmed.labels[1] == {"2"} and not confirmed.unclear
    assert review(joined, "", "").unclear == {1}
    assert review(joined, "1", "1").unclear == {1}


def test_a_system_may_be_called_as_it_likes() -> None:
    assert source_of(Judged(GOLD, "silver", (), ())) == "" == source_of(Judged(GOLD, "my:system", (), ()))


def test_sentences_without_reviews_give_no_reviewed_parts() -> None:
    assert reviewed(BENCHMARK, {}) == []
    held = frozenset({GOLD.text})
    assert reviewed(BENCHMARK, {sentence_key(GOLD): {}}, held) == []


def test_the_sample_gives_both_labels() -> None:
    parts = generated(load("sample", diagnostics=Diagnostics()), 12, seed=1)
    positive = sum(bool(part.labels[0]) for part in parts)
    assert 0.2 < positive / len(parts) < 0.8
    assert len(texts(parts)) == 68
