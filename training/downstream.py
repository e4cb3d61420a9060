"""The command of downstream validity: ABQA scores of systems, and how benchmarks go with the tasks that use them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.catalog import NAMES
from data.commands import add_reading_flags, parser, progress, run, table, write_json
from data.problems import Diagnostics, InputError

if TYPE_CHECKING:
    from data.jsontree import Node
    from matchers.interface import Matcher
    from training.tasks import Answers, Ranking, Scores, TaskCorrelation

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
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Score ABQA and correlate benchmarks with tasks."""
    command = arguments_parser()
    options = command.parse_args(arguments)
    if options.resamples < 1:
        command.error("--resamples must be at least 1")
    if options.seed < 0:
        command.error("--seed must be 0 or more")
    given = [found for text in options.scores for found in read_scores(text)]
    result = downstream(options, given)
    if options.json:
        write_json(result, options.json)
    if options.json != "-":
        print(as_text(result))
    return 0


def downstream(options: argparse.Namespace, given: Sequence[Ranking]) -> dict[str, Any]:
    """Load, score and correlate what the options name."""
    from data.catalog import load as load_data
    from data.folder import ReadOptions
    from matchers.registry import load
    from matchers.side_by_side import one_name
    from matchers.signature import signature
    from training.tasks import answers, ranking

    matcher = load(options.matcher)
    diagnostics = Diagnostics(options.strict)
    reading = ReadOptions(options.encoding)
    passages = load_data(PASSAGES, options.data, diagnostics, reading)
    names = options.dataset or (["benchie_fl"] if not given else [])
    benchmarks = [one_name(load_data(name, options.data, diagnostics, reading)) for name in names]
    for benchmark in benchmarks:
        if not benchmark.systems:
            raise InputError(f"the benchmark {benchmark.name} has no systems to correlate")
    if not options.quiet:
        diagnostics.show()
    total = len(passages.sentences) * len(passages.systems)
    answered = answers(passages, matcher, lambda work: progress(work, "answering", options.quiet, total))
    rankings = [ranking(benchmark, matcher) for benchmark in progress(benchmarks, "benchmarks", options.quiet)]
    settings = {"resamples": options.resamples, "seed": options.seed}
    return as_json(matcher, str(signature(passages, matcher, **settings)), answered, [*rankings, *given], options)


def read_scores(text: str) -> list[Ranking]:
    """The scores of `NAME=FILE`: what `matchers.score --json` wrote, with `--all` too, or an object of F1 by system."""
    from data.jsonlines import parse_json
    from data.jsontree import Node
    from data.textfile import read_text

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
    from matchers.side_by_side import ALIASES
    from training.tasks import Ranking

    if "systems" in node.fields:
        found = {system.text("name"): system.number("f1") for system in node.children("systems", "system")}
    else:
        found = {system: node.number(system) for system in node.fields}
    scores = {ALIASES.get(system, system): f1 for system, f1 in found.items() if f1 is not None}
    if not scores or len(scores) != len(found):
        raise node.error("an F1 a system was expected: what matchers.score --json wrote, or {system: f1, ...}")
    return Ranking(name, scores)


def as_json(
    matcher: Matcher, signed: str, answered: Answers, rankings: Sequence[Ranking], options: argparse.Namespace
) -> dict[str, Any]:
    """The result as JSON."""
    from matchers.bootstrap import interval
    from training.tasks import ABQA, ABQA_PRINTED, PRINTED_CORRELATIONS, PUBLISHED, correlate

    spread = answered.resampled(options.resamples, options.seed)
    bounds = [interval(spread[:, column]) for column in range(len(answered.systems))]
    tasks: dict[str, Scores | Answers] = {ABQA: answered, **PUBLISHED}
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
        "correlations": [
            {
                "benchmark": found.name,
                "signature": found.signature or None,
                "seen_in_training": found.seen,
                "f1": dict(found.scores),
                **{
                    name: _correlation(correlate(found, task, options.resamples, options.seed))
                    for name, task in tasks.items()
                },
            }
            for found in rankings
        ],
        "published_correlations": {
            name: dict(zip((ABQA, "C-QA", "KBP"), values, strict=True)) for name, values in PRINTED_CORRELATIONS.items()
        },
    }


def _correlation(found: TaskCorrelation) -> dict[str, Any]:
    bounds = found.interval
    return {
        "pearson": found.pearson,
        "interval": [bounds.low, bounds.high] if bounds else None,
        "systems": found.systems,
    }


def as_text(result: dict[str, Any]) -> str:
    """The result as tables."""
    from training.results import SEEN
    from training.tasks import ABQA, ABQA_PRINTED, CQA, KBP

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
    columns = (ABQA, ABQA_PRINTED, CQA, KBP)
    correlations = [["benchmark", "systems", *columns]]
    for row in result["correlations"]:
        systems = f"{row[ABQA]['systems']}, {row[CQA]['systems']}"  # the last two tasks have fewer
        name = f"{row['benchmark']} ({SEEN})" if row["seen_in_training"] else row["benchmark"]
        correlations.append([name, systems, *(_cell(row[name]) for name in columns)])
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


def _cell(found: dict[str, Any]) -> str:
    if found["pearson"] is None:
        return "-"
    if found["interval"] is None:
        return f"{found['pearson']:.3f}"
    low, high = found["interval"]
    return f"{found['pearson']:.3f} [{low:.2f}, {high:.2f}]"


if __name__ == "__main__":
    raise SystemExit(run(main))
