"""What the report page says of thin gold: a picture, and tables."""

from __future__ import annotations

from dataclasses import dataclass

from matchers.pages.page import Cell, Column, Row, SortableTable
from matchers.pages.plots import from_to
from matchers.scoring.significance import is_significant, p_value
from training.comparison.results import SEEN
from training.comparison.thin_results import AtLevel, Spread, ThinComparison, ThinResult
from training.comparison.thin_table import count_text
from training.evaluation.figures import number
from training.evaluation.run_means import Mean
from training.evaluation.significance import Difference
from training.pages.thin_curve import ThinCurve, thin_curve


@dataclass(frozen=True)
class ThinSection:
    """The section of the page."""

    curve: ThinCurve
    summary: SortableTable
    levels: SortableTable
    draws: int
    seeds: int


def thin_section(comparison: ThinComparison) -> ThinSection:
    """The section of a comparison."""
    draws = max(len(level.draws) for level in comparison.levels)
    return ThinSection(
        thin_curve(comparison), summary_table(comparison), levels_table(comparison), draws, comparison.seeds
    )


MATCHES, SYSTEMS = "matches", "scores of systems against people's"


def summary_table(comparison: ThinComparison) -> SortableTable:
    """A row a matcher that makes matches: its F1 at each level and their mean; the heads say what gold that takes."""
    several = comparison.seeds > 1
    columns = (
        Column("matcher"),
        *(
            Column(level.name, "F1, with its 95 % interval", f"{count:,} formulations")
            for level, count in zip(comparison.levels, comparison.formulations, strict=True)
        ),
        Column("mean", "of the levels, with its 95 % interval", "all levels"),
        *([Column("seeds", "the lowest and the highest mean", "all levels")] if several else []),
        Column("to rules", "difference in the mean, with its 95 % interval", "all levels"),
        Column("p", "of that difference, Holm-corrected", "all levels"),
    )
    rows = []
    for result in comparison.results:
        if result.mean:
            cells = [_name(result), *(_mean_cell(at.f1) for at in result.levels), _mean_cell(result.mean)]
            cells += [_spread_cell(result.spread)] if several else []
            rows.append(Row((*cells, *_gap_cells(result.mean.difference))))
    return SortableTable("F1 of matches at each level, and their mean", columns, tuple(rows))


def levels_table(comparison: ThinComparison) -> SortableTable:
    """A row a matcher and level, with all measures."""
    several = comparison.seeds > 1
    columns = (
        Column("matcher"),
        Column("level", "how many formulations of a fact the gold keeps"),
        Column("P", "the share of its matches that people made too", MATCHES),
        Column("R", "the share of people's matches that it made too", MATCHES),
        Column("F1", "their harmonic mean, with its 95 % interval", MATCHES),
        Column("tp", "matches of both", MATCHES),
        Column("fp", "only the matcher's: wrong", MATCHES),
        Column("fn", "only people's: missed", MATCHES),
        *([Column("seeds", "the lowest and the highest F1", MATCHES)] if several else []),
        Column("to rules", "difference in F1, with its 95 % interval", MATCHES),
        Column("p", "of that difference, Holm-corrected", MATCHES),
        Column("Pearson", "correlation on F1, with its 95 % interval", SYSTEMS),
        Column("p", "of its difference to that of the rules, Holm-corrected", SYSTEMS),
        Column("Kendall", "rank correlation on F1, with its 95 % interval", SYSTEMS),
        Column("p", "of its difference to that of the rules, Holm-corrected", SYSTEMS),
        Column("MAE", "mean absolute error of F1, with its 95 % interval", SYSTEMS),
        Column("p", "of its difference to that of the rules, Holm-corrected", SYSTEMS),
    )
    rows = tuple(
        _level_row(result, at, place, several)
        for result in comparison.results
        for place, at in enumerate(result.levels)
    )
    return SortableTable("All measures at each level", columns, rows)


def _level_row(result: ThinResult, at: AtLevel, place: int, several: bool) -> Row:
    cells = [_name(result), Cell(at.level.name, place)]
    if at.f1 is None:
        cells += [Cell("")] * (9 if several else 8)
    else:
        cells += [Cell(number(value, 3), value) for value in (at.mean("precision"), at.mean("recall"))]
        cells.append(_mean_cell(at.f1))
        cells += [Cell(count_text(at, name), at.mean(name)) for name in ("tp", "fp", "fn")]
        cells += [_spread_cell(at.spread)] if several else []
        cells += _gap_cells(at.f1.difference)
    for mean in at.ranking.values():
        cells += [_mean_cell(mean), _p_cell(mean.difference)]
    return Row(tuple(cells))


def _name(result: ThinResult) -> Cell:
    return Cell(result.name, note=SEEN if result.seen else "")


def _mean_cell(mean: Mean | None) -> Cell:
    return Cell(number(mean.value, 3), mean.value, from_to(mean.interval)) if mean else Cell("")


def _spread_cell(spread: Spread | None) -> Cell:
    return Cell(f"{spread[0]:.3f} to {spread[1]:.3f}", spread[0]) if spread else Cell("")


def _gap_cells(gap: Difference | None) -> list[Cell]:
    if gap is None:
        return [Cell(""), Cell("")]
    bounds = f"{gap.interval.low:+.2f} to {gap.interval.high:+.2f}" if gap.interval else ""
    return [Cell(f"{gap.value:+.3f}", gap.value, bounds), _p_cell(gap)]


def _p_cell(gap: Difference | None) -> Cell:
    return Cell(p_value(gap.p), gap.p, mark="far" if is_significant(gap.p) else "") if gap else Cell("")
