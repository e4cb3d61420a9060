"""The scoring command: OIE systems against a gold file, with a chosen matcher."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.catalog import NAMES
from data.commands import add_reading_flags, check_stdout, parser, progress, run, write_json, write_output
from data.problems import Diagnostics, InputError
from matchers.variants import (
    add_variant_flags,
    as_variant,
    check_variant,
    note_language,
    note_limits,
)

if TYPE_CHECKING:
    from data.model import Benchmark
    from matchers.interface import Matcher
    from matchers.score_page import ScorePage

ENGLISH_IN_SCORERS = {"carb": "the forms of 'be' and the verbs of reporting"}
OWN_MATCHERS = {"wire57": "wire57", "benchie_carb": "carb"}  # the scorers of data sets that bring one


def arguments_parser() -> argparse.ArgumentParser:
    """The command's flags."""
    command = parser(
        "matchers.score",
        "Score OIE systems against a gold file: precision, recall and F1 with 95 % intervals.",
        [
            "--dataset sample",
            "--dataset benchie_fl --matcher rules --json scores.json",
            "--gold gold.txt --system mine=mine.tsv --system other=other.jsonl --matches matches.jsonl",
            "--dataset benchie_en --matcher em --duplicates ignore --facet C",
            "--dataset wire57",
            "--all --system mine=mine.tsv --beside --json all.json --report all.html",
            "--dataset sample --report page.html",
        ],
    )
    gold = command.add_mutually_exclusive_group(required=True)
    gold.add_argument("--gold", type=Path, metavar="FILE", help="gold file; systems are looked for in its folder")
    gold.add_argument("--dataset", metavar="NAME", help=f"a folder, or one of {', '.join(NAMES)}")
    gold.add_argument(
        "--all", action="store_true", help="every benchmark that is found, side by side; systems by sentence text or id"
    )
    command.add_argument("--from", dest="gold_format", metavar="FORMAT", help="format of --gold (default: as it looks)")
    command.add_argument(
        "--system", action="append", default=[], metavar="NAME=FILE", help="extractions of a system; may be repeated"
    )
    command.add_argument("--beside", action="store_true", help="score --system beside the systems that are found")
    command.add_argument("--confidence", choices=["none", "first", "last"], default="none", help="column of confidence")
    command.add_argument(
        "--matcher", metavar="NAME", help="rules (default), em+af, a checkpoint, ...; wire57 and carb on their own data"
    )
    command.add_argument(
        "--duplicates",
        choices=["count", "ignore"],
        default="count",
        help="a repeated fact counts as wrong, as in BenchIE^FL (default), or is ignored, as in BenchIE",
    )
    command.add_argument("--resamples", type=int, default=1000, metavar="N", help="bootstrap resamples (default: 1000)")
    command.add_argument("--seed", type=int, default=1, help="seed of the resampling (default: 1)")
    command.add_argument("--json", metavar="FILE", help="write the scores as JSON (- for stdout)")
    command.add_argument("--csv", metavar="FILE", help="write the scores as CSV (- for stdout)")
    command.add_argument("--matches", metavar="FILE", help="write what became of each extraction as JSON Lines")
    command.add_argument(
        "--report", metavar="FILE", help="write a page (HTML) with scores, a profile, matches, misses and repeats"
    )
    add_variant_flags(command)
    add_reading_flags(command)
    return command


