"""The console command `factmatch`: every command of the project by a short name, from any folder.

Unlike `python -m matchers.score` it doesn't look for packages in the working folder, which may have a `data` or a
`training` of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from data.command_line import COMMANDS, PROGRAM, call_by_console, run
from matchers.signature import VERSION

_SUMMARIES = {
    "score": "score OIE systems against a gold file with a chosen matcher",
    "explain": "say why an extraction does or does not match",
    "profile": "what systems get wrong, slot by slot and by kind of sentence",
    "train": "train a matcher on judged extractions, beside the rules",
    "benchmark": "compare matchers with people's judgments",
    "downstream": "compare benchmarks with tasks that use extractions",
    "studio": "annotate facts and judge matches in the browser, and learn from it",
    "fetch": "bring the real data sets",
    "lint": "check a gold file",
    "convert": "convert gold, extractions and judgments between formats",
    "attack": "make baselines that would fool a bad scorer",
}


def usage() -> str:
    """What `factmatch --help` says."""
    names = "\n".join(f"  {name:<11} {_SUMMARIES[name]}" for name in COMMANDS)
    return (
        f"usage: {PROGRAM} COMMAND ...\n\nWhich fact does an extraction state?\n\ncommands:\n{names}\n\n"
        f"{PROGRAM} COMMAND --help says what a command takes; {PROGRAM} --version prints the version.\n\n"
        f"examples:\n  {PROGRAM} score --dataset sample\n  {PROGRAM} lint gold.txt\n"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Call the command that the first word names."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    first = given[0] if given else "--help"
    if first in ("--help", "-h", "help"):
        print(usage(), end="")
        return 0 if given else 2
    if first == "--version":
        print(f"{PROGRAM} {VERSION}")
        return 0
    if first not in COMMANDS:
        print(f"{PROGRAM}: no command is called {first!r}; they are {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    call_by_console()
    return run(import_module(COMMANDS[first]).main, given[1:])


if __name__ == "__main__":
    raise SystemExit(main())
