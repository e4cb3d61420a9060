from __future__ import annotations

from pathlib import Path

import pytest

from data.problems import InputError
from training.recipes import CONFIGS, Recipe, convert, find_recipe, load_recipe


def recipe(tmp_path: Path, text: str, *overrides: str) -> Recipe:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    return load_recipe(str(path), overrides)


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_recipes_that_ship_are_read(path: Path) -> None:
    assert load_recipe(path.stem).name == path.stem
    assert load_recipe(str(path)) == load_recipe(path.stem) == load_recipe(f"configs/{path.name}")


def test_defaults_and_values(tmp_path: Path) -> None:
    found = recipe(tmp_path, "folds: 4\nclassifier:\n  strength: 5e-2\n  groups_without: rank\n")
    assert (found.name, found.kind, found.folds, found.seed) == ("mine", "features", 4, 1)
    assert found.classifier.strength == 0.05  # YAML reads 5e-2 as text
    assert found.classifier.groups_without == ("rank",)
    assert recipe(tmp_path, "") == Recipe(name="mine")


def test_overrides(tmp_path: Path) -> None:
    found = recipe(
        tmp_path, "folds: 4\n", "folds=7", "classifier.estimator=random_forest", "supervision.generated_weight=[0, 1]",
        "supervision.silver_dataset=null", "name=other",
    )  # fmt: skip
    assert (found.folds, found.classifier.estimator, found.name) == (7, "random_forest", "other")
    assert found.supervision.generated_weight == (0.0, 1.0) and found.supervision.silver_dataset is None


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("folds: 3\nclasifier: {}\n", 2, "'clasifier' is no key; did you mean 'classifier'?"),
        ("classifier:\n  strengt: 1\n", 2, "'strengt' is no key; did you mean 'strength'?"),
        ("folds: many\n", 1, "folds must be int, not 'many'"),
        ("folds: 2.5\n", 1, "folds must be int, not 2.5"),
        ("folds: true\n", 1, "folds must be int, not True"),
        ("seed: 1\nfolds: 1\n", 2, "folds must be at least 2, not 1"),
        ("seed: -1\n", 1, "seed must be at least 0, not -1"),
        ("classifier:\n  strength: 0\n", 2, "strength must be at least"),
        ("classifier:\n  strength: .nan\n", 2, "strength must be a finite number"),
        ("classifier:\n  strength: strong\n", 2, "strength must be float, not 'strong'"),
        ("supervision:\n  generated_weight: [0.1, -1]\n", 2, "generated_weight must be at least 0, not -1"),
        ("supervision:\n  generated_weight: []\n", 2, "generated_weight must have at least one value"),
        ("kind: oracle\n", 1, "kind is one of features, cross_encoder, hybrid, not 'oracle'"),
        ("folds: 3\nclassifier: 7\n", 2, "keys and values were expected"),
        ("- folds\n", 1, "keys and values were expected"),
        ("name: 2020-01-01\n", 1, "name must be str"),
        ("folds: 3\nname: !!python/object/apply:os.getcwd []\n", 2, "the value can't be read"),
        ("folds: !!int many\n", 1, "the value can't be read"),
        ("folds: 3\nclassifier: {strength: 1\n", 3, "is not YAML"),
    ],
)
def test_mistakes_name_the_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(InputError) as error:
        recipe(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path / 'mine.yaml'}:{line}: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("folds", "is no override; write key=value"),
        ("fold=3", "'fold' is no key; did you mean 'folds'?"),
        ("classifier.strenght=3", "did you mean 'strength'?"),
        ("clasifier.strength=3", "did you mean 'classifier'?"),
        ("folds.many=3", "has no keys of its own"),
        ("classifier=3", "has keys of its own; name one of them, for example classifier.estimator"),
        ("folds=", "folds must be int, not None"),
        ("folds=0", "folds must be at least 2"),
        ("classifier.strength=inf", "finite"),
        ("folds=[", "can't be read"),
        ("folds=!!int x", "can't be read"),
        ("=3", "is no key"),
    ],
)
def test_wrong_overrides(tmp_path: Path, override: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        recipe(tmp_path, "", override)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_unknown_recipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"no recipe is called 'moon'; those in configs/ are .*features"):
        load_recipe("moon")
    with pytest.raises(InputError, match="no recipe is called"):
        find_recipe("elsewhere/features.yaml")  # not taken for the one in configs/
    monkeypatch.chdir(tmp_path)
    assert find_recipe("configs/features.yaml") == CONFIGS / "features.yaml"


def test_values_by_key() -> None:
    assert convert("classifier.strength", 1) == 1.0
    with pytest.raises(InputError, match="did you mean 'strength'"):
        convert("classifier.stength", 1)
