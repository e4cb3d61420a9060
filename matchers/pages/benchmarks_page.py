"""The page of benchmarks side by side: ranks and scores of systems on each, and the pairs that are ranked otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from matchers.bootstrap import interval
from matchers.page import Cell, Column, Row, SortableTable, render
from matchers.plots import IntervalPlot, interval_plot
from matchers.rank_chart import RankChart, RankColumn, rank_chart
from matchers.rankings import Agreement, Disagreement, Order, agreements, disagreements, order, ranks_of
from matchers.side_by_side import Board, Result, systems_of
from matchers.side_by_side_results import notes

DISTANCE = 190.0  # from one benchmark's ranks to the next


def side_by_side_page(scored: Sequence[Board], missing: Sequence[str], own_files: bool, command: str) -> str:
    """The page as HTML."""
    found, compared = disagreements(scored)
    names = systems_of(scored)
    return render(
        "side_by_side.html.jinja",
        (),
        {},
        boards=scored,
        systems=len(names),
        headline=headline(scored, found, compared),
        lead=lead(found),
        compared=compared,
        different=len(found),
        sure=sum(pair.significant for pair in found),
        chart=chart(scored) if len(scored) > 1 and len(names) > 1 else None,
        plots=[(board, plot(board)) for board in scored],
        scores=scores_table(scored),
        agreements=agreements_table(agreements(scored)) if compared else None,
        disagreements=disagreements_table(found, scored) if found else None,
        notes=notes(scored, missing, own_files),
        command=command,
        signature="",
        citation="",
    )


def headline(scored: Sequence[Board], found: Sequence[Disagreement], compared: int) -> str:
    """What the page says first."""
    if not compared:
        benchmarks = f"{len(scored)} benchmark{'s' * (len(scored) != 1)}"
        names = systems_of(scored)
        return f"{names[0]} on {benchmarks}" if len(names) == 1 else f"{len(names)} systems on {benchmarks}"
    if not found:
        return "The benchmarks rank all systems alike"
    return f"The benchmarks rank {len(found)} of {compared} pairs of systems differently"


def lead(found: Sequence[Disagreement]) -> str:
    """How sure the disagreements are, and which benchmark it is that disagrees with the others."""
    if not found:
        return "Each benchmark is scored as its authors do."
    sure = sum(pair.significant for pair in found)
    text = f"Of these disagreements, {sure or 'none'} {'is' if sure < 2 else 'are'} significant on both sides."
    alone = Counter(pair.alone for pair in found if pair.alone)
    for name, count in alone.most_common(1):
        text += f" In {count}, {name} stands alone against several others."
    return text


def chart(boards: Sequence[Board]) -> RankChart:
    """The ranks on each benchmark; a line is marked where it crosses another and both benchmarks are sure of that."""
    scored = min(permutations(boards), key=_skipped)

    def crosses(name: str, left: int, right: int) -> bool:
        one, other = scored[left], scored[right]
        rivals = [rival for rival in one.results if rival != name and rival in other.results]
        return any(opposite(order(one, name, rival), order(other, name, rival)) for rival in rivals)

    columns = [
        RankColumn(board.way.dataset, f"{board.way.matcher}, {len(board.results)} systems", ranks_of(board))
        for board in scored
    ]
    return rank_chart(systems_of(scored), columns, DISTANCE, lambda *_: False, crosses)


def _skipped(boards: Sequence[Board]) -> int:
    """How often a system's line would have to pass a benchmark that does not have it."""
    places = {name: [n for n, board in enumerate(boards) if name in board.results] for name in systems_of(boards)}
    return sum(found[-1] - found[0] + 1 - len(found) for found in places.values())


def opposite(one: Order, other: Order) -> bool:
    """Whether two benchmarks order two systems opposite ways, and both are sure."""
    return one.gap * other.gap < 0 and one.sure and other.sure


