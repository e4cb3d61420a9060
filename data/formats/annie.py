"""AnnIE's two files: the JSON that it saves and loads, and the text that it exports.

AnnIE numbers its sentences, so a sentence's id is its place in the file, from 1.

In the JSON every word of a triple has its own `optional` flag, and separators tell which optional words belong
together. AnnIE's paper writes `[an] [outstanding] scientist` but `[continues to] reside in`, so both readings must be
possible. They are told apart like this: an optional word is a group of its own, unless a start separator that is on
(`state` true) stands before it, between the words `index1` and `index2`. From there on the optional words of the slot
are one group, up to the end separator that is on, the next start separator, or the first word that is required.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from data.brackets import STRAY
from data.formats.benchie import SENTENCE_PREFIX, GoldReader, cluster_header, is_sentence_line
from data.formats.json_records import Node, read_tree
from data.formats.slots import plain_words
from data.formats.textfile import DEFAULT_ENCODING, decode, read_bytes, sha256, write_text
from data.model import ARROW, Benchmark, Formulation, Group, Sentence, Slot, Source
from data.problems import Diagnostics, InputError

RENUMBERED = "sentence id changed to a number"
FOREIGN_WORD = "word that the sentence lacks"
SLOTS = ("subjects", "predicates", "objects")


class TextReader(GoldReader):
    """Reads AnnIE's text export: BenchIE's text, but a sentence stands alone on its line."""

    def read(self, text: str) -> tuple[Sentence, ...]:
        """The sentences of a file's text."""
        if not text.strip():
            raise InputError("has no sentence; a line with a sentence was expected", self.path)
        return super().read(text)

    def line(self, number: int, line: str) -> None:
        """Take one line that is not blank."""
        if is_sentence_line(line):
            message = f"'{SENTENCE_PREFIX}' begins a sentence of BenchIE's text"
            if self.drafts:
                raise self.error(f"{message}, and line {self.drafts[0].line} lacks it; write it there", number)
            raise self.error(f"{message}; read this file with --from benchie", number)
        if not self.drafts and (ARROW in line or cluster_header(line)):
            raise self.error("a cluster or formulation stands before any sentence", number)
        super().line(number, line)

    def other(self, line: str, number: int) -> None:
        """A line that is neither header nor formulation is a sentence."""
        self.start(str(len(self.drafts) + 1), line, number)


class JsonReader(GoldReader):
    """Reads the JSON that AnnIE saves; repeated and empty clusters are mended as those of a text file."""

    def read(self, text: str) -> tuple[Sentence, ...]:
        """The sentences of a file's text."""
        root = read_tree(text, self.path)
        for number, node in enumerate(root.child("textFile").children("sentences", "sentence"), 1):
            self.start(str(number), node.text("text"), 0)
        if not self.drafts:
            raise InputError("has no sentence", self.path)
        for node in root.children("clusters", "cluster"):
            self.cluster(node)
        return self.finished()

    def cluster(self, node: Node) -> None:
        """Take a cluster into its sentence."""
        number = node.integer("sentenceNumber")
        if not 0 <= number < len(self.drafts):
            raise node.error(f"'sentenceNumber' is {number}; there are {len(self.drafts)} sentences, from 0")
        formulations = [self.triple(child) for child in node.children("triples", "triple")]
        self.drafts[number].clusters.append((node.text("clusterNumber"), 0, formulations))

    def triple(self, node: Node) -> Formulation:
        """The formulation in a triple."""
        starts = _marks(node, "startSeparators", "index2")
        ends = _marks(node, "endSeparators", "index1")
        slots = []
        for name in SLOTS:
            try:
                slots.append(Slot(tuple(self.groups(node.children(name, f"{name}, word"), starts, ends))))
            except ValueError as error:
                raise node.error(f"{name}: {error}") from None
        arg1, relation, arg2 = slots
        return Formulation(arg1, relation, arg2)

    def groups(self, words: tuple[Node, ...], starts: set[int], ends: set[int]) -> Iterator[Group]:
        """The groups of a slot's words; marks that a word can't have are left out of it."""
        gathered: list[str] = []
        for word in words:
            index, optional, text = word.integer("index"), word.flag("optional"), word.text("text")
            if (gathered and not optional) or index in starts:
                yield from _optional(gathered)
                gathered = []
            texts = plain_words(text)
            if " ".join(texts) != text.strip():
                self.warn(STRAY, f"{word.place}: {text!r} is read as {' '.join(texts)!r}", 0)
            if not texts:
                continue
            if not optional:
                yield Group(texts)
            elif gathered or index in starts:
                gathered.extend(texts)
            else:
                yield Group(texts, optional=True)
            if index in ends:
                yield from _optional(gathered)
                gathered = []
        yield from _optional(gathered)


def _optional(words: list[str]) -> Iterator[Group]:
    if words:
        yield Group(tuple(words), optional=True)


def _marks(node: Node, name: str, field: str) -> set[int]:
    """The words at the separators that are on: the word after a start, the word before an end."""
    if name not in node.fields:
        return set()
    return {mark.integer(field) for mark in node.children(name, name) if mark.flag("state")}


