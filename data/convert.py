"""Convert a file from one format to another: gold to gold, extractions to extractions, judgments to judgments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from data.catalog import roots
from data.command_line import add_reading_flags, diagnostics_of, parser, run
from data.conversion import Conversion, check_way, convert, source_format
from data.formats.reading import ReadOptions
from data.formats.registry import FORMATS, Format, JudgmentFormat, format_named
from data.formats.textfile import is_file
from data.text import printable

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
    diagnostics = diagnostics_of(options)
    path = _found(options.input, options.data)
    source = source_format(path, options.source, diagnostics, options.encoding)
    target = format_named(options.target)
    check_way(source, target, path)
    _check_usage(command, options, source)
    conversion = Conversion(
        path,
        options.output,
        source,
        target,
        _found(options.gold, options.data) if options.gold else None,
        {name: _found(file, options.data) for name, file in options.system},
        ReadOptions(options.encoding, options.confidence or "none", options.nary),
    )
    told = convert(conversion, diagnostics, options.force)
    if not options.quiet:
        diagnostics.show()
        print(printable(f"wrote {options.output}: {told}"), file=sys.stderr)
    return 0


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
    command.add_argument("--force", action="store_true", help="let OUT be IN itself, which is then replaced")
    command.add_argument(
        "--confidence",
        choices=("none", "first", "last"),
        help="the column of a tab-separated IN (or --system FILE) that is a confidence (default: none)",
    )
    command.add_argument(
        "--nary", choices=("join", "drop"), help="join arguments after the second to it (default), or drop n-ary ones"
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
    if is_file(path):
        return path
    return next((root / path for root in roots(data) if is_file(root / path)), path)


if __name__ == "__main__":
    raise SystemExit(run(main))
