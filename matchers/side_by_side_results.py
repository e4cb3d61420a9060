"""Benchmarks side by side as JSON and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from data.commands import table
from matchers.bootstrap import interval
from matchers.rankings import Disagreement, agreements, disagreements, ranks_of
from matchers.side_by_side import Board, Result, systems_of


def as_json(scored: Sequence[Board], missing: Sequence[str]) -> dict[str, Any]:
    """The boards as JSON."""
    found, compared = disagreements(scored)
    return {
        "benchmarks": [_board_json(board) for board in scored],
        "not_found": list(missing),
        "pairs_compared": compared,
        "disagreements": [
            {
                "first": pair.first,
                "second": pair.second,
                "first_above": list(pair.first_above),
                "second_above": list(pair.second_above),
                "p": {name: pair.orders[name].p for name in (*pair.first_above, *pair.second_above)},
                "significant": pair.significant,
            }
            for pair in found
        ],
        "agreements": [
            {
                "first": two.first,
                "second": two.second,
                "systems": two.systems,
                "pairs": two.pairs,
                "alike": two.alike,
                "opposite": two.opposite,
                "significantly_opposite": two.sure,
                "kendall": two.kendall,
            }
            for two in agreements(scored)
        ],
    }


def _board_json(board: Board) -> dict[str, Any]:
    systems = []
    for name, rank in ranks_of(board).items():
        result = board.results[name]
        bounds = interval(result.resampled)
        entry = {"name": name, "rank": rank, **vars(result.score), "f1_interval": [bounds.low, bounds.high]}
        if result.sentences is not None:
            entry["sentences_named"] = result.sentences
        systems.append(entry)
    return {
        "name": board.way.dataset,
        "matcher": board.way.matcher,
        "signature": board.signature,
        "sentences": board.sentences,
        "systems": systems,
    }


def notes(scored: Sequence[Board], missing: Sequence[str], own_files: bool) -> list[str]:
    """What to know before two columns are compared."""
    lines = [
        f"{name} names {result.sentences} of the {board.sentences} sentences of {board.way.dataset}; "
        "the others count as without extractions"
        for board in scored
        for name, result in board.results.items()
        if result.sentences is not None and result.sentences < board.sentences
    ]
    if missing:
        lines.append(f"not found: {', '.join(missing)}")
    if own_files:
        lines.append("A system's published outputs differ between benchmarks: BenchIE's have no implicit extractions.")
    return lines


def as_table(scored: Sequence[Board], missing: Sequence[str], own_files: bool) -> str:
    """The F1 of each system on each benchmark, and where they disagree."""
    rows = [["F1 [95 %]", *(f"{board.way.dataset} ({board.way.matcher})" for board in scored)]]
    for name in systems_of(scored):
        rows.append([name, *(_cell(board.results.get(name)) for board in scored)])
    found, compared = disagreements(scored)
    sure = sum(pair.significant for pair in found)
    return "\n".join(
        [
            table(rows),
            "",
            *notes(scored, missing, own_files),
            "- no output of this system on that benchmark",
            "",
            f"{len(found)} of {compared} pairs of systems are ranked differently, {sure} of them significantly (*):",
            *([_line(pair) for pair in found] or ["  none"]),
            "  (~: not significantly above on that benchmark, p >= 0.05; *: both sides are significant somewhere)",
            "",
            *(f"{board.way.dataset}  {board.signature}" for board in scored),
        ]
    )


def _cell(result: Result | None) -> str:
    if result is None:
        return "-"
    bounds = interval(result.resampled)
    return f"{result.score.f1:.3f} [{bounds.low:.2f}, {bounds.high:.2f}]"


def _line(pair: Disagreement) -> str:
    def side(names: Sequence[str]) -> str:
        return ", ".join(f"{name}{'' if pair.orders[name].sure else '~'}" for name in names)

    first, second, mark = pair.first, pair.second, "*" if pair.significant else " "
    above, below = side(pair.first_above), side(pair.second_above)
    return f" {mark}{first} above {second}: {above}; {second} above {first}: {below}"
