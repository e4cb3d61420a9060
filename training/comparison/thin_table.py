"""The tables of a comparison under thin gold, for a terminal."""

from __future__ import annotations

from data.command_line import table
from matchers.scoring.significance import p_value
from training.comparison.thin_results import AtLevel, Spread, ThinComparison, ThinResult
from training.evaluation.figures import number, span
from training.evaluation.run_means import Mean

TITLE = "thin gold: the same judgments, and fewer formulations of each fact in the gold"
NOTES = (
    "mean: of the F1 of all levels; random: mean of {draws} draws; formulations: those of the gold, which an annotator "
    "has to write",
    "to rules, p: difference in F1, or in what stands to the left, to the rules at the same level, by permutation of "
    "sentences; Holm-corrected for the number of matchers at each level",
)
SEEDS = (
    "lowest, highest: F1 of {seeds} seeds, each with its own folds; all other figures of recipes are means over them"
)
SINGLE = "the table above is of a recipe's first seed"


def thin_tables(comparison: ThinComparison) -> str:
    """The mean over the levels, then each level of each matcher."""
    several = comparison.seeds > 1
    notes = [note.format(draws=len(comparison.levels[-1].draws)) for note in NOTES]
    if several:
        notes.append(f"{SEEDS.format(seeds=comparison.seeds)}; {SINGLE}")
    return "\n".join(
        [TITLE, "", table(_summary(comparison, several)), "", table(_levels(comparison, several), left=2), "", *notes]
    )


def _summary(comparison: ThinComparison, several: bool) -> list[list[str]]:
    head = ["F1 by matcher", *(level.name for level in comparison.levels), "mean", "95 % of mean"]
    rows = [[*head, *(("lowest", "highest") if several else ()), "to rules", "p"]]
    rows.append(
        [
            "formulations",
            *(str(count) for count in comparison.formulations),
            *[""] * (len(rows[0]) - 1 - len(comparison.levels)),
        ]
    )
    for result in comparison.results:
        mean = result.mean
        if mean is None:
            continue
        cells = [number(at.f1.value) if at.f1 else "" for at in result.levels]
        rows.append(
            [
                _name(result),
                *cells,
                number(mean.value),
                span(mean.interval),
                *(_spread(result.spread) if several else ()),
                *_gap(mean),
            ]
        )
    return rows


def _levels(comparison: ThinComparison, several: bool) -> list[list[str]]:
    head = ["matcher", "formulations", "P", "R", "F1", "95 % of F1", "tp", "fp", "fn"]
    ranking = ["Pearson", "p", "Kendall", "p", "MAE", "p"]
    rows = [[*head, *(("lowest", "highest") if several else ()), "to rules", "p", *ranking]]
    for result in comparison.results:
        for at in result.levels:
            rows.append([_name(result), at.level.name, *_pair_cells(at, several), *_ranking_cells(at)])
    return rows


def _name(result: ThinResult) -> str:
    return f"{result.name} (seen)" if result.seen else result.name


def _pair_cells(at: AtLevel, several: bool) -> list[str]:
    if at.f1 is None:
        return [""] * (11 if several else 9)
    return [
        number(at.mean("precision")),
        number(at.mean("recall")),
        number(at.f1.value),
        span(at.f1.interval),
        *(count_text(at, name) for name in ("tp", "fp", "fn")),
        *(_spread(at.spread) if several else ()),
        *_gap(at.f1),
    ]


def count_text(at: AtLevel, name: str) -> str:
    """A count, whole if it is of one run, else the mean over the runs with one digit."""
    value = at.mean(name)
    return "" if value is None else f"{value:.0f}" if len(at.runs) == 1 else f"{value:.1f}"


def _ranking_cells(at: AtLevel) -> list[str]:
    cells = []
    for name in ("pearson", "kendall", "mae"):
        mean = at.ranking[name]
        cells += [number(mean.value), p_value(mean.difference.p if mean.difference else None)]
    return cells


def _gap(mean: Mean) -> list[str]:
    gap = mean.difference
    return [f"{gap.value:+.4f}" if gap else "", p_value(gap.p if gap else None)]


def _spread(spread: Spread | None) -> list[str]:
    return [number(value) for value in spread] if spread else ["", ""]
