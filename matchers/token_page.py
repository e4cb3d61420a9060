"""The page of a token scorer: systems' scores with intervals and the columns of its table; it has no matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matchers.bootstrap import Interval
from matchers.page import Cell, Column, Row, SortableTable, render
from matchers.plots import interval_plot
from matchers.score_page import rate_cell, sure_of_lead
from matchers.token_tables import own_columns, shown_value, title_of


def token_page(title: str, result: dict[str, Any], given: Sequence[str], command: str) -> str:
    """The page as HTML; `result` is the scores as the command's JSON has them, `given` are the user's systems."""
    systems = result["systems"]
    values = [
        (system["name"], system["f1"], Interval(*system["intervals"]["f1"]), "" if rank else "best")
        for rank, system in enumerate(systems)
    ]
    return render(
        "token_page.html.jinja",
        (),
        {},
        title=title,
        best=systems[0],
        systems=len(systems),
        gold=result["gold"],
        matcher=result["matcher"],
        lead=sure_of_lead(systems),
        plot=interval_plot(values),
        scores=scores_table(result, given),
        command=command,
        signature=result["signature"],
        citation="",
    )


def scores_table(result: dict[str, Any], given: Sequence[str]) -> SortableTable:
    """A row a system; those that the user gave stand out."""
    own = own_columns(result)
    columns = (
        Column("system"),
        Column("P", "precision, with its 95 % interval"),
        Column("R", "recall, with its 95 % interval"),
        Column("F1", "their harmonic mean, with its 95 % interval"),
        Column("p", "of the difference in F1 to the system above, by paired bootstrap"),
        *(Column(title_of(name)) for name in own),
    )
    rows = []
    for system in result["systems"]:
        p = system["p_to_previous"]
        cells = [Cell(system["name"]), *(rate_cell(system, measure) for measure in ("precision", "recall", "f1"))]
        cells.append(Cell("" if p is None else "<.001" if p < 0.001 else f"{p:.3f}", p))
        cells += [Cell(shown_value(system[name]), system[name]) for name in own]
        rows.append(Row(tuple(cells), "best" if system["name"] in given else ""))
    return SortableTable("A head sorts by its column.", columns, tuple(rows))
