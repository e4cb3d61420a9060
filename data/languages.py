"""Words in other languages than English: what a text is split into, so that both sides of a comparison agree.

A language that is written without spaces is split into characters, in the gold and in the extractions alike: BenchIE's
Chinese files have a space after each character, but a system's output may have words or no spaces at all. All other
languages keep the words that their files have.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from data.model import ENGLISH, Benchmark, Cluster, Extraction, Formulation, Group, Judgment, Slot, System
from data.problems import InputError

UNSPACED = frozenset(("zh", "ja", "th", "lo", "km", "my"))


def language_of(name: str) -> str:
    """The language of a tag.

    >>> language_of("zh-Hans"), language_of("DE")
    ('zh', 'de')
    """
    language = name.replace("_", "-").partition("-")[0].lower()
    if not (2 <= len(language) <= 3 and language.isascii() and language.isalpha()):
        raise InputError(f"{name!r} is no language; write a code of two or three letters, such as en, de or zh")
    return language


def is_english(benchmark: Benchmark) -> bool:
    """Whether word lists and lemmas, which are English, suit a benchmark."""
    return benchmark.language == ENGLISH


@lru_cache(maxsize=65536)
def characters(text: str) -> tuple[str, ...]:
    """The characters of a text, each with the marks that belong to it.

    >>> characters("他 担任 CEO")
    ('他', '担', '任', 'C', 'E', 'O')
    """
    split: list[str] = []
    for word in text.split():
        for position, character in enumerate(word):
            if position and unicodedata.category(character)[0] == "M":
                split[-1] += character
            else:
                split.append(character)
    return tuple(split)


def tokenised(benchmark: Benchmark, language: str) -> Benchmark:
    """The benchmark as one in this language, split into the words that suit it; doing so twice changes nothing."""
    language = language_of(language)
    if language not in UNSPACED:
        return replace(benchmark, language=language)
    return replace(
        benchmark,
        sentences=tuple(
            replace(sentence, text=_text(sentence.text), clusters=tuple(map(_cluster, sentence.clusters)))
            for sentence in benchmark.sentences
        ),
        systems=tuple(System(system.name, _extractions(system.extractions)) for system in benchmark.systems),
        judgments=tuple(Judgment(j.system, _extraction(j.extraction), j.clusters) for j in benchmark.judgments),
        language=language,
    )


def _text(text: str) -> str:
    return " ".join(characters(text))


def _cluster(cluster: Cluster) -> Cluster:
    return Cluster(cluster.id, tuple(Formulation(*map(_slot, f.slots)) for f in cluster.formulations))


@lru_cache(maxsize=65536)
def _slot(slot: Slot) -> Slot:
    return Slot(tuple(Group(characters(" ".join(group.words)), group.optional) for group in slot.groups))


def _extractions(extractions: Iterable[Extraction]) -> tuple[Extraction, ...]:
    return tuple(map(_extraction, extractions))


def _extraction(extraction: Extraction) -> Extraction:
    arg1, relation, arg2 = map(_text, extraction.slots)
    return replace(extraction, arg1=arg1, relation=relation, arg2=arg2)
