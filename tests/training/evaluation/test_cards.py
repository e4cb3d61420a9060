from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import training
from data.catalog import SAMPLE, load
from data.problems import Diagnostics
from training.evaluation.cards import model_card, training_data
from training.evaluation.origins import known_name, origins
from training.evaluation.report import Report
from training.labels.material import Used
from training.recipes import Recipe, Supervision

CHEAP = ("folds=2", "inner_folds=2")
SILVER = Used("silver", "benchie_fl", 9, 3, "0" * 12)


def report(dataset: Path) -> Report:
    return training.train(dataset, overrides=CHEAP, supervision=["none"], resamples=20)


def test_a_card_of_one_s_own_data_says_nothing_of_other_data(small: Path) -> None:
    card = model_card(report(small))
    assert "Who judged small, on which text and under which licence, is for its owner to say" in card
    for other in ("BenchIE^FL", "Lamarche", "CC BY", "one annotator", "news", "invented"):
        assert other not in card, other
    assert (
        "The judgments of small; all of it also under thinner gold (" in card
        and "--matcher PATH/TO/THIS/FOLDER" in card
    )
    assert "this very" not in card  # no design took shape on these sentences


def test_a_card_of_the_sample_says_that_it_is_invented(small: Path) -> None:
    sample = replace(report(small), origins=origins(load("sample", diagnostics=Diagnostics()), ()))
    assert "were written for FactMatch by language models and not by people (MIT)" in model_card(sample)


def test_data_are_known_by_their_gold_and_not_by_their_name(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "mine")
    assert known_name(load(tmp_path / "mine", diagnostics=Diagnostics())) == "sample"
    (tmp_path / "mine").rename(tmp_path / "sample")
    gold = tmp_path / "sample" / "gold" / "sample.txt"
    gold.write_text(gold.read_text() + "\n")
    assert known_name(load(tmp_path / "sample", diagnostics=Diagnostics())) is None


def test_what_stands_beside_the_judgments_is_named_with_its_weight() -> None:
    recipe = Recipe(supervision=Supervision(silver_weight=0.5, generated_weight=(0.1, 1.0)))
    used = [SILVER, Used("generated", "mine", 5, 2, "1" * 12)]
    told = training_data("mine", recipe, used)
    assert told.startswith("The judgments of mine; the rules' matches in sentences without judgments")
    assert "of benchie_fl (weight 0.5)" in told
    assert told.endswith("extractions generated from gold clusters of mine (weight 0.1 or 1, chosen by inner folds).")


def test_other_data_that_were_learned_from_are_attributed() -> None:
    told = " ".join(origins(load("sample", diagnostics=Diagnostics()), [SILVER]))
    assert "Lamarche and Langlais (CC BY 4.0)" in told
