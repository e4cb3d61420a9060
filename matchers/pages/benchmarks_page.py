"""The page of benchmarks side by side: ranks and scores of systems on each, and the pairs that are ranked otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from matchers.pages.page import Cell, Column, Row, SortableTable, render
from matchers.pages.plots import IntervalPlot, from_to, interval_plot
from matchers.pages.rank_chart import RankChart, RankColumn, rank_chart
from matchers.scoring.benchmarks import SideBySide
from matchers.scoring.boards import Board, systems_of
from matchers.scoring.rankings import Agreement, Disagreement, Order, order, ranks_of
from matchers.scoring.results import UNDEFINED, SystemResult
from matchers.scoring.significance import LEVEL, p_text

DISTANCE = 190.0  # from one benchmark's ranks to the next


def benchmarks_page(result: SideBySide, command: str) -> str:
    """The page as HTML."""
    boards, different = result.boards, result.disagreements
    return render(
        "benchmarks_page.html.jinja",
        (),
        {},
        boards=boards,
        systems=len(result.systems),
        headline=headline(result),
        lead=lead(different),
        compared=result.compared,
        different=len(different),
        sure=sum(pair.significant for pair in different),
        chart=chart(boards) if len(boards) > 1 and len(result.systems) > 1 else None,
        plots=[(board, plot(board)) for board in boards],
        scores=scores_table(boards),
        agreements=agreements_table(result.agreements) if result.compared else None,
        disagreements=disagreements_table(different, boards) if different else None,
        notes=result.notes,
        command=command,
        signature="",
        citation="",
    )


def headline(result: SideBySide) -> str:
    """What the page says first."""
    names, different = result.systems, result.disagreements
    if not result.compared:
        benchmarks = f"{len(result.boards)} benchmark{'s' * (len(result.boards) != 1)}"
        return f"{names[0]} on {benchmarks}" if len(names) == 1 else f"{len(names)} systems on {benchmarks}"
    if not different:
        return "The benchmarks rank all systems alike"
    sure = sum(pair.significant for pair in different)
    said = f"The benchmarks rank {len(different)} of {result.compared} pairs of systems differently"
    return f"{said}, {sure or 'none'} significantly"


def lead(different: Sequence[Disagreement]) -> str:
    """How sure the disagreements are, and which benchmark it is that disagrees with the others."""
    if not different:
        return "Each benchmark is scored as its authors do."
    sure = sum(pair.significant for pair in different)
    text = f"Of these disagreements, {sure or 'none'} {'is' if sure < 2 else 'are'} significant on both sides."
    alone = Counter(pair.alone for pair in different if pair.alone)
    for name, count in alone.most_common(1):
        text += f" In {count}, {name} stands alone against several others."
    return text


def chart(boards: Sequence[Board]) -> RankChart:
    """The ranks on each benchmark; a line is marked where it crosses another and both benchmarks are sure of that."""
    scored = min(permutations(boards), key=_skipped)

    def crosses(name: str, left: int, right: int) -> bool:
        one, other = scored[left], scored[right]
        rivals = [rival for rival in one.scores.names if rival != name and rival in other.scores.names]
        return any(opposite(order(one, name, rival), order(other, name, rival)) for rival in rivals)

    columns = [
        RankColumn(board.name, f"{board.way.matcher}, {len(board.scores)} systems", ranks_of(board)) for board in scored
    ]
    return rank_chart(systems_of(scored), columns, DISTANCE, lambda *_: False, crosses)


def _skipped(boards: Sequence[Board]) -> int:
    """How often a system's line would have to pass a benchmark that does not have it."""
    places = {name: [n for n, board in enumerate(boards) if name in board.scores.names] for name in systems_of(boards)}
    return sum(own[-1] - own[0] + 1 - len(own) for own in places.values())


def opposite(one: Order, other: Order) -> bool:
    """Whether two benchmarks order two systems opposite ways, and both are sure."""
    return one.gap * other.gap < 0 and one.sure and other.sure


