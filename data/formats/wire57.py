"""WiRe57's JSON: gold tuples that know which of their words are inferred, and the extractions of seven systems.

The WiRe57 token scorer needs all of it; `load_wire57` gives the part of it that any matcher understands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.formats.extractions import named_system
from data.formats.json_records import Node, read_tree
from data.formats.reading import Nary
from data.formats.slots import plain_slot
from data.formats.textfile import DEFAULT_ENCODING, decode, read_bytes, read_text, sha256, write_text
from data.model import Benchmark, Cluster, Extraction, Formulation, Sentence, Slot, Source, System
from data.problems import InputError
from data.text import check_id, one_line

INFERRED, COREFERENCE = "inf", "coref"
SYSTEM_NAMES = {"openie": "openie4"}  # the file's name for OpenIE 4


@dataclass(frozen=True)
class Wire57Word:
    """A word of a part: from the sentence, or `inferred` by the annotators, or put for a pronoun (`coreference`)."""

    text: str
    inferred: bool = False
    coreference: bool = False


@dataclass(frozen=True)
class Wire57Part:
    """An argument or relation of a tuple: its words, and its words with coreferences resolved (often the same)."""

    words: tuple[Wire57Word, ...]
    resolved: tuple[Wire57Word, ...]

    @property
    def text(self) -> str:
        """The words as they stand in the sentence, inferred ones included."""
        return " ".join(word.text for word in self.words)

    @property
    def resolved_text(self) -> str:
        """The words with coreferences resolved."""
        return " ".join(word.text for word in self.resolved)


@dataclass(frozen=True)
class Wire57Tuple:
    """A gold tuple of two or more arguments; `attributed` marks an attribution or speculation."""

    arg1: Wire57Part
    relation: Wire57Part
    arg2: Wire57Part
    further: tuple[Wire57Part, ...] = ()
    attributed: bool = False


@dataclass(frozen=True)
class Wire57Sentence:
    """A sentence with its tokens and gold tuples."""

    id: str
    text: str
    tokens: tuple[str, ...]
    tuples: tuple[Wire57Tuple, ...]


@dataclass(frozen=True)
class Wire57Extraction:
    """A system's extraction of two or more arguments, with the score that the system gave it."""

    sentence_id: str
    system: str
    arg1: str
    relation: str
    arg2: str
    further: tuple[str, ...] = ()
    score: float | None = None


def read_wire57_gold(path: Path, encoding: str = DEFAULT_ENCODING) -> tuple[Wire57Sentence, ...]:
    """The sentences of all documents in a gold file, in file order."""
    return _gold_of(read_text(path, encoding), path)


def _gold_of(text: str, path: Path) -> tuple[Wire57Sentence, ...]:
    root = read_tree(text, path)
    nodes = (node for name in root.fields for node in root.children(name, f"document {name!r}, sentence"))
    sentences = [_sentence(node) for node in nodes]
    if not sentences:
        raise InputError("has no sentences; WiRe57's gold maps documents to lists of sentences", path)
    return tuple(sentences)


def _sentence(node: Node) -> Wire57Sentence:
    sentence_id = node.text("id")
    named = Node(node.fields, node.path, place=f"sentence {sentence_id!r}")
    tuples = tuple(_tuple(child) for child in named.children("tuples", "tuple"))
    return Wire57Sentence(sentence_id, named.text("sent"), named.texts("tokens"), tuples)


def _tuple(node: Node) -> Wire57Tuple:
    return Wire57Tuple(
        _part(node.child("arg1"), resolved=True),
        _part(node.child("rel"), resolved=False),
        _part(node.child("arg2"), resolved=True),
        tuple(_part(child, resolved=True) for child in node.children("arg3+", "further argument")),
        bool(node.text("attrib/spec?").strip()),
    )


def _part(node: Node, resolved: bool) -> Wire57Part:
    """A part; a relation has no coreferences and resolves to itself."""
    words = _words(node, "words", "words_indexes")
    return Wire57Part(words, _words(node, "decorefed_words", "decorefed_indexes") if resolved else words)


def _words(node: Node, words: str, indexes: str) -> tuple[Wire57Word, ...]:
    texts, places = node.texts(words), node.values(indexes)
    if len(texts) != len(places):
        raise node.error(f"{len(texts)} {words!r} have {len(places)} {indexes!r}")
    for place in places:
        if not (isinstance(place, int | list) or place in (INFERRED, COREFERENCE)):
            raise node.error(f"{place!r} in {indexes!r} is no token number, {INFERRED!r} or {COREFERENCE!r}")
    return tuple(
        Wire57Word(text, place == INFERRED, place == COREFERENCE) for text, place in zip(texts, places, strict=True)
    )


