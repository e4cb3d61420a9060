"""What all commands share: flags, exit codes, one-line errors, results on stdout and everything else on stderr."""

from __future__ import annotations

import argparse
import atexit
import errno
import gc
import io
import json
import os
import re
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from data.formats.textfile import DEFAULT_ENCODING, check_folder, write_text
from data.problems import Diagnostics, InputError
from data.text import printable
from data.thinning import ALL, Thinness

Item = TypeVar("Item")
PROGRAM = "factmatch"  # the console command
# The commands by the names that the console command gives them.
COMMANDS = {
    "score": "matchers.score",
    "explain": "matchers.explain",
    "profile": "matchers.profile",
    "train": "training.run",
    "benchmark": "training.benchmark",
    "downstream": "training.downstream",
    "studio": "training.studio",
    "fetch": "data.fetch",
    "lint": "data.lint",
    "convert": "data.convert",
    "attack": "data.attack",
}
_ROOT = Path(__file__).resolve().parents[1]  # where the project's packages are
_COLOR = re.compile(r"(\x1b\[[0-9]{1,2}m)")
_calls = {module: f"python -m {module}" for module in COMMANDS.values()}


def call_by_console() -> None:
    """From now on commands name themselves as the console command calls them, in helps and examples."""
    _calls.update({module: f"{PROGRAM} {name}" for name, module in COMMANDS.items()})


def own_process(module: str, arguments: Sequence[str]) -> list[str]:
    """What starts a module of the project in a process of its own.

    Unlike with `python -m`, a `data` or a `training` in the working folder is not taken for the project's.
    """
    start = f"import sys, runpy; sys.path[0] = {str(_ROOT)!r}; runpy.run_module({module!r}, None, '__main__', True)"
    return [sys.executable, "-c", start, *arguments]


def as_typed(module: str, arguments: Sequence[str] | None) -> str:
    """A command as it could be typed again.

    >>> as_typed("data.lint", ["my gold.txt"])
    "python -m data.lint 'my gold.txt'"
    """
    return f"{_calls[module]} {shlex.join(sys.argv[1:] if arguments is None else arguments)}".rstrip()


def parser(module: str, summary: str, examples: Sequence[str]) -> argparse.ArgumentParser:
    """A parser whose help ends with examples that run."""
    lines = "\n".join(f"  {_calls[module]} {example}".rstrip() for example in examples)
    return argparse.ArgumentParser(
        prog=_calls[module],
        description=summary,
        epilog=f"examples:\n{lines}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def add_thinning_flag(command: argparse.ArgumentParser) -> None:
    """The flag that thins the gold; the draw of `random` is by the command's `--seed`."""
    command.add_argument(
        "--formulations",
        default=ALL,
        metavar="all|first|N|random",
        help="how many formulations of each cluster the gold keeps: all (default), the first, the first N, or one at "
        "random (by --seed)",
    )


def thinness_of(command: argparse.ArgumentParser, options: argparse.Namespace) -> Thinness:
    """The thinness that the flags ask for, or an error of usage."""
    try:
        return Thinness.of(options.formulations, options.seed if options.seed is not None else 1)
    except ValueError as error:
        command.error(f"--formulations: {error}")


def add_reading_flags(command: argparse.ArgumentParser) -> None:
    """The flags of every command that reads a benchmark's files."""
    command.add_argument("--data", type=Path, metavar="DIR", help="folder of the real data sets (else FACTMATCH_DATA)")
    command.add_argument("--encoding", default=DEFAULT_ENCODING, help="encoding of the input files (default: utf-8)")
    how = command.add_mutually_exclusive_group()
    how.add_argument("--strict", action="store_true", help="make every warning about an input file an error")
    how.add_argument(
        "--lenient", action="store_true", help="take what can be taken of doubtful judgments, with a warning"
    )
    add_quiet_flag(command)


def diagnostics_of(options: argparse.Namespace) -> Diagnostics:
    """The collector of warnings that the flags of `add_reading_flags` ask for."""
    return Diagnostics(options.strict, options.lenient)


def add_quiet_flag(command: argparse.ArgumentParser) -> None:
    """Silence for scripts: no progress, no warnings."""
    command.add_argument("--quiet", action="store_true", help="no progress bars and no warnings on stderr")


def check_outputs(command: argparse.ArgumentParser, options: argparse.Namespace, *names: str) -> None:
    """Refuse, before the work begins, two outputs on stdout, and files in folders that are not there."""
    targets = {f"--{name}": target for name in names if (target := getattr(options, name))}
    asked = [flag for flag, target in targets.items() if target == "-"]
    if len(asked) > 1:
        command.error(f"{' and '.join(asked)} can't go to stdout together; name files for all but one")
    for target in targets.values():
        if target != "-":
            check_folder(Path(target))


def run(main: Callable[[Sequence[str] | None], int], arguments: Sequence[str] | None = None) -> int:
    """Run a command's main function: a user's mistake gives one line and exit code 1, never a traceback."""
    gc.set_threshold(500_000, 20, 100)  # commands make many small objects that live: looking for garbage costs a third
    atexit.register(gc.freeze)  # nor is there any to look for when the process ends, which would cost a quarter
    _guard_terminal()
    try:
        with _ended_by_sigterm():
            code = main(arguments)
        sys.stdout.flush()  # here and not at the end of the process, where a full device would be a traceback
        return code
    except InputError as error:
        return _told(f"error: {error}", 1)
    except KeyboardInterrupt as interrupt:
        return _told("ended", 143) if isinstance(interrupt, _Ended) else _told("interrupted", 130)
    except BrokenPipeError:  # the reader of our output has gone, as with `| head`
        _discard_stdout()
        return 0
    except UnicodeEncodeError as error:
        character = ascii(error.object[error.start])
        return _told(f"error: stdout is {error.encoding} and can't take {character}; set PYTHONIOENCODING=utf-8", 1)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG):
            raise
        _discard_stdout()
        return _told(f"error: the output can't be written: {error.strerror}", 1)


class _Ended(KeyboardInterrupt):
    """The process was asked to end: what is under way is left as it is left after Ctrl-C."""


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """A time in which SIGTERM, which schedulers send, ends workers and removes half-written files as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise _Ended

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _told(line: str, code: int) -> int:
    print(line, file=sys.stderr)
    return code


def _discard_stdout() -> None:
    """Let what is still to be written go nowhere, or the end of the process would fail on it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _TerminalText(io.TextIOWrapper):
    """Text for a terminal: what the terminal can't show, and what would steer it, is written out; colours may stay."""

    def write(self, text: str) -> int:
        parts = _COLOR.split(text)  # texts and, between them, colours
        return super().write("".join(part if number % 2 else printable(part) for number, part in enumerate(parts)))


def _guard_terminal() -> None:
    """Keep escape sequences that stand in a file from reaching the terminal with a result."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not isinstance(sys.stdout, _TerminalText) and sys.stdout.isatty():
        encoding = sys.stdout.encoding
        sys.stdout.flush()
        sys.stdout = _TerminalText(sys.stdout.detach(), encoding, errors="backslashreplace", line_buffering=True)


def write_json(value: Any, target: str, make_folders: bool = False) -> None:
    """Write JSON to a file, or to stdout for `-`."""
    write_output(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n", target, make_folders)


def write_output(text: str, target: str, make_folders: bool = False) -> None:
    """Write a text to a file, or to stdout for `-`; its folder must be there, unless it is asked for."""
    if target == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_text(Path(target), text, make_folders=make_folders)


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
    rows = [[printable(cell) for cell in row] for row in rows]
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
