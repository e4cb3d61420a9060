"""What is matched: the model of a benchmark, its file formats, the bundled sample, the real sets.

>>> import data
>>> sample = data.load("sample")
>>> sample.sentences[0].clusters[0].id
'1'
"""

from typing import TYPE_CHECKING, Any

from data.catalog import NAMES, load
from data.model import (
    Benchmark,
    Cluster,
    Extraction,
    Formulation,
    Group,
    Judgment,
    Sentence,
    Slot,
    System,
)
from data.problems import Diagnostics, InputError, Problem

if TYPE_CHECKING:
    from data.pair_table import pairs

__all__ = [
    "NAMES",
    "Benchmark",
    "Cluster",
    "Diagnostics",
    "Extraction",
    "Formulation",
    "Group",
    "InputError",
    "Judgment",
    "Problem",
    "Sentence",
    "Slot",
    "System",
    "load",
    "pairs",
]


def __getattr__(name: str) -> Any:
    """`data.pairs` needs the `datasets` library, which is imported only when it is asked for."""
    if name == "pairs":
        import importlib

        return importlib.import_module("data.pair_table").pairs
    raise AttributeError(f"module 'data' has no attribute {name!r}")
