"""Signatures: what produced a number, in one line that can be compared and cited."""

from __future__ import annotations

from dataclasses import dataclass

from data.model import Benchmark
from matchers.interface import Matcher

VERSION = "0.1.0"


@dataclass(frozen=True)
class Signature:
    """Named settings in a fixed order.

    >>> str(Signature((("matcher", "rules"), ("seed", "1"))))
    'matcher:rules|seed:1'
    """

    settings: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "|".join(f"{name}:{value}" for name, value in self.settings)


def gold_hash(benchmark: Benchmark) -> str:
    """The first digits of the hash of the gold file, or of what the gold says if it came from no file."""
    if benchmark.source:
        return benchmark.source.sha256[:12]
    from data.benchie import gold_text
    from data.textfile import sha256

    return sha256(gold_text(benchmark).encode())[:12]


def signature(benchmark: Benchmark, matcher: Matcher, **settings: object) -> Signature:
    """The signature of a number: matcher, decoding, gold, further settings, version."""
    parts = {"matcher": matcher.name, **matcher.settings, "assignment": "optimal", "gold": gold_hash(benchmark)}
    parts |= {name: str(value) for name, value in settings.items()}
    return Signature((*parts.items(), ("version", VERSION)))
