"""A labelled folder of the user's own: `gold/`, `extractions/`, `match/` or `judgments/`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from data.benchie import read_gold
from data.extractions import Confidence, Nary, line_of, read_extractions
from data.judgments import read_judgments
from data.model import Benchmark, System
from data.problems import Diagnostics, InputError
from data.textfile import DEFAULT_ENCODING

GOLD, EXTRACTIONS, JUDGMENTS = "gold", "extractions", ("match", "judgments")
EXTRACTION_SUFFIXES = (".txt", ".tsv", ".jsonl")
UNJUDGED = "extraction without judgment"


@dataclass(frozen=True)
class ReadOptions:
    """How files are read: their encoding, where extraction files have a confidence, what is done with n-ary ones."""

    encoding: str = DEFAULT_ENCODING
    confidence: Confidence = "none"
    nary: Nary = "join"


def files_of(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """The folder's visible files with one of these endings, by name."""
    if not folder.is_dir():
        return []
    found = (path for path in folder.iterdir() if path.suffix.lower() in suffixes and not path.name.startswith("."))
    return sorted(path for path in found if path.is_file())


def load_folder(folder: Path, diagnostics: Diagnostics, options: ReadOptions | None = None) -> Benchmark:
    """The benchmark in a folder: one gold file; extraction files named after their systems; judgments if any."""
    options = options or ReadOptions()
    golds = files_of(folder / GOLD, (".txt",))
    if len(golds) != 1:
        names = ", ".join(path.name for path in golds) or "none"
        raise InputError(f"one gold file (.txt) was expected in {folder / GOLD}; found: {names}", folder)
    paths = {path.stem: path for path in files_of(folder / EXTRACTIONS, EXTRACTION_SUFFIXES)}
    judgments = [path for name in JUDGMENTS for path in files_of(folder / name, (".csv", ".jsonl"))]
    if len(judgments) > 1:
        raise InputError(f"one file of judgments was expected; found {judgments[0]} and {judgments[1]}", folder)
    benchmark = assemble(golds[0], paths, judgments[0] if judgments else None, diagnostics, options)
    return replace(benchmark, name=folder.resolve().name)


def assemble(
    gold: Path,
    extractions: dict[str, Path],
    judgments: Path | None,
    diagnostics: Diagnostics,
    options: ReadOptions,
    subset: bool = False,
) -> Benchmark:
    """A benchmark from its files; `subset` says that extractions of other sentences than the gold's are expected."""
    benchmark = read_gold(gold, diagnostics, options.encoding)
    systems = [read_system(name, path, benchmark, diagnostics, options, subset) for name, path in extractions.items()]
    benchmark = replace(benchmark, systems=tuple(systems))
    if judgments is None:
        return benchmark
    benchmark = read_judgments(judgments, benchmark, diagnostics, options.encoding)
    judged = {(j.system, j.extraction.sentence_id, j.extraction.slots) for j in benchmark.judgments}
    for system in benchmark.systems:
        missing = sum((system.name, e.sentence_id, e.slots) not in judged for e in system.extractions)
        if missing:
            message = f"{missing} extractions of {system.name} have no judgment and are left out of comparisons"
            diagnostics.warn(UNJUDGED, message, judgments)
    return benchmark


def read_system(
    name: str, path: Path, benchmark: Benchmark, diagnostics: Diagnostics, options: ReadOptions, subset: bool = False
) -> System:
    """A system's file, checked against the gold's sentences."""
    system = read_extractions(path, diagnostics, name, options.encoding, options.confidence, nary=options.nary)
    known = benchmark.by_id
    if subset:
        return System(name, tuple(e for e in system.extractions if e.sentence_id in known))
    for extraction in system.extractions:
        if extraction.sentence_id not in known:
            some = ", ".join(sentence.id for sentence in benchmark.sentences[:3])
            message = f"sentence id {extraction.sentence_id!r} is not in the gold, whose ids are {some}, ..."
            line = line_of(extraction.sentence_id, path, options.encoding, options.confidence)
            raise InputError(message + "; are these extractions of another benchmark?", path, line)
    return system
