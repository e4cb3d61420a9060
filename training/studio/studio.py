"""A studio: one folder, its log and its state, and everything that changes them."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from data.folder import EXTRACTION_SUFFIXES, EXTRACTIONS, GOLD, JUDGMENTS, files_of
from data.formats.benchie import read_gold
from data.formats.extractions import read_extractions, write_extractions
from data.formats.judgments import read_judgments
from data.formats.textfile import read_bytes, sha256, write_bytes
from data.languages import language_of
from data.model import Benchmark, Extraction, Judgment, System
from data.problems import Diagnostics, InputError
from training.studio import exports
from training.studio.actions import Action
from training.studio.facts import RefusedError, Request, edited
from training.studio.highlighting import Highlighter, built_in
from training.studio.judging import Item, items_of
from training.studio.machine import Machine
from training.studio.queueing import Ground, Queue
from training.studio.state import Draft, State, case_id
from training.studio.store import Store
from training.studio.uploads import Incoming, Text, opinions, read_upload

FILE_PERSON = "file"  # who an import is laid to


@dataclass(frozen=True)
class Options:
    """How a studio is run."""

    twice: float = 0.2
    suggest: bool = False
    language: str | None = None
    highlight: Highlighter = built_in
    owner: str = "owner"


def made(folder: Path) -> Path:
    """A folder that is there from now on."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"can't be made: {error.strerror}", folder) from None
    return folder


