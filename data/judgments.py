"""People's judgments: the BenchIE^FL_match CSV, and our own JSON Lines.

The CSV joins an extraction's slots with ` - `. A slot may itself contain ` - `, so a joined string is resolved against
the systems' extraction files; a row that no file has is parsed from the string and counts as an extraction too.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from data.extractions import extraction_fields, extraction_of
from data.jsonlines import dump_lines, records
from data.model import Benchmark, Extraction, Judgment, Sentence, System, one_line
from data.problems import Diagnostics, InputError
from data.textfile import DEFAULT_ENCODING, read_text, write_text

Form = Literal["csv", "jsonl"]
JOINT = " - "
UNRESOLVED = "judged extraction in no file"
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
    """The benchmark with the judgments of a file, whose unknown extractions join their system.

    The file is a CSV if `form` or else its name says so, else JSON Lines.
    """
    text = read_text(path, encoding)
    if (form or path.suffix.lower().removeprefix(".")) == "csv":
        judgments = _of_csv(text, path, benchmark, diagnostics)
    else:
        judgments = _of_jsonl(text, path, benchmark)
    if not judgments:
        raise InputError("has no judgments", path)
    return replace(benchmark, systems=_with_judged(benchmark.systems, judgments), judgments=tuple(judgments))


def _of_jsonl(text: str, path: Path, benchmark: Benchmark) -> list[Judgment]:
    judgments = []
    for record in records(text, path):
        extraction = extraction_of(record)
        try:
            judgment = Judgment(record.text("system"), extraction, record.texts("clusters"))
            _check(judgment, benchmark)
        except ValueError as error:
            raise record.error(str(error)) from None
        judgments.append(judgment)
    return judgments


def _check(judgment: Judgment, benchmark: Benchmark) -> None:
    sentence = benchmark.by_id.get(judgment.extraction.sentence_id)
    if sentence is None:
        raise ValueError(f"the gold has no sentence {judgment.extraction.sentence_id!r}")
    known = {cluster.id for cluster in sentence.clusters}
    for cluster_id in judgment.clusters:
        if cluster_id not in known:
            raise ValueError(f"sentence {sentence.id} has no cluster {cluster_id}; it has {len(known)}")


def _of_csv(text: str, path: Path, benchmark: Benchmark, diagnostics: Diagnostics) -> list[Judgment]:
    by_joined = {
        (system.name, extraction.sentence_id, joined(extraction)): extraction
        for system in benchmark.systems
        for extraction in system.extractions
    }
    judgments = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if not any(cell.strip() for cell in row) or (reader.line_num == 1 and _is_header(row)):
                continue
            judgments.append(_of_row(row, reader.line_num, path, benchmark, by_joined, diagnostics))
    except csv.Error as error:
        raise InputError(f"is not CSV: {error}", path, reader.line_num) from None
    return judgments


def _is_header(row: Sequence[str]) -> bool:
    return "extraction" in row or not row[0].strip()


def _of_row(
    row: Sequence[str],
    line: int,
    path: Path,
    benchmark: Benchmark,
    by_joined: dict[tuple[str, str, str], Extraction],
    diagnostics: Diagnostics,
) -> Judgment:
    if len(row) not in (4, 5):
        expected = "sentence index, extraction, cluster, system and perhaps a flag"
        raise InputError(f"has {len(row)} columns; expected {expected}", path, line)
    index, text, numbers, system = (one_line(cell) for cell in row[:4])
    if not _INDEX.fullmatch(index) or int(index) >= len(benchmark.sentences):
        message = f"{index[:20]!r} is no sentence index; the gold has {len(benchmark.sentences)} sentences, from 0"
        raise InputError(message, path, line)
    if not _CLUSTERS.fullmatch(numbers):
        raise InputError(f"{numbers[:20]!r} is no cluster: 0, N or N.M was expected", path, line)
    sentence = benchmark.sentences[int(index)]
    clusters = tuple(number for number in dict.fromkeys(numbers.split(".")) if int(number))
    if len(row) == 5 and (flag := row[4].strip()) and (flag not in ("0", "0.0")) != bool(clusters):
        diagnostics.warn(FLAG, f"the flag is {flag} but the cluster {numbers}; the cluster counts", path, line)
    extraction = by_joined.get((system, sentence.id, text))
    try:
        if extraction is None:
            extraction = split_joined(text, sentence)
            diagnostics.warn(UNRESOLVED, f"no file of {system} has '{text}'; read as {extraction.slots}", path, line)
        judgment = Judgment(system, extraction, clusters)
        _check(judgment, benchmark)
    except ValueError as error:
        raise InputError(str(error), path, line) from None
    return judgment


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
    known = {system.name: list(system.extractions) for system in systems}
    present = {name: {(e.sentence_id, e.slots) for e in found} for name, found in known.items()}
    for judgment in judgments:
        key = (judgment.extraction.sentence_id, judgment.extraction.slots)
        if key not in present.setdefault(judgment.system, set()):
            present[judgment.system].add(key)
            known.setdefault(judgment.system, []).append(judgment.extraction)
    return tuple(System(name, tuple(found)) for name, found in known.items())


def write_judgments(judgments: Sequence[Judgment], path: Path, encoding: str = DEFAULT_ENCODING) -> None:
    """Write judgments as JSON Lines."""
    lines = [{"system": j.system, **extraction_fields(j.extraction), "clusters": list(j.clusters)} for j in judgments]
    write_text(path, dump_lines(lines), encoding)
