"""What comes in: files of any of our formats, or plain text, parsed as hostile.

A file's name is never used as one: the content is written to a fresh folder under a name of ours, and read there.
"""

from __future__ import annotations

import itertools
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from data.formats.json_records import Record, parse_json, records
from data.formats.reading import ReadOptions
from data.formats.registry import ExtractionFormat, GoldFormat, guess_format
from data.formats.textfile import decode
from data.model import Benchmark, Cluster, Judgment, Sentence, System
from data.problems import Diagnostics, InputError
from training.studio.actions import DONE, OPEN, STATUSES, Action, AddSentence, Edit, Judge, formulation_of
from training.studio.state import State
from training.studio.texts import sentences_of

LARGEST = 8 * 1024 * 1024
MOST_SENTENCES = 20_000
SYSTEM_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+.-]{0,39}")
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")


@dataclass(frozen=True)
class Text:
    """How plain text becomes sentences."""

    language: str
    by_character: bool = True
    split: bool = True


@dataclass(frozen=True)
class Incoming:
    """What a file brings: actions for the log, systems for `extractions/`, judgments; and in words what it was."""

    what: str
    actions: tuple[Action, ...] = ()
    systems: tuple[System, ...] = ()
    judgments: tuple[Judgment, ...] = ()
    warnings: tuple[str, ...] = ()


def check_system_name(name: str) -> str:
    """A system's name, of which its file's is made: plain characters only, nothing that leads elsewhere."""
    if not SYSTEM_NAME.fullmatch(name) or name.endswith(".") or ".." in name or _RESERVED.fullmatch(name):
        raise InputError("a system's name has 1 to 40 letters, digits, hyphens, dots or underscores")
    return name


def read_upload(content: bytes, name: str, state: State, benchmark: Benchmark, text: Text) -> Incoming:
    """What a file brings; `name` is what a system is called, if the file has a system's extractions."""
    if len(content) > LARGEST:
        raise InputError(f"is larger than {LARGEST // 1024 // 1024} MB")
    with tempfile.TemporaryDirectory(prefix="factmatch-") as folder:
        path = Path(folder) / f"upload{_suffix(content)}"
        path.write_bytes(content)
        try:
            return _read(path, name, state, benchmark, text)
        except InputError as error:
            place = f"line {error.line}: " if error.line else ""
            raise InputError(f"the file can't be read: {place}{error.message}") from None


def _suffix(content: bytes) -> str:
    start = content.lstrip(b"\xef\xbb\xbf \r\n\t")[:1]
    if start == b"{":
        return ".jsonl"
    first = content.split(b"\n", 1)[0]
    return ".csv" if first.count(b",") >= 3 and b"\t" not in first and b"sent_id" not in first else ".txt"


def _read(path: Path, name: str, state: State, benchmark: Benchmark, text: Text) -> Incoming:
    diagnostics = Diagnostics()
    plain = decode(path.read_bytes(), path)
    if path.suffix == ".jsonl" and _is_studio_lines(plain, path):
        return _gold(_of_studio_lines(plain, path), state, "the studio's JSON Lines", diagnostics)
    if path.suffix == ".csv" and plain.lstrip()[:1] not in '0123456789,"':
        return _plain_text(plain, state, text)
    found = guess_format(path)
    if found is None:
        return _plain_text(plain, state, text)
    if isinstance(found, GoldFormat):
        read = found.read(path, diagnostics, "utf-8")
        pictures = [(sentence, DONE if sentence.clusters else OPEN, "") for sentence in read.sentences]
        return _gold(pictures, state, found.meaning, diagnostics)
    if isinstance(found, ExtractionFormat):
        systems = found.read(path, diagnostics, ReadOptions())
        if not found.many:
            systems = (System(check_system_name(name), systems[0].extractions),)
        for system in systems:
            check_system_name(system.name)
            _check_sentences(system, state)
        return Incoming(found.meaning, systems=systems, warnings=_warnings(diagnostics))
    judged = found.read(path, benchmark, diagnostics, "utf-8").judgments
    return Incoming(found.meaning, opinions(judged, state), judgments=judged, warnings=_warnings(diagnostics))


