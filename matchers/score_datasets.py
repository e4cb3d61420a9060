"""The scoring command on data sets that bring a scorer of their own, and on all data sets at once."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from data.commands import write_json, write_output
from data.model import Benchmark, Extraction
from data.problems import Diagnostics
from matchers.token_tables import CARB, WIRE57, token_csv, token_json, token_rows, token_table
from matchers.variants import variant_settings

_FLAGS_OF_ALL = {
    "matcher": None, "duplicates": "count", "facet": "default", "facet_gold": None, "nary": "join",
    "implicit": "keep", "language": None, "gold_format": None, "csv": None, "matches": None,
}  # fmt: skip


def check_tokens(command: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse what a table of fractions can't give."""
    if options.matches:
        command.error(f"--matches needs matches, and {options.matcher} gives fractions of words; see --matcher")
    if options.duplicates != "count":
        command.error(f"--duplicates is about matches, and {options.matcher} gives fractions of words")
    if is_own(options) and options.facet != "default":
        command.error(f"--facet changes clusters, and {options.dataset} is scored on its own tuples; see --matcher")


def is_own(options: argparse.Namespace) -> bool:
    """Whether a data set is scored on its own tuples, with the scorer of its authors."""
    return (options.dataset, options.matcher) in {(WIRE57, "wire57"), (CARB, "carb")}


def score_tokens(benchmark: Benchmark, options: argparse.Namespace, given: Sequence[str], command: str) -> None:
    """Score by words, and write what was asked for."""
    from matchers.filters import foreign_words

    def keep(extraction: Extraction) -> bool:
        return options.implicit == "keep" or not foreign_words(extraction, benchmark.by_id[extraction.sentence_id])

    rows = token_rows(benchmark, options.matcher, options.dataset, options.data, given, keep, options.nary)
    settings = variant_settings(benchmark, options)
    result = token_json(benchmark, options.matcher, rows, options.resamples, options.seed, settings)
    if options.report:
        from matchers.token_page import token_page

        write_output(token_page(benchmark.name, result, given, command), options.report)
    if options.csv:
        write_output(token_csv(result), options.csv)
    if options.json:
        write_json(result, options.json)
    if "-" not in (options.json, options.csv, options.report):
        print(token_table(result))


def check_all(command: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse what would make a benchmark another one than its authors'."""
    for name, usual in _FLAGS_OF_ALL.items():
        if getattr(options, name) != usual:
            flag = "from" if name == "gold_format" else name.replace("_", "-")
            command.error(f"--{flag} can't be used with --all, which scores each benchmark as its authors do")


def score_all(given: dict[str, Path], options: argparse.Namespace, diagnostics: Diagnostics, command: str) -> None:
    """Score on every benchmark that is found, and write what was asked for."""
    from data.extractions import read_extractions
    from matchers.side_by_side import boards
    from matchers.side_by_side_results import as_json, as_table

    systems = [
        read_extractions(path, diagnostics, name, options.encoding, options.confidence) for name, path in given.items()
    ]
    scored, missing = boards(options.data, systems, options.beside, options.resamples, options.seed, diagnostics)
    own_files = not given or options.beside
    diagnostics.problems = list(dict.fromkeys(diagnostics.problems))  # two benchmarks have the same sentences' file
    if not options.quiet:
        diagnostics.show()
    if options.report:
        from matchers.side_by_side_page import side_by_side_page

        write_output(side_by_side_page(scored, missing, own_files, command), options.report)
    if options.json:
        write_json(as_json(scored, missing), options.json)
    if "-" not in (options.json, options.report):
        print(as_table(scored, missing, own_files))
