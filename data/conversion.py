"""Converting a file from one format to another: gold to gold, extractions to extractions, judgments to judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from data.folder import read_system
from data.formats.reading import ReadOptions
from data.formats.registry import (
    FORMATS,
    ExtractionFormat,
    Format,
    GoldFormat,
    JudgmentFormat,
    format_named,
    noted_guess,
    read_any_gold,
)
from data.formats.textfile import DEFAULT_ENCODING, is_file
from data.model import System
from data.problems import Diagnostics, InputError
from data.text import counted


@dataclass(frozen=True)
class Conversion:
    """A file and what it shall become; judgments need the gold and, if their slots are joined, the judged systems."""

    source: Path
    output: Path
    format: Format
    target: Format
    gold: Path | None = None
    systems: Mapping[str, Path] = field(default_factory=dict)
    reading: ReadOptions = field(default_factory=ReadOptions)


def targets(source: Format) -> tuple[str, ...]:
    """The names of the formats that a format can be converted to: those of its kind that can be written.

    >>> targets(FORMATS["match-csv"])
    ('judgments-jsonl',)
    """
    return tuple(name for name, item in FORMATS.items() if type(item) is type(source) and item.write)


def source_format(path: Path, name: str | None, diagnostics: Diagnostics, encoding: str) -> Format:
    """The format of this name, or else the one that the file is surely in, which is noted."""
    if name:
        return format_named(name)
    guessed = noted_guess(path, diagnostics, encoding)
    if guessed is None:
        raise InputError("its format can't be told for sure; name it with --from", path)
    return guessed


def check_way(source: Format, target: Format, path: Path) -> None:
    """Refuse a target that the source can't become."""
    if target.name not in targets(source):
        ways = ", ".join(targets(source))
        raise InputError(f"{source.name} can't be converted to {target.name}; it can be to {ways}", path)


def convert(conversion: Conversion, diagnostics: Diagnostics, force: bool = False) -> str:
    """Convert a file, and say what was written; only `force` lets a file be written over itself."""
    source, target, path = conversion.format, conversion.target, conversion.source
    check_way(source, target, path)
    if not force and is_file(conversion.output) and is_file(path) and conversion.output.samefile(path):
        raise InputError("is the input itself; name another OUT, or write over it with --force", conversion.output)
    if isinstance(source, GoldFormat) and isinstance(target, GoldFormat):
        return _gold(source, target, conversion, diagnostics)
    if isinstance(source, ExtractionFormat) and isinstance(target, ExtractionFormat):
        return _extractions(source, target, conversion, diagnostics)
    assert isinstance(source, JudgmentFormat) and isinstance(target, JudgmentFormat)
    return _judgments(source, target, conversion, diagnostics)


def _gold(source: GoldFormat, target: GoldFormat, conversion: Conversion, diagnostics: Diagnostics) -> str:
    benchmark = source.read(conversion.source, diagnostics, conversion.reading.encoding)
    assert target.write
    target.write(benchmark, conversion.output, diagnostics, DEFAULT_ENCODING)
    return f"{counted(len(benchmark.sentences), 'sentence')}, {counted(benchmark.cluster_count, 'cluster')}"


def _extractions(
    source: ExtractionFormat, target: ExtractionFormat, conversion: Conversion, diagnostics: Diagnostics
) -> str:
    systems = source.read(conversion.source, diagnostics, conversion.reading)
    for file, written in _files(systems, source, target, conversion).items():
        assert target.write
        target.write(written, file, diagnostics)
    total = sum(len(system.extractions) for system in systems)
    names = ", ".join(system.name for system in systems)
    columns = "; read them with --confidence last" if target.name == "extractions-tsv" and _scored(systems) else ""
    return f"{counted(total, 'extraction')} of {names}{columns}"


def _files(
    systems: tuple[System, ...], source: ExtractionFormat, target: ExtractionFormat, conversion: Conversion
) -> dict[Path, tuple[System, ...]]:
    """The files to be written: one, or a folder with one a system."""
    output = conversion.output
    if not source.many or target.many:
        return {output: systems}
    if is_file(output):
        raise InputError("is a file; several systems need a folder", output)
    names = [_file_name(system, conversion.source) + target.suffix for system in systems]
    try:
        output.mkdir(exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"can't be made: {getattr(error, 'strerror', error)}", output) from None
    return {output / name: (system,) for name, system in zip(names, systems, strict=True)}


def _file_name(system: System, path: Path) -> str:
    """A system's name as a file's name; one that would lead out of the folder is refused."""
    if "/" in system.name or "\\" in system.name or system.name.startswith("."):
        raise InputError(f"{system.name!r} can't be a file's name", path)
    return system.name


def _scored(systems: Sequence[System]) -> bool:
    return any(all(e.confidence is not None for e in system.extractions) for system in systems)


def _judgments(source: JudgmentFormat, target: JudgmentFormat, conversion: Conversion, diagnostics: Diagnostics) -> str:
    reading = conversion.reading
    if conversion.gold is None:
        raise InputError("judgments refer to a gold file, and none was named", conversion.source)
    benchmark = read_any_gold(conversion.gold, diagnostics, reading.encoding)
    systems = tuple(
        read_system(name, file, benchmark, diagnostics, reading, subset=True)
        for name, file in conversion.systems.items()
    )
    judged = source.read(conversion.source, replace(benchmark, systems=systems), diagnostics, reading.encoding)
    assert target.write
    target.write(judged.judgments, conversion.output)
    return counted(len(judged.judgments), "judgment")