def read_wire57_extractions(path: Path, encoding: str = DEFAULT_ENCODING) -> tuple[Wire57Extraction, ...]:
    """The extractions of all systems in an extractions file, in file order; OpenIE 4 is called `openie4`."""
    root = read_tree(read_text(path, encoding), path)
    extractions = tuple(
        _extraction(node, sentence_id)
        for sentence_id in root.fields
        for node in root.children(sentence_id, f"sentence {sentence_id!r}, extraction")
    )
    if not extractions:
        raise InputError("has no extractions; WiRe57's file maps sentence ids to lists of extractions", path)
    return extractions


def _extraction(node: Node, sentence_id: str) -> Wire57Extraction:
    system = node.text("extractor")
    extraction = Wire57Extraction(
        sentence_id,
        SYSTEM_NAMES.get(system, system),
        node.text("arg1"),
        node.text("rel"),
        node.text("arg2"),
        node.texts("arg3+") if "arg3+" in node.fields else (),
        node.number("score"),
    )
    try:
        plain_extraction(extraction)
        check_id(extraction.system, "system")
    except ValueError as error:
        raise node.error(str(error)) from None
    return extraction


def plain_extraction(extraction: Wire57Extraction) -> Extraction:
    """The extraction as a triple: arguments after the second join it."""
    arg2 = one_line(" ".join((extraction.arg2, *extraction.further)))
    arg1, relation = one_line(extraction.arg1), one_line(extraction.relation)
    return Extraction(extraction.sentence_id, arg1, relation, arg2, extraction.score)


def read_wire57_systems(path: Path, encoding: str = DEFAULT_ENCODING, nary: Nary | None = None) -> tuple[System, ...]:
    """The systems of an extractions file, in order of first appearance."""
    by_system: dict[str, list[Extraction]] = {}
    for extraction in read_wire57_extractions(path, encoding):
        own = by_system.setdefault(extraction.system, [])
        if nary != "drop" or not extraction.further:
            own.append(plain_extraction(extraction))
    return tuple(named_system(name, tuple(extractions), path) for name, extractions in by_system.items())


def write_wire57_systems(systems: Sequence[System], path: Path, encoding: str = DEFAULT_ENCODING) -> None:
    """Write systems' extractions as one extractions file, sentence by sentence."""
    by_sentence: dict[str, list[dict[str, Any]]] = {}
    for system in systems:
        for extraction in system.extractions:
            fields: dict[str, Any] = {"arg1": extraction.arg1, "rel": extraction.relation, "arg2": extraction.arg2}
            fields["extractor"] = system.name
            if extraction.confidence is not None:
                fields["score"] = extraction.confidence
            by_sentence.setdefault(extraction.sentence_id, []).append(fields)
    write_text(path, json.dumps(by_sentence, ensure_ascii=False, indent=1) + "\n", encoding)


def read_wire57_benchmark(path: Path, encoding: str = DEFAULT_ENCODING) -> Benchmark:
    """The gold as a benchmark: each tuple is a cluster of its wording and, if another, its wording when resolved."""
    content = read_bytes(path)
    sentences = []
    for sentence in _gold_of(decode(content, path, encoding), path):
        try:
            clusters = tuple(_clusters(sentence, path))
            sentences.append(Sentence(sentence.id, one_line(sentence.text), clusters))
        except ValueError as error:
            raise InputError(f"sentence {sentence.id!r}: {error}", path) from None
    try:
        return Benchmark(path.stem, tuple(sentences), source=Source(path, sha256(content)))
    except ValueError as error:
        raise InputError(str(error), path) from None


def _clusters(sentence: Wire57Sentence, path: Path) -> Iterator[Cluster]:
    for number, fact in enumerate(sentence.tuples, 1):
        try:
            wordings = dict.fromkeys((_formulation(fact, resolved=False), _formulation(fact, resolved=True)))
        except ValueError as error:
            raise InputError(f"sentence {sentence.id!r}, tuple {number}: {error}", path) from None
        yield Cluster(str(number), tuple(wordings))


def _formulation(fact: Wire57Tuple, resolved: bool) -> Formulation:
    def slot(*parts: Wire57Part) -> Slot:
        return plain_slot(" ".join(part.resolved_text if resolved else part.text for part in parts))

    return Formulation(slot(fact.arg1), slot(fact.relation), slot(fact.arg2, *fact.further))


def load_wire57(gold: Path, extractions: Path, nary: Nary | None = None) -> Benchmark:
    """WiRe57 with the systems' extractions, whose score is their confidence."""
    benchmark = read_wire57_benchmark(gold)
    systems = read_wire57_systems(extractions, nary=nary)
    for system in systems:
        for sentence_id in system.by_sentence:
            if sentence_id not in benchmark.by_id:
                raise InputError(f"sentence {sentence_id!r} is not in the gold file {gold}", extractions)
    return Benchmark("wire57", benchmark.sentences, systems, source=benchmark.source)
