"""WebNLG's triples, as XML and as JSON: entries with wordings (`lex`) and sets of `subject | predicate | object`.

Read as gold, an entry is a sentence: its first English wording, and each triple of its modified set a cluster. Read as
a system's output, an entry's triples (`generatedtripleset`, or else `modifiedtripleset`) are its extractions. Names are
read as they are written in texts: underscores as spaces, `birthPlace` as `birth place`, quotation marks around literals
and types after them (`"1990"^^xsd:integer`) are left out.

An entry's id is its `eid`; where a file has one several times, all ids are `category_size_eid`. XML is parsed without a
document type: one that declares a DTD, and with it entities, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from xml.parsers import expat

from data.formats.extractions import named_system
from data.formats.json_records import Node, parse_json
from data.formats.piped_triples import Triple, clusters_of, extractions_of, named_place, split_triple
from data.formats.textfile import DEFAULT_ENCODING, read_bytes, read_text, sha256
from data.model import Benchmark, Extraction, Sentence, Source, System
from data.problems import InputError
from data.text import one_line

GENERATED, MODIFIED, ORIGINAL = "generatedtripleset", "modifiedtripleset", "originaltripleset"
TRIPLES = {"gtriple": GENERATED, "mtriple": MODIFIED, "otriple": ORIGINAL}
ENGLISH = "en"
_DEEPEST = 50
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LITERAL = re.compile(r'"(?P<text>.*)"(?:\^\^\S+|@[A-Za-z-]+)?')


@dataclass(frozen=True)
class Entry:
    """An entry: its id, short and long, its wordings, its triples by the name of their set, and its line."""

    id: str
    long_id: str
    texts: tuple[str, ...]
    sets: tuple[tuple[str, tuple[tuple[int | None, Triple], ...]], ...]
    line: int | None = None

    def triples(self, *names: str) -> tuple[tuple[int | None, Triple], ...]:
        """The triples, with their lines, of the first of these sets that the entry has."""
        sets = dict(self.sets)
        return next((sets[name] for name in names if name in sets), ())


def readable(name: str) -> str:
    """A subject or object as a text would have it.

    >>> readable("Mara_Venn"), readable('"1990"^^xsd:integer'), readable('"Arden High"@en')
    ('Mara Venn', '1990', 'Arden High')
    """
    literal = _LITERAL.fullmatch(name)
    return one_line((literal["text"] if literal else name).replace("_", " "))


def readable_predicate(name: str) -> str:
    """A predicate in words.

    >>> readable_predicate("birthPlace"), readable_predicate("is_part_of")
    ('birth place', 'is part of')
    """
    return one_line(_CAMEL.sub(" ", name.replace("_", " ")).lower() if " " not in name else name)


def _triple(subject: str, predicate: str, target: str) -> Triple:
    triple = Triple(readable(subject), readable_predicate(predicate), readable(target))
    if not (triple.subject or triple.predicate or triple.object):
        raise ValueError("a triple needs at least one word")
    return triple


class XmlReader:
    """Walks through WebNLG's XML without building a tree, and refuses what it need not have."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: list[Entry] = []
        self.open: list[str] = []
        self.text = ""
        self.language = ENGLISH
        self.line = 0
        self.entry_line = 0
        self.entry_id = self.long_id = ""
        self.texts: list[str] = []
        self.sets: dict[str, list[tuple[int | None, Triple]]] = {}

    def read(self, content: bytes) -> list[Entry]:
        """The entries of a document."""
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self.parser.EntityDeclHandler = self._refuse_doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        try:
            self.parser.Parse(content, True)
        except expat.ExpatError as error:
            raise InputError(f"is not XML: {expat.ErrorString(error.code)}", self.path, error.lineno) from None
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            raise InputError(f"is not XML: {str(error)[:80]}", self.path) from None
        return self.entries

    def _refuse_doctype(self, *_: object) -> None:
        message = "declares a document type, which could hold entities; WebNLG's files have none, so remove it"
        raise InputError(message, self.path, self.parser.CurrentLineNumber)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.open.append(name)
        if len(self.open) > _DEEPEST:
            raise InputError(f"elements are nested more than {_DEEPEST} deep", self.path, self.parser.CurrentLineNumber)
        self.text = ""
        self.line = self.parser.CurrentLineNumber
        if name == "entry":
            self.entry_line = self.line
            self.entry_id = one_line(attributes.get("eid", ""))
            self.long_id = _long_id(attributes.get("category", ""), attributes.get("size", ""), self.entry_id)
            self.texts, self.sets = [], {}
        elif name == "lex":
            self.language = attributes.get("lang") or ENGLISH
        elif name in TRIPLES.values() and "entry" in self.open:
            self.sets.setdefault(name, [])

    def _characters(self, text: str) -> None:
        self.text += text

    def _end(self, name: str) -> None:
        self.open.pop()
        if name in TRIPLES and "entry" in self.open:
            self._add_triple(TRIPLES[name])
        elif name == "lex" and self.language == ENGLISH and one_line(self.text):
            self.texts.append(one_line(self.text))
        elif name == "entry":
            if not self.entry_id:
                raise InputError("an entry has no 'eid'", self.path, self.entry_line)
            sets = tuple((key, tuple(triples)) for key, triples in self.sets.items())
            self.entries.append(Entry(self.entry_id, self.long_id, tuple(self.texts), sets, self.entry_line))

    def _add_triple(self, name: str) -> None:
        try:
            parts = split_triple(self.text)
            triple = _triple(parts.subject, parts.predicate, parts.object)
        except ValueError as error:
            raise InputError(str(error), self.path, self.line) from None
        if name == ORIGINAL:  # an entry may have several, one for each way in which it was shortened
            return
        self.sets.setdefault(name, []).append((self.line, triple))


