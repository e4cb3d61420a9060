from __future__ import annotations

from pathlib import Path

import pytest

from data.problems import InputError
from tests.training.sweeping.conftest import SWEEP
from training.sweeping.search_space import Choices, Range, find_sweep, load_sweep

pytest.importorskip("optuna", reason="needs the extra `sweep`")


def test_the_sweep_that_ships() -> None:
    sweep = load_sweep("features")
    assert sweep.config == "features" and sweep.trials >= 10 and len(sweep.space) >= 2
    assert find_sweep("configs/sweeps/features.yaml").resolve() == sweep.path


def test_what_a_file_says(file: Path) -> None:
    sweep = load_sweep(str(file))
    assert (sweep.config, sweep.trials, sweep.dataset) == ("features", 2, "sample")
    assert sweep.space == {
        "classifier.strength": Range(0.01, 3.0, log=True, whole=False),
        "inner_folds": Range(2, 3, log=False, whole=True),
        "classifier.groups_without": Choices(("[]", '["rank"]')),
    }


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("trials", "trails", 2, "'trails' is no key; did you mean 'trials'?"),
        ("trials: 2", "trials: many", 2, "trials must be a whole number from 1, not 'many'"),
        ("trials: 2", "trials: 0", 2, "trials must be a whole number from 1, not 0"),
        ("config: features", "config: [a]", 1, "config must be a name"),
        ("classifier.strength", "classifier.strenght", 5, "'strenght' is no key; did you mean 'strength'?"),
        ("classifier.strength", "classifier", 5, "classifier has keys of its own"),
        ("low: 0.01", "lower: 0.01", 5, "'lower' is no key; did you mean 'low'?"),
        ("low: 0.01, ", "", 5, "needs choices, or low and high"),
        ("low: 0.01", "low: 9", 5, "needs low < high"),
        ("low: 0.01", "low: a", 5, "must be float"),
        ("log: true", "log: 3", 5, "log must be true or false"),
        ("{low: 2, high: 3}", "{low: 1, high: 3}", 6, "inner_folds must be at least 2"),
        ("{low: 2, high: 3}", "{choices: []}", 6, "has a list of choices, or low and high"),
        ("{low: 2, high: 3}", "{choices: [2], low: 2}", 6, "has a list of choices, or low and high"),
        ("{low: 2, high: 3}", "{choices: [2, many]}", 6, "inner_folds must be int"),
        ("{low: 2, high: 3}", "3", 6, "keys and values were expected"),
        ("{choices: [[], [rank]]}", "{low: a, high: b}", 7, "is no number; give it choices"),
        ("inner_folds", "seed", 6, "seed can't be searched"),
        ("trials: 2", "trials: [", 4, "is not YAML"),
    ],
)
def test_mistakes_name_the_line(file: Path, old: str, new: str, line: int, message: str) -> None:
    file.write_text(SWEEP.replace(old, new, 1))
    with pytest.raises(InputError) as error:
        load_sweep(str(file))
    assert str(error.value).startswith(f"{file}:{line}: ") and message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("config: features\ntrials: 2\n", "the key 'space' is missing"),
        ("config: features\ntrials: 2\nspace: {}\n", "the space has no keys to search"),
    ],
)
def test_incomplete_files(file: Path, text: str, message: str) -> None:
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        load_sweep(str(file))
