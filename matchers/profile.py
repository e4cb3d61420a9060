"""The profiling command: which slots systems get wrong, in which sentences they fail, how long extractions are."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from data.command_line import (
    add_reading_flags,
    as_typed,
    check_outputs,
    diagnostics_of,
    parser,
    run,
    write_json,
    write_output,
)
from data.problems import Diagnostics
from matchers.encoder.access import add_access_flags, grant
from matchers.llm.settings import add_llm_flags, use_llm
from matchers.profiling.buckets import Parsed, default_buckets, own_bucket
from matchers.registry import load
from matchers.scoring.inputs import (
    add_gold_flags,
    add_resampling_flags,
    add_system_flags,
    add_variant_flags,
    check_flags,
    inputs_of,
    variant_of,
)
from matchers.scoring.variants import as_variant
from matchers.workers.choice import Workers, add_workers_flag


def arguments_parser() -> argparse.ArgumentParser:
    """The command's flags."""
    command = parser(
        "matchers.profile",
        "Profile OIE systems: errors by slot, F1 by kind of sentence, lengths of extractions.",
        [
            "--dataset sample",
            "--dataset benchie_en --matcher em --duplicates ignore --json profile.json",
            "--gold gold.txt --system mine=mine.tsv --system other=other.jsonl",
            "--dataset sample --report page.html",
            "--dataset sample --bucket questions=my_buckets:questions  # a function of a sentence, in my_buckets.py",
            "--dataset sample --spacy en_core_web_sm",
        ],
    )
    add_gold_flags(command)
    add_system_flags(command, "profile")
    command.add_argument("--matcher", default="rules", metavar="NAME", help="rules (default), em+af, a checkpoint, ...")
    command.add_argument(
        "--duplicates",
        choices=["count", "ignore"],
        default="count",
        help="a repeated fact counts as wrong in F1, as in BenchIE^FL (default), or is ignored, as in BenchIE",
    )
    command.add_argument(
        "--spacy",
        metavar="MODEL",
        help="count conjunctions and case markers in this spaCy model's parse (default: with lists of words)",
    )
    command.add_argument(
        "--bucket",
        action="append",
        default=[],
        type=named_function,
        metavar="NAME=MODULE:FUNCTION",
        help="F1 by a function of your own, too, that names the bucket of a sentence; may be repeated",
    )
    add_resampling_flags(command)
    command.add_argument("--json", metavar="FILE", help="write the profile as JSON (- for stdout)")
    command.add_argument("--report", metavar="FILE", help="write a page (HTML) with pictures of the profile")
    add_workers_flag(command)
    add_variant_flags(command)
    add_access_flags(command)
    add_llm_flags(command)
    add_reading_flags(command)
    return command


def named_function(text: str) -> tuple[str, str, str]:
    """The parts of `NAME=MODULE:FUNCTION`."""
    name, equals, place = text.partition("=")
    module, colon, function = place.partition(":")
    if not (name and equals and module and colon and function):
        raise argparse.ArgumentTypeError(f"NAME=MODULE:FUNCTION was expected, not {text!r}")
    return name, module, function


def main(arguments: Sequence[str] | None = None) -> int:
    """Profile systems."""
    command = arguments_parser()
    options = command.parse_args(arguments)
    grant(options)
    use_llm(options)
    check_outputs(command, options, "json", "report")
    check_flags(command, options)
    if options.facet == "C":
        command.error("facet C has no slots, so there is nothing to say of errors in them")
    from matchers.llm.plan import dry_run, tell, whole_work
    from matchers.profiling.profiles import WORDS, profile
    from matchers.scoring.evaluation import ScoringSettings

    matcher = load(options.matcher)
    matcher.decoding = options.assignment
    matcher.show_progress(options.quiet)
    parsed = Parsed.of(options.spacy) if options.spacy else None
    buckets = {
        **default_buckets(parsed),
        **{name: own_bucket(name, module, function) for name, module, function in options.bucket},
    }
    diagnostics, notes = diagnostics_of(options), Diagnostics()
    benchmark = inputs_of(options).read(diagnostics)
    variant = variant_of(options, diagnostics)
    settings = ScoringSettings(options.duplicates, options.resamples, options.seed, variant)

    def ready() -> None:
        if not options.quiet:
            diagnostics.show()
            notes.show()

    if options.dry_run:
        print(dry_run(matcher, whole_work(as_variant(benchmark, variant, notes))))
        return 0
    workers = Workers.of(options.workers)
    result = profile(benchmark, matcher, buckets, settings, parsed.name if parsed else WORDS, notes, ready, workers)
    tell(matcher, options.quiet)
    if options.report:
        from matchers.pages.profile_page import profile_page

        write_output(profile_page(result, as_typed("matchers.profile", arguments)), options.report)
    if options.json:
        write_json(result.to_json(), options.json)
    if "-" not in (options.json, options.report):
        print(result)
    return 0


if __name__ == "__main__":
    raise SystemExit(run(main))
