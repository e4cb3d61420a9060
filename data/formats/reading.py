"""How files are read: the choices that all readers share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from data.formats.textfile import DEFAULT_ENCODING

Confidence = Literal["none", "last", "first"]
Nary = Literal["join", "drop"]


@dataclass(frozen=True)
class ReadOptions:
    """How files are read: their encoding, where extraction files have a confidence, what is done with n-ary ones.

    Further arguments join the second if nothing is said of them (`nary` None); but then a further column that looks
    like confidences is an error, as it would spoil every second argument.
    """

    encoding: str = DEFAULT_ENCODING
    confidence: Confidence = "none"
    nary: Nary | None = None
