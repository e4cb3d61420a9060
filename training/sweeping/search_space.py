"""Sweep files: which recipe is varied, in how many trials, and over which values of its keys.

    config: features
    trials: 20
    space:
      classifier.strength: {low: 0.01, high: 3.0, log: true}
      classifier.estimator: {choices: [logistic_regression, random_forest]}

A wrong key or value is an error that names the file, the line and the nearest right key, as in recipes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.problems import InputError
from training.recipe_values import check_key
from training.recipes import CONFIGS, convert
from training.yaml_files import entries, is_file, loaded, read_yaml, shown

SWEEPS = CONFIGS / "sweeps"
KEYS = ("config", "trials", "dataset", "space")
DIMENSION_KEYS = ("choices", "low", "high", "log")


@dataclass(frozen=True)
class Choices:
    """Some values, as JSON."""

    values: tuple[str, ...]

    def suggest(self, key: str, trial: Any) -> str:
        """The value that a trial is to try, as it stands in an override."""
        return str(trial.suggest_categorical(key, self.values))


@dataclass(frozen=True)
class Range:
    """All numbers between two, both included; on a logarithmic scale if `log`."""

    low: float
    high: float
    log: bool
    whole: bool

    def suggest(self, key: str, trial: Any) -> str:
        """The value that a trial is to try, as it stands in an override."""
        if self.whole:
            return str(trial.suggest_int(key, int(self.low), int(self.high), log=self.log))
        return repr(float(trial.suggest_float(key, self.low, self.high, log=self.log)))


Dimension = Choices | Range


@dataclass(frozen=True)
class Sweep:
    """What a sweep file says."""

    path: Path
    config: str
    trials: int
    space: dict[str, Dimension]
    dataset: str | None = None


def find_sweep(name: str) -> Path:
    """The file of a sweep: a path, or a name in `configs/sweeps/`."""
    path = Path(name)
    shipped = [SWEEPS / name, SWEEPS / f"{name}.yaml"]
    if path.parent.name == SWEEPS.name:  # `configs/sweeps/features.yaml` works in any folder
        shipped.append(SWEEPS / path.name)
    for candidate in (path, *shipped):
        if is_file(candidate):
            return candidate
    known = ", ".join(sorted(path.stem for path in SWEEPS.glob("*.yaml"))) or "none"
    raise InputError(f"no sweep is called {shown(name)}; those in configs/sweeps/ are {known}")


def load_sweep(name: str) -> Sweep:
    """The sweep of a file or name."""
    path = find_sweep(name)
    node = read_yaml(path)
    if node is None:
        raise InputError("is empty; a sweep has the keys config, trials and space", path)
    values: dict[str, Any] = {}
    for key, line, value_node in entries(node, path):
        check_key(key, KEYS, path, line)
        values[key] = (
            _space(value_node, path) if key == "space" else _checked(key, loaded(value_node, path), path, line)
        )
    for key in ("config", "trials", "space"):
        if key not in values:
            raise InputError(f"the key {key!r} is missing", path)
    return Sweep(path, **values)


def _checked(key: str, value: Any, path: Path, line: int) -> Any:
    if key == "trials":
        if type(value) is not int or value < 1:
            raise InputError(f"trials must be a whole number from 1, not {shown(value)}", path, line)
    elif not isinstance(value, str):
        raise InputError(f"{key} must be a name, not {shown(value)}", path, line)
    return value


def _space(node: Any, path: Path) -> dict[str, Dimension]:
    dimensions: dict[str, Dimension] = {}
    for key, line, value_node in entries(node, path):
        if key in ("seed", "name", "kind"):
            raise InputError(f"{key} can't be searched: it is the same in all trials", path, line)
        parts: dict[str, Any] = {}
        for part, part_line, part_node in entries(value_node, path):
            check_key(part, DIMENSION_KEYS, path, part_line)
            parts[part] = loaded(part_node, path)
        dimensions[key] = _dimension(key, parts, path, line)
    if not dimensions:
        raise InputError("the space has no keys to search", path, node.start_mark.line + 1)
    return dimensions


def _dimension(key: str, parts: dict[str, Any], path: Path, line: int) -> Dimension:
    if "choices" in parts:
        if len(parts) > 1 or not isinstance(parts["choices"], list) or not parts["choices"]:
            raise InputError(f"{key} has a list of choices, or low and high", path, line)
        for value in parts["choices"]:
            convert(key, value, path, line)
        return Choices(tuple(dict.fromkeys(json.dumps(value) for value in parts["choices"])))
    if "low" not in parts or "high" not in parts:
        raise InputError(f"{key} needs choices, or low and high", path, line)
    low, high = (convert(key, parts[end], path, line) for end in ("low", "high"))
    log = parts.get("log", False)
    if not all(isinstance(end, int | float) and not isinstance(end, bool) for end in (low, high)):
        raise InputError(f"{key} is no number; give it choices", path, line)
    if not isinstance(log, bool):
        raise InputError(f"log must be true or false, not {log!r}", path, line)
    if not low < high or (log and low <= 0):
        raise InputError(f"{key} needs low < high" + ", both above 0" * log + f", not {low} and {high}", path, line)
    return Range(low, high, log, isinstance(low, int))
