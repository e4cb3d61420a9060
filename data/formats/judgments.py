"""People's judgments: the BenchIE^FL_match CSV, and our own JSON Lines.

The CSV joins an extraction's slots with ` - `. A slot may itself contain ` - `, so a joined string is resolved against
the systems' extraction files; only if lenient, a row that no file has is parsed from the string.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from data.formats.extractions import extraction_fields, extraction_of
from data.formats.json_records import dump_lines, records
from data.formats.textfile import DEFAULT_ENCODING, read_text, write_text
from data.model import Benchmark, Extraction, Judgment, Sentence, System
from data.problems import Diagnostics, InputError
from data.text import one_line

Form = Literal["csv", "jsonl"]
JOINT = " - "
UNRESOLVED = "judged extraction in no file"
UNKNOWN = "judgment of what the gold lacks"
TWICE = "extraction judged twice"
FLAG = "flag contradicts the cluster"
_INDEX = re.compile(r"[0-9]{1,9}")
_CLUSTERS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})*")

csv.field_size_limit(2**31 - 1)


def read_judgments(
    path: Path,
    benchmark: Benchmark,
    diagnostics: Diagnostics,
    encoding: str = DEFAULT_ENCODING,
    form: Form | None = None,
) -> Benchmark:
    """The benchmark with the judgments of a file: a CSV if `form` or else its name says so, else JSON Lines.

    An extraction is judged once, or as often as its system has it. What is judged must be there: sentence, clusters,
    and, if the benchmark has systems, the system and its extraction. Anything else is an error. Lenient `diagnostics`
    take the first of several judgments, let a judged extraction that is nowhere else join its system, and leave out
    what is said of unknown sentences and clusters, with a warning each.
    """
    text = read_text(path, encoding)
    judged = _Judged(path, benchmark, diagnostics)
    if (form or path.suffix.lower().removeprefix(".")) == "csv":
        _read_csv(text, judged)
    else:
        _read_jsonl(text, judged)
    if not judged.judgments:
        raise InputError("has no judgments", path)
    systems = _with_judged(benchmark.systems, judged.judgments)
    return replace(benchmark, systems=systems, judgments=tuple(judged.judgments))


class _Judged:
    """The judgments of a file while it is being read."""

    def __init__(self, path: Path, benchmark: Benchmark, diagnostics: Diagnostics) -> None:
        self.path, self.benchmark, self.diagnostics = path, benchmark, diagnostics
        self.judgments: list[Judgment] = []
        self.lines: dict[tuple[str, str, tuple[str, str, str]], list[int]] = {}
        self.systems = {system.name for system in benchmark.systems}
        self.copies = Counter(_key(s.name, e) for s in benchmark.systems for e in s.extractions)

    @cached_property
    def by_joined(self) -> dict[tuple[str, str, str], Extraction]:
        """The systems' extractions by system, sentence and joined slots."""
        systems = self.benchmark.systems
        return {(s.name, e.sentence_id, joined(e)): e for s in systems for e in s.extractions}

    def refuse(self, kind: str, message: str, done: str, line: int) -> None:
        """An error at a line of this file, or a warning if lenient."""
        self.diagnostics.refuse(kind, message, done, self.path, line)

    def take(self, judgment: Judgment, line: int) -> None:
        """Take a judgment, or refuse what is not there and what is said twice."""
        extraction = judgment.extraction
        sentence = self.benchmark.by_id.get(extraction.sentence_id)
        if sentence is None:
            message = f"the gold has no sentence {extraction.sentence_id!r}"
            return self.refuse(UNKNOWN, message, "the judgment is left out", line)
        known = {cluster.id for cluster in sentence.clusters}
        for cluster_id in judgment.clusters:
            if cluster_id not in known:
                message = f"sentence {sentence.id} has no cluster {cluster_id}; it has {len(known)}"
                return self.refuse(UNKNOWN, message, "the judgment is left out", line)
        key = _key(judgment.system, extraction)
        if self.systems and judgment.system not in self.systems:
            names = ", ".join(sorted(self.systems))
            message = f"no system is called {judgment.system!r}; there are {names}"
            self.refuse(UNRESOLVED, message, "it is taken for a system", line)
        elif self.systems and key not in self.copies:
            message = f"no file of {judgment.system} has {extraction.slots} in sentence {sentence.id}"
            self.refuse(UNRESOLVED, message, "it is taken for an extraction", line)
        before = self.lines.setdefault(key, [])
        if len(before) >= max(1, self.copies[key]):
            message = f"'{extraction}' of {judgment.system} is judged again, after line {before[-1]}"
            return self.refuse(TWICE, message, "the first judgment counts", line)
        before.append(line)
        self.judgments.append(judgment)
        return None


