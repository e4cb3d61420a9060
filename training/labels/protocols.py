"""How folds are made, by name; commands know the names before anything heavy is imported."""

from __future__ import annotations

from typing import Literal

Protocol = Literal["sentence", "leave-one-sentence-out", "leave-one-system-out"]
PROTOCOLS: tuple[Protocol, ...] = ("sentence", "leave-one-sentence-out", "leave-one-system-out")
