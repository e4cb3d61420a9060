"""The scoring command: OIE systems against a gold file, with a chosen matcher."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.command_line import (
    add_reading_flags,
    as_typed,
    check_outputs,
    diagnostics_of,
    parser,
    progress,
    run,
    write_json,
    write_output,
)
from data.problems import Diagnostics, InputError
from matchers.assignment import CLOSEST, Decoding
from matchers.encoder.access import add_access_flags, grant
from matchers.llm.settings import add_llm_flags, use_llm
from matchers.scoring.inputs import (
    add_gold_flags,
    add_resampling_flags,
    add_system_flags,
    add_variant_flags,
    check_flags,
    inputs_of,
    variant_of,
)
from matchers.scoring.usage import check_all, check_fractions, check_resume
from matchers.tokens.names import OWN_SCORERS, gives_fractions, is_own
from matchers.workers.choice import Workers, add_workers_flag

if TYPE_CHECKING:
    from data.streaming.files import BenchmarkFiles
    from matchers.counts import Scorer
    from matchers.interface import Matcher
    from matchers.scoring.inputs import Inputs
    from matchers.scoring.results import Scores
    from matchers.scoring.variants import Variant

LARGE = 16_000_000  # bytes of files from which on they are read as they are needed; fewer take little memory


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
    add_gold_flags(command, every=True)
    add_system_flags(command, "score")
    command.add_argument(
        "--matcher", metavar="NAME", help="rules (default), em+af, a checkpoint, ...; wire57 and carb on their own data"
    )
    command.add_argument(
        "--duplicates",
        choices=["count", "ignore"],
        default="count",
        help="a repeated fact counts as wrong, as in BenchIE^FL (default), or is ignored, as in BenchIE",
    )
    add_resampling_flags(command)
    command.add_argument("--json", metavar="FILE", help="write the scores as JSON (- for stdout)")
    command.add_argument("--csv", metavar="FILE", help="write the scores as CSV (- for stdout)")
    command.add_argument("--matches", metavar="FILE", help="write what became of each extraction as JSON Lines")
    command.add_argument(
        "--report", metavar="FILE", help="write a page (HTML) with scores, a profile, matches, misses and repeats"
    )
    add_workers_flag(command)
    command.add_argument(
        "--resume",
        action="store_true",
        help="keep finished parts beside the output, and go on with those of a run that was stopped",
    )
    add_variant_flags(command)
    add_access_flags(command)
    add_llm_flags(command)
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Score systems."""
    command = arguments_parser()
    options = command.parse_args(arguments)
    grant(options)
    use_llm(options)
    check_flags(command, options)
    check_outputs(command, options, "json", "csv", "matches", "report")
    typed = as_typed("matchers.score", arguments)
    if options.all:
        check_all(command, options)
        score_all(options, typed)
    else:
        options.matcher = options.matcher or OWN_SCORERS.get(options.dataset, "rules")
        if gives_fractions(options.dataset, options.matcher):
            check_fractions(command, options)
        if options.resume:
            check_resume(command, options)
        score(options, typed)
    return 0


def score_all(options: argparse.Namespace, typed: str) -> None:
    """Score on every benchmark that is found, and write what was asked for."""
    from data.formats.extractions import read_extractions
    from data.formats.reading import ReadOptions
    from matchers.scoring.benchmarks import evaluate_all

    diagnostics = diagnostics_of(options)
    systems = [
        read_extractions(path, diagnostics, name, ReadOptions(options.encoding, options.confidence, options.nary))
        for name, path in options.system
    ]
    result = evaluate_all(options.data, systems, options.beside, options.resamples, options.seed, diagnostics)
    diagnostics.problems = list(dict.fromkeys(diagnostics.problems))  # two benchmarks have the same sentences' file
    if not options.quiet:
        diagnostics.show()
    if options.report:
        from matchers.pages.benchmarks_page import benchmarks_page

        write_output(benchmarks_page(result, typed), options.report)
    if options.json:
        write_json(result.to_json(), options.json)
    if "-" not in (options.json, options.report):
        print(result)


@dataclass(frozen=True)
class Telling:
    """What is told while it is scored: warnings about files, notes, and how far it is."""

    diagnostics: Diagnostics
    quiet: bool
    notes: Diagnostics = field(default_factory=Diagnostics)

    def ready(self) -> None:
        """The files are read: say what was met in them."""
        if not self.quiet:
            self.diagnostics.show()
            self.notes.show()

    def watch(self, steps: Iterable[Any], total: int) -> Iterable[Any]:
        """Show how far it is."""
        return progress(steps, "matching", self.quiet, total)

    def resumed(self, ready: int, shards: int, others: bool) -> None:
        """Say what of a run that was stopped is used."""
        if others and not self.quiet:
            print("finished parts of a run with other settings are dropped", file=sys.stderr)
        if ready and not self.quiet:
            print(f"{ready} of {shards} parts are finished already", file=sys.stderr)