def _key(system: str, extraction: Extraction) -> tuple[str, str, tuple[str, str, str]]:
    return (system, extraction.sentence_id, extraction.slots)


def _read_jsonl(text: str, judged: _Judged) -> None:
    for record in records(text, judged.path):
        extraction = extraction_of(record)
        try:
            judgment = Judgment(record.text("system"), extraction, record.texts("clusters"))
        except ValueError as error:
            raise record.error(str(error)) from None
        judged.take(judgment, record.line)


def _read_csv(text: str, judged: _Judged) -> None:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if not any(cell.strip() for cell in row) or (reader.line_num == 1 and _is_header(row)):
                continue
            judged.take(_of_row(row, reader.line_num, judged), reader.line_num)
    except csv.Error as error:
        raise InputError(f"is not CSV: {error}", judged.path, reader.line_num) from None


def _is_header(row: Sequence[str]) -> bool:
    return "extraction" in row or not row[0].strip()


def _of_row(row: Sequence[str], line: int, judged: _Judged) -> Judgment:
    sentences = judged.benchmark.sentences
    if len(row) not in (4, 5):
        expected = "sentence index, extraction, cluster, system and perhaps a flag"
        raise InputError(f"has {len(row)} columns; expected {expected}", judged.path, line)
    index, text, numbers, system = (one_line(cell) for cell in row[:4])
    if not _INDEX.fullmatch(index) or int(index) >= len(sentences):
        message = f"{index[:20]!r} is no sentence index; the gold has {len(sentences)} sentences, from 0"
        raise InputError(message, judged.path, line)
    if not _CLUSTERS.fullmatch(numbers):
        raise InputError(f"{numbers[:20]!r} is no cluster: 0, N or N.M was expected", judged.path, line)
    sentence = sentences[int(index)]
    clusters = tuple(number for number in dict.fromkeys(numbers.split(".")) if int(number))
    if len(row) == 5 and (flag := row[4].strip()) and (flag not in ("0", "0.0")) != bool(clusters):
        message = f"the flag is {flag} but the cluster {numbers}; the cluster counts"
        judged.diagnostics.warn(FLAG, message, judged.path, line)
    try:
        extraction = judged.by_joined.get((system, sentence.id, text)) or split_joined(text, sentence)
        return Judgment(system, extraction, clusters)
    except ValueError as error:
        raise InputError(str(error), judged.path, line) from None


def joined(extraction: Extraction) -> str:
    """The slots joined as the CSV has them."""
    return one_line(JOINT.join(extraction.slots))


def split_joined(text: str, sentence: Sentence) -> Extraction:
    """An extraction from its joined string: the first two joints part the slots.

    >>> split_joined("she - left -", Sentence("1", "she left .")).slots
    ('she', 'left', '')
    """
    parts = re.split(r"\s-(?:\s|$)", text, maxsplit=2)
    arg1, relation, arg2 = (*map(one_line, parts), "", "")[:3]
    return Extraction(sentence.id, arg1, relation, arg2)


def _with_judged(systems: tuple[System, ...], judgments: list[Judgment]) -> tuple[System, ...]:
    """The systems with those judged extractions that they lack; systems known from judgments only are added."""
    extractions = {system.name: list(system.extractions) for system in systems}
    present = {_key(system.name, extraction) for system in systems for extraction in system.extractions}
    for judgment in judgments:
        key = _key(judgment.system, judgment.extraction)
        if key not in present:
            present.add(key)
            extractions.setdefault(judgment.system, []).append(judgment.extraction)
    return tuple(System(name, tuple(own)) for name, own in extractions.items())


def write_judgments(judgments: Sequence[Judgment], path: Path, encoding: str = DEFAULT_ENCODING) -> None:
    """Write judgments as JSON Lines."""
    lines = [{"system": j.system, **extraction_fields(j.extraction), "clusters": list(j.clusters)} for j in judgments]
    write_text(path, dump_lines(lines), encoding)
