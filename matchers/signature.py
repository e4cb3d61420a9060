"""Signatures: what produced a number, in one line that can be compared and cited."""

from __future__ import annotations

from dataclasses import dataclass

from data.formats.textfile import sha256
from data.model import Benchmark
from matchers.interface import Matcher

VERSION = "0.2.0"


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
    from data.formats.benchie import gold_text

    return sha256(gold_text(benchmark).encode())[:12]


def signature(benchmark: Benchmark, matcher: Matcher, **settings: object) -> Signature:
    """The signature of a number: matcher, decoding, gold, further settings, version."""
    own = {"matcher": matcher.name, **matcher.settings}
    own.setdefault("assignment", matcher.decoding)  # a matcher that decodes by itself says so
    return signed(benchmark, own, **settings)


def signed(benchmark: Benchmark, own: dict[str, str], **settings: object) -> Signature:
    """The signature of a number by something that is no single matcher: its own settings, then gold and the rest."""
    parts = {**own, "gold": gold_hash(benchmark), **{name: str(value) for name, value in settings.items()}}
    return Signature((*parts.items(), ("version", VERSION)))
