"""How matchers are learned and compared: `train(...)` and `benchmark(...)`, as the commands of these names do.

>>> import training
>>> report = training.train("sample", overrides=["folds=2", "inner_folds=2"], supervision=["none"], resamples=50)
>>> report.matcher.score.f1 > report.rules.score.f1
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from matchers.neighbours import check_neighbour

check_neighbour("data")

if TYPE_CHECKING:
    from training.from_python import benchmark, train

__all__ = ["benchmark", "train"]


def __getattr__(name: str) -> Any:
    """What trains is imported when it is asked for, so that `training` alone is light."""
    if name == "train":
        from training.from_python import train

        return train
    if name == "benchmark":  # the command's module, which can be called: the two have one name
        return import_module("training.benchmark")
    raise AttributeError(f"module 'training' has no attribute {name!r}")
