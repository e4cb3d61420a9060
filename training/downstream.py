"""The command of downstream validity: ABQA scores of systems, and how benchmarks go with the tasks that use them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from data.catalog import NAMES
from data.catalog import load as load_data
from data.command_line import add_reading_flags, check_outputs, diagnostics_of, parser, progress, run, table, write_json
from data.formats.json_records import Node, parse_json
from data.formats.reading import ReadOptions
from data.formats.textfile import read_text
from data.problems import InputError
from matchers.encoder.access import add_access_flags, grant
from matchers.llm.settings import add_llm_flags, use_llm
from matchers.registry import load
from matchers.signature import signature
from matchers.workers.choice import Workers, add_workers_flag

if TYPE_CHECKING:
    from data.formats.json_records import Node
    from matchers.interface import Matcher
    from training.evaluation.downstream_shapes import BenchmarkCorrelationJson, DownstreamJson, TaskCorrelationJson
    from training.evaluation.downstream_tasks import Answers, Ranking, Scores, TaskCorrelation

PASSAGES = "webassertions"


def arguments_parser() -> argparse.ArgumentParser:
    """The command's flags."""
    command = parser(
        "training.downstream",
        "Score systems by the questions that their extractions answer (ABQA), and correlate benchmarks' scores of "
        "systems with three downstream tasks.",
        [
            "",
            "--matcher em --json downstream.json",
            "--dataset benchie_fl --dataset benchie_fl_match",
            "--scores mine=scores.json",
            "--scores all=all.json  # as matchers.score --all --json all.json writes it",
        ],
    )
    command.add_argument("--matcher", default="rules", metavar="NAME", help="rules (default), em+af, a checkpoint, ...")
    command.add_argument(
        "--dataset",
        action="append",
        metavar="NAME",
        help="a benchmark to correlate, scored by the matcher: a folder, or one of "
        f"{', '.join(NAMES)}; may be repeated (default: benchie_fl)",
    )
    command.add_argument(
        "--scores",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="scores of systems by anything else: what matchers.score --json wrote, or {system: f1}; may be repeated",
    )
    command.add_argument("--resamples", type=int, default=1000, metavar="N", help="bootstrap resamples (default: 1000)")
    command.add_argument("--seed", type=int, default=1, help="seed of the resampling (default: 1)")
    command.add_argument("--json", metavar="FILE", help="write the result as JSON (- for stdout)")
    add_workers_flag(command)
    add_access_flags(command)
    add_llm_flags(command)
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Score ABQA and correlate benchmarks with tasks."""
    command = arguments_parser()
    options = command.parse_args(arguments)
    check_outputs(command, options, "json")
    grant(options)
    use_llm(options)
    if options.resamples < 1:
        command.error("--resamples must be at least 1")
    if options.seed < 0:
        command.error("--seed must be 0 or more")
    given = [ranking for text in options.scores for ranking in read_scores(text)]
    result = downstream(options, given)
    if result is None:
        return 0
    if options.json:
        write_json(result, options.json)
    if options.json != "-":
        print(as_text(result))
    return 0


def downstream(options: argparse.Namespace, given: Sequence[Ranking]) -> DownstreamJson | None:
    """Load, score and correlate what the options name; with --dry-run say what it would cost instead."""
    from matchers.llm.plan import dry_run, tell, whole_work
    from matchers.scoring.boards import one_name
    from training.evaluation.downstream_tasks import answers, ranking

    matcher = load(options.matcher)
    matcher.show_progress(options.quiet)
    diagnostics = diagnostics_of(options)
    reading = ReadOptions(options.encoding)
    passages = load_data(PASSAGES, options.data, diagnostics, reading)
    names = options.dataset or (["benchie_fl"] if not given else [])
    benchmarks = [one_name(load_data(name, options.data, diagnostics, reading)) for name in names]
    for benchmark in benchmarks:
        if not benchmark.systems:
            raise InputError(f"the benchmark {benchmark.name} has no systems to correlate")
    if not options.quiet:
        diagnostics.show()
    if options.dry_run:
        print(dry_run(matcher, [part for one in (passages, *benchmarks) for part in whole_work(one)]))
        return None
    workers = Workers.of(options.workers)
    total = len(passages.sentences) * len(passages.systems)
    answered = answers(passages, matcher, lambda work: progress(work, "answering", options.quiet, total), workers)
    rankings = [ranking(benchmark, matcher, workers) for benchmark in progress(benchmarks, "benchmarks", options.quiet)]
    tell(matcher, options.quiet)
    settings = {"resamples": options.resamples, "seed": options.seed}
    return as_json(matcher, str(signature(passages, matcher, **settings)), answered, [*rankings, *given], options)


def read_scores(text: str) -> list[Ranking]:
    """The scores of `NAME=FILE`: what `matchers.score --json` wrote, with `--all` too, or an object of F1 by system."""

    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise InputError(f"--scores takes NAME=FILE, not {text!r}")
    content = parse_json(read_text(Path(path)), Path(path))
    root = Node(content if isinstance(content, dict) else {}, Path(path))
    if "benchmarks" in root.fields:
        boards = root.children("benchmarks", "benchmark")
        return [_ranking(f"{name}: {board.text('name')}", board) for board in boards]
    return [_ranking(name, root)]


def _ranking(name: str, node: Node) -> Ranking:
    from matchers.scoring.boards import ALIASES
    from training.evaluation.downstream_tasks import Ranking

    if "systems" in node.fields:
        f1s = {system.text("name"): system.number("f1") for system in node.children("systems", "system")}
    else:
        f1s = {system: node.number(system) for system in node.fields}
    scores = {ALIASES.get(system, system): f1 for system, f1 in f1s.items() if f1 is not None}
    if not scores or len(scores) != len(f1s):
        raise node.error("an F1 a system was expected: what matchers.score --json wrote, or {system: f1, ...}")
    return Ranking(name, scores)


def as_json(
    matcher: Matcher, signed: str, answered: Answers, rankings: Sequence[Ranking], options: argparse.Namespace
) -> DownstreamJson:
    """The result as JSON."""
    from matchers.scoring.bootstrap import interval
    from training.evaluation.downstream_tasks import ABQA, ABQA_PRINTED, CQA, KBP, PRINTED_CORRELATIONS, PUBLISHED

    spread = answered.resampled(options.resamples, options.seed)
    bounds = [interval(spread[:, column]) for column in range(len(answered.systems))]
    return {
        "signature": signed,
        "matcher": matcher.name,
        "passages": len(answered.passages),
        "abqa": [
            {
                "system": name,
                "answered": int(row.sum()),
                "score": float(row.mean()),
                "interval": [bound.low, bound.high],
                "published": PUBLISHED[ABQA_PRINTED].get(name),
            }
            for name, row, bound in zip(answered.systems, answered.answered, bounds, strict=True)
        ],
        "tasks": PUBLISHED,
        "correlations": [_correlations(ranking, answered, options) for ranking in rankings],
        "published_correlations": {
            name: dict(zip((ABQA, CQA, KBP), values, strict=True)) for name, values in PRINTED_CORRELATIONS.items()
        },
    }


def _correlations(ranking: Ranking, answered: Answers, options: argparse.Namespace) -> BenchmarkCorrelationJson:
    """A benchmark beside each task."""
    from training.evaluation.downstream_tasks import ABQA, ABQA_PRINTED, CQA, KBP, PUBLISHED, correlate

    def beside(task: Scores | Answers) -> TaskCorrelationJson:
        return _correlation(correlate(ranking, task, options.resamples, options.seed))

    return {
        "benchmark": ranking.name,
        "signature": ranking.signature or None,
        "seen_in_training": ranking.seen,
        "f1": dict(ranking.scores),
        ABQA: beside(answered),
        ABQA_PRINTED: beside(PUBLISHED[ABQA_PRINTED]),
        CQA: beside(PUBLISHED[CQA]),
        KBP: beside(PUBLISHED[KBP]),
    }


def _correlation(correlation: TaskCorrelation) -> TaskCorrelationJson:
    bounds = correlation.interval
    return {
        "pearson": correlation.pearson,
        "interval": [bounds.low, bounds.high] if bounds else None,
        "systems": correlation.systems,
    }


def as_text(result: DownstreamJson) -> str:
    """The result as tables."""
    from training.comparison.results import SEEN
    from training.evaluation.downstream_tasks import ABQA, ABQA_PRINTED, CQA, KBP

    scores = [["system", "ABQA", "95 %", "published", "difference"]]
    for row in result["abqa"]:
        low, high = row["interval"]
        known = row["published"]
        scores.append(
            [
                row["system"],
                f"{row['score']:.3f}",
                f"[{low:.3f}, {high:.3f}]",
                *(["-", "-"] if known is None else [f"{known:.3f}", f"{row['score'] - known:+.3f}"]),
            ]
        )
    correlations = [["benchmark", "systems", ABQA, ABQA_PRINTED, CQA, KBP]]
    for one in result["correlations"]:
        systems = f"{one[ABQA]['systems']}, {one[CQA]['systems']}"  # the last two tasks have fewer
        name = f"{one['benchmark']} ({SEEN})" if one["seen_in_training"] else one["benchmark"]
        cells = [_cell(correlation) for correlation in (one[ABQA], one[ABQA_PRINTED], one[CQA], one[KBP])]
        correlations.append([name, systems, *cells])
    for name, values in result["published_correlations"].items():
        printed = ["7, 6", "", f"{values[ABQA]:.3f}", f"{values[CQA]:.3f}", f"{values[KBP]:.3f}"]
        correlations.append([f"{name} (published)", *printed])
    return "\n\n".join(
        [
            f"ABQA: the share of {result['passages']} passages that a system answers, matcher {result['matcher']}",
            table(scores),
            "Pearson's correlation of benchmarks' F1 with tasks, and 95 % by resampling sentences and passages",
            table(correlations),
            "ABQA is by this matcher; 'ABQA printed', C-QA and KBP are the published figures of BenchIE^FL's Table 9.\n"
            "systems: how many a benchmark shares with ABQA, and with C-QA and KBP.",
            result["signature"],
        ]
    )


def _cell(correlation: TaskCorrelationJson) -> str:
    if correlation["pearson"] is None:
        return "-"
    if correlation["interval"] is None:
        return f"{correlation['pearson']:.3f}"
    low, high = correlation["interval"]
    return f"{correlation['pearson']:.3f} [{low:.2f}, {high:.2f}]"


if __name__ == "__main__":
    raise SystemExit(run(main))
