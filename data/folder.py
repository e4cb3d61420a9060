"""A labelled folder of the user's own: `gold/`, `extractions/`, `match/` or `judgments/`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from data.formats.extractions import named_system, read_extractions, read_lines
from data.formats.judgments import read_judgments
from data.formats.reading import ReadOptions
from data.formats.registry import other_format, read_any_gold
from data.formats.textfile import is_file, is_folder
from data.model import Benchmark, System
from data.problems import Diagnostics, InputError

GOLD, EXTRACTIONS, JUDGMENTS = "gold", "extractions", ("match", "judgments")
EXTRACTION_SUFFIXES = (".txt", ".tsv", ".jsonl", ".parquet")
UNJUDGED = "extraction without judgment"


def files_of(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """The folder's visible files with one of these endings, by name."""
    if not is_folder(folder):
        return []
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror}", folder) from None
    named = (path for path in paths if path.suffix.lower() in suffixes and not path.name.startswith("."))
    return [path for path in named if is_file(path)]


@dataclass(frozen=True)
class FolderFiles:
    """The files of a labelled folder: one gold file, extractions by their systems, judgments if there are any."""

    gold: Path
    extractions: dict[str, Path]
    judgments: Path | None


def load_folder(folder: Path, diagnostics: Diagnostics, options: ReadOptions | None = None) -> Benchmark:
    """The benchmark in a folder: one gold file; extraction files named after their systems; judgments if any."""
    files = folder_files(folder)
    options = options or ReadOptions()
    benchmark = assemble(files.gold, files.extractions, files.judgments, diagnostics, options)
    return replace(benchmark, name=folder.resolve().name)


def folder_files(folder: Path) -> FolderFiles:
    """The files of a folder, or an error about what is missing or too many."""
    golds = files_of(folder / GOLD, (".txt",))
    if len(golds) != 1:
        names = ", ".join(path.name for path in golds) or "none"
        raise InputError(f"one gold file (.txt) was expected in {folder / GOLD}; found: {names}", folder)
    paths = {path.stem: path for path in files_of(folder / EXTRACTIONS, EXTRACTION_SUFFIXES)}
    judgments = [path for name in JUDGMENTS for path in files_of(folder / name, (".csv", ".jsonl", ".parquet"))]
    if len(judgments) > 1:
        raise InputError(f"one file of judgments was expected; found {judgments[0]} and {judgments[1]}", folder)
    return FolderFiles(golds[0], paths, judgments[0] if judgments else None)


def assemble(
    gold: Path,
    extractions: dict[str, Path],
    judgments: Path | None,
    diagnostics: Diagnostics,
    options: ReadOptions,
    subset: bool = False,
) -> Benchmark:
    """A benchmark from its files; `subset` says that extractions of other sentences than the gold's are expected."""
    benchmark = read_any_gold(gold, diagnostics, options.encoding)
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
    system = _any_system(name, path, diagnostics, options)
    known = benchmark.by_id
    if subset:
        return System(name, tuple(e for e in system.extractions if e.sentence_id in known))
    for extraction in system.extractions:
        if extraction.sentence_id not in known:
            line = _line_of(extraction.sentence_id, path, options)
            some = [sentence.id for sentence in benchmark.sentences[:3]]
            raise InputError(of_another_benchmark(extraction.sentence_id, some), path, line)
    return system


def _any_system(name: str, path: Path, diagnostics: Diagnostics, options: ReadOptions) -> System:
    """A system's file, tab-separated or JSON Lines, or what it surely looks like, which is noted."""
    other = other_format(path, options.encoding)
    if other is None:
        return read_extractions(path, diagnostics, name, options)
    diagnostics.note(f"read as {other.name}; data.convert reads other formats", path)
    (system,) = other.read(path, diagnostics, options)
    return named_system(name, system.extractions, path)


def _line_of(sentence_id: str, path: Path, options: ReadOptions) -> int | None:
    """The line of the first extraction of a sentence, in files that have a line for each."""
    if other_format(path, options.encoding):
        return None
    lines = read_lines(path, Diagnostics(), options)
    return next(line.number for line in lines if line.extraction.sentence_id == sentence_id)


def of_another_benchmark(sentence_id: str, some: Sequence[str]) -> str:
    """The error about an extraction of a sentence that the gold, which has some others, does not have."""
    message = f"sentence id {sentence_id!r} is not in the gold, whose ids are {', '.join(some)}, ..."
    return f"{message}; are these extractions of another benchmark?"
