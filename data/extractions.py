"""Systems' extractions: tab-separated text (`sent_id, arg1, relation, arg2`) and JSON Lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

from data.jsonlines import Record, dump_lines, records
from data.model import Extraction, System, one_line
from data.problems import Diagnostics, InputError
from data.textfile import DEFAULT_ENCODING, numbered_lines, read_text, write_text

Confidence = Literal["none", "last", "first"]
Form = Literal["tsv", "jsonl"]
Nary = Literal["join", "drop"]
NARY = "n-ary extraction"
JSON_SUFFIXES = (".jsonl", ".json")
_USUAL = {"sentence_id", "arg1", "relation", "arg2", "confidence"}
_FURTHER = re.compile(r"arg(?:[3-9]|[1-9][0-9])")


def read_extractions(
    path: Path,
    diagnostics: Diagnostics,
    name: str | None = None,
    encoding: str = DEFAULT_ENCODING,
    confidence: Confidence = "none",
    form: Form | None = None,
    nary: Nary = "join",
) -> System:
    """A system's extractions; JSON Lines if `form` or else the file's name says so, else tab-separated.

    `confidence` says where a tab-separated file has a confidence: in its last column, in the first (before the
    sentence id), or nowhere. Columns after the fourth, or fields after `arg2`, join the second argument, as n-ary
    systems need, or `nary` says that such extractions are dropped.
    """
    text = read_text(path, encoding)
    form = form or form_of(path)
    if form == "jsonl":
        lines = list(records(text, path))
        found = [extraction_of(record) for record in lines]
        wide = [any(further_arguments(record)) for record in lines]
    else:
        found = [_of_columns(line, path, number, confidence) for number, line in numbered_lines(text)]
        wide = [columns > 4 for columns in _column_counts(text, confidence)]
    if not found:
        raise InputError("is empty; lines 'sent_id<TAB>arg1<TAB>relation<TAB>arg2' were expected", path)
    if any(wide):
        done = "the further ones join the second" if nary == "join" else "they are dropped"
        diagnostics.warn(NARY, f"{sum(wide)} extractions have more than two arguments; {done}", path)
        if nary == "drop":
            found = [extraction for extraction, is_nary in zip(found, wide, strict=True) if not is_nary]
    return named_system(name or path.stem, tuple(found), path)


def form_of(path: Path) -> Form:
    """The form that a file's name asks for."""
    return "jsonl" if path.suffix.lower() in JSON_SUFFIXES else "tsv"


def named_system(name: str, extractions: tuple[Extraction, ...], path: Path) -> System:
    """A system, or an error when it can't have that name."""
    try:
        return System(name, extractions)
    except ValueError as error:
        raise InputError(str(error), path) from None


def _column_counts(text: str, confidence: Confidence) -> list[int]:
    extra = 0 if confidence == "none" else 1
    return [line.count("\t") + 1 - extra for _, line in numbered_lines(text)]


def _of_columns(line: str, path: Path, number: int, where: Confidence) -> Extraction:
    columns = line.split("\t")
    score = None
    if where != "none" and len(columns) > 4:
        column = columns.pop(0 if where == "first" else -1)
        try:
            score = float(column)
        except ValueError:
            raise InputError(f"{one_line(column)!r} is no confidence", path, number) from None
    if len(columns) < 4:
        message = f"'sent_id<TAB>arg1<TAB>relation<TAB>arg2' was expected; there are {len(columns)} columns"
        raise InputError(message + " and the confidence" * (where != "none"), path, number)
    sentence_id, arg1, relation, *rest = (one_line(column) for column in columns)
    try:
        return Extraction(sentence_id, arg1, relation, one_line(" ".join(rest)), score)
    except ValueError as error:
        raise InputError(str(error), path, number) from None


def extraction_of(record: Record) -> Extraction:
    """The extraction in a JSON object: `sentence_id`, `arg1`, `relation`, `arg2`, perhaps more and `confidence`."""
    arg1, relation = one_line(record.text("arg1")), one_line(record.text("relation"))
    arg2 = one_line(" ".join((record.text("arg2", ""), *further_arguments(record))))
    try:
        return Extraction(record.text("sentence_id"), arg1, relation, arg2, record.number("confidence"))
    except ValueError as error:
        raise record.error(str(error)) from None


def further_arguments(record: Record) -> tuple[str, ...]:
    """The arguments of a JSON object after the second: `arg3`, `arg4`, ..., or a list `arg3+`, as WiRe57 has."""
    if record.fields.keys() <= _USUAL:
        return ()
    numbers = sorted(int(name[3:]) for name in record.fields if _FURTHER.fullmatch(name))
    single = tuple(record.text(f"arg{n}") for n in numbers if record.fields[f"arg{n}"] is not None)
    return single + (record.texts("arg3+") if "arg3+" in record.fields else ())


def line_of(sentence_id: str, path: Path, encoding: str, confidence: Confidence) -> int | None:
    """The first line of a file that has extractions of this sentence."""
    text = read_text(path, encoding)
    if form_of(path) == "jsonl":
        return next((r.line for r in records(text, path) if r.text("sentence_id") == sentence_id), None)
    read = ((number, _of_columns(line, path, number, confidence)) for number, line in numbered_lines(text))
    return next((number for number, extraction in read if extraction.sentence_id == sentence_id), None)


def extraction_fields(extraction: Extraction) -> dict[str, Any]:
    """The JSON object of an extraction."""
    fields: dict[str, Any] = {
        "sentence_id": extraction.sentence_id,
        "arg1": extraction.arg1,
        "relation": extraction.relation,
        "arg2": extraction.arg2,
    }
    if extraction.confidence is not None:
        fields["confidence"] = extraction.confidence
    return fields


def write_extractions(system: System, path: Path, encoding: str = DEFAULT_ENCODING, form: Form | None = None) -> None:
    """Write a system's extractions in the form that is asked for, by the file's name if not by `form`.

    A tab-separated file gets a last column with the confidence only if every extraction has one.
    """
    if (form or form_of(path)) == "jsonl":
        write_text(path, dump_lines([extraction_fields(e) for e in system.extractions]), encoding)
        return
    scored = all(extraction.confidence is not None for extraction in system.extractions)
    lines = []
    for extraction in system.extractions:
        columns = [extraction.sentence_id, *extraction.slots]
        if scored:
            columns.append(repr(extraction.confidence))
        lines.append("\t".join(columns) + "\n")
    write_text(path, "".join(lines), encoding)
