from __future__ import annotations

import random
import re
from collections.abc import Iterable
from typing import Any

import pytest

from data.problems import InputError
from matchers.encoder import matcher as matcher_module
from matchers.encoder import text_scorer as scorer_module
from matchers.encoder import weights as payload
from matchers.encoder.base_models import DEFAULT, TINY, load_base, model_folder
from matchers.encoder.matcher import CrossEncoderMatcher
from matchers.encoder.pair_text import SPECIAL_TOKENS, encoded_pairs
from matchers.encoder.text_scorer import PairScorer, as_precise, batches
from matchers.rules.matcher import RuleMatcher
from tests.matchers import tiny
from tests.matchers.facts import sentence, triple

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")

GOLD = sentence("Mara Venn --> moved to --> Oslo", "Mara Venn --> moved to Oslo in --> June", "it --> is --> cold")
EXTRACTIONS = [triple("Mara Venn - moved to - Oslo"), triple("Mara Venn - moved to - Oslo in June")]


def at(threshold: float) -> CrossEncoderMatcher:
    found: CrossEncoderMatcher = payload.matcher_of(tiny.weights(), threshold)
    return found


def test_exact_pairs_are_matches_whatever_the_model_says() -> None:
    assignment = at(1.1).match(GOLD, EXTRACTIONS)
    assert [(match.index, match.cluster, match.reason.rule) for match in assignment.matches] == [(0, "1", "em")]


def test_other_pairs_are_candidates_from_the_threshold_on() -> None:
    matcher = at(0.0)
    scores = {(index, cluster): score for index, cluster, score in matcher.pair_scores(GOLD, EXTRACTIONS)}
    assert scores[0, 0] == 1.0
    assert 0.0 < scores[1, 0] < 1.0
    matcher.threshold = scores[1, 0]
    assert (1, 0) in {(c.extraction, c.cluster) for c in matcher.candidates(GOLD, EXTRACTIONS)}
    matcher.threshold += 1e-5
    assert (1, 0) not in {(c.extraction, c.cluster) for c in matcher.candidates(GOLD, EXTRACTIONS)}


def test_one_that_keeps_the_rules_only_adds_to_them() -> None:
    matcher = payload.matcher_of(tiny.weights(), 1.1, keeps_rules=True)
    found = {(c.extraction, c.cluster) for c in matcher.candidates(GOLD, EXTRACTIONS)}
    assert found == {(c.extraction, c.cluster) for c in RuleMatcher().candidates(GOLD, EXTRACTIONS)}
    assert matcher.settings["keeps"] == "rules"


def test_a_match_says_what_differs_and_how_sure_the_model_is() -> None:
    [match] = at(0.0).match(GOLD, EXTRACTIONS[1:2]).matches
    assert match.reason.rule == "cross_encoder"
    assert "[REL] moved" in match.reason.text
    assert re.search(r"\(probability 0\.\d{3}\)$", match.reason.text)


def test_a_pair_is_explained_by_its_difference_and_the_score() -> None:
    matcher = at(0.25)
    lines = matcher.explain_pair(GOLD, EXTRACTIONS[1], GOLD.clusters[0])
    assert lines[0] == "difference: [LOD] [DETAIL] [1] [W1] [T1] mara venn [REL] moved to [ARG] oslo [D] in june [/D]"
    assert lines[1].startswith("probability 0.")
    assert lines[1].endswith("threshold 0.250")
    assert "without asking" in matcher.explain_pair(GOLD, EXTRACTIONS[0], GOLD.clusters[0])[1]
    assert "too far" in matcher.explain_pair(GOLD, EXTRACTIONS[0], GOLD.clusters[2])[0]


def test_many_parts_at_once_give_what_each_gives_alone() -> None:
    work = [(part.sentence, part.extractions) for part in tiny.parts()]
    together, alone = at(0.3).match_many(work), [at(0.3).match(*part) for part in work]
    assert [a.matches for a in together] == [a.matches for a in alone]


