"""The benchmark command: which matcher agrees best with people, and by how much."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from data.catalog import NAMES
from data.commands import add_reading_flags, parser, run, write_json, write_output
from data.problems import Diagnostics
from training.folds import PROTOCOLS

if TYPE_CHECKING:
    from training.comparison import Comparison
    from training.contenders import Contender
    from training.speed import Speeds


def arguments_parser() -> argparse.ArgumentParser:
    """The command's flags."""
    command = parser(
        "training.benchmark",
        "Compare matchers with people's judgments: match F1, ranking of systems, significance, speed.",
        [
            "",
            "--dataset sample --report page.html",
            "--dataset my_folder --matchers em,rules,wire57,checkpoints/mine --json results.json",
            "--matchers rules,configs/features.yaml --protocol leave-one-sentence-out",
            "--matchers em,wire57,wire57:fractions,carb --speed",
        ],
    )
    command.add_argument(
        "--dataset", metavar="NAME", help=f"a labelled folder, or one of {', '.join(NAMES)} (default: what is found)"
    )
    command.add_argument(
        "--matchers",
        action="append",
        metavar="NAMES",
        help="joined by commas: sets of rules such as em+af, wire57, wire57:fractions, carb, oie2016, recipes "
        "(configs/NAME.yaml: out of fold), checkpoints; rules are always compared with "
        "(default: all rules, wire57, carb, oie2016 and configs/features.yaml)",
    )
    command.add_argument(
        "--protocol",
        choices=PROTOCOLS,
        default=PROTOCOLS[0],
        help="folds of recipes (default: the recipe's, by sentence)",
    )
    command.add_argument(
        "--allow-seen", action="store_true", help="compare checkpoints even on sentences that they were trained on"
    )
    command.add_argument("--resamples", type=int, default=10_000, metavar="N", help="resamples (default: 10000)")
    command.add_argument("--seed", type=int, default=1, help="seed of the resampling (default: 1)")
    command.add_argument("--json", metavar="FILE", help="write the results as JSON (- for stdout)")
    command.add_argument("--csv", metavar="FILE", help="write the results as CSV (- for stdout)")
    command.add_argument("--report", metavar="FILE", help="write a page (HTML) with plots and every disagreement")
    command.add_argument(
        "--speed", action="store_true", help="measure speed and memory at 1, 10 and 100 times the data"
    )
    command.add_argument(
        "--speed-limit", type=float, default=20.0, metavar="S", help="seconds for one measurement (default: 20)"
    )
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare matchers."""
    command = arguments_parser()
    options = command.parse_args(arguments)
    if options.resamples < 1:
        command.error("--resamples must be at least 1")
    if options.seed < 0:
        command.error("--seed must not be negative")
    if options.speed_limit <= 0:
        command.error("--speed-limit must be above 0")
    from data.catalog import default_dataset, load
    from data.folder import ReadOptions
    from training.comparison import compare
    from training.contenders import default_names, find_contenders
    from training.verdicts import Ground, Terms

    names = [name for text in options.matchers for name in text.split(",")] if options.matchers else default_names()
    contenders = find_contenders(names)
    options.dataset = options.dataset or default_dataset(options.data)
    diagnostics = Diagnostics(options.strict)
    benchmark = load(options.dataset, options.data, diagnostics, ReadOptions(options.encoding))
    if not options.quiet:
        diagnostics.show()
    terms = Terms(options.protocol, options.resamples, options.seed, options.allow_seen, options.data, options.quiet)
    comparison = compare(Ground.of(benchmark), contenders, terms)
    speeds = measure_speed(contenders, options)
    write_results(comparison, speeds, options, arguments)
    return 0


def measure_speed(contenders: Sequence[Contender], options: argparse.Namespace) -> Speeds:
    """The speed of each contender, if it was asked for."""
    if not options.speed:
        return {}
    from training.speed import measure_all

    given = {contender.name: contender.given for contender in contenders}
    return measure_all(given, options.dataset, options.data, options.encoding, options.speed_limit, options.quiet)


def write_results(
    comparison: Comparison, speeds: Speeds, options: argparse.Namespace, arguments: Sequence[str] | None
) -> None:
    """Write what was asked for; the table goes to stdout unless something else does."""
    from training.results import as_csv, as_json, as_table

    if options.report:
        from matchers.score import command_line
        from training.report import report_page

        write_output(
            report_page(comparison, options.dataset, command_line("training.benchmark", arguments), speeds),
            options.report,
        )
    if options.csv:
        write_output(as_csv(comparison), options.csv)
    if options.json:
        write_json(as_json(comparison, speeds), options.json)
    if "-" not in (options.json, options.csv, options.report):
        print(as_table(comparison, speeds))


if __name__ == "__main__":
    raise SystemExit(run(main))
