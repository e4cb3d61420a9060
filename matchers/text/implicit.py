"""Which extractions are scored: BenchIE leaves out the implicit ones, since its gold has explicit facts only.

An extraction is implicit if it has a word that is not in the sentence. Case, punctuation and where a tokeniser put its
spaces don't matter. What is done with n-ary extractions is decided where they are read, see `data.formats.extractions`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from data.model import Benchmark, Extraction, Sentence, System
from data.problems import Diagnostics
from matchers.text.punctuation import plain_words

Implicit = Literal["keep", "drop"]
IMPLICIT = "implicit extraction"


def foreign_words(extraction: Extraction, sentence: Sentence) -> tuple[str, ...]:
    """The words of an extraction that are not in the sentence.

    >>> sentence = Sentence("1", "Prof. Mara Venn lives in Oslo .")
    >>> foreign_words(Extraction("1", "Mara Venn", "is", "prof"), sentence)
    ('is',)
    """
    return _foreign(extraction, _vocabulary(sentence))


def _vocabulary(sentence: Sentence) -> frozenset[str]:
    return frozenset(part for word in sentence.text.split() for part in plain_words(word))


def _foreign(extraction: Extraction, known: frozenset[str]) -> tuple[str, ...]:
    words = (word for slot in extraction.slots for word in slot.split())
    return tuple(word for word in words if any(part not in known for part in plain_words(word)))


def without_implicit(benchmark: Benchmark, diagnostics: Diagnostics) -> Benchmark:
    """The benchmark without its systems' implicit extractions; how many were dropped is a warning."""
    known = {sentence.id: _vocabulary(sentence) for sentence in benchmark.sentences}
    systems = []
    for system in benchmark.systems:
        kept = tuple(e for e in system.extractions if not _foreign(e, known[e.sentence_id]))
        dropped = len(system.extractions) - len(kept)
        if dropped:
            message = f"{system.name}: {dropped} of {len(system.extractions)} extractions have words that are not in"
            diagnostics.warn(IMPLICIT, message + " the sentence; they are dropped, as --implicit drop asks")
        systems.append(System(system.name, kept))
    return replace(benchmark, systems=tuple(systems))
