"""The process that learns: from scratch or from the shipped checkpoint, a curve beside the rules and a checkpoint."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from data.catalog import load
from data.problems import Diagnostics
from matchers.checkpoints import CONFIG, SHIPPED, load_checkpoint, seen_sentences, sentence_hash
from training.fitting import adaptation
from training.studio.learner import FEWEST, judged_sentences, main


def said(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("base", ["", "features"])
def test_the_curve_stands_beside_the_rules_and_its_end_is_a_checkpoint(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, base: str
) -> None:
    monkeypatch.setattr(adaptation, "PRIORS", (30.0, 10.0))  # a choice of two takes half of the time
    output = tmp_path / "learned"
    assert main([str(small), str(output), "--base", base]) == 0
    *steps, last = said(capsys)
    benchmark = load(str(small), None, Diagnostics())
    sentences = len(judged_sentences(benchmark))
    assert [len(step["points"]) for step in steps] == list(range(len(steps)))  # it grows while it is watched
    assert last["done"]
    sizes = [point["sentences"] for point in last["points"]]
    assert (sizes, sizes[0], sizes[-1]) == (sorted(sizes), FEWEST, sentences)
    assert all(0 <= point[name] <= 1 for point in last["points"] for name in ("f1", "rules"))
    end = last["points"][-1]
    assert end["low"] <= end["f1"] <= end["high"]
    assert end["rules_low"] <= end["rules"] <= end["rules_high"]
    assert last["difference"]["value"] == pytest.approx(end["f1"] - end["rules"])
    matcher = load_checkpoint(str(output))
    assert seen_sentences(matcher, benchmark) == sentences
    if base:
        assert matcher.name == "features-adapted"


def test_a_checkpoint_that_knows_the_sentences_is_no_start(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = tmp_path / "start"
    shutil.copytree(SHIPPED / "features", start)
    config = json.loads((start / CONFIG).read_text())
    config["trained_on"].append(sentence_hash(load(str(small), None, Diagnostics()).sentences[0].text))
    (start / CONFIG).write_text(json.dumps(config))
    assert main([str(small), str(tmp_path / "learned"), "--base", str(start)]) == 1
    assert "was trained on 1 of these sentences" in said(capsys)[-1]["error"]
    assert not (tmp_path / "learned").exists()
