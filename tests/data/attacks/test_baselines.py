"""Attacks: what they extract, and which scorers they fool."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from data.attacks.baselines import ENGLISH_VERBS, KINDS, SILENT, attack, checked_attack
from data.catalog import load
from data.model import Benchmark, Sentence
from data.problems import Diagnostics, InputError


def slots(benchmark: Benchmark, kind: str) -> list[tuple[str, str, str]]:
    return [extraction.slots for extraction in attack(benchmark, kind).extractions]  # type: ignore[arg-type]


def one(text: str) -> Benchmark:
    return Benchmark("gold", (Sentence("1", text),))


def test_naive_lays_each_verb_between_what_stands_before_and_after_it():
    assert slots(one("Mara Venn was born in Arden and sold mills ."), "naive") == [
        ("Mara Venn", "was", "born in Arden and sold mills"),
        ("Mara Venn was", "born", "in Arden and sold mills"),
        ("Mara Venn was born in Arden and", "sold", "mills"),
    ]


def test_naive_needs_words_on_both_sides():
    assert slots(one("Having slept , Mara left ."), "naive") == [("Having", "slept", ", Mara left")]
    assert slots(one("."), "naive") == []


def test_naive_takes_the_verbs_of_another_tagger():
    found = attack(one("Oslo mills mill flour"), "naive", lambda words: [words.index("mill")])
    assert [extraction.slots for extraction in found.extractions] == [("Oslo mills", "mill", "flour")]


def test_munchkin_cuts_the_sentence_everywhere_with_falling_confidence():
    found = attack(one("a b c d"), "munchkin").extractions
    assert [(e.slots, e.confidence) for e in found] == [(("a", "b", "c d"), 1.0), (("a", "b c", "d"), 0.5)]
    assert slots(one("a b"), "munchkin") == []


def test_whole_sentence_is_in_every_slot():
    assert slots(one("a b ."), "whole-sentence") == [("a b .", "a b .", "a b .")]


def test_an_unknown_attack_is_an_error():
    with pytest.raises(ValueError, match="no attack is called 'clever'; the names are naive, munchkin"):
        slots(one("a b ."), "clever")


def test_what_an_attack_cannot_do_is_told():
    german = replace(
        one("Mara was born ."), language="de", sentences=(Sentence("1", "Mara was born ."), Sentence("2", "Ja ."))
    )
    diagnostics = Diagnostics()
    assert len(checked_attack(german, "naive", diagnostics).extractions) == 1
    assert diagnostics.counts() == {ENGLISH_VERBS: 1, SILENT: 1}
    with pytest.raises(InputError, match="the attack naive finds nothing in the 1 sentences; without --spacy"):
        checked_attack(one("Rain again"), "naive", Diagnostics())
    with pytest.raises(InputError, match=r"the attack naive finds nothing in the 1 sentences$"):
        checked_attack(one("Rain again"), "naive", Diagnostics(), lambda words: [])


# Which scorers are fooled. No matcher may give an attack more than this.
HARMLESS = 0.05


@pytest.fixture(scope="module")
def attacked(real_data: Path) -> Benchmark:
    """BenchIE^FL with the attacks as its systems."""
    benchmark = load("benchie_fl", real_data, Diagnostics())
    return replace(benchmark, systems=tuple(attack(benchmark, kind) for kind in KINDS))


@pytest.mark.parametrize("name", ["em", "rules"])
def test_rules_are_not_fooled(attacked: Benchmark, name: str):
    import matchers
    from matchers.counts import score_systems

    for system in score_systems(attacked, matchers.load(name)):
        assert system.score.f1 <= HARMLESS, system.name


def fooled_f1(benchmark: Benchmark) -> dict[str, float]:
    """The F1 of attacks by the feature matcher that ships, where it is more than harmless."""
    import matchers
    from matchers.checkpoints import shipped
    from matchers.counts import score_systems

    if "features" not in shipped():
        pytest.skip("no checkpoint called features ships with the project yet")
    found = {system.name: system.score.f1 for system in score_systems(benchmark, matchers.load("features"))}
    return {name: f1 for name, f1 in found.items() if f1 > HARMLESS}


@pytest.mark.slow
def test_the_feature_matcher_is_not_fooled(attacked: Benchmark):
    assert fooled_f1(attacked) == {}


def test_the_feature_matcher_is_not_fooled_in_sentences_that_it_was_not_trained_on():
    sample = load("sample")
    assert fooled_f1(replace(sample, systems=tuple(attack(sample, kind) for kind in KINDS))) == {}


def test_the_feature_matcher_is_not_fooled_in_passages(real_data: Path):
    passages = load("webassertions", real_data, Diagnostics())
    assert fooled_f1(replace(passages, systems=tuple(attack(passages, kind) for kind in KINDS))) == {}


def test_carbs_scorer_is_fooled(attacked: Benchmark):
    from matchers.tokens.registry import load_scorer

    scores = {system.name: system.score for system in load_scorer("carb").score_systems(attacked)}
    # BenchIE's argument: recall that no real system reaches, and an F1 that is far from worthless.
    assert scores["whole-sentence"].recall > 0.9
    assert scores["munchkin"].recall > 0.6
    assert min(scores["naive"].f1, scores["whole-sentence"].f1) > 0.3


def test_oie2016s_scorer_is_fooled_by_munchkin(attacked: Benchmark):
    from matchers.tokens.registry import load_scorer

    score = {system.name: system.score for system in load_scorer("oie2016").score_systems(attacked)}["munchkin"]
    assert score.recall > 0.99 and score.f1 > 0.4


def test_naive_is_near_the_one_that_was_released(real_data: Path):
    from data.formats.carb import read_carb
    from matchers import load as load_matcher
    from matchers.counts import score_systems
    from matchers.tokens.carb_table import carb_result, golds_by_id

    benchmark = load("benchie_en", real_data, Diagnostics())
    ours = attack(benchmark, "naive")
    released = next(system for system in benchmark.systems if system.name == "naive")
    places = [{(e.sentence_id, len(e.arg1.split())) for e in system.extractions} for system in (ours, released)]
    shared = len(places[0] & places[1])
    assert shared / len(places[0]) > 0.9 and shared / len(places[1]) > 0.8
    (scored,) = score_systems(replace(benchmark, systems=(ours,)), load_matcher("em"), "ignore")
    paper = (0.03, 0.02, 0.03)
    assert (scored.score.precision, scored.score.recall, scored.score.f1) == pytest.approx(paper, abs=0.006)
    golds = golds_by_id(read_carb(real_data / "benchie/gold/carb_explicit.txt"), {s.id: s.text for s in benchmark})
    carb = carb_result(golds, ours).score
    assert (carb.precision, carb.f1) == pytest.approx((0.24, 0.36), abs=0.03)
    assert carb.recall == pytest.approx(0.70, abs=0.1)  # our word lists find fewer verbs than spaCy
