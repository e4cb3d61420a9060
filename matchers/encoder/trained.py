"""What training made of a base model, before it is a matcher or a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Weights:
    """What training made of a base model: its name, an adapter or a whole model, and that one's tensors."""

    base_model: str
    kind: str
    tensors: Mapping[str, Tensor]
    seed: int = 1
    max_length: int = 128
    architecture: str = ""
    tokenizer: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    losses: tuple[tuple[int, float], ...] = ()  # the learning curve: steps and the loss up to each