def plot(board: Board) -> IntervalPlot | None:
    """The F1 of a benchmark's systems with intervals, or nothing if it has none."""
    ordered = ranks_of(board)
    values = [
        (name, board.scores[name].f1, board.scores[name].interval, "best" if rank == 1 else "")
        for name, rank in ordered.items()
    ]
    return interval_plot(values) if values else None


def scores_table(scored: Sequence[Board]) -> SortableTable:
    """A row a system, four columns a benchmark."""
    columns = [Column("system")]
    for board in scored:
        columns += [
            Column("rank", f"by F1 on {board.name}", board.name),
            Column("P", "precision", board.name),
            Column("R", "recall", board.name),
            Column("F1", "with its 95 % interval", board.name),
        ]
    ranked = [ranks_of(board) for board in scored]
    rows = []
    for name in systems_of(scored):
        cells = [Cell(name)]
        for board, ranks in zip(scored, ranked, strict=True):
            cells += _score_cells(board.scores[name], ranks[name]) if name in ranks else [Cell(UNDEFINED)] * 4
        given = any(name in board.named for board in scored)
        rows.append(Row(tuple(cells), "best" if given else ""))
    caption = "A head sorts by its column. A dash: no output of the system on that benchmark."
    return SortableTable(caption, tuple(columns), tuple(rows))


def _score_cells(system: SystemResult, rank: int) -> list[Cell]:
    return [
        Cell(str(rank), rank),
        Cell(f"{system.precision:.3f}", system.precision),
        Cell(f"{system.recall:.3f}", system.recall),
        Cell(f"{system.f1:.3f}", system.f1, from_to(system.interval)),
    ]


def agreements_table(agreements: Sequence[Agreement]) -> SortableTable:
    """A row for each two benchmarks."""
    columns = (
        Column("benchmarks"),
        Column("systems", "that both have"),
        Column("pairs", "of these systems"),
        Column("alike", "pairs that both rank alike"),
        Column("opposite", "pairs that they rank opposite ways"),
        Column("significantly", f"opposite pairs of whose order both are sure, p < {LEVEL}"),
        Column("Kendall", "alike less opposite, over all pairs: 1 is the same order, -1 the opposite one"),
    )
    rows = []
    for two in agreements:
        counts = [Cell(str(n), n) for n in (two.systems, two.pairs, two.alike, two.opposite)]
        sure = Cell(str(two.sure), two.sure, mark="far" if two.sure else "")
        tau = Cell(UNDEFINED if two.kendall is None else f"{two.kendall:+.2f}", two.kendall)
        rows.append(Row((Cell(f"{two.first} and {two.second}"), *counts, sure, tau)))
    return SortableTable("How far each two benchmarks agree", columns, tuple(rows))


def disagreements_table(different: Sequence[Disagreement], scored: Sequence[Board]) -> SortableTable:
    """A row for each two systems that are ranked differently: who is above on each benchmark, and by how much."""
    columns = [Column("systems"), Column("significant", "whether both sides have a benchmark that is sure")]
    columns += [Column(board.name, "who is above, by how much F1, and p of that difference") for board in scored]
    rows = []
    for pair in sorted(different, key=lambda pair: not pair.significant):
        cells = [Cell(f"{pair.first}, {pair.second}"), Cell("yes" if pair.significant else "no", int(pair.significant))]
        cells += [_order_cell(pair, board.name) for board in scored]
        rows.append(Row(tuple(cells)))
    caption = f"Who is above on each benchmark, by how much F1; colour: significantly (p < {LEVEL})."
    return SortableTable(caption, tuple(columns), tuple(rows))


def _order_cell(pair: Disagreement, benchmark: str) -> Cell:
    own = pair.orders.get(benchmark)
    if own is None:
        return Cell(UNDEFINED)
    above = pair.first if own.gap > 0 else pair.second if own.gap < 0 else "equal"
    return Cell(f"{above} +{abs(own.gap):.3f}", own.gap, p_text(own.p), mark="far" if own.sure else "")
