from __future__ import annotations

from dataclasses import replace

import numpy
import pytest

from matchers.features.estimators import Linear
from matchers.features.groups import FEATURES
from matchers.features.matcher import FeatureMatcher, Model
from matchers.rules.matcher import RuleMatcher
from tests.matchers.facts import sentence, triple

GOLD = sentence(
    "Mara Venn --> is --> [a] chemist",
    "Mara Venn --> moved to --> Oslo",
    "Mara Venn --> moved to --> Bergen",
    "Mara Venn --> sold --> the old mill",
)
# surer the fewer edits there are: a free reading has a probability of 0.95, one of cost 3 a half
MODEL = Model(("reading_cost",), Linear(numpy.zeros(1), numpy.ones(1), numpy.array([-1.0]), 3.0))


def matched(matcher: FeatureMatcher | RuleMatcher, *texts: str) -> list[tuple[str, ...]]:
    """The clusters with which each extraction is credited."""
    found = matcher.match(GOLD, [triple(text) for text in texts])
    return [tuple(match.cluster for match in found.of(index)) for index in range(len(texts))]


def test_what_rules_match_is_kept() -> None:
    texts = ("Mara Venn - is - a chemist", "Mara Venn - moved to - Oslo and Bergen", "Mara Venn - moved to - Oslo")
    never = FeatureMatcher(replace(MODEL, threshold=1.0))
    assert matched(never, *texts) == matched(RuleMatcher(), *texts) == [("1",), (), ("2",)]
    assert [match.reason.rule for match in never.match(GOLD, [triple(texts[0])]).matches] == ["em"]


def test_additions_need_the_threshold() -> None:
    text = "Mara Venn - was - the chemist now"
    assert matched(RuleMatcher(), text) == [()]
    assert matched(FeatureMatcher(replace(MODEL, threshold=0.9)), text) == [("1",)]
    assert matched(FeatureMatcher(replace(MODEL, threshold=0.95)), text) == [()]


def test_an_addition_does_not_take_a_cluster_from_an_exact_match() -> None:
    texts = ("Mara Venn - was - a chemist", "Mara Venn - is - a chemist")
    assert matched(FeatureMatcher(replace(MODEL, threshold=0.1)), *texts)[1] == ("1",)


def test_a_rule_s_candidate_is_above_all_additions() -> None:
    extractions = [triple("Mara Venn - moved to - Oslo and Bergen"), triple("Mara Venn - was moved to - Bergen")]
    found = FeatureMatcher(replace(MODEL, threshold=0.0)).candidates(GOLD, extractions)
    by_rule = [candidate.score for candidate in found if candidate.reason.rule != "features"]
    added = [candidate.score for candidate in found if candidate.reason.rule == "features"]
    assert min(by_rule) > max(added) and added


def test_an_addition_says_what_it_states() -> None:
    [match] = FeatureMatcher(MODEL).match(GOLD, [triple("Mara Venn - sold - the old mill now")]).matches
    assert match.cluster == "4" and 0 < match.score < 0.75
    assert match.reason.rule == "features" and match.reason.formulation == "Mara Venn --> sold --> the old mill"
    assert "with probability 0.93" in str(match.reason) and "1 adverbs" in str(match.reason)


def test_many_at_once_give_the_same() -> None:
    matcher = FeatureMatcher(MODEL)
    work = [(GOLD, [triple("Mara Venn - was - a chemist")]), (GOLD, []), (GOLD, [triple("Oslo - is - a chemist")])]
    assert matcher.match_many(work) == [matcher.match(*part) for part in work]
    assert matcher.match_many([]) == []


def test_pair_scores_are_probabilities_of_all_pairs() -> None:
    scores = FeatureMatcher(MODEL).pair_scores(GOLD, [triple("Mara Venn - moved to - Oslo")])
    best = max(scores, key=lambda item: item[2])
    assert len(scores) > 1 and best[:2] == (0, 1) and best[2] == pytest.approx(0.9526, abs=1e-4)
    assert all(0 <= score <= 1 for _, _, score in scores)


def test_calibration_moves_the_probabilities() -> None:
    rows = numpy.zeros((1, len(FEATURES)))
    assert replace(MODEL, slope=0.5, offset=-1.5).probabilities(rows).tolist() == [0.5]
    assert MODEL.probabilities(numpy.zeros((0, len(FEATURES)))).shape == (0,)


def test_explain_pair_shows_what_decided() -> None:
    matcher = FeatureMatcher(MODEL, "mine")
    lines = matcher.explain_pair(GOLD, triple("Mara Venn - moved - to Oslo"), GOLD.clusters[1])
    assert lines == [
        "mine: probability 0.500, threshold 0.500; read as formulation, 1 missing preposition, 1 extra preposition",
        "  -3.00  reading_cost = 3  (weighted number of edits of the cheapest reading)",
    ]


def test_explain_pair_of_what_is_no_candidate() -> None:
    lines = FeatureMatcher(MODEL).explain_pair(GOLD, triple("The ferry - left - the pier"), GOLD.clusters[1])
    assert lines == ["features: not a candidate, too few words in common"]


def test_settings_for_the_signature() -> None:
    matcher = FeatureMatcher(replace(MODEL, threshold=0.65), hash="0123456789abcdef")
    assert matcher.settings == {
        "checkpoint": "0123456789ab",
        "threshold": "0.6500",
        "anchor": "rules",
        "assignment": "closest",
    }
