from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from data.problems import InputError
from matchers.encoder import weights as payload
from matchers.encoder.base_models import TINY, load_base
from matchers.encoder.matcher import CrossEncoderMatcher
from matchers.encoder.pair_text import SPECIAL_TOKENS
from matchers.encoder.text_scorer import PairScorer
from tests.matchers import tiny
from tests.matchers.facts import sentence, triple

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")

GOLD = sentence("Mara Venn --> moved to --> Oslo", "Mara Venn --> moved to Oslo in --> June", "it --> is --> cold")


EXTRACTIONS = [triple("Mara Venn - moved to - Oslo"), triple("Mara Venn - moved to - Oslo in June")]


def at(threshold: float) -> CrossEncoderMatcher:
    found: CrossEncoderMatcher = payload.matcher_of(tiny.weights(), threshold)
    return found


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
