"""What programs are told when they ask for what can't be, and that data may be given in several ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import training
from data.catalog import load
from data.problems import Diagnostics, InputError
from training.recipes import Recipe


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"protocol": "by system"}, "the protocol is one of .*, not 'by system'"),
        ({"resamples": 0}, "at least one resample"),
        ({"recipe": Recipe(), "overrides": ["folds=2"]}, "overrides change a recipe that is named"),
        ({"start": "features", "supervision": ["generated"]}, "learns from the judgments alone"),
        ({"recipe": "moon"}, "no recipe is called 'moon'"),
        ({"dataset": "moon"}, "no data set or folder is called 'moon'"),
    ],
)
def test_training_that_can_not_be(how: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        training.train(**{"dataset": "sample", **how})


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"protocol": "by system"}, "the protocol is one of .*, not 'by system'"),
        ({"resamples": 0}, "at least one resample"),
        ({"seed": -1}, "must not be negative"),
        ({"matchers": ["moon"]}, "moon"),
    ],
)
def test_comparisons_that_can_not_be(how: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        training.benchmark(**{"dataset": "sample", **how})


def test_data_are_a_benchmark_or_its_folder_as_text_or_path(small: Path) -> None:
    """The same data give the same figures, however they are named."""
    reports = [
        training.train(dataset, Recipe(name="mine", folds=2, inner_folds=2), supervision=["none"], resamples=20)
        for dataset in (small, str(small), load(small, diagnostics=Diagnostics()))
    ]
    assert len({report.signature for report in reports}) == 1
    assert len({(one.matcher.score.f1, one.rules.score.f1) for one in reports}) == 1