def read_annie_json(path: Path, diagnostics: Diagnostics, encoding: str = DEFAULT_ENCODING) -> Benchmark:
    """A benchmark of sentences and clusters from the JSON that AnnIE saves."""
    return _read(JsonReader(path, diagnostics), encoding)


def read_annie_text(path: Path, diagnostics: Diagnostics, encoding: str = DEFAULT_ENCODING) -> Benchmark:
    """A benchmark of sentences and clusters from the text that AnnIE exports."""
    return _read(TextReader(path, diagnostics), encoding)


def _read(reader: GoldReader, encoding: str) -> Benchmark:
    content = read_bytes(reader.path)
    sentences = reader.read(decode(content, reader.path, encoding))
    return Benchmark(reader.path.stem, sentences, source=Source(reader.path, sha256(content)))


def write_annie_text(
    benchmark: Benchmark, path: Path, diagnostics: Diagnostics, encoding: str = DEFAULT_ENCODING
) -> None:
    """Write the sentences and clusters as AnnIE exports them, with its spaces and line ends."""
    lines = []
    for number, sentence in _numbered(benchmark, path, diagnostics):
        if ARROW in sentence.text or is_sentence_line(sentence.text) or cluster_header(sentence.text):
            raise InputError(f"sentence {sentence.id} can't be told from a cluster in AnnIE's text", path)
        lines.append(sentence.text)
        for cluster in sentence.clusters:
            lines.append(f"{number}{ARROW} Cluster {cluster.id}: ")
            lines.extend(f"{formulation} " for formulation in cluster.formulations)
        lines.append("")
    write_text(path, "".join(f"{line}\r\n" for line in lines), encoding)


def write_annie_json(
    benchmark: Benchmark, path: Path, diagnostics: Diagnostics, encoding: str = DEFAULT_ENCODING
) -> None:
    """Write the sentences and clusters as the JSON that AnnIE loads.

    AnnIE's triples consist of the sentence's words. A word that the sentence lacks gets an index after its last word.
    """
    sentences: list[dict[str, Any]] = []
    clusters: list[dict[str, Any]] = []
    for number, sentence in _numbered(benchmark, path, diagnostics):
        words = [_word(word, index) for index, word in enumerate(sentence.text.split())]
        sentences.append({"index": number - 1, "text": sentence.text, "words": words})
        foreign = 0
        for cluster in sentence.clusters:
            triples = [_triple(formulation, sentence) for formulation in cluster.formulations]
            foreign += sum(word["index"] >= len(words) for t in triples for name in SLOTS for word in t[name])
            cluster_number = int(cluster.id) if _is_plain_number(cluster.id) else cluster.id
            clusters.append({"sentenceNumber": number - 1, "clusterNumber": cluster_number, "triples": triples})
        if foreign:
            message = f"sentence {sentence.id} lacks {foreign} words of its triples; AnnIE may not show them"
            diagnostics.warn(FOREIGN_WORD, message, path)
    text = "\n".join(sentence.text for sentence in benchmark.sentences)
    file = {"name": f"{benchmark.name}.txt", "text": text, "sentences": sentences}
    document = {"name": benchmark.name, "textFile": file, "clusters": clusters}
    write_text(path, json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding)


def _numbered(benchmark: Benchmark, path: Path, diagnostics: Diagnostics) -> Iterator[tuple[int, Sentence]]:
    """The sentences with their numbers, which replace other ids."""
    changed = [(s.id, n) for n, s in enumerate(benchmark.sentences, 1) if s.id != str(n)]
    if changed:
        old, new = changed[0]
        message = f"AnnIE numbers sentences: {old} becomes {new}; {len(changed)} ids change in all"
        diagnostics.warn(RENUMBERED, message, path)
    return enumerate(benchmark.sentences, 1)


def _is_plain_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10 and str(int(text)) == text


def _word(text: str, index: int, optional: bool = False) -> dict[str, Any]:
    return {"text": text, "posLabel": "", "index": index, "type": "", "optional": optional}


def _triple(formulation: Formulation, sentence: Sentence) -> dict[str, Any]:
    triple: dict[str, Any] = {}
    starts, ends = [], []
    index_of = _Indexes(sentence.text.split())
    for name, slot in zip(SLOTS, formulation.slots, strict=True):
        words: list[dict[str, Any]] = []
        for group in slot.groups:
            added = [_word(word, index_of(word), group.optional) for word in group.words]
            if group.optional:
                first, last = added[0]["index"], added[-1]["index"]
                starts.append({"state": True, "index1": first - 1, "index2": first})
                ends.append({"state": True, "index1": last, "index2": last + 1})
            words.extend(added)
        triple[name] = words
    return {**triple, "startSeparators": starts, "endSeparators": ends}


class _Indexes:
    """Gives each word of a triple an index of its own: its next place in the sentence, or one after the end."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.used: set[int] = set()
        self.last = -1
        self.beyond = count(len(words))

    def __call__(self, word: str) -> int:
        places = [i for i, other in enumerate(self.words) if other == word and i not in self.used]
        index = min(places, key=lambda i: (i < self.last, i), default=None)
        if index is None:
            return next(self.beyond)
        self.used.add(index)
        self.last = index
        return index