def command_line(module: str, arguments: Sequence[str] | None) -> str:
    """The command as it could be typed again."""
    return shlex.join(["python", "-m", module, *(sys.argv[1:] if arguments is None else arguments)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Score systems."""
    command = arguments_parser()
    options = command.parse_args(arguments)
    check_resampling(command, options)
    check_variant(command, options)
    check_stdout(command, options, "json", "csv", "matches", "report")
    diagnostics, notes = Diagnostics(options.strict), Diagnostics()
    typed = command_line("matchers.score", arguments)
    if options.all:
        from matchers.score_datasets import check_all, score_all

        check_all(command, options)
        score_all(given_files(options), options, diagnostics, typed)
        return 0
    if options.matcher is None:
        options.matcher = OWN_MATCHERS.get(options.dataset, "rules")
    from matchers.token_tables import is_token_table

    by_tokens = is_token_table(options.dataset, options.matcher)
    if by_tokens:
        from matchers.score_datasets import check_tokens, score_tokens

        check_tokens(command, options)
    else:
        from matchers.registry import load

        matcher = load(options.matcher)
    benchmark = as_variant(load_benchmark(options, diagnostics), options, diagnostics, notes)
    if by_tokens:
        note_language(benchmark, options.matcher, ENGLISH_IN_SCORERS.get(options.matcher.partition(":")[0], ""), notes)
    else:
        note_limits(benchmark, matcher, options.facet, notes)
    if not options.quiet:
        diagnostics.show()
        notes.show()
    if by_tokens:
        score_tokens(benchmark, options, list(given_files(options)), typed)
    else:
        report(benchmark, matcher, options, typed)
    return 0


def check_resampling(command: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse what can't be drawn."""
    if options.resamples < 1:
        command.error("--resamples must be at least 1")
    if options.seed < 0:
        command.error("--seed must not be negative")


def load_benchmark(options: argparse.Namespace, diagnostics: Diagnostics) -> Benchmark:
    """The gold and the systems that the options name."""
    from data.catalog import load
    from data.folder import ReadOptions, read_system

    reading = ReadOptions(options.encoding, options.confidence, options.nary)
    given = given_files(options)
    if options.dataset:
        benchmark = load(options.dataset, options.data, diagnostics, reading)
    else:
        benchmark = read_gold_file(options, diagnostics)
        if not given or options.beside:
            found = systems_beside(options.gold)
            systems = (read_system(name, path, benchmark, diagnostics, reading) for name, path in found.items())
            benchmark = replace(benchmark, systems=tuple(systems))
    added = [read_system(name, path, benchmark, diagnostics, reading) for name, path in given.items()]
    kept = benchmark.systems if options.beside or not given else ()
    for system in added:
        if any(system.name == other.name for other in kept):
            raise InputError(f"two systems are called {system.name!r}; give --system another name")
    benchmark = replace(benchmark, systems=(*kept, *added))
    if not benchmark.systems:
        raise InputError("no systems to score; name one with --system NAME=FILE", options.gold)
    return benchmark


def given_files(options: argparse.Namespace) -> dict[str, Path]:
    """The files of `--system` by the systems' names."""
    given = dict(named_file(text) for text in options.system)
    if len(given) != len(options.system):
        raise InputError("two systems of --system have the same name")
    return given


def named_file(text: str) -> tuple[str, Path]:
    """The parts of `NAME=FILE`."""
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise InputError(f"--system takes NAME=FILE, not {text!r}")
    return name, Path(path)


def read_gold_file(options: argparse.Namespace, diagnostics: Diagnostics) -> Benchmark:
    """The gold of `--gold`, in the format of `--from`, or else the one that it looks like."""
    from data.formats import read_any_gold

    return read_any_gold(options.gold, diagnostics, options.encoding, options.gold_format)


def systems_beside(gold: Path) -> dict[str, Path]:
    """The extraction files that belong to a gold file: those in `extractions/` in or beside its folder."""
    from data.folder import EXTRACTION_SUFFIXES, EXTRACTIONS, files_of

    for folder in (gold.parent / EXTRACTIONS, gold.parent.parent / EXTRACTIONS):
        found: dict[str, Path] = {}
        for path in files_of(folder, EXTRACTION_SUFFIXES):
            if path.stem in found:
                raise InputError(f"two files for the system {path.stem!r}: {found[path.stem]} and {path}")
            found[path.stem] = path
        if found:
            return found
    return {}


def report(benchmark: Benchmark, matcher: Matcher, options: argparse.Namespace, command: str) -> None:
    """Match, score, and write what was asked for."""
    from data.jsonlines import dump_lines
    from matchers.score_results import as_csv, as_json, as_table, match_lines
    from matchers.scoring import Tally, assignments

    page = new_page(benchmark, matcher, options) if options.report else None
    tally = Tally(benchmark, options.duplicates)
    lines: list[dict[str, Any]] = []
    total = len(benchmark.sentences) * len(benchmark.systems)
    work = progress(assignments(benchmark, matcher), "matching", options.quiet, total)
    for number, system, assignment in work:
        tally.add(number, system.name, assignment)
        if options.matches:
            lines.extend(match_lines(system.name, assignment))
        if page:
            page.add(system.name, assignment)
    scores = tally.scores()
    result = as_json(benchmark, matcher, scores, options)
    if page:
        write_output(page.render(scores, result, command), options.report)
    if options.matches:
        write_output(dump_lines(lines), options.matches)
    if options.csv:
        write_output(as_csv(result), options.csv)
    if options.json:
        write_json(result, options.json)
    if "-" not in (options.json, options.csv, options.matches, options.report):
        print(as_table(result))


def new_page(benchmark: Benchmark, matcher: Matcher, options: argparse.Namespace) -> ScorePage:
    """An empty page, which knows how `matchers.explain` would find the gold."""
    from matchers.score_page import ScorePage

    source = ["--dataset", options.dataset] if options.dataset else ["--gold", str(options.gold)]
    return ScorePage(benchmark, matcher, [*source, "--matcher", options.matcher], slots=options.facet != "C")


if __name__ == "__main__":
    raise SystemExit(run(main))
