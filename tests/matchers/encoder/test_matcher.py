from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from data.problems import InputError
from matchers import payload
from matchers.base_models import DEFAULT, TINY, load_base, model_folder
from matchers.cross_encoder import CrossEncoderMatcher
from matchers.encoding import SPECIAL_TOKENS, encoded_pairs
from matchers.pair_scorer import PairScorer, as_precise, batches
from matchers.rules import RuleMatcher
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
    match = next(match for match in at(0.0).match(GOLD, EXTRACTIONS).matches if match.index == 1)
    assert match.reason.rule == "cross_encoder"
    assert "[REL] moved" in match.reason.text
    assert re.search(r"\(probability 0\.\d{3}\)$", match.reason.text)


def test_a_pair_is_explained_by_its_difference_and_the_score() -> None:
    matcher = at(0.25)
    lines = matcher.explain_pair(GOLD, EXTRACTIONS[1], GOLD.clusters[0])
    assert lines[0] == "difference: [LOD] [DETAIL] [1] mara venn [REL] moved to [ARG] oslo [D] in june [/D]"
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


def test_a_whole_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    matcher = at(0.3)
    payload.save(matcher, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*payload.FILES["model"], "cross_encoder.json"}
    again = payload.load(tmp_path)
    work = [(part.sentence, part.extractions) for part in tiny.parts()]
    assert [a.matches for a in again.match_many(work)] == [a.matches for a in matcher.match_many(work)]
    assert payload.payload_files(again) == payload.payload_files(matcher)


@pytest.fixture
def adapter(tmp_path: Path) -> CrossEncoderMatcher:
    """A matcher of an adapter, whose base model is a folder."""
    import torch

    plain = load_base(TINY, 1, {}, ["the old mill burned down in june", "mara venn moved to oslo"])
    plain.model.save_pretrained(tmp_path / "base")
    plain.tokenizer.save_pretrained(tmp_path / "base")
    base = load_base(str(tmp_path / "base"), 1, SPECIAL_TOKENS)
    name = next(name for name, _ in base.model.named_parameters() if name.endswith("query.weight"))
    left, right = torch.ones(32, 2), torch.randn(2, 32)
    weights = payload.adapter_of(base, {"classifier.bias": torch.tensor([0.7])}, {name: (left, right)})
    with torch.no_grad():
        dict(base.model.named_parameters())[name].add_(left @ right)
        base.model.classifier.bias.fill_(0.7)
    return CrossEncoderMatcher(PairScorer(base.tokenizer, base.model), 0.5, weights)


def test_an_adapter_is_small_and_gives_the_model_that_it_was_taken_from(
    adapter: CrossEncoderMatcher, tmp_path: Path
) -> None:
    payload.save(adapter, tmp_path / "saved")
    assert {path.name for path in (tmp_path / "saved").iterdir()} == {"adapter.safetensors", "cross_encoder.json"}
    again = payload.load(tmp_path / "saved")
    before = payload.matcher_of(adapter.weights, 0.5).pair_scores(GOLD, EXTRACTIONS)
    assert again.pair_scores(GOLD, EXTRACTIONS) == before
    exact = [score for _, _, score in adapter.pair_scores(GOLD, EXTRACTIONS)]
    assert [score for _, _, score in before] == pytest.approx(exact, abs=1e-3)  # it is kept in 16 bits


def test_an_adapter_of_another_base_is_refused(adapter: CrossEncoderMatcher) -> None:
    tensors = {name + "x" if name.startswith("whole.") else name: t for name, t in adapter.weights.tensors.items()}
    with pytest.raises(InputError, match="does not fit the base model"):
        payload.matcher_of(replace(adapter.weights, tensors=tensors), 0.5)


def test_an_adapter_without_its_base_says_what_is_missing(adapter: CrossEncoderMatcher, tmp_path: Path) -> None:
    payload.save(adapter, tmp_path / "saved")
    (tmp_path / "base").rename(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="no base model is called"):
        payload.load(tmp_path / "saved")


@pytest.mark.parametrize("file", [*payload.FILES["model"], "cross_encoder.json"])
@pytest.mark.parametrize("content", [None, b"", b"{}", b"\x80\x04 pickle", b'{"a": [1'])
def test_a_damaged_payload_is_one_sentence(tmp_path: Path, file: str, content: bytes | None) -> None:
    payload.save(at(0.3), tmp_path)
    (tmp_path / file).unlink()
    if content is not None:
        (tmp_path / file).write_bytes(content)
    with pytest.raises(InputError) as error:
        payload.load(tmp_path)
    assert "\n" not in str(error.value)


def test_a_payload_with_other_marks_is_refused(tmp_path: Path) -> None:
    payload.save(at(0.3), tmp_path)
    path = tmp_path / "cross_encoder.json"
    config = json.loads(path.read_text())
    config["tokens"] = config["tokens"][::-1]
    path.write_text(json.dumps(config))
    with pytest.raises(InputError, match="whose marks are not these"):
        payload.load(tmp_path)


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
