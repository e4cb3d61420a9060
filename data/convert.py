"""Convert a file from one format to another: gold to gold, extractions to extractions, judgments to judgments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from data.catalog import roots
from data.commands import add_reading_flags, parser, run
from data.folder import ReadOptions, read_system
from data.formats import (
    FORMATS,
    ExtractionFormat,
    Format,
    GoldFormat,
    JudgmentFormat,
    format_named,
    guess_format,
    read_any_gold,
)
from data.model import System
from data.problems import Diagnostics, InputError

EXAMPLES = (
    "annotated.json gold.txt --from annie-json --to benchie",
    "pithy.tsv pithy.jsonl --from extractions-tsv --confidence last --to extractions-jsonl",
    "WiRe57_extractions.json extractions/ --from wire57-extractions --to extractions-tsv",
    "match.csv judgments.jsonl --to judgments-jsonl --gold gold.txt --system pithy=pithy.tsv",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Convert a file."""
    command = _parser()
    options = command.parse_args(arguments)
    diagnostics = Diagnostics(options.strict)
    path = _found(options.input, options.data)
    source = format_named(options.source) if options.source else guess_format(path, options.encoding)
    if source is None:
        raise InputError("its format can't be told for sure; name it with --from", path)
    target = format_named(options.target)
    if target.name not in targets(source):
        ways = ", ".join(targets(source))
        raise InputError(f"{source.name} can't be converted to {target.name}; it can be to {ways}", path)
    _check_usage(command, options, source)
    reading = ReadOptions(options.encoding, options.confidence or "none")
    if isinstance(source, GoldFormat) and isinstance(target, GoldFormat):
        told = _gold(source, target, path, options.output, diagnostics, reading)
    elif isinstance(source, ExtractionFormat) and isinstance(target, ExtractionFormat):
        told = _extractions(source, target, path, options.output, diagnostics, reading)
    elif isinstance(source, JudgmentFormat) and isinstance(target, JudgmentFormat):
        told = _judgments(source, target, path, options, diagnostics, reading)
    if not options.quiet:
        diagnostics.show()
        print(f"wrote {options.output}: {told}", file=sys.stderr)
    return 0


def targets(source: Format) -> tuple[str, ...]:
    """The names of the formats that a format can be converted to: those of its kind that can be written.

    >>> targets(FORMATS["match-csv"])
    ('judgments-jsonl',)
    """
    return tuple(name for name, item in FORMATS.items() if type(item) is type(source) and item.write)


def _parser() -> argparse.ArgumentParser:
    formats = "\n".join(f"  {name:<20}{item.meaning}" for name, item in FORMATS.items())
    command = parser("data.convert", __doc__ or "", EXAMPLES)
    command.epilog = f"formats:\n{formats}\n\n{command.epilog}"
    command.add_argument("input", type=Path, metavar="IN", help="the file to convert; also searched in the data folder")
    command.add_argument("output", type=Path, metavar="OUT", help="the file to write; a folder for several systems")
    command.add_argument(
        "--from", dest="source", choices=FORMATS, metavar="FORMAT", help="format of IN (default: as it looks)"
    )
    command.add_argument("--to", dest="target", choices=FORMATS, metavar="FORMAT", required=True, help="format of OUT")
    command.add_argument(
        "--confidence",
        choices=("none", "first", "last"),
        help="the column of a tab-separated IN (or --system FILE) that is a confidence (default: none)",
    )
    command.add_argument("--gold", type=Path, metavar="FILE", help="for judgments: the gold that they refer to")
    command.add_argument(
        "--system",
        type=_named_file,
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="for match-csv: a judged system's extractions; repeat it for each system",
    )
    add_reading_flags(command)
    return command


def _named_file(text: str) -> tuple[str, Path]:
    name, equals, file = text.partition("=")
    if not (name and equals and file):
        raise argparse.ArgumentTypeError(f"NAME=FILE was expected, not {text!r}")
    return name, Path(file)


def _check_usage(command: argparse.ArgumentParser, options: argparse.Namespace, source: Format) -> None:
    """Refuse flags that would be ignored and the lack of those that are needed."""
    judgments = isinstance(source, JudgmentFormat)
    if judgments and options.gold is None:
        command.error("judgments refer to a gold file: name it with --gold FILE")
    if source.name == "match-csv" and not options.system:
        command.error("match-csv joins slots: name each system's extractions with --system NAME=FILE")
    if not judgments and (options.gold or options.system):
        command.error("--gold and --system are for converting judgments only")
    if options.confidence and source.name != "extractions-tsv" and not options.system:
        command.error("--confidence is for tab-separated extractions only")
    names = [name for name, _ in options.system]
    if len(set(names)) != len(names):
        command.error("--system names a system twice")


def _found(path: Path, data: Path | None) -> Path:
    """The file itself, or the one of that name in a data folder."""
    if path.exists():
        return path
    return next((root / path for root in roots(data) if (root / path).exists()), path)


def _gold(
    source: GoldFormat,
    target: GoldFormat,
    path: Path,
    output: Path,
    diagnostics: Diagnostics,
    reading: ReadOptions,
) -> str:
    benchmark = source.read(path, diagnostics, reading.encoding)
    assert target.write
    target.write(benchmark, output, diagnostics, "utf-8")
    return f"{len(benchmark.sentences)} sentences, {benchmark.cluster_count} clusters"


def _extractions(
    source: ExtractionFormat,
    target: ExtractionFormat,
    path: Path,
    output: Path,
    diagnostics: Diagnostics,
    reading: ReadOptions,
) -> str:
    systems = source.read(path, diagnostics, reading)
    if source.many and not target.many:
        if output.is_file():
            raise InputError("is a file; several systems need a folder", output)
        files: dict[Path, tuple[System, ...]] = {
            output / f"{_file_name(system, path)}{target.suffix}": (system,) for system in systems
        }
    else:
        files = {output: systems}
    for file, written in files.items():
        target.write(written, file, diagnostics)
    total = sum(len(system.extractions) for system in systems)
    names = ", ".join(system.name for system in systems)
    columns = "; read them with --confidence last" if target.name == "extractions-tsv" and _scored(systems) else ""
    return f"{total} extractions of {names}{columns}"


def _file_name(system: System, path: Path) -> str:
    """A system's name as a file's name; one that would lead out of the folder is refused."""
    if "/" in system.name or "\\" in system.name or system.name.startswith("."):
        raise InputError(f"{system.name!r} can't be a file's name", path)
    return system.name


def _scored(systems: Sequence[System]) -> bool:
    return any(all(e.confidence is not None for e in system.extractions) for system in systems)


def _judgments(
    source: JudgmentFormat,
    target: JudgmentFormat,
    path: Path,
    options: argparse.Namespace,
    diagnostics: Diagnostics,
    reading: ReadOptions,
) -> str:
    benchmark = read_any_gold(_found(options.gold, options.data), diagnostics, reading.encoding)
    systems = tuple(
        read_system(name, _found(file, options.data), benchmark, diagnostics, reading, subset=True)
        for name, file in options.system
    )
    benchmark = source.read(path, replace(benchmark, systems=systems), diagnostics, reading.encoding)
    assert target.write
    target.write(benchmark.judgments, options.output)
    return f"{len(benchmark.judgments)} judgments"


if __name__ == "__main__":
    raise SystemExit(run(main))
