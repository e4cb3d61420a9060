"""The multilingual recipe, with a tiny base model in place of the one that it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.languages import tokenised
from data.model import Benchmark, System
from tests.matchers import tiny
from tests.matchers.facts import sentence, triple
from training.recipes import load_recipe

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")

FAST = ["method=full", "epochs=0.1", "threshold_folds=0", "bf16=false"]


def test_the_recipe_names_a_multilingual_base() -> None:
    recipe = load_recipe("cross_encoder_multilingual")
    assert recipe.kind == "cross_encoder" and "multilingual" in recipe.cross_encoder.base_model


def test_a_base_in_a_folder_scores_chinese(tmp_path: Path) -> None:
    from matchers.encoder.base_models import load_base
    from training.fitting.cross_encoder import Fits, fit_cross_encoder

    base = load_base("tiny", 1, {}, ["她 在 奥 斯 陆 工 作", "一 直"])
    base.model.save_pretrained(tmp_path / "base")
    base.tokenizer.save_pretrained(tmp_path / "base")
    overrides = [f"cross_encoder.{text}" for text in (f"base_model={tmp_path / 'base'}", *FAST)]
    matcher = fit_cross_encoder(Fits(load_recipe("cross_encoder_multilingual", overrides), quiet=True), tiny.parts())
    gold = sentence("她 --> 在 --> [一直] 奥斯陆", text="她在奥斯陆 。")
    own = System("own", (triple("她 - 在 - 奥斯陆"), triple("她 - 在 - 奥斯陆工作")))
    found = tokenised(Benchmark("made", (gold,), (own,)), "zh")
    assignment = matcher.match(found.sentences[0], found.systems[0].extractions)
    assert [match.index for match in assignment.matches] == [0]
    assert {index for index, _, _ in matcher.pair_scores(found.sentences[0], found.systems[0].extractions)} == {0, 1}
