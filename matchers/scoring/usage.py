"""Which flags of `matchers.score` can't stand together, and why."""

from __future__ import annotations

import argparse

from matchers.tokens.names import is_own

_FLAGS_OF_ALL = {
    "matcher": None, "duplicates": "count", "facet": "default", "facet_gold": None, "nary": None,
    "implicit": "keep", "language": None, "gold_format": None, "csv": None, "matches": None,
    "formulations": "all", "assignment": "closest", "named_entities": "any",
    "resume": False,
}  # fmt: skip


def check_resume(command: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse to keep finished parts where there is no place for them, or no need."""
    if all(target in (None, "-") for target in (options.json, options.matches, options.csv)):
        command.error("--resume keeps finished parts beside the output; name a file with --json, --csv or --matches")
    if options.report:
        command.error("--report needs all matches at once and can't be resumed")
    if options.matcher.startswith("llm:"):
        command.error("--resume is not needed with a language model, whose answers are kept anyway; run it again")


def check_all(command: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse what would make a benchmark another one than its authors'."""
    for name, usual in _FLAGS_OF_ALL.items():
        if getattr(options, name) != usual:
            flag = "from" if name == "gold_format" else name.replace("_", "-")
            command.error(f"--{flag} can't be used with --all, which scores each benchmark as its authors do")


def check_fractions(command: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse what fractions of words can't give."""
    if options.matches:
        command.error(f"--matches needs matches, and {options.matcher} gives fractions of words; see --matcher")
    if options.duplicates != "count":
        command.error(f"--duplicates is about matches, and {options.matcher} gives fractions of words")
    if is_own(options.dataset, options.matcher) and options.facet != "default":
        command.error(f"--facet changes clusters, and {options.dataset} is scored on its own tuples; see --matcher")
    if is_own(options.dataset, options.matcher) and not options.thinness.is_full:
        command.error(f"--formulations is about clusters, and {options.dataset} is scored on its own tuples")
    if is_own(options.dataset, options.matcher) and options.named_entities != "any":
        command.error(f"--named-entities is about clusters, and {options.dataset} is scored on its own tuples")
