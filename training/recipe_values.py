"""Values of recipes: each as its field's type wants it and within bounds that make sense, or an error that says why."""

from __future__ import annotations

import difflib
import math
import re
import types
import typing
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from data.problems import InputError
from training.yaml_files import shown

_NAME = re.compile(r"[\w+@-][\w .+@-]{0,99}")
# the least and the greatest value that makes sense, by key
BOUNDS: dict[str, tuple[float, float]] = {
    "seed": (0, 2**32 - 1), "folds": (2, 10_000), "inner_folds": (2, 10_000),
    "silver_weight": (0, 1000), "formulations_weight": (0, 1000), "formulations_rounds": (0, 1000),
    "generated_weight": (0, 1000), "generated_per_sentence": (0, 10_000), "strength": (1e-9, 1e9),
    "trees": (1, 10_000), "ensembles": (1, 100),
    "threshold": (0, 1), "thin_threshold": (0, 1), "lora_rank": (1, 1024), "epochs": (0, 1000),
    "learning_rate": (0, 10), "batch_size": (1, 65_536), "max_length": (1, 8192), "warmup": (0, 1),
    "weight_decay": (0, 100), "dropout": (0, 1),
    "imbalance": (-10, 10), "negatives": (0, 10_000), "extra_negatives": (0, 10_000), "threshold_folds": (0, 1000),
}  # fmt: skip


def check_name(name: str, path: Path | None = None, line: int | None = None) -> None:
    """A recipe's name stands in file names and signatures, and is refused where it can't."""
    if not _NAME.fullmatch(name):
        rule = "letters, digits, spaces and . _ + - @, 100 at most, and neither a dot nor a space at the start"
        raise InputError(f"{shown(name)} can't be the name of a recipe: {rule}", path, line)


def check_key(key: str, known: Sequence[str], path: Path | None = None, line: int | None = None) -> None:
    """Refuse what is no key, with the nearest one that is."""
    if key not in known:
        near = difflib.get_close_matches(key[:100], known, n=1, cutoff=0.0)
        raise InputError(f"{shown(key)} is no key; did you mean {near[0]!r}?", path, line)


def converted(value: Any, hint: Any, key: str, path: Path | None, line: int | None) -> Any:
    """A value as its field wants it, within its bounds."""
    typed = _typed(value, hint, key, path, line)
    bounds = BOUNDS.get(key.rpartition(".")[2])
    for item in typed if isinstance(typed, tuple) else (typed,):
        if isinstance(item, float) and not math.isfinite(item):
            raise InputError(f"{key} must be a finite number, not {item}", path, line)
        if bounds is not None and item is not None and not bounds[0] <= item <= bounds[1]:
            side, bound = ("least", bounds[0]) if item < bounds[0] else ("most", bounds[1])
            raise InputError(f"{key} must be at {side} {bound}, not {shown(item)}", path, line)
    if typed == () and bounds is not None:
        raise InputError(f"{key} must have at least one value", path, line)
    return typed


def _typed(value: Any, hint: Any, key: str, path: Path | None, line: int | None) -> Any:
    origin = typing.get_origin(hint)
    if origin is Literal:
        if value not in typing.get_args(hint):
            choices = ", ".join(map(str, typing.get_args(hint)))
            raise InputError(f"{key} is one of {choices}, not {shown(value)}", path, line)
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
        except (ValueError, OverflowError):
            pass
    elif type(value) is hint:
        return value
    raise InputError(f"{key} must be {hint.__name__}, not {shown(value)}", path, line)