def plot(board: Board) -> IntervalPlot | None:
    """The F1 of a benchmark's systems with intervals, or nothing if it has none."""
    ordered = ranks_of(board)
    values = [
        (name, board.results[name].score.f1, interval(board.results[name].resampled), "best" if rank == 1 else "")
        for name, rank in ordered.items()
    ]
    return interval_plot(values) if values else None


def scores_table(scored: Sequence[Board]) -> SortableTable:
    """A row a system, four columns a benchmark."""
    columns = [Column("system")]
    for board in scored:
        columns += [
            Column("rank", f"by F1 on {board.way.dataset}", board.way.dataset),
            Column("P", "precision", board.way.dataset),
            Column("R", "recall", board.way.dataset),
            Column("F1", "with its 95 % interval", board.way.dataset),
        ]
    found = [ranks_of(board) for board in scored]
    rows = []
    for name in systems_of(scored):
        cells = [Cell(name)]
        for board, ranks in zip(scored, found, strict=True):
            cells += _score_cells(board.results[name], ranks[name]) if name in ranks else [Cell("-")] * 4
        given = any(name in board.results and board.results[name].sentences is not None for board in scored)
        rows.append(Row(tuple(cells), "best" if given else ""))
    caption = "A head sorts by its column. A dash: no output of the system on that benchmark."
    return SortableTable(caption, tuple(columns), tuple(rows))


def _score_cells(result: Result, rank: int) -> list[Cell]:
    score, bounds = result.score, interval(result.resampled)
    return [
        Cell(str(rank), rank),
        Cell(f"{score.precision:.3f}", score.precision),
        Cell(f"{score.recall:.3f}", score.recall),
        Cell(f"{score.f1:.3f}", score.f1, f"{bounds.low:.2f} to {bounds.high:.2f}"),
    ]


def agreements_table(found: Sequence[Agreement]) -> SortableTable:
    """A row for each two benchmarks."""
    columns = (
        Column("benchmarks"),
        Column("systems", "that both have"),
        Column("pairs", "of these systems"),
        Column("alike", "pairs that both rank alike"),
        Column("opposite", "pairs that they rank opposite ways"),
        Column("significantly", "opposite pairs of whose order both are sure, p < 0.05"),
        Column("Kendall", "alike less opposite, over all pairs: 1 is the same order, -1 the opposite one"),
    )
    rows = []
    for two in found:
        counts = [Cell(str(n), n) for n in (two.systems, two.pairs, two.alike, two.opposite)]
        sure = Cell(str(two.sure), two.sure, mark="far" if two.sure else "")
        tau = Cell("-" if two.kendall is None else f"{two.kendall:+.2f}", two.kendall)
        rows.append(Row((Cell(f"{two.first} and {two.second}"), *counts, sure, tau)))
    return SortableTable("How far each two benchmarks agree", columns, tuple(rows))


def disagreements_table(found: Sequence[Disagreement], scored: Sequence[Board]) -> SortableTable:
    """A row for each two systems that are ranked differently: who is above on each benchmark, and by how much."""
    columns = [Column("systems"), Column("significant", "whether both sides have a benchmark that is sure")]
    columns += [Column(board.way.dataset, "who is above, by how much F1, and p") for board in scored]
    rows = []
    for pair in sorted(found, key=lambda pair: not pair.significant):
        cells = [Cell(f"{pair.first}, {pair.second}"), Cell("yes" if pair.significant else "no", int(pair.significant))]
        cells += [_order_cell(pair, board.way.dataset) for board in scored]
        rows.append(Row(tuple(cells)))
    caption = "Who is above on each benchmark, by how much F1; colour: significantly (p < 0.05)."
    return SortableTable(caption, tuple(columns), tuple(rows))


def _order_cell(pair: Disagreement, benchmark: str) -> Cell:
    own = pair.orders.get(benchmark)
    if own is None:
        return Cell("-")
    above = pair.first if own.gap > 0 else pair.second if own.gap < 0 else "equal"
    p = "p < .001" if own.p < 0.001 else f"p = {own.p:.3f}".replace("0.", ".")
    return Cell(f"{above} +{abs(own.gap):.3f}", own.gap, p, mark="far" if own.sure else "")