class ConflictError(Exception):
    """Somebody else changed the sentence in the meantime."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        super().__init__("Somebody changed this sentence in the meantime, perhaps you in another tab.")


class Studio:
    """One folder, opened."""

    def __init__(self, folder: Path, options: Options | None = None) -> None:
        self.folder, self.options = folder, options or Options()
        made(folder)
        self.lock = threading.RLock()
        self.store = Store(folder)
        self.state = State(self.store.events())
        self.language = self._language()
        self.warnings: list[str] = []
        self.machine = Machine(folder, self.language)
        self.systems: tuple[System, ...] = ()
        self._gold_path, self._judgments_path = self._paths()
        self._read_gold()
        self.systems = self._read_systems()
        self._add_judged(self._judged_elsewhere())
        self._read_judgments()
        self.queue = Queue(self.options.twice)
        self._items: tuple[int, tuple[System, ...], dict[str, Item]] = (-1, (), {})
        self._written = -1

    def _language(self) -> str:
        kept = self.store.setting("language")
        language = language_of(self.options.language) if self.options.language else kept or "en"
        if language != kept:
            self.store.set("language", language)
        return language

    def _paths(self) -> tuple[Path, Path]:
        golds = files_of(self.folder / GOLD, (".txt",))
        if len(golds) > 1:
            raise InputError(
                f"one gold file (.txt) was expected; found {golds[0].name} and {golds[1].name}", self.folder
            )
        judged = [path for name in JUDGMENTS for path in files_of(self.folder / name, (".csv", ".jsonl"))]
        if len(judged) > 1:
            raise InputError(f"one file of judgments was expected; found {judged[0]} and {judged[1]}", self.folder)
        return (
            golds[0] if golds else self.folder / GOLD / "gold.txt",
            judged[0] if judged else self.folder / "judgments" / "judgments.jsonl",
        )

    def _is_foreign(self, path: Path) -> bool:
        """Whether a file is there that the studio did not write as it is."""
        return path.is_file() and not self.store.is_ours(sha256(read_bytes(path)))

    def _read_gold(self) -> None:
        """Take over a gold file that was made or changed outside of the studio."""
        if not self._is_foreign(self._gold_path):
            return
        diagnostics = Diagnostics()
        read_gold(self._gold_path, diagnostics)  # its errors name the file
        incoming = self.incoming(read_bytes(self._gold_path), "")
        if incoming.actions:
            self.do(FILE_PERSON, incoming.actions)
        self.warnings += [str(problem) for problem in diagnostics.problems]
        self.store.note_written(sha256(read_bytes(self._gold_path)))

    def _read_judgments(self) -> None:
        if not self._is_foreign(self._judgments_path):
            return
        diagnostics = Diagnostics()
        found = read_judgments(self._judgments_path, self.benchmark(), diagnostics)
        self.do(FILE_PERSON, opinions(found.judgments, self.state))
        self._keep_judged(found.judgments)
        self.warnings += [str(problem) for problem in diagnostics.problems]
        self.store.note_written(sha256(read_bytes(self._judgments_path)))

    def _read_systems(self) -> tuple[System, ...]:
        found = []
        for path in files_of(self.folder / EXTRACTIONS, EXTRACTION_SUFFIXES):
            system = read_extractions(path, Diagnostics())
            known = tuple(e for e in system.extractions if e.sentence_id in self.state.drafts)
            if len(known) < len(system.extractions):
                lost = len(system.extractions) - len(known)
                self.warnings.append(f"{path.name}: {lost} extractions of sentences that are not here are left out")
            found.append(System(system.name, known))
        return tuple(found)

    def _judged_elsewhere(self) -> list[tuple[str, Extraction]]:
        """Extractions that were judged in a file and that no file of their system has; only the log's file has them."""
        kept = json.loads(self.store.setting("judged elsewhere") or "[]")
        return [(name, Extraction(*fields)) for name, *fields in kept]

    def _keep_judged(self, judgments: Sequence[Judgment]) -> None:
        """Keep the judged extractions that no file of their system has."""
        files = {(system.name, case_id(e)) for system in self.systems for e in system.extractions}
        new = [(j.system, j.extraction) for j in judgments if (j.system, case_id(j.extraction)) not in files]
        if new:
            everything = [*self._judged_elsewhere(), *new]
            self.store.set("judged elsewhere", json.dumps([[n, e.sentence_id, *e.slots] for n, e in everything]))
            self._add_judged(new)

    def _add_judged(self, judged: Sequence[tuple[str, Extraction]]) -> None:
        known = {system.name: list(system.extractions) for system in self.systems}
        for name, extraction in judged:
            if extraction.sentence_id in self.state.drafts and extraction not in known.setdefault(name, []):
                known[name].append(extraction)
        self.systems = tuple(System(name, tuple(found)) for name, found in known.items())
        self.machine.forget()

    def do(self, person: str, actions: Sequence[Action]) -> None:
        """Save what a person did, and then let the state follow."""
        with self.lock:
            for event in self.store.append(person, actions):
                self.state.apply(event)

    def draft(self, number: int) -> Draft:
        """The sentence at a place of the list, from 1."""
        drafts = list(self.state.drafts.values())
        if not 1 <= number <= len(drafts):
            raise RefusedError(f"There is no sentence {number}.")
        return drafts[number - 1]

    def edit(self, person: str, number: int, version: int, request: Request) -> Draft:
        """Change a sentence's annotation, unless it is another than the person saw."""
        with self.lock:
            draft = self.draft(number)
            if draft.version != version:
                raise ConflictError(draft)
            self.do(person, [edited(draft, request)])
            return draft

    def items(self) -> dict[str, Item]:
        """All that can be judged now."""
        with self.lock:
            version = sum(draft.version for draft in self.state.drafts.values())
            if self._items[0] != version or self._items[1] is not self.systems:
                self._items = (version, self.systems, items_of(self.state, self.systems))
            return self._items[2]

    def next_item(self, person: str, order: str) -> Item | None:
        """The next item of a person's queue."""
        machine, drafts = self.machine, self.state.drafts
        name = machine.default()
        ground = Ground(lambda: machine.known(name, drafts), lambda: machine.disputed(drafts), machine.age)
        self.queue.follow(self.state, self.items())
        return self.queue.next(person, self.state, order, ground)

    def benchmark(self) -> Benchmark:
        """The gold as it is now, with the systems."""
        with self.lock:
            gold = exports.gold(self.state, self.folder.resolve().name or "studio", self.language)
            known = gold.by_id
            systems = (System(s.name, tuple(e for e in s.extractions if e.sentence_id in known)) for s in self.systems)
            return replace(gold, systems=tuple(systems))

    def incoming(self, content: bytes, name: str, by_character: bool = True, split: bool = True) -> Incoming:
        """What a file would bring."""
        text = Text(self.language, by_character, split)
        return read_upload(content, name, self.state, self.benchmark(), text)

    def take(self, person: str, incoming: Incoming) -> None:
        """Take over what a file brings."""
        with self.lock:
            for system in incoming.systems:
                self._add_system(system)
            self._keep_judged(incoming.judgments)
            if incoming.actions:
                self.do(FILE_PERSON if incoming.what != "plain text" else person, incoming.actions)

    def _add_system(self, system: System) -> None:
        if any(other.name.casefold() == system.name.casefold() for other in self.systems):
            raise RefusedError(f"There is a system {system.name} already; give this one another name.")
        made(self.folder / EXTRACTIONS)
        write_extractions(system, self.folder / EXTRACTIONS / f"{system.name}.tsv")
        self.systems = (*self.systems, system)
        self.machine.forget()

    def write_files(self) -> list[str]:
        """Write gold and judgments into the folder, if they have changed; the names of the files that were written."""
        with self.lock:
            if self._written == self.state.seq:
                return []
            seq, benchmark = self.state.seq, self.benchmark()
            found = exports.credited(self.state, self.systems)
        written = []
        if benchmark.sentences:
            written += self._write(self._gold_path, exports.gold_file(benchmark, "benchie"))
        if found:
            is_csv = self._judgments_path.suffix.lower() == ".csv"
            content = exports.match_csv(benchmark, found) if is_csv else exports.judgment_lines(found)
            written += self._write(self._judgments_path, content)
        self._written = seq
        return written

    def _write(self, path: Path, content: bytes) -> list[str]:
        if path.is_file() and read_bytes(path) == content:
            return []
        aside = self._put_aside(path) if self._is_foreign(path) else []
        with self.lock:
            self.store.note_written(sha256(content))  # before the file, so that a crash in between is no riddle
        made(path.parent)
        write_bytes(path, content)
        return [str(path.relative_to(self.folder)), *aside]

    def _put_aside(self, path: Path) -> list[str]:
        """Keep what somebody else made of a file while the studio was running, under a name that no command reads."""
        names = (f"{path.name}.changed-outside{number}" for number in ("", *(f"-{n}" for n in range(2, 1000))))
        aside = next(place for name in names if not (place := path.with_name(name)).exists())
        try:
            path.rename(aside)
        except OSError as error:
            raise InputError(f"can't be renamed: {error.strerror}", path) from None
        name = str(aside.relative_to(self.folder))
        self.warnings.append(
            f"{path.name} was changed outside of the studio while it was running; it is kept as {name}"
        )
        return [name]

    def close(self) -> None:
        """Write the files and let go of the folder."""
        try:
            self.write_files()
        finally:
            self.store.close()
