from __future__ import annotations

from pathlib import Path

import pytest

from data.problems import InputError
from matchers.encoder.base_models import DEFAULT, TINY, load_base, model_folder
from matchers.encoder.zero_shot import load_zero_shot
from matchers.registry import load
from tests.matchers.facts import sentence, triple

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")

GOLD = sentence("[the] mill --> burned down --> XXX", "[the] mill --> burned down in --> June")
EXTRACTIONS = [triple("the mill - burned down in - June"), triple("The mill - burned - ")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model with one output that has learned nothing."""
    base = load_base(TINY, 1, {}, ["the mill burned down in june"])
    base.model.save_pretrained(tmp_path)
    base.tokenizer.save_pretrained(tmp_path)
    return tmp_path


def entailing(folder: Path, labels: dict[int, str]) -> Path:
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig.from_pretrained(str(folder), num_labels=len(labels))
    config.id2label, config.label2id = labels, {label: number for number, label in labels.items()}
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def test_equal_texts_have_a_cosine_of_one(folder: Path) -> None:
    matcher = load_zero_shot(f"cosine:{folder}")
    scores = {(index, cluster): score for index, cluster, score in matcher.pair_scores(GOLD, EXTRACTIONS)}
    assert scores[0, 1] == pytest.approx(1.0, abs=1e-5)
    assert scores[0, 0] < 0.999
    assert matcher.match(GOLD, EXTRACTIONS).of(0)[0].cluster == "2"


def test_names_are_known_wherever_a_matcher_is_named(folder: Path) -> None:
    matcher = load(f"cosine:{folder}@0.75")
    assert matcher.name == f"cosine:{folder}"
    assert matcher.settings == {"threshold": "0.7500"}


def test_a_reranker_with_one_output_scores_pairs(folder: Path) -> None:
    matcher = load_zero_shot(f"rerank:{folder}@0")
    assert all(0.0 < score < 1.0 for _, _, score in matcher.pair_scores(GOLD, EXTRACTIONS))
    assert matcher.match(GOLD, EXTRACTIONS).matches


def test_entailment_is_asked_both_ways(folder: Path) -> None:
    entailing(folder, {0: "contradiction", 1: "entailment", 2: "neutral"})
    matcher = load_zero_shot(f"nli:{folder}")
    there, back = ("the mill burned", "the mill burned down"), ("the mill burned down", "the mill burned")
    assert matcher.scorer.scores([there]) == matcher.scorer.scores([back])


def test_a_model_of_the_wrong_kind_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="is no model of entailment"):
        load_zero_shot(f"nli:{folder}")
    entailing(folder, {0: "contradiction", 1: "entailment", 2: "neutral"})
    with pytest.raises(InputError, match="is no reranker"):
        load_zero_shot(f"rerank:{folder}")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nli", "nli needs a model"),
        ("rerank:", "rerank needs a model"),
        ("cosine@high", "is no number"),
        ("psychic:x", "no zero-shot scorer is called 'psychic'"),
        ("cosine:/nowhere", "no base model is called"),
    ],
)
def test_wrong_names_are_one_sentence(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_zero_shot(name)


def test_many_parts_at_once_give_what_each_gives_alone(folder: Path) -> None:
    matcher = load_zero_shot(f"cosine:{folder}@0.5")
    work = [(GOLD, EXTRACTIONS), (GOLD, EXTRACTIONS[1:])]
    assert [a.matches for a in matcher.match_many(work)] == [matcher.match(*part).matches for part in work]


@pytest.mark.slow
def test_the_packaged_model_finds_the_closer_fact() -> None:
    try:
        model_folder(DEFAULT)
    except InputError:
        pytest.skip(f"needs the package {DEFAULT}")
    gold = sentence("Mara Venn --> moved to --> Oslo", "Mara Venn --> sold --> [the] mill in Oslo")
    assignment = load("cosine@0.8").match(gold, [triple("Mara Venn - has moved to - Oslo")])
    assert [match.cluster for match in assignment.matches] == ["1"]
