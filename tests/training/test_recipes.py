from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.problems import InputError
from tests.fuzzing import fuzzed
from training.recipes import (
    CONFIGS,
    Classifier,
    CrossEncoder,
    Recipe,
    Supervision,
    convert,
    find_recipe,
    load_recipe,
    recipe_hash,
)

PARTS = {"supervision": Supervision, "classifier": Classifier, "cross_encoder": CrossEncoder}


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
        ("name: !!timestamp x\n", 1, "the value can't be read"),
        ("folds: !!int many\n", 1, "the value can't be read"),
        ("folds: 3\nclassifier: {strength: 1\n", 3, "is not YAML"),
        ("folds: 3\nfolds: 4\n", 2, "the key 'folds' is there twice"),
        ("seed: 99999999999999999999999\n", 1, "seed must be at most 4294967295, not a number of 23 digits"),
        ("folds: 1000000000\n", 1, "folds must be at most 10000"),
        ("cross_encoder:\n  epochs: 1e300\n", 2, "epochs must be at most 1000"),
        ("cross_encoder:\n  dropout: 2\n", 2, "dropout must be at most 1"),
        (f"folds: {'9' * 5000}\n", 1, "the value can't be read"),
        (f"classifier:\n  strength: {'9' * 400}\n", 2, "strength must be"),
        ("folds: 3\nname: ../../x\n", 2, "'../../x' can't be the name of a recipe"),
        ("name: /etc/passwd\n", 1, "can't be the name of a recipe"),
        ("name: ..\n", 1, "can't be the name of a recipe"),
        ("name: .hidden\n", 1, "can't be the name of a recipe"),
        ('name: "a\\0b"\n', 1, "can't be the name of a recipe"),
        ('name: "a\\nb"\n', 1, "can't be the name of a recipe"),
        ("name: a|b\n", 1, "can't be the name of a recipe"),
        ('name: ""\n', 1, "can't be the name of a recipe"),
        (f"name: {'x' * 300}\n", 1, "can't be the name of a recipe"),
        ("name: &a x\nkind: *a\n", 2, "aliases such as *name"),
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
        ("name=../../x", "can't be the name of a recipe"),
        ("name=&a [*a]", "can't be read"),
        ("seed=!!timestamp x", "can't be read"),
        ("x" * 10_000 + "=3", "is no key"),
        ("classifier.features_without=" + "[" * 5000, "can't be read"),
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


def test_a_recipe_can_be_named_as_such() -> None:
    assert load_recipe("recipe:features") == load_recipe("features")


def test_a_file_whose_name_can_t_be_a_recipe_s_is_given_one(tmp_path: Path) -> None:
    path = tmp_path / "a|b.yaml"
    path.write_text("folds: 3\n")
    with pytest.raises(InputError, match="can't be the name of a recipe"):
        load_recipe(str(path))
    assert load_recipe(str(path), ["name=mine"]).name == "mine"


KEYS = [
    *(item.name for item in fields(Recipe)),
    *(f"{part}.{item.name}" for part, kind in PARTS.items() for item in fields(kind)),
    "folds.x", "nothing", "", "<<",
]  # fmt: skip
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.floats(), st.text(max_size=40),
    st.sampled_from(["features", "lora", "2001-13-45", "0x", "~", "!!int x", "*a", "&a b", "1e999", "x" * 300, "../x"]),
)  # fmt: skip
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
)


LETTERS = "abcfold:s -[]{}&*!?|>%@`'\"#,\n\t\x00\u00e9\U0001f600 0123456789.e"


def readable(recipe: Recipe) -> None:
    """What a recipe must be if it is taken: something that runs would not choke on."""
    assert 0 <= recipe.seed < 2**32 and 2 <= recipe.folds <= 10_000
    assert recipe.name and "/" not in recipe.name and len(recipe.name) <= 100
    assert recipe.supervision.generated_weight and all(math.isfinite(w) for w in recipe.supervision.generated_weight)
    assert recipe_hash(recipe) == recipe_hash(recipe)


@fuzzed
@given(st.dictionaries(st.sampled_from(KEYS), values, max_size=6))
def test_any_values_are_a_recipe_or_an_error(tmp_path: Path, given_values: dict[str, Any]) -> None:
    import yaml

    nested: dict[str, Any] = {}
    for key, value in given_values.items():
        parent, _, last = key.rpartition(".")
        part = nested.setdefault(parent, {}) if parent in PARTS else nested
        if isinstance(part, dict):
            part[last if parent in PARTS else key] = value
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(nested, allow_unicode=True), encoding="utf-8", errors="surrogatepass")
    try:
        readable(load_recipe(str(path)))
    except InputError as error:
        assert str(error).startswith(str(path)) and "\n" not in str(error) and len(str(error)) < 1000


@fuzzed
@given(
    st.text(
        alphabet=st.sampled_from("abcfold:s -[]{}&*!?|>%@`'\"#,\n\t\x00\u00e9\U0001f600 0123456789.e"), max_size=120
    )
)
def test_any_text_is_a_recipe_or_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8", newline="")
    try:
        readable(load_recipe(str(path)))
    except InputError as error:
        assert str(error).startswith(str(path)) and "\n" not in str(error)


@fuzzed
@given(st.binary(max_size=60))
def test_any_bytes_are_a_recipe_or_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(content)
    try:
        readable(load_recipe(str(path)))
    except InputError as error:
        assert str(error).startswith(str(path))


@fuzzed
@given(st.lists(st.tuples(st.sampled_from(KEYS), st.one_of(st.text(max_size=20), scalars.map(repr))), max_size=3))
def test_any_overrides_are_taken_or_refused(tmp_path: Path, given_overrides: list[tuple[str, str]]) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("folds: 3\n")
    try:
        readable(load_recipe(str(path), [f"{key}={value}" for key, value in given_overrides]))
    except InputError as error:
        assert "\n" not in str(error) and len(str(error)) < 1000
