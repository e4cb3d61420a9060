from __future__ import annotations

import pytest

from data.model import Sentence
from matchers import load
from matchers.rules.matcher import RuleMatcher
from matchers.rules.near_misses import ClusterExplanation, RuleOutcome, explain
from tests.matchers.facts import sentence, triple

RADIO = sentence(
    "Tove --> hosts --> [a] quiz show",
    "Tove --> hosts --> Lanterns",
    "Tove --> hosts Lanterns on --> [a] pirate station",
    "Tove --> is --> [a] sailor",
    text="Tove , a sailor , hosts a quiz show , Lanterns , on a pirate station .",
)


def explained(extraction: str, rules: str = "rules", gold: Sentence = RADIO) -> dict[str, ClusterExplanation]:
    return {part.cluster.id: part for part in explain(load(rules), gold, triple(extraction)).clusters}


def outcome(extraction: str, cluster: str, rule: str, rules: str = "rules", gold: Sentence = RADIO) -> RuleOutcome:
    return {found.rule: found for found in explained(extraction, rules, gold)[cluster].outcomes}[rule]


def test_an_exact_match() -> None:
    found = outcome("Tove - hosts - quiz show", "1", "em")
    assert found.fires
    assert "is the formulation 'Tove --> hosts --> [a] quiz show' without the optional 'a'" in found.text


def test_the_nearest_miss_of_em_names_slots_and_words() -> None:
    found = outcome("Tove Hale - hosts - a funny quiz", "1", "em")
    assert not found.fires
    assert found.formulation == "Tove --> hosts --> [a] quiz show"
    assert [str(difference) for difference in found.differences] == [
        "arg1 adds 'Hale'",
        "arg2 lacks 'show' and adds 'funny'",
    ]


def test_the_nearest_formulation_of_several_is_taken() -> None:
    gold = sentence(["Tove --> runs --> [a] very long quiz", "[a] quiz --> is run by --> Tove"])
    found = outcome("the quiz - is run by - Tove", "1", "em", gold=gold)
    assert found.formulation == "[a] quiz --> is run by --> Tove"
    assert [str(difference) for difference in found.differences] == ["arg1 adds 'the'"]


def test_words_that_only_stand_in_another_slot() -> None:
    found = outcome("Tove - hosts Lanterns - on a pirate station", "3", "em")
    assert "the same words in a row but other slot borders" in found.text
    assert [str(difference) for difference in found.differences] == ["relation lacks 'on'", "arg2 adds 'on'"]


def test_af_fires_or_names_the_nearest_alternative() -> None:
    joined = "Tove - hosts - Lanterns and a quiz show"
    assert outcome(joined, "2", "af").fires and outcome(joined, "1", "af").fires
    found = outcome("Tove - runs - Lanterns and a quiz show", "2", "af")
    assert not found.fires
    assert "arg2 contains the pair" in found.text
    assert [str(difference) for difference in found.differences] == ["relation lacks 'hosts' and adds 'runs'"]


def test_af_says_which_half_of_a_pair_is_there() -> None:
    assert "arg2 has one half" in outcome("Tove - runs - Lanterns and a choir", "2", "af").text
    assert outcome("Ida - runs - a choir", "2", "af").text == "no argument joins both halves of a rewriting pair"
    single = sentence("Tove --> hosts --> Lanterns")
    assert outcome("Tove - runs - Lanterns", "1", "af", gold=single).text == "the sentence has no rewriting pairs"


def test_lod_fires_or_says_what_it_lacks() -> None:
    detailed = "Tove - hosts - Lanterns on a pirate station"
    assert outcome(detailed, "2", "lod").fires
    miss = outcome(detailed, "3", "lod")
    assert "the words in a row are those of cluster 3" in miss.text
    assert "'hosts' is none of its relations" in miss.text
    assert "arg2 does not contain '[a] quiz show'" in outcome(detailed, "1", "lod").text
    miss = outcome("Tove - hosts - Lanterns on a pirate ship", "2", "lod")
    assert "the cluster can be the centre" in miss.text
    assert [str(difference) for difference in miss.differences] == ["the row of words lacks 'station' and adds 'ship'"]
    assert "neither argument" in outcome("Ida - hosts - a choir", "2", "lod").text


def test_punc_says_what_it_adds() -> None:
    found = outcome("tove - hosts - `` Lanterns ''", "2", "punc")
    assert found.fires and found.text.startswith("em fires: ")
    assert not outcome("tove - hosts - `` Lanterns ''", "2", "em").fires
    found = outcome("tove - hosts - Lanterns again", "2", "punc")
    assert not found.fires and found.text.startswith("em is nearer, but does not fire")
    assert [str(difference) for difference in found.differences] == ["arg2 adds 'again'"]
    assert outcome("Tove - hosts - Lanterns", "2", "punc").text == "no further rule fires without punctuation and case"


@pytest.mark.parametrize("rules", ["em", "em+af", "lod+punc", "rules"])
def test_every_rule_of_the_matcher_says_something_of_every_cluster(rules: str) -> None:
    parts = explained("Tove - hosts - Lanterns on a pirate station", rules)
    for part in parts.values():
        assert tuple(found.rule for found in part.outcomes) == RuleMatcher(rules).rules
        assert all(found.text for found in part.outcomes)


def test_rules_fire_just_where_there_is_a_candidate() -> None:
    for text in (
        "Tove - hosts - Lanterns",
        "tove - hosts - Lanterns and a quiz show",
        "Ida - met - Tove",
        "Tove - is - ",
    ):
        for part in explained(text).values():
            assert any(found.fires for found in part.outcomes) == (part.candidate is not None)
