"""Extractions that are worth nothing, to show which scorers are fooled by them.

- `naive` (BenchIE, section 4.1): each verb becomes a relation; all words before it are the first argument and all after
  it the second. A verb that nothing stands before or after makes no extraction, and the sentence's final mark is left
  out: so are BenchIE's released ones.
- `munchkin` (WiRe57, section 2.2): of the words w0 ... wn, the extractions (w0; w1; w2 ... wn), (w0; w1 w2; w3 ... wn)
  and so on, with falling confidence.
- `whole-sentence`: one extraction, with the whole sentence in each of its slots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, get_args

from data.attacks.verbs import verb_positions
from data.languages import is_english
from data.model import Benchmark, Extraction, Sentence, System
from data.problems import Diagnostics, InputError

Kind = Literal["naive", "munchkin", "whole-sentence"]
Verbs = Callable[[Sequence[str]], list[int]]

KINDS: tuple[Kind, ...] = get_args(Kind)
ENGLISH_VERBS = "English verbs"
SILENT = "sentence without extraction"
_FINAL = frozenset(".!?")


def attack(benchmark: Benchmark, kind: Kind, verbs: Verbs | None = None) -> System:
    """The system of an attack, called by its kind; `verbs` finds verbs in words (default: by lists and endings).

    >>> from data.model import Sentence
    >>> gold = Benchmark("gold", (Sentence("1", "Mara was born in Arden ."),))
    >>> for extraction in attack(gold, "naive").extractions:
    ...     print(extraction)
    Mara - was - born in Arden
    Mara was - born - in Arden
    """
    if kind not in KINDS:
        raise ValueError(f"no attack is called {kind!r}; the names are {', '.join(KINDS)}")
    if kind == "naive":
        extractions = [e for sentence in benchmark.sentences for e in naive(sentence, verbs or verb_positions)]
    else:
        make = munchkin if kind == "munchkin" else whole_sentence
        extractions = [e for sentence in benchmark.sentences for e in make(sentence)]
    return System(kind, tuple(extractions))


def naive(sentence: Sentence, verbs: Verbs) -> Iterator[Extraction]:
    """Each verb with all that stands before and after it."""
    words = sentence.text.split()
    if words[-1] in _FINAL:
        words.pop()
    for position in verbs(words):
        if 0 < position < len(words) - 1:
            before, after = " ".join(words[:position]), " ".join(words[position + 1 :])
            yield Extraction(sentence.id, before, words[position], after)


def munchkin(sentence: Sentence) -> Iterator[Extraction]:
    """The first word, then all ways to cut the rest in a relation and an argument."""
    first, *rest = sentence.text.split()
    for size in range(1, len(rest)):
        relation, argument = " ".join(rest[:size]), " ".join(rest[size:])
        yield Extraction(sentence.id, first, relation, argument, round(1 / size, 6))


def whole_sentence(sentence: Sentence) -> Iterator[Extraction]:
    """The sentence as each of three slots."""
    yield Extraction(sentence.id, sentence.text, sentence.text, sentence.text)


def checked_attack(benchmark: Benchmark, kind: Kind, diagnostics: Diagnostics, verbs: Verbs | None = None) -> System:
    """An attack with warnings about what it can't do; one that makes nothing is an error."""
    by_lists = kind == "naive" and verbs is None
    if by_lists and not is_english(benchmark):
        message = f"verbs are found by English words and endings, but the language is {benchmark.language}"
        diagnostics.warn(ENGLISH_VERBS, message + "; name a spaCy model with --spacy", benchmark.name)
    system = attack(benchmark, kind, verbs)
    if not system.extractions:
        why = "; without --spacy it knows English verbs only" if by_lists else ""
        raise InputError(f"the attack {kind} finds nothing in the {len(benchmark.sentences)} sentences{why}")
    silent = len(benchmark.sentences) - len(system.by_sentence)
    if silent:
        diagnostics.warn(SILENT, f"{silent} sentences have no extraction of the kind {kind}", benchmark.name)
    return system


def without_confidences(system: System) -> System:
    """The system with the same extractions and no confidences."""
    return System(system.name, tuple(Extraction(e.sentence_id, *e.slots) for e in system.extractions))
