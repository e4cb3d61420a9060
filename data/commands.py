"""What all commands share: flags, exit codes, one-line errors, results on stdout and everything else on stderr."""

from __future__ import annotations

import argparse
import atexit
import gc
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from data.problems import InputError
from data.textfile import DEFAULT_ENCODING, write_text

Item = TypeVar("Item")


def parser(module: str, summary: str, examples: Sequence[str]) -> argparse.ArgumentParser:
    """A parser whose help ends with examples that run."""
    lines = "\n".join(f"  python -m {module} {example}".rstrip() for example in examples)
    return argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=summary,
        epilog=f"examples:\n{lines}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def add_reading_flags(command: argparse.ArgumentParser) -> None:
    """The flags of every command that reads a benchmark's files."""
    command.add_argument("--data", type=Path, metavar="DIR", help="folder of the real data sets (else FACTMATCH_DATA)")
    command.add_argument("--encoding", default=DEFAULT_ENCODING, help="encoding of the input files (default: utf-8)")
    command.add_argument("--strict", action="store_true", help="make every warning about an input file an error")
    add_quiet_flag(command)


def add_quiet_flag(command: argparse.ArgumentParser) -> None:
    """Silence for scripts: no progress, no warnings."""
    command.add_argument("--quiet", action="store_true", help="no progress bars and no warnings on stderr")


def check_stdout(command: argparse.ArgumentParser, options: argparse.Namespace, *names: str) -> None:
    """Refuse that two outputs go to stdout, where nobody could tell them apart."""
    asked = [f"--{name}" for name in names if getattr(options, name) == "-"]
    if len(asked) > 1:
        command.error(f"{' and '.join(asked)} can't go to stdout together; name files for all but one")


def run(main: Callable[[Sequence[str] | None], int], arguments: Sequence[str] | None = None) -> int:
    """Run a command's main function: a user's mistake gives one line and exit code 1, never a traceback."""
    gc.set_threshold(500_000, 20, 100)  # commands make many small objects that live: looking for garbage costs a third
    atexit.register(gc.freeze)  # nor is there any to look for when the process ends, which would cost a quarter
    try:
        return main(arguments)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has gone, as with `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def write_json(value: Any, target: str) -> None:
    """Write JSON to a file, or to stdout for `-`."""
    write_output(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n", target)


def write_output(text: str, target: str) -> None:
    """Write a text to a file, or to stdout for `-`."""
    if target == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_text(Path(target), text)


def progress(items: Iterable[Item], what: str, quiet: bool = False, total: int | None = None) -> Iterator[Item]:
    """The items, with a progress bar on stderr if they take more than two seconds and somebody watches."""
    if quiet or not sys.stderr.isatty():
        yield from items
        return
    from tqdm import tqdm

    yield from tqdm(items, desc=what, total=total, delay=2, leave=False, dynamic_ncols=True)


def table(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Rows in aligned columns, the first `left` of them flush left and the others right; the first row is the head.

    >>> print(table([["system", "f1"], ["pithy", "0.51"]]))
    system    f1
    ------  ----
    pithy   0.51
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for number, row in enumerate(rows):
        cells = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
        if number == 0:
            lines.append("  ".join("-" * width for width in widths))
    return "\n".join(lines)
