"""Triples as language models write them: a line `subject | predicate | object`, in blocks that a sentence heads.

A block begins with a line `# ID`, or `# ID<TAB>sentence` where the file is gold. Blank lines part nothing and mean
nothing. Optional around a triple are parentheses, and before it a bullet or a number: `- (Mara | lives in | Oslo)`.
Everything else is an error with its line: two parts or four, no word at all, a triple before any sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from data.formats.extractions import named_system
from data.formats.slots import plain_slot
from data.formats.textfile import DEFAULT_ENCODING, decode, numbered_lines, read_bytes, read_text, sha256, write_text
from data.model import Benchmark, Cluster, Extraction, Formulation, Sentence, Source, System
from data.problems import InputError
from data.text import one_line

HEAD, BAR = "#", "|"
_BULLET = re.compile(r"(?:[-*\u2022]|\d{1,4}[.)])\s+")


@dataclass(frozen=True)
class Triple:
    """Three texts, of which one at least has words."""

    subject: str
    predicate: str
    object: str

    @property
    def formulation(self) -> Formulation:
        """The triple as a wording of a fact."""
        return Formulation(plain_slot(self.subject), plain_slot(self.predicate), plain_slot(self.object))


Placed = Sequence[tuple[int | None, Triple]]  # triples with their lines, where a file has lines


@dataclass(frozen=True)
class Block:
    """A sentence's id, its text if there is one, and its triples with their lines."""

    id: str
    text: str
    line: int
    triples: tuple[tuple[int, Triple], ...]


def split_triple(text: str) -> Triple:
    """The triple in a text with two bars; ValueError for anything else.

    >>> split_triple("Mara Venn | birth place | Oslo")
    Triple(subject='Mara Venn', predicate='birth place', object='Oslo')
    """
    parts = [one_line(part) for part in text.split(BAR)]
    if len(parts) != 3:
        raise ValueError(f"'subject | predicate | object' was expected; there are {len(parts)} parts: {text[:80]!r}")
    if not any(parts):
        raise ValueError("a triple needs at least one word")
    return Triple(*parts)


def is_piped(first: str, second: str) -> bool:
    """Whether the first two lines of a file that are not blank look like this format."""
    return first.lstrip().startswith(HEAD) and second.count(BAR) == 2


def _bare(line: str) -> str:
    """A triple without its bullet and parentheses."""
    line = line.strip()
    bullet = _BULLET.match(line)
    line = line[bullet.end() :] if bullet else line
    return line[1:-1] if _enclosed(line) else line


def _enclosed(text: str) -> bool:
    """Whether the first parenthesis is closed by the last character.

    >>> _enclosed("(a (b) | c | d)"), _enclosed("(A) kit | costs | 4 (net)")
    (True, False)
    """
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth <= 0:
            return position > 0 and position == len(text) - 1
    return False


def blocks(text: str, path: Path) -> Iterator[Block]:
    """The blocks of a file in its order; an id that comes twice is an error."""
    head: tuple[str, str, int] | None = None
    triples: list[tuple[int, Triple]] = []
    seen: dict[str, int] = {}
    for number, line in numbered_lines(text):
        if line.lstrip().startswith(HEAD):
            if head:
                yield Block(*head, tuple(triples))
            name, _, words = line.strip()[1:].strip().partition("\t")
            name = one_line(name)
            if not name:
                raise InputError("'# ID' was expected; the id is missing", path, number)
            if name in seen:
                raise InputError(f"sentence {name!r} was headed in line {seen[name]} already", path, number)
            seen[name] = number
            head, triples = (name, one_line(words), number), []
            continue
        if head is None:
            raise InputError("a triple stands before any sentence; '# ID' was expected first", path, number)
        try:
            triples.append((number, split_triple(_bare(line))))
        except ValueError as error:
            raise InputError(str(error), path, number) from None
    if head:
        yield Block(*head, tuple(triples))


@contextmanager
def named_place(path: Path, line: int | None) -> Iterator[None]:
    """What can't be made of a line's words becomes an error that names the line."""
    try:
        yield
    except ValueError as error:
        raise InputError(str(error), path, line) from None


def clusters_of(triples: Placed, path: Path) -> tuple[Cluster, ...]:
    """Each triple as a cluster of one wording, numbered from 1."""
    clusters = []
    for number, (line, triple) in enumerate(triples, 1):
        with named_place(path, line):
            clusters.append(Cluster(str(number), (triple.formulation,)))
    return tuple(clusters)


def extractions_of(sentence_id: str, triples: Placed, path: Path) -> Iterator[Extraction]:
    """The triples as a system's extractions of a sentence."""
    for line, triple in triples:
        with named_place(path, line):
            yield Extraction(sentence_id, triple.subject, triple.predicate, triple.object)


def read_piped_gold(path: Path, encoding: str = DEFAULT_ENCODING) -> Benchmark:
    """The sentences with their triples, each a cluster of one wording."""
    content = read_bytes(path)
    sentences = []
    for block in blocks(decode(content, path, encoding), path):
        if not block.text:
            raise InputError(f"gold needs sentences: '# {block.id}<TAB>sentence' was expected", path, block.line)
        clusters = clusters_of(block.triples, path)
        with named_place(path, block.line):
            sentences.append(Sentence(block.id, block.text, clusters))
    if not sentences:
        raise InputError("is empty; '# ID<TAB>sentence' and lines of triples were expected", path)
    return Benchmark(path.stem, tuple(sentences), source=Source(path, sha256(content)))


def read_piped_system(path: Path, encoding: str = DEFAULT_ENCODING, name: str | None = None) -> System:
    """A system's triples, by the ids of the sentences."""
    extractions: list[Extraction] = []
    for block in blocks(read_text(path, encoding), path):
        extractions.extend(extractions_of(block.id, block.triples, path))
    if not extractions:
        raise InputError("has no triples; '# ID' and lines 'subject | predicate | object' were expected", path)
    return named_system(name or path.stem, tuple(extractions), path)


def write_piped_system(system: System, path: Path, encoding: str = DEFAULT_ENCODING) -> None:
    """Write a system's triples; a slot with a bar in it can't be written."""
    lines = []
    for sentence_id, extractions in system.by_sentence.items():
        if HEAD in sentence_id[:1]:
            raise InputError(f"the sentence id {sentence_id!r} can't be written after '#'", path)
        lines.append(f"{HEAD} {sentence_id}\n")
        for extraction in extractions:
            line = f" {BAR} ".join(extraction.slots).strip()
            if any(BAR in slot for slot in extraction.slots) or not _survives(line, extraction):
                raise InputError(f"sentence {sentence_id}: {str(extraction)[:80]!r} can't be told from marks", path)
            lines.append(f"{line}\n")
    write_text(path, "".join(lines), encoding)


def _survives(line: str, extraction: Extraction) -> bool:
    """Whether a line is read back as it was written: a first slot may look like a bullet or a heading."""
    if line.startswith(HEAD):
        return False
    try:
        read = split_triple(_bare(line))
    except ValueError:
        return False
    return (read.subject, read.predicate, read.object) == extraction.slots
