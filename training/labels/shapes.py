"""The shape of what is trained on beside people's judgments; `docs/json.md` is made from it."""

from __future__ import annotations

from typing import Annotated, TypedDict


class SourceJson(TypedDict):
    """A source that is trained on beside people's judgments."""

    name: Annotated[str, "as `--supervision` has it"]
    parts: Annotated[int, "systems' outputs for a sentence"]
    sentences: int
    hash: Annotated[str, "of its labels"]