def score(options: argparse.Namespace, typed: str) -> None:
    """Score on one benchmark, and write what was asked for."""
    from matchers.interface import Matcher

    telling = Telling(diagnostics_of(options), options.quiet)
    inputs = inputs_of(options)
    scorer = None if is_own(options.dataset, options.matcher) else load_scorer(options.matcher, options.assignment)
    whole = options.report or options.dry_run or options.facet_gold or not isinstance(scorer, Matcher)
    local = not whole and variant_of(options, telling.diagnostics).is_local
    files = inputs.files(0 if options.resume else LARGE) if local else None
    if files and isinstance(scorer, Matcher):
        kept = kept_beside(options) if options.resume else None
        write(score_files(files, scorer, options, telling, kept), options)
        if kept:
            kept.unlink(missing_ok=True)
    elif options.resume:
        raise InputError(
            "--resume is for gold in BenchIE's format with extractions in files, without judgments; see docs/scale.md"
        )
    else:
        score_whole(inputs, scorer, options, telling, typed)


def kept_beside(options: argparse.Namespace) -> Path:
    """Where finished parts are kept: beside the first output that is a file."""
    from matchers.scoring.finished import SUFFIX

    output = Path(next(target for target in (options.json, options.matches, options.csv) if target not in (None, "-")))
    return output.with_name(output.name + SUFFIX)


def score_files(
    files: BenchmarkFiles, matcher: Matcher, options: argparse.Namespace, telling: Telling, kept: Path | None
) -> Scores:
    """The scores of large files, whose matches are written as they come."""
    from data.formats.growing import growing
    from matchers.llm.plan import tell
    from matchers.scoring.evaluation import ScoringSettings
    from matchers.scoring.streaming import evaluate_files

    variant = variant_of(options, telling.diagnostics)
    settings = ScoringSettings(options.duplicates, options.resamples, options.seed, variant)
    with growing(options.matches) if options.matches else nullcontext() as matches:
        scores = evaluate_files(files, matcher, settings, telling, Workers.of(options.workers), matches, kept)
        tell(matcher, options.quiet)
    return scores


def score_whole(
    inputs: Inputs, scorer: Matcher | Scorer | None, options: argparse.Namespace, telling: Telling, typed: str
) -> None:
    """Score what is read whole, and write what was asked for."""
    from matchers.interface import Matcher
    from matchers.llm.plan import dry_run, tell, whole_work
    from matchers.scoring.evaluation import ScoringSettings, evaluate
    from matchers.scoring.variants import as_variant

    benchmark = inputs.read(telling.diagnostics)
    variant = variant_of(options, telling.diagnostics)
    scorer = scorer or own_scorer(inputs, variant)
    if isinstance(scorer, Matcher):
        scorer.show_progress(options.quiet)
    settings = ScoringSettings(options.duplicates, options.resamples, options.seed, variant)
    if options.dry_run:
        print(dry_run(scorer, whole_work(as_variant(benchmark, variant, telling.notes))))
        return
    keep = bool(options.matches or options.report)
    workers = Workers.of(options.workers)
    scores = evaluate(benchmark, scorer, settings, telling.notes, telling.ready, telling.watch, workers, keep)
    tell(scorer, options.quiet)
    if options.report:
        from matchers.pages.score_page import score_page

        source = [*inputs.flags, "--matcher", options.matcher]
        write_output(score_page(scores, scorer, source, inputs.given, typed), options.report)
    if options.matches:
        from data.formats.json_records import dump_lines

        write_output(dump_lines(scores.match_lines()), options.matches)
    write(scores, options)


def load_scorer(name: str, decoding: Decoding = CLOSEST) -> Matcher | Scorer:
    """The matcher of a name, with its decoding, or the scorer by fractions of words."""
    if gives_fractions(None, name):
        from matchers.tokens.registry import load_scorer as load_token_scorer

        return load_token_scorer(name)
    from matchers.registry import load

    matcher = load(name)
    matcher.decoding = decoding
    return matcher


def own_scorer(inputs: Inputs, variant: Variant) -> Scorer:
    """The scorer of a data set's authors, on its own tuples."""
    from matchers.tokens.registry import own_scorer as load_own_scorer

    return load_own_scorer(inputs.dataset or "", inputs.data, inputs.given, variant.nary, variant.implicit)


def write(scores: Scores, options: argparse.Namespace) -> None:
    """Write what was asked for: CSV, JSON, or else a table."""
    from matchers.scoring.results import as_csv

    if options.csv:
        write_output(as_csv(scores), options.csv)
    if options.json:
        write_json(scores.to_json(), options.json)
    if "-" not in (options.json, options.csv, options.matches, options.report):
        print(scores)


if __name__ == "__main__":
    raise SystemExit(run(main))
