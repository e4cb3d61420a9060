"""Learning in the background: begun, watched, cancelled, and what can go wrong."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from data.catalog import SAMPLE
from training.studio import exports
from training.studio.facts import RefusedError
from training.studio.learning import Learner
from training.studio.studio import Studio


def waited(learner: Learner, state: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while learner.progress.state != state and time.monotonic() < end:
        time.sleep(0.05)
    assert learner.progress.state == state, learner.progress


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    shutil.copytree(SAMPLE, tmp_path / "mine")
    return Studio(tmp_path / "mine")


def test_learning_is_cancelled_and_leaves_nothing(studio: Studio) -> None:
    learner = Learner(studio.folder)
    learner.start(studio.benchmark(), exports.credited(studio.state, studio.systems))
    assert learner.progress.state == "running"
    with pytest.raises(RefusedError, match="already"):
        learner.start(studio.benchmark(), exports.credited(studio.state, studio.systems))
    learner.cancel()
    waited(learner, "cancelled")
    time.sleep(0.3)
    assert learner.progress.state == "cancelled"
    assert studio.machine.learned() == []
    with pytest.raises(RefusedError, match="not learning"):
        learner.cancel()


def test_too_few_sentences_are_a_sentence(studio: Studio) -> None:
    learner = Learner(studio.folder)
    judged = [
        one for one in exports.credited(studio.state, studio.systems) if one.judgment.extraction.sentence_id == "1"
    ]
    learner.start(studio.benchmark(), judged)
    waited(learner, "failed")
    assert "at least 3 sentences" in learner.progress.error


def test_nothing_judged_is_nothing_learned(studio: Studio) -> None:
    with pytest.raises(RefusedError, match="Nothing is judged"):
        Learner(studio.folder).start(studio.benchmark(), [])


def test_the_last_curve_is_there_when_it_opens_again_unless_it_is_damaged(tmp_path: Path) -> None:
    assert Learner(tmp_path).progress.state == "idle"
    (tmp_path / "checkpoints").mkdir()
    kept = tmp_path / "checkpoints" / "learning.json"
    kept.write_text('{"state": "done", "points": [{"f1": 1}], "checkpoint": "learned-1"}')
    assert Learner(tmp_path).progress.checkpoint == "learned-1"
    kept.write_text('{"state": ')
    assert Learner(tmp_path).progress.state == "idle"
