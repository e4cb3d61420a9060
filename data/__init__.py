"""What is matched: the model of a benchmark, its file formats, the bundled sample, the real sets.

>>> import data
>>> sample = data.load("sample")
>>> sample.sentences[0].clusters[0].id
'1'
>>> gold = data.Benchmark("mine", (data.Sentence.of("Anna paints houses .", "Anna --> paints --> houses"),))
>>> mine = data.System.of("mine", [("1", "Anna", "paints", "houses")])
"""

import importlib
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
from data.text import sentence_key

if TYPE_CHECKING:
    from data.files import (
        read_extractions,
        read_gold,
        read_judgments,
        read_systems,
        write_extractions,
        write_gold,
        write_judgments,
    )
    from data.formats.pairs import pairs

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
    "read_extractions",
    "read_gold",
    "read_judgments",
    "read_systems",
    "sentence_key",
    "write_extractions",
    "write_gold",
    "write_judgments",
]


# What reads and writes files is imported when it is asked for, and `datasets` with `pairs`: commands start without it.
_LATER = dict.fromkeys(
    (
        "read_extractions",
        "read_gold",
        "read_judgments",
        "read_systems",
        "write_extractions",
        "write_gold",
        "write_judgments",
    ),
    "data.files",
) | {"pairs": "data.formats.pairs"}


def __getattr__(name: str) -> Any:
    """What `_LATER` lists, from its module."""
    if name in _LATER:
        return getattr(importlib.import_module(_LATER[name]), name)
    raise AttributeError(f"module 'data' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
