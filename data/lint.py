"""Check a gold file: defects of the file, suspicious annotations, statistics."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from data.catalog import NAMES, load
from data.command_line import add_quiet_flag, check_outputs, parser, run, write_json
from data.formats.reading import ReadOptions
from data.formats.textfile import DEFAULT_ENCODING
from data.model import Benchmark
from data.problems import Diagnostics

EVERYTHING = "all"
SHOWN = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    command = _parser()
    options = command.parse_args(arguments)
    if (options.gold is None) == (options.dataset is None):
        command.error("name either a GOLD file or a --dataset")
    check_outputs(command, options, "json")
    from data.linting.report import as_json, as_text, lint  # the help needs no checks

    diagnostics = Diagnostics()
    benchmark = _benchmark(options, diagnostics)
    against = _against(options, diagnostics) if options.against else None
    report = lint(benchmark, diagnostics, against, options.encoding)
    if not options.quiet:
        diagnostics.show_notes()
    if options.json:
        write_json(as_json(report), options.json)
    if options.json != "-":
        print(as_text(report, options.show))
    return 1 if options.strict and report.warned else 0


def _parser() -> argparse.ArgumentParser:
    command = parser(
        "data.lint",
        __doc__ or "",
        (
            "gold.txt",
            "--dataset sample --show all",
            "--dataset benchie_fl --against benchie_en --json lint.json",
            "gold.txt --strict --show 0",
        ),
    )
    command.add_argument("gold", nargs="?", metavar="GOLD", help="a gold file in any format that can be read")
    command.add_argument("--dataset", metavar="NAME|FOLDER", help=f"instead of GOLD: {', '.join(NAMES)}, or a folder")
    command.add_argument("--from", dest="gold_format", metavar="FORMAT", help="format of GOLD (default: as it looks)")
    command.add_argument("--against", metavar="OTHER", help="another annotation: a data set's name, a folder or a file")
    command.add_argument("--show", type=_show, default=SHOWN, metavar="N", help="examples a check, or all (default: 3)")
    command.add_argument("--json", metavar="FILE|-", help="write everything as JSON; - for stdout, without the tables")
    command.add_argument("--strict", action="store_true", help="exit code 1 if a check of the level 'warning' hits")
    command.add_argument("--data", type=Path, metavar="DIR", help="folder of the real data sets (else FACTMATCH_DATA)")
    command.add_argument("--encoding", default=DEFAULT_ENCODING, help="encoding of the input files (default: utf-8)")
    add_quiet_flag(command)
    return command


def _show(value: str) -> int | None:
    if value == EVERYTHING:
        return None
    if not value.isdecimal():
        raise argparse.ArgumentTypeError(f"{value!r} is neither a number nor '{EVERYTHING}'")
    return int(value)


def _benchmark(options: argparse.Namespace, diagnostics: Diagnostics) -> Benchmark:
    """The gold file, whatever it is called, or the data set."""
    from data.formats.registry import read_any_gold

    if options.gold is not None:
        return read_any_gold(Path(options.gold), diagnostics, options.encoding, options.gold_format)
    return load(options.dataset, options.data, diagnostics, ReadOptions(options.encoding))


def _against(options: argparse.Namespace, diagnostics: Diagnostics) -> Benchmark:
    """The other annotation, whose defects are not reported."""
    from data.files import read_gold

    unreported = Diagnostics(notes=diagnostics.notes)
    return read_gold(options.against, encoding=options.encoding, data=options.data, diagnostics=unreported)


if __name__ == "__main__":
    raise SystemExit(run(main))
