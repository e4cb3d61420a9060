"""Are `data` and `training` the project's own? A working folder may have packages of these names in the way."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path


def check_neighbour(package: str) -> None:
    """Say in one sentence what stands in the way of a package of the project, where something does.

    `python -m` puts the working folder before all others, so that a `data.py` there is taken for the project's `data`.
    """
    spec = find_spec(package)
    origin = Path(spec.origin) if spec and spec.origin else None
    if origin is None or origin.resolve().parent.parent != Path(__file__).resolve().parent.parent:
        where = origin or (next(iter(spec.submodule_search_locations or ["?"])) if spec else "nowhere")
        sentence = (
            f"{where} stands in the way of FactMatch's own package `{package}`: "
            "use the command `factmatch`, or work in another folder"
        )
        if sys.argv[:1] == ["-m"]:  # started by `python -m`: a user reads this, and no program can catch it
            raise SystemExit(f"error: {sentence}")
        raise ImportError(sentence)
