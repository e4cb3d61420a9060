"""The file formats by name: what each holds, how it is read and written, and how a file's format is guessed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from data.annie import read_annie_json, read_annie_text, write_annie_json, write_annie_text
from data.benchie import HEADER, is_sentence_line, read_gold, write_gold
from data.carb import read_carb_benchmark, write_carb
from data.extractions import Form, read_extractions, write_extractions
from data.folder import ReadOptions
from data.jsonlines import parse_json
from data.judgments import read_judgments, write_judgments
from data.model import ARROW, Benchmark, Judgment, System
from data.problems import Diagnostics, InputError
from data.textfile import DEFAULT_ENCODING, numbered_lines, read_text
from data.wire57 import read_wire57_benchmark, read_wire57_systems, write_wire57_systems

PARTIAL_CONFIDENCE = "confidences left out"
_SENTENCE_WORDS = 4


@dataclass(frozen=True)
class GoldFormat:
    """A format of sentences and clusters; one without `write` can only be read."""

    name: str
    meaning: str
    suffix: str
    read: Callable[[Path, Diagnostics, str], Benchmark]
    write: Callable[[Benchmark, Path, Diagnostics, str], None] | None = None


@dataclass(frozen=True)
class ExtractionFormat:
    """A format of systems' extractions: of one system, or of `many` in one file."""

    name: str
    meaning: str
    suffix: str
    read: Callable[[Path, Diagnostics, ReadOptions], tuple[System, ...]]
    write: Callable[[Sequence[System], Path, Diagnostics], None]
    many: bool = False


@dataclass(frozen=True)
class JudgmentFormat:
    """A format of judgments, which are read against their benchmark; one without `write` can only be read."""

    name: str
    meaning: str
    suffix: str
    read: Callable[[Path, Benchmark, Diagnostics, str], Benchmark]
    write: Callable[[Sequence[Judgment], Path], None] | None = None


Format = GoldFormat | ExtractionFormat | JudgmentFormat


def _plain_extractions(name: str, meaning: str, suffix: str, form: Form) -> ExtractionFormat:
    def read(path: Path, diagnostics: Diagnostics, options: ReadOptions) -> tuple[System, ...]:
        return (read_extractions(path, diagnostics, None, options.encoding, options.confidence, form),)

    def write(systems: Sequence[System], path: Path, diagnostics: Diagnostics) -> None:
        (system,) = systems
        scored = sum(extraction.confidence is not None for extraction in system.extractions)
        if form == "tsv" and 0 < scored < len(system.extractions):
            message = f"only {scored} of {len(system.extractions)} extractions have a confidence, so none is written"
            diagnostics.warn(PARTIAL_CONFIDENCE, message, path)
        write_extractions(system, path, form=form)

    return ExtractionFormat(name, meaning, suffix, read, write)


FORMATS: dict[str, Format] = {
    item.name: item
    for item in (
        GoldFormat(
            "benchie",
            "BenchIE's gold text, a line 'sent_id:ID<TAB>sentence' before each sentence's clusters",
            ".txt",
            read_gold,
            lambda benchmark, path, _, encoding: write_gold(benchmark, path, encoding),
        ),
        GoldFormat("annie-json", "the JSON that AnnIE saves and loads", ".json", read_annie_json, write_annie_json),
        GoldFormat("annie-text", "the text that AnnIE exports", ".txt", read_annie_text, write_annie_text),
        GoldFormat(
            "wire57",
            "WiRe57's gold JSON (read only)",
            ".json",
            lambda path, _, encoding: read_wire57_benchmark(path, encoding),
        ),
        GoldFormat(
            "carb",
            "CaRB's gold table, 'sentence<TAB>relation<TAB>arg1<TAB>arg2'",
            ".tsv",
            lambda path, _, encoding: read_carb_benchmark(path, encoding),
            write_carb,
        ),
        _plain_extractions(
            "extractions-tsv", "one system's extractions, 'sent_id<TAB>arg1<TAB>relation<TAB>arg2'", ".tsv", "tsv"
        ),
        _plain_extractions("extractions-jsonl", "one system's extractions, a JSON object a line", ".jsonl", "jsonl"),
        ExtractionFormat(
            "wire57-extractions",
            "several systems' extractions in WiRe57's JSON",
            ".json",
            lambda path, _, options: read_wire57_systems(path, options.encoding),
            lambda systems, path, _: write_wire57_systems(systems, path),
            many=True,
        ),
        JudgmentFormat(
            "match-csv",
            "BenchIE^FL_match's CSV of manual matches (read only)",
            ".csv",
            lambda path, benchmark, diagnostics, encoding: read_judgments(
                path, benchmark, diagnostics, encoding, "csv"
            ),
        ),
        JudgmentFormat(
            "judgments-jsonl",
            "manual matches, a JSON object a line",
            ".jsonl",
            lambda path, benchmark, diagnostics, encoding: read_judgments(
                path, benchmark, diagnostics, encoding, "jsonl"
            ),
            write_judgments,
        ),
    )
}


def format_named(name: str) -> Format:
    """The format of this name."""
    if name not in FORMATS:
        raise InputError(f"no format is called {name!r}; the names are {', '.join(FORMATS)}")
    return FORMATS[name]


def read_any_gold(
    path: Path, diagnostics: Diagnostics, encoding: str = DEFAULT_ENCODING, name: str | None = None
) -> Benchmark:
    """The gold in a file of the named format, or of the one that it looks like, or else of BenchIE's."""
    found = format_named(name) if name else guess_format(path, encoding) or FORMATS["benchie"]
    if not isinstance(found, GoldFormat):
        names = ", ".join(item.name for item in FORMATS.values() if isinstance(item, GoldFormat))
        raise InputError(f"{found.name} is no format of gold files; those are {names}", path)
    return found.read(path, diagnostics, encoding)


def guess_format(path: Path, encoding: str = DEFAULT_ENCODING) -> Format | None:
    """The format that a file is surely in, by its content and then its name; None where that can't be said."""
    text = read_text(path, encoding)
    lines = [line for _, line in zip(range(2), (line for _, line in numbered_lines(text)), strict=False)]
    if not lines:
        return None
    name = _json_format(text, lines[0], path) if text.lstrip().startswith("{") else _text_format(lines, path)
    return FORMATS[name] if name else None


def _text_format(lines: list[str], path: Path) -> str | None:
    first, second = lines[0], lines[1] if len(lines) > 1 else ""
    if is_sentence_line(first):
        return "benchie"
    if HEADER.fullmatch(second.strip()) and ARROW not in first:
        return "annie-text"
    if path.suffix.lower() == ".csv":
        return "match-csv"
    if first.count("\t") >= 3:
        words = len(first.split("\t")[0].split())
        return "extractions-tsv" if words == 1 else "carb" if words >= _SENTENCE_WORDS else None
    return None


def _json_format(text: str, first_line: str, path: Path) -> str | None:
    try:
        value = parse_json(first_line, path)
    except InputError:  # a document of many lines
        try:
            value = parse_json(text, path)
        except InputError:
            return None
    if "arg1" in value:
        return "judgments-jsonl" if "clusters" in value else "extractions-jsonl"
    if "textFile" in value:
        return "annie-json"
    items = [item for items in value.values() if isinstance(items, list) for item in items if isinstance(item, dict)]
    if items and "tuples" in items[0]:
        return "wire57"
    return "wire57-extractions" if items and "extractor" in items[0] else None