def _check_sentences(system: System, state: State) -> None:
    unknown = [e.sentence_id for e in system.extractions if e.sentence_id not in state.drafts]
    if unknown:
        raise InputError(f"sentence id {unknown[0]!r} is not here; add the sentences before the extractions")


def _warnings(diagnostics: Diagnostics) -> tuple[str, ...]:
    return tuple(f"line {p.line}: {p.message}" if p.line else p.message for p in diagnostics.problems[:20])


def _plain_text(plain: str, state: State, text: Text) -> Incoming:
    found = sentences_of(plain, text.language, text.by_character, text.split)
    if not found:
        raise InputError("has no text")
    if len(found) > MOST_SENTENCES:
        raise InputError(f"has more than {MOST_SENTENCES} sentences")
    fresh = _fresh(state.drafts)
    added = [AddSentence(Sentence(next(fresh), sentence)) for sentence in found]
    return Incoming("plain text", tuple(added))


def _fresh(taken: Iterable[str]) -> Iterator[str]:
    """Numbers that no sentence has, one after the other."""
    numbers = [int(known) for known in taken if known.isdecimal() and known.isascii() and len(known) < 10]
    return map(str, itertools.count(max(numbers, default=0) + 1))


def _is_studio_lines(plain: str, path: Path) -> bool:
    try:
        first = parse_json(plain.strip().split("\n", 1)[0], path)
    except InputError:
        return False
    return isinstance(first, dict) and "facts" in first and "text" in first


def _of_studio_lines(plain: str, path: Path) -> list[tuple[Sentence, str, str]]:
    found = []
    for record in records(plain, path):
        status, note = record.text("status", OPEN), record.text("note", "")
        if status not in STATUSES:
            raise record.error(f"'status' is one of {', '.join(STATUSES)}")
        facts = record.fields["facts"] if isinstance(record.fields.get("facts"), list) else None
        if facts is None or not all(isinstance(fact, dict) for fact in facts):
            raise record.error("'facts' must be a list of objects")
        try:
            clusters = tuple(_cluster(Record(fact, path, record.line)) for fact in facts)
            found.append((Sentence(record.text("sentence_id"), record.text("text"), clusters), status, note))
        except ValueError as error:
            raise record.error(str(error)) from None
    return found


def _cluster(record: Record) -> Cluster:
    return Cluster(record.text("id"), tuple(formulation_of(text) for text in record.texts("formulations")))


def _gold(pictures: Sequence[tuple[Sentence, str, str]], state: State, what: str, diagnostics: Diagnostics) -> Incoming:
    """Sentences that are new are added; what is annotated otherwise here becomes a step that can be undone."""
    if len(pictures) > MOST_SENTENCES:
        raise InputError(f"has more than {MOST_SENTENCES} sentences")
    fresh = _fresh([*state.drafts, *(sentence.id for sentence, _, _ in pictures)])
    actions: list[Action] = []
    for sentence, status, note in pictures:
        known = state.drafts.get(sentence.id)
        if known is None or known.text != sentence.text:
            new = sentence if known is None else Sentence(next(fresh), sentence.text, sentence.clusters)
            actions.append(AddSentence(new))
            if status != OPEN or note:
                actions.append(Edit(new.id, new.clusters, note, status, "from a file"))
        elif sentence.clusters and sentence.clusters != known.now.clusters:
            actions.append(Edit(known.id, sentence.clusters, note or known.now.note, status, "from a file"))
    return Incoming(what, tuple(actions), warnings=_warnings(diagnostics))


def opinions(judgments: Sequence[Judgment], state: State) -> tuple[Judge, ...]:
    """Judgments of a file as opinions; what one system's extraction states, the same triple of another states too."""
    stated: dict[tuple[str, tuple[str, ...]], Judge] = {}
    for judgment in judgments:
        extraction = judgment.extraction
        key = (extraction.sentence_id, extraction.slots)
        if key not in stated or (judgment.clusters and not stated[key].clusters):
            version = state.drafts[extraction.sentence_id].version if extraction.sentence_id in state.drafts else 1
            stated[key] = Judge(extraction, judgment.clusters[:2], version)
    return tuple(stated.values())
