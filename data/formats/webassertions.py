"""WebAssertions^FL: the gold lists passages, the systems read the passages' sentences one by one.

Sentence N of the systems' files is line N of the sentence list. Both lists are in the same order, so each sentence is
laid to the passage that holds most of its words, never going back.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

from data.formats.benchie import read_gold
from data.formats.extractions import read_extractions
from data.formats.textfile import numbered_lines, read_text
from data.model import Benchmark, Sentence, System
from data.problems import Diagnostics

_WORD = re.compile(r"\w+")
_ENOUGH = 0.6
_LOOK_AHEAD = 3


def align(sentences: list[str], passages: tuple[Sentence, ...]) -> dict[str, str]:
    """Which passage each sentence (by its line number, as a string) belongs to; those after the last have none.

    >>> align(["The fox ran .", "It slept .", "Rain fell ."], (Sentence("a", "the fox ran . it slept ."),))
    {'1': 'a', '2': 'a'}
    """
    bags = [_words(passage.text) for passage in passages]
    passage_of = {}
    current = 0
    for number, sentence in enumerate(sentences, 1):
        words = _words(sentence)
        total = max(1, sum(words.values()))
        ahead = range(current, min(current + _LOOK_AHEAD, len(passages)))
        shares = {index: sum((words & bags[index]).values()) / total for index in ahead}
        best = max(shares, key=lambda index: (shares[index], -index), default=current)
        if shares.get(best, 0.0) < _ENOUGH:
            if current == len(passages) - 1:
                break
            continue
        current = best
        passage_of[str(number)] = passages[best].id
    return passage_of


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def load_passages(gold: Path, sentences: Path, extractions: dict[str, Path], diagnostics: Diagnostics) -> Benchmark:
    """The passages as the benchmark's sentences, with the systems' extractions of their sentences."""
    benchmark = read_gold(gold, diagnostics)
    lines = [line for _, line in numbered_lines(read_text(sentences))]
    passage_of = align(lines, benchmark.sentences)
    systems = []
    for name, path in extractions.items():
        system = read_extractions(path, diagnostics, name)
        kept = (e for e in system.extractions if e.sentence_id in passage_of)
        systems.append(System(name, tuple(replace(e, sentence_id=passage_of[e.sentence_id]) for e in kept)))
    return replace(benchmark, systems=tuple(systems))
