"""Systems' extractions: tab-separated text (`sent_id, arg1, relation, arg2`) and JSON Lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Literal, NamedTuple

from data.formats.compressed import plain_path
from data.formats.json_records import Record, dump_lines, record_of
from data.formats.reading import Confidence, ReadOptions
from data.formats.textfile import DEFAULT_ENCODING, numbered_lines, read_text, write_text
from data.model import Extraction, System
from data.problems import Diagnostics, InputError
from data.text import one_line

Form = Literal["tsv", "jsonl"]
NARY = "n-ary extraction"
HEADER_LINE = "header line"
NO_EXTRACTIONS = "system without extractions"
JSON_SUFFIXES = (".jsonl", ".json", ".parquet")
_USUAL = {"sentence_id", "arg1", "relation", "arg2", "confidence"}
_FURTHER = re.compile(r"arg(?:[3-9]|[1-9][0-9])")
# What the columns of a header line are called, in lower case and without marks.
_COLUMN_NAMES = frozenset(
    """id sentid sentenceid sentence sid arg arg1 arg2 arg3 arg4 args rel relation predicate pred subject subj object
    obj confidence conf score probability prob""".split()
)


class Line(NamedTuple):
    """An extraction with the number of its line, and whether it has more than two arguments."""

    number: int
    extraction: Extraction
    wide: bool = False


def read_extractions(
    path: Path,
    diagnostics: Diagnostics,
    name: str | None = None,
    options: ReadOptions | None = None,
    form: Form | None = None,
) -> System:
    """A system's extractions; JSON Lines if `form` or else the file's name says so, else tab-separated.

    `options.confidence` says where a tab-separated file has a confidence: in its last column, in the first (before the
    sentence id), or nowhere. Columns after the fourth, or fields after `arg2`, join the second argument, as n-ary
    systems need, or `options.nary` says that such extractions are dropped. A file without lines is a system without
    extractions.
    """
    options = options or ReadOptions()
    lines = read_lines(path, diagnostics, options, form)
    warn_of_lines(len(lines), sum(line.wide for line in lines), options, path, diagnostics)
    kept = tuple(line.extraction for line in lines if not (line.wide and options.nary == "drop"))
    return named_system(name or plain_path(path).stem, kept, path)


def warn_of_lines(lines: int, wide: int, options: ReadOptions, path: Path, diagnostics: Diagnostics) -> None:
    """Say what the user should know of a file's extractions, so many of them with more than two arguments."""
    if not lines:
        diagnostics.warn(NO_EXTRACTIONS, "has no extractions, which scores 0", path)
    if wide:
        done = "they are dropped" if options.nary == "drop" else "the further ones join the second"
        diagnostics.warn(NARY, f"{wide} extractions have more than two arguments; {done}", path)


def read_lines(path: Path, diagnostics: Diagnostics, options: ReadOptions, form: Form | None = None) -> list[Line]:
    """The extractions of a file with their lines."""
    form = form or form_of(path)
    rows = list(numbered_lines(read_text(path, options.encoding)))
    if form == "tsv" and rows and is_header(rows[0][1]):
        diagnostics.warn(HEADER_LINE, left_out(rows[0][1]), path, rows[0][0])
        del rows[0]
    if asks_for_confidence(options, form) and rows and number_columns(rows, options.confidence):
        raise InputError(looks_like_confidence(options.confidence), path, rows[0][0])
    return [line_of(number, line, path, options, form) for number, line in rows]


def line_of(number: int, line: str, path: Path, options: ReadOptions, form: Form) -> Line:
    """The extraction in one line of a file."""
    if form == "jsonl":
        record = record_of(number, line, path)
        return Line(number, extraction_of(record), any(further_arguments(record)))
    most = 3 if options.confidence == "none" else 4  # tabs of an extraction of two arguments
    return Line(number, _of_columns(line.split("\t"), path, number, options.confidence), line.count("\t") > most)


def left_out(header: str) -> str:
    """What is said of a header line."""
    return f"is a header line, '{one_line(header)}', and is left out"


def is_header(line: str) -> bool:
    """Whether a file's first line names its columns."""
    return _is_header(line.split("\t"))


def _is_header(columns: Sequence[str]) -> bool:
    """Whether the columns are names of columns; no extraction has only such words.

    >>> _is_header(["sent_id", "Arg1", "rel", "arg2"]), _is_header(["1", "score", "is", "high"])
    (True, False)
    """
    names = {re.sub(r"[\W_]", "", column).lower() for column in columns}
    return len(columns) >= 4 and names <= _COLUMN_NAMES and any(name.startswith(("rel", "pred")) for name in names)


def asks_for_confidence(options: ReadOptions, form: Form) -> bool:
    """Whether a further column of nothing but numbers is refused: the user did not say what it is."""
    return form == "tsv" and options.nary is None


def number_columns(rows: Iterable[tuple[int, str]], where: Confidence) -> frozenset[int]:
    """The further columns, by place from the front and the last as -1, that have only numbers in all rows.

    Numbers may be shares, percents, logarithms; `where` says which column is known for the confidence and left aside.
    """
    own = {"none": slice(None), "first": slice(1, None), "last": slice(-1)}[where]
    places: frozenset[int] | None = None  # those that have had only numbers so far
    for _, line in rows:
        columns = line.split("\t")
        columns = columns[own] if len(columns) > 4 else columns
        among = (-1, *range(4, len(columns))) if len(columns) > 4 else ()
        numbers = frozenset(place for place in among if _is_number(columns[place]))
        places = numbers if places is None else places & numbers
        if not places:
            break
    return places or frozenset()


def looks_like_confidence(where: Confidence) -> str:
    """The error about a column of numbers that nobody spoke of."""
    message = "a column after the fourth has only numbers, as confidences are"
    if where == "none":
        return f"{message}; say --confidence last, or --nary join if it is an argument"
    return f"beside the confidence, {message}; take one of them out, or say --nary join if it is an argument"


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def form_of(path: Path) -> Form:
    """The form that a file's name asks for."""
    return "jsonl" if plain_path(path).suffix.lower() in JSON_SUFFIXES else "tsv"


def named_system(name: str, extractions: tuple[Extraction, ...], path: Path) -> System:
    """A system, or an error when it can't have that name."""
    try:
        return System(name, extractions)
    except ValueError as error:
        raise InputError(str(error), path) from None


def _of_columns(columns: list[str], path: Path, number: int, where: Confidence) -> Extraction:
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
    sentence_id, arg1, relation, arg2 = map(one_line, (*columns[:3], " ".join(columns[3:])))
    try:
        return Extraction(sentence_id, arg1, relation, arg2, score)
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
    else:
        write_text(path, tsv_text(system), encoding)


def tsv_text(system: System) -> str:
    """A system's extractions as tab-separated text."""
    scored = all(extraction.confidence is not None for extraction in system.extractions)
    lines = []
    for extraction in system.extractions:
        columns = [extraction.sentence_id, *extraction.slots]
        if scored:
            columns.append(repr(extraction.confidence))
        lines.append("\t".join(columns) + "\n")
    return "".join(lines)
