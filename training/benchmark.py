"""The benchmark command: which matcher agrees best with people, and by how much."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

from data.catalog import NAMES
from data.command_line import (
    add_reading_flags,
    add_thinning_flag,
    as_typed,
    check_outputs,
    diagnostics_of,
    parser,
    run,
    thinness_of,
    write_json,
    write_output,
)
from matchers.encoder.access import add_access_flags, grant
from matchers.llm.settings import add_llm_flags, is_llm, use_llm
from matchers.workers.choice import Workers, add_workers_flag
from training.flags import add_supervision_flag, supervision_names
from training.labels.protocols import PROTOCOLS

if TYPE_CHECKING:
    from training.comparison.contenders import Contender
    from training.comparison.ground import Ground, Terms
    from training.comparison.results import Comparison


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
            "--dataset sample --matchers em,carb,recipe:features --thinness --seeds 2 --report page.html",
        ],
    )
    command.add_argument(
        "--dataset", metavar="NAME", help=f"a labelled folder, or one of {', '.join(NAMES)} (default: what is found)"
    )
    command.add_argument(
        "--matchers",
        action="append",
        metavar="NAMES",
        help="joined by commas: sets of rules such as em+af, wire57, wire57:fractions, carb, oie2016, checkpoints by "
        "name or folder, recipes (configs/NAME.yaml or recipe:NAME: out of fold), my_module:MyMatcher; rules are "
        "always compared with (default: all rules, wire57, carb, oie2016 and recipe:features)",
    )
    command.add_argument(
        "--protocol",
        choices=PROTOCOLS,
        default=PROTOCOLS[0],
        help="folds of recipes (default: the recipe's, by sentence)",
    )
    add_thinning_flag(command)
    command.add_argument(
        "--thinness",
        action="store_true",
        help="compare also under thinner gold: all formulations of a fact, the first 3, 2 and 1, and one at random "
        "(mean of five draws); recipes are trained on the gold as it is",
    )
    command.add_argument(
        "--seeds",
        type=int,
        default=1,
        metavar="N",
        help="with --thinness: cross-validate recipes by N seeds, each with other folds; means and spread (default: 1)",
    )
    command.add_argument(
        "--allow-seen", action="store_true", help="compare checkpoints even on sentences that they were trained on"
    )
    add_supervision_flag(command)
    command.add_argument("--resamples", type=int, default=10_000, metavar="N", help="resamples (default: 10000)")
    command.add_argument("--seed", type=int, default=1, help="seed of the resampling (default: 1)")
    command.add_argument("--json", metavar="FILE", help="write the results as JSON (- for stdout)")
    command.add_argument("--csv", metavar="FILE", help="write the results as CSV (- for stdout)")
    command.add_argument("--report", metavar="FILE", help="write a page (HTML) with plots and every disagreement")
    command.add_argument(
        "--speed", action="store_true", help="measure speed and memory at 1, 10 and 100 times the data"
    )
    command.add_argument(
        "--scales",
        metavar="LIST",
        help="with --speed: how many times the data matchers.score is timed on, with 1 and 2 workers (default: 1,10; "
        "1,10,100,1000 takes about half an hour and 2 GB in the temporary folder)",
    )
    command.add_argument(
        "--speed-limit", type=float, default=20.0, metavar="S", help="seconds for one measurement (default: 20)"
    )
    command.add_argument(
        "--no-timings", action="store_true", help="leave timings out, so that two runs write the same bytes"
    )
    add_workers_flag(command)
    add_access_flags(command)
    add_llm_flags(command)
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare matchers."""
    command = arguments_parser()
    options = command.parse_args(arguments)
    check_outputs(command, options, "json", "csv", "report")
    grant(options)
    use_llm(options)
    if options.resamples < 1:
        command.error("--resamples must be at least 1")
    if options.seed < 0:
        command.error("--seed must not be negative")
    if options.speed_limit <= 0:
        command.error("--speed-limit must be above 0")
    thinness = thinness_of(command, options)
    scales = scales_of(command, options)
    if options.thinness and not thinness.is_full:
        command.error("--thinness compares under several golds; leave --formulations out")
    if options.seeds < 1:
        command.error("--seeds must be at least 1")
    if options.seeds > 1 and not options.thinness:
        command.error("--seeds is about the figures of --thinness")
    from data.catalog import default_dataset, load
    from data.formats.reading import ReadOptions
    from data.thinning import thin
    from training.comparison.comparison import compare
    from training.comparison.ground import Ground, Terms
    from training.comparison.levels import thin_levels
    from training.comparison.lineup import default_names, find_contenders

    names = [name for text in options.matchers for name in text.split(",")] if options.matchers else default_names()
    contenders = find_contenders(names)
    dataset = options.dataset or default_dataset(options.data)
    diagnostics = diagnostics_of(options)
    benchmark = thin(load(dataset, options.data, diagnostics, ReadOptions(options.encoding)), thinness)
    if not options.quiet:
        diagnostics.show()
    terms = Terms(
        protocol=options.protocol,
        resamples=options.resamples,
        seed=options.seed,
        allow_seen=options.allow_seen,
        data=options.data,
        quiet=options.quiet,
        supervision=supervision_names(options.supervision),
        workers=Workers.of(options.workers),
        thinness=thinness,
        levels=thin_levels(options.seed) if options.thinness else (),
        seeds=options.seeds,
    )
    if options.dry_run:
        print("\n".join(plans(contenders, Ground.of(benchmark), terms)))
        return 0
    comparison = compare(Ground.of(benchmark), contenders, terms)
    if options.speed:
        from training.comparison.contenders import grows
        from training.comparison.scale import SCALES, measure_scales
        from training.comparison.speed import COMMAND_LIMITS, measure_all

        # the speed of a language model is that of its server
        given = {contender.name: contender.given for contender in contenders if not is_llm(contender.given)}
        how = (options.encoding, options.speed_limit, options.quiet, options.supervision)
        comparison = replace(comparison, speeds=measure_all(given, dataset, options.data, *how))
        scaled = {one.name: one.given for one in contenders if grows(one)}
        limits = (scales or SCALES, options.speed_limit * COMMAND_LIMITS, options.quiet)
        measured = measure_scales(scaled, dataset, options.data, options.encoding, *limits)
        comparison = replace(comparison, scales=measured)
    write_results(comparison, dataset, options, as_typed("training.benchmark", arguments))
    return 0