def json_entries(text: str, path: Path) -> list[Entry]:
    """The entries of WebNLG's JSON: `{"entries": [{"1": {...}}, ...]}`."""
    value = parse_json(text, path)
    if not isinstance(value, dict) or not isinstance(value.get("entries"), list):
        raise InputError("a JSON object with a list 'entries' was expected", path)
    entries = []
    for number, item in enumerate(value["entries"], 1):
        outer = Node({}, path).of(item, f"entry {number}")
        if len(outer.fields) != 1:
            raise outer.error("one field was expected, the entry's number")
        ((key, _),) = outer.fields.items()
        node = outer.child(key)
        name = one_line(node.text("xmlid", key))
        texts = tuple(_texts(node)) if "lexicalisations" in node.fields else ()
        sets = tuple((place, tuple(_json_set(node, place))) for place in (GENERATED, MODIFIED) if place in node.fields)
        entries.append(Entry(name, _long_id(node.text("category", ""), node.text("size", ""), name), texts, sets))
    return entries


def _long_id(category: str, size: str, name: str) -> str:
    return one_line("_".join(filter(None, (category, size, name))))


def _texts(node: Node) -> Iterator[str]:
    for lex in node.children("lexicalisations", "wording"):
        if lex.text("lang", "") in ("", ENGLISH) and one_line(lex.text("lex")):
            yield one_line(lex.text("lex"))


def _json_set(node: Node, name: str) -> Iterator[tuple[int | None, Triple]]:
    for child in node.children(name, f"{name}, triple"):
        try:
            yield None, _triple(child.text("subject"), child.text("property"), child.text("object"))
        except ValueError as error:
            raise child.error(str(error)) from None


def read_entries(path: Path, encoding: str, form: str) -> list[Entry]:
    """The entries of a file; XML says itself in which encoding it is."""
    is_xml = form == "xml"
    entries = XmlReader(path).read(read_bytes(path)) if is_xml else json_entries(read_text(path, encoding), path)
    if not entries:
        raise InputError("has no entries; is it WebNLG's?", path)
    if len({entry.id for entry in entries}) < len(entries):
        entries = [replace(entry, id=entry.long_id) for entry in entries]
    seen: set[str] = set()
    for entry in entries:
        if entry.id in seen:
            raise InputError(f"two entries are called {entry.id!r}", path, entry.line)
        seen.add(entry.id)
    return entries


def read_webnlg_gold(path: Path, encoding: str = DEFAULT_ENCODING, form: str = "xml") -> Benchmark:
    """The entries as sentences; those without an English wording can't be and are an error."""
    sentences = []
    for entry in read_entries(path, encoding, form):
        if not entry.texts:
            raise InputError(f"the entry {entry.id!r} has no English wording, which gold needs", path, entry.line)
        clusters = clusters_of(entry.triples(MODIFIED), path)
        with named_place(path, entry.line):
            sentences.append(Sentence(entry.id, entry.texts[0], clusters))
    return Benchmark(path.stem, tuple(sentences), source=Source(path, sha256(read_bytes(path))))


def read_webnlg_system(
    path: Path, encoding: str = DEFAULT_ENCODING, form: str = "xml", name: str | None = None
) -> System:
    """The triples of a system's output, by the ids of the entries."""
    extractions: list[Extraction] = []
    for entry in read_entries(path, encoding, form):
        extractions.extend(extractions_of(entry.id, entry.triples(GENERATED, MODIFIED), path))
    if not extractions:
        raise InputError("has no triples", path)
    return named_system(name or path.stem, tuple(extractions), path)