def test_the_settings_tell_base_model_threshold_and_precision() -> None:
    matcher = at(0.25)
    assert matcher.settings == {"base_model": TINY, "threshold": "0.2500"}
    matcher.hash = "0123456789abcdef"
    assert matcher.settings["checkpoint"] == "0123456789ab"
    found = payload.matcher_of(tiny.weights(), 0.25, precision="bfloat16")
    assert found.settings["precision"] == "bfloat16"


def test_nothing_to_match_is_no_problem() -> None:
    assert at(0.5).match(sentence(), EXTRACTIONS).matches == ()
    assert at(0.5).match(GOLD, []).matches == ()
    assert at(0.5).match_many([]) == []


def test_progress_is_of_pairs_and_of_batches_and_only_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, bool, int | None]] = []

    def watched(items: Iterable[Any], what: str, quiet: bool = False, total: int | None = None) -> Iterable[Any]:
        seen.append((what, quiet, total))
        return items

    for module in (matcher_module, scorer_module):
        monkeypatch.setattr(module, "progress", watched)
    matcher = at(0.5)
    matcher.match_many([(GOLD, EXTRACTIONS)])
    assert seen == [("pairs", True, 1), ("cross-encoder", True, 1)]
    matcher.show_progress(quiet=False)
    matcher.match_many([(GOLD, EXTRACTIONS), (GOLD, [triple("Mara Venn - moved - away")])])
    assert seen[2:] == [("pairs", False, 2), ("cross-encoder", False, 1)]


def test_batches_hold_each_text_once_and_keep_to_the_limit() -> None:
    lengths = [random.Random(1).randint(1, 60) for _ in range(500)]
    found = list(batches(lengths, most=300))
    assert sorted(position for batch in found for position in batch) == list(range(500))
    assert all(max(lengths[p] for p in batch) * len(batch) <= 300 for batch in found)


def test_a_text_has_one_score_whatever_is_scored_with_it() -> None:
    texts = [pair.text for part in tiny.parts() for pair in encoded_pairs(part.sentence, part.extractions)]
    alone = [at(0.5).scorer.probabilities([text])[0] for text in texts[:20]]
    assert at(0.5).scorer.probabilities(texts)[:20] == pytest.approx(alone, abs=2e-6)


@pytest.mark.parametrize("precision", ["bfloat16", "int8", "auto"])
def test_lower_precisions_score_nearly_alike(precision: str) -> None:
    texts = [pair.text for part in tiny.parts() for pair in encoded_pairs(part.sentence, part.extractions)][:60]
    exact = at(0.5).scorer.probabilities(texts)
    found = payload.matcher_of(tiny.weights(), 0.5, precision=precision).scorer.probabilities(texts)  # type: ignore[arg-type]
    assert found == pytest.approx(exact, abs=0.02)


def test_a_precision_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="one of float32, bfloat16, int8, auto"):
        payload.matcher_of(tiny.weights(), 0.5, precision="float8")  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_packaged_model_scores_pairs_alike_in_all_precisions() -> None:
    try:
        model_folder(DEFAULT)
    except InputError:
        pytest.skip(f"needs the package {DEFAULT}")
    base = load_base(DEFAULT, 1, SPECIAL_TOKENS)
    texts = [pair.text for part in tiny.parts(2) for pair in encoded_pairs(part.sentence, part.extractions)][:20]
    exact = PairScorer(base.tokenizer, base.model).probabilities(texts)
    assert len(set(exact)) > 10
    for precision in ("bfloat16", "int8"):
        scorer = PairScorer(base.tokenizer, as_precise(base.model, precision))
        assert scorer.probabilities(texts) == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("able", [True, False])
def test_slow_16_bits_are_said(able: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matchers.encoder.matcher.multiplies_16_bits", lambda: able)
    matcher = payload.matcher_of(tiny.weights(), 0.5, precision="bfloat16")
    assert bool(matcher.caution) != able
    assert not tiny.matcher().caution