def scales_of(command: argparse.ArgumentParser, options: argparse.Namespace) -> tuple[int, ...]:
    """The sizes of the data that --scales lists, if it is given."""
    if options.scales is None:
        return ()
    if not options.speed:
        command.error("--scales is of the measurements of --speed; give that too")
    sizes = options.scales.split(",")
    if not all(size.isascii() and size.isdecimal() and 1 <= int(size) <= 10_000 for size in sizes):
        command.error(f"--scales takes numbers from 1 to 10000, joined by commas, not {options.scales!r}")
    return tuple(dict.fromkeys(map(int, sizes)))


def plans(contenders: Sequence[Contender], ground: Ground, terms: Terms) -> list[str]:
    """What each language model among the contenders would cost."""
    from matchers.llm.plan import dry_run
    from training.comparison.contenders import Matching

    grounds = [ground.thinned(draw) for draw in terms.draws] or [ground]
    work = [(part.sentence, part.extractions) for one in grounds for part in one.work]
    return [dry_run(one.matcher, work) for one in contenders if isinstance(one, Matching)]


def write_results(comparison: Comparison, dataset: str, options: argparse.Namespace, command: str) -> None:
    """Write what was asked for; the table goes to stdout unless something else does."""
    timings = not options.no_timings
    if options.report:
        from training.pages.report import report_page

        write_output(report_page(comparison, dataset, command, timings), options.report)
    if options.csv:
        from training.comparison.spreadsheet import as_csv

        write_output(as_csv(comparison, timings), options.csv)
    if options.json:
        write_json(comparison.to_json(timings), options.json)
    if "-" not in (options.json, options.csv, options.report):
        print(comparison)


class _Command(ModuleType):
    """The module itself, which is also the function `training.benchmark(...)`: command and function have one name."""

    def __call__(self, *arguments: Any, **settings: Any) -> Comparison:
        """See `training.from_python.benchmark`."""
        from training.from_python import benchmark

        return benchmark(*arguments, **settings)


sys.modules[__name__].__class__ = _Command

if __name__ == "__main__":
    raise SystemExit(run(main))
