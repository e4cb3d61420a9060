"""The file formats by name: what each holds, how it is read and written, and how a file's format is guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from data.formats.annie import read_annie_json, read_annie_text, write_annie_json, write_annie_text
from data.formats.benchie import cluster_header, is_sentence_line, read_gold, write_gold
from data.formats.carb import read_carb_benchmark, write_carb
from data.formats.compressed import plain_path
from data.formats.extractions import Form, read_extractions, write_extractions
from data.formats.json_records import parse_json
from data.formats.judgments import read_judgments, write_judgments
from data.formats.piped_triples import is_piped, read_piped_gold, read_piped_system, write_piped_system
from data.formats.plain import head_of
from data.formats.reading import ReadOptions
from data.formats.textfile import DEFAULT_ENCODING, is_file, numbered_lines, read_text
from data.formats.webnlg import read_webnlg_gold, read_webnlg_system
from data.formats.wire57 import read_wire57_benchmark, read_wire57_systems, write_wire57_systems
from data.model import ARROW, Benchmark, Judgment, System
from data.problems import Diagnostics, InputError

USUAL_GOLD = "benchie"
PARTIAL_CONFIDENCE = "confidences left out"
_SENTENCE_WORDS = 4
_ENTRIES = re.compile(r'\s*\{\s*"entries"\s*:\s*\[')


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
    """A format of systems' extractions, of one system or of `many` in one file; without `write` it is read only."""

    name: str
    meaning: str
    suffix: str
    read: Callable[[Path, Diagnostics, ReadOptions], tuple[System, ...]]
    write: Callable[[Sequence[System], Path, Diagnostics], None] | None = None
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
        return (read_extractions(path, diagnostics, None, options, form),)

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
        GoldFormat(
            "webnlg-xml",
            "WebNLG's XML: each entry's wording with its triples (read only)",
            ".xml",
            lambda path, _, encoding: read_webnlg_gold(path, encoding, "xml"),
        ),
        GoldFormat(
            "webnlg-json",
            "WebNLG's JSON (read only)",
            ".json",
            lambda path, _, encoding: read_webnlg_gold(path, encoding, "json"),
        ),
        GoldFormat(
            "piped",
            "lines 'subject | predicate | object' below lines '# sent_id<TAB>sentence' (read only)",
            ".txt",
            lambda path, _, encoding: read_piped_gold(path, encoding),
        ),
        _plain_extractions(
            "extractions-tsv", "one system's extractions, 'sent_id<TAB>arg1<TAB>relation<TAB>arg2'", ".tsv", "tsv"
        ),
        _plain_extractions("extractions-jsonl", "one system's extractions, a JSON object a line", ".jsonl", "jsonl"),
        ExtractionFormat(
            "wire57-extractions",
            "several systems' extractions in WiRe57's JSON",
            ".json",
            lambda path, _, options: read_wire57_systems(path, options.encoding, options.nary),
            lambda systems, path, _: write_wire57_systems(systems, path),
            many=True,
        ),
        ExtractionFormat(
            "webnlg-xml-triples",
            "one system's triples in WebNLG's XML, generated or modified (read only)",
            ".xml",
            lambda path, _, options: (read_webnlg_system(path, options.encoding, "xml"),),
        ),
        ExtractionFormat(
            "webnlg-json-triples",
            "one system's triples in WebNLG's JSON (read only)",
            ".json",
            lambda path, _, options: (read_webnlg_system(path, options.encoding, "json"),),
        ),
        ExtractionFormat(
            "piped-triples",
            "one system's lines 'subject | predicate | object' below lines '# sent_id', as models write them",
            ".txt",
            lambda path, _, options: (read_piped_system(path, options.encoding),),
            lambda systems, path, _: write_piped_system(systems[0], path),
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
    chosen = format_named(name) if name else noted_guess(path, diagnostics, encoding) or FORMATS[USUAL_GOLD]
    if not isinstance(chosen, GoldFormat):
        looks = "is no format of gold files" if name else "is what it looks like, and holds no gold"
        names = ", ".join(item.name for item in FORMATS.values() if isinstance(item, GoldFormat))
        raise InputError(f"{chosen.name} {looks}; name one with --from: {names}", path)
    return chosen.read(path, diagnostics, encoding)


def noted_guess(path: Path, diagnostics: Diagnostics, encoding: str = DEFAULT_ENCODING) -> Format | None:
    """The format that a file is surely in, which is noted unless it is BenchIE's, known by its own mark."""
    guessed = guess_format(path, encoding)
    if guessed is not None and guessed.name != USUAL_GOLD:
        diagnostics.note(f"read as {guessed.name}; --from names another format", path)
    return guessed


def guess_format(path: Path, encoding: str = DEFAULT_ENCODING) -> Format | None:
    """The format that a file is surely in, by its content and then its name; None where that can't be said."""
    text = read_text(path, encoding)
    lines = [line for _, line in zip(range(2), (line for _, line in numbered_lines(text)), strict=False)]
    if not lines:
        return None
    if plain_path(path).suffix.lower() == ".xml":
        return FORMATS["webnlg-xml"]
    name = _json_format(text, lines[0], path) if text.lstrip().startswith("{") else _text_format(text, lines, path)
    return FORMATS[name] if name else None


def other_format(path: Path, encoding: str = DEFAULT_ENCODING) -> ExtractionFormat | None:
    """The format of a system's file that is surely neither tab-separated nor JSON Lines; None for all others."""
    if not is_file(path):  # what is read from a pipe can't be looked at first
        return None
    if plain_path(path).suffix.lower() == ".xml":
        return _extraction_format("webnlg-xml-triples")
    text = head_of(path, encoding)
    if _ENTRIES.match(text):
        return _extraction_format("webnlg-json-triples")
    first, second = (*(line for _, line in islice(numbered_lines(text), 2)), "", "")[:2]
    return _extraction_format("piped-triples") if is_piped(first, second) and second.count("\t") < 3 else None


def _extraction_format(name: str) -> ExtractionFormat:
    chosen = FORMATS[name]
    assert isinstance(chosen, ExtractionFormat)
    return chosen


def _text_format(text: str, lines: list[str], path: Path) -> str | None:
    first, second = lines[0], lines[1] if len(lines) > 1 else ""
    if is_sentence_line(first) or is_sentence_line(second):
        return "benchie"
    if is_piped(first, second):
        return "piped" if "\t" in first else "piped-triples"
    if cluster_header(second) and ARROW not in first:
        # In BenchIE's text the first sentence may have lost its mark; the others have theirs.
        marked = any(is_sentence_line(line) for _, line in numbered_lines(text))
        return "benchie" if marked else "annie-text"
    if plain_path(path).suffix.lower() == ".csv":
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
    if isinstance(value.get("entries"), list):
        return "webnlg-json"
    items = [item for items in value.values() if isinstance(items, list) for item in items if isinstance(item, dict)]
    if items and "tuples" in items[0]:
        return "wire57"
    return "wire57-extractions" if items and "extractor" in items[0] else None
