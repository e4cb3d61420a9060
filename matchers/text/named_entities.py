"""Extractions around named entities, as AnnIE's Table 4 scores them: only those about what the gold is about.

AnnIE's gold of named entities has facts both of whose arguments are entities. Since systems extract much else, it keeps
the extractions whose two arguments both contain an entity that is among the arguments of the sentence's gold. This is
ours by that description; its data and its scores are not at hand. Case and punctuation don't matter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from data.model import Benchmark, Extraction, Sentence, System
from data.problems import Diagnostics
from matchers.text.punctuation import plain

NamedEntities = Literal["any", "gold"]
OTHER_ARGUMENTS = "argument without an entity of the gold"


def gold_arguments(sentence: Sentence) -> frozenset[tuple[str, ...]]:
    """The words of all arguments of a sentence's gold, without the optional ones (but where there are no others)."""
    slots = (slot for c in sentence.clusters for f in c.formulations for slot in (f.arg1, f.arg2))
    return frozenset(words for slot in slots if (words := plain(slot.required or slot.words)))


def has_gold_arguments(extraction: Extraction, arguments: frozenset[tuple[str, ...]]) -> bool:
    """Whether both arguments of an extraction contain an argument of the gold, its words side by side.

    >>> arguments = frozenset({("mara", "venn"), ("oslo",)})
    >>> has_gold_arguments(Extraction("1", "Dr. Mara Venn", "left", "Oslo"), arguments)
    True
    >>> has_gold_arguments(Extraction("1", "Mara Venn", "left", "home"), arguments)
    False
    """
    return all(_contains(plain(tuple(text.split())), arguments) for text in (extraction.arg1, extraction.arg2))


def _contains(words: tuple[str, ...], arguments: frozenset[tuple[str, ...]]) -> bool:
    longest = max(map(len, arguments), default=0)
    return any(
        words[start : start + size] in arguments
        for start in range(len(words))
        for size in range(1, min(longest, len(words) - start) + 1)
    )


def only_gold_arguments(benchmark: Benchmark, diagnostics: Diagnostics) -> Benchmark:
    """The benchmark with the extractions about its gold's arguments only; how many others there were is a warning."""
    arguments = {sentence.id: gold_arguments(sentence) for sentence in benchmark.sentences}
    systems = []
    for system in benchmark.systems:
        kept = tuple(e for e in system.extractions if has_gold_arguments(e, arguments[e.sentence_id]))
        if dropped := len(system.extractions) - len(kept):
            message = (
                f"{system.name}: {dropped} of {len(system.extractions)} extractions have an argument without one of"
            )
            diagnostics.warn(OTHER_ARGUMENTS, f"{message} the gold's; they are dropped, as --named-entities gold asks")
        systems.append(System(system.name, kept))
    return replace(benchmark, systems=tuple(systems))
