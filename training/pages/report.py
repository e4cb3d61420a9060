"""The report of a comparison: a page with the headline, tables, plots and every disagreement."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from data.catalog import DATASETS
from matchers.pages.page import Cell, Column, Row, SortableTable, render
from matchers.pages.plots import UNIT, interval_plot
from matchers.scoring.bootstrap import Interval
from matchers.scoring.significance import is_significant, p_text, p_value
from training.comparison.contenders import BASELINE, UNTRAINED
from training.comparison.measurement import Speeds
from training.comparison.published import PAPER_NOTE, WIRE57, Published, published
from training.comparison.results import SEEN, Comparison, Result
from training.evaluation.figures import number, span
from training.evaluation.significance import Difference
from training.pages.curves import Curves, curves
from training.pages.disagreements import disagreements, is_rules
from training.pages.plots import calibration_panels, curve_panels, rank_chart, system_panels
from training.pages.thin_section import thin_section

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Key:
    """A figure of the headline."""

    title: str
    text: str
    note: str = ""


def report_page(comparison: Comparison, dataset: str, command: str, timings: bool = True) -> str:
    """The page as HTML; timings differ from run to run and can be left out."""
    ground, figures = comparison.ground, published(comparison.ground.benchmark)
    curves = scored_curves(comparison)
    book = disagreements(comparison, ["--dataset", dataset])
    return render(
        "report.html.jinja",
        (FOLDER,),
        book.as_json(),
        best=comparison.best,
        headline=headline(comparison),
        dataset=ground.benchmark.name,
        sentences=len(ground.sentences),
        systems=len(ground.systems),
        extractions=ground.extractions,
        resamples=f"{comparison.terms.resamples:,}",
        seed=comparison.terms.seed,
        lead=lead(comparison),
        keys=keys(comparison),
        f1_plot=interval_plot(
            [
                (result.name, result.pairs.score.f1, result.pairs.interval, _mark(comparison, result))
                for result in comparison.results
                if result.pairs
            ],
            UNIT,
            comparison.baseline.f1 or 0.0,
        ),
        results_table=results_table(comparison, figures, timings),
        paper_note=PAPER_NOTE if figures else "",
        wire57_note=WIRE57 if figures else "",
        chart=rank_chart(comparison),
        system_panels=system_panels(comparison),
        systems_table=systems_table(comparison),
        thinness=thin_section(comparison.thinness) if comparison.thinness else None,
        curve_panels=curve_panels(curves, comparison),
        calibration_panels=calibration_panels(curves),
        speed_table=speed_table(comparison.speeds),
        command=command,
        signature=comparison.signature,
        signatures=[(result.name, result.verdicts.signature) for result in comparison.results],
        citation=citation(ground.benchmark.name),
    )


def scored_curves(comparison: Comparison) -> dict[str, Curves]:
    """The curves of matchers whose scores differ from pair to pair; of the sets of rules, the whole one only."""
    by_matcher = {}
    for result in comparison.results:
        if result.verdicts.scores and (result.name == BASELINE or not is_rules(result.name)):
            own = curves(comparison.ground.work, result.verdicts.scores)
            if own:
                by_matcher[result.name] = own
    return by_matcher


def headline(comparison: Comparison) -> str:
    """What the page says first, which is no more than the test against the rules says."""
    best = comparison.best
    gap = best.pairs.difference if best.pairs else None
    if gap:
        sure = is_significant(gap.p)
        return (
            f"{best.name} agrees better with people than the rules" if sure else _about_equally(best.name, "the rules")
        )
    close = [
        result.name
        for result in comparison.results
        if result is not best
        and result.pairs
        and result.pairs.difference
        and not is_significant(result.pairs.difference.p)
    ]
    if best.name == BASELINE and close:
        return _about_equally(close[0] if len(close) == 1 else f"{len(close)} other matchers", "the rules")
    return f"{best.name} agrees best with people"


def _about_equally(first: str, second: str) -> str:
    return f"{first} and {second} agree with people about equally"


def lead(comparison: Comparison) -> str:
    """The headline's explanation: what the best matcher gets right, and who is significantly different."""
    best, ground = comparison.best, comparison.ground
    if best.pairs is None:
        return ""
    score = best.pairs.score
    text = (
        f"Of the {ground.positives:,} matches that people made in {ground.pairs:,} pairs of extraction and cluster, "
        f"{best.name} makes {score.tp:,}, and {score.fp:,} that people did not make."
    )
    lead_over_rules = best.pairs.difference
    if lead_over_rules:
        verb = "is significant" if is_significant(lead_over_rules.p) else "is not significant"
        text += f" Its lead over the rules, {_signed(lead_over_rules)}, {verb} ({p_text(lead_over_rules.p)})."
    tested = [
        (r.name, r.pairs.difference) for r in comparison.results if r.pairs and r.pairs.difference and r is not best
    ]
    below = [name for name, gap in tested if is_significant(gap.p) and gap.value < 0]
    above = [name for name, gap in tested if is_significant(gap.p) and gap.value > 0]
    close = [name for name, gap in tested if not is_significant(gap.p)]
    for names, what in ((above, "Significantly better than"), (below, "Significantly worse than")):
        text += f" {what} the rules: {', '.join(names)}." if names else ""
    text += f" Not significantly different from the rules: {', '.join(close)}." if close else ""
    return text


def _signed(difference: Difference) -> str:
    return f"{difference.value:+.3f} {span(difference.interval, '+')}"


def keys(comparison: Comparison) -> list[Key]:
    """The figures of the headline."""
    best = comparison.best
    agreement = best.agreement["f1"]
    bounds = agreement.pearson_interval
    figures = []
    if best.pairs:
        figures.append(Key("Match F1", f"{best.pairs.score.f1:.3f}", _between(best.pairs.interval, 3)))
    figures.append(Key("Correlation of systems' F1", number(best.pearson, 3), _between(bounds, 3)))
    figures.append(Key("Systems' F1 off by", f"{agreement.correlation.mae:.3f}", "on average"))
    if best.pairs:
        figures.append(Key("Extractions decided alike", f"{best.pairs.accuracy:.1%}"))
    return figures


def _mark(comparison: Comparison, result: Result) -> str:
    marks = ["best"] if result.name == comparison.best.name else []
    return " ".join([*marks, *(["base"] if result.name == BASELINE else [])])


MATCHES, SYSTEMS, PAPER = "matches", "scores of systems against people's", "published"
COLUMNS = (
    Column("matcher"),
    Column("P", "the share of its matches that people made too", MATCHES),
    Column("R", "the share of people's matches that it made too", MATCHES),
    Column("F1", "their harmonic mean, with its 95 % interval", MATCHES),
    Column("tp", "matches of both", MATCHES),
    Column("fp", "only the matcher's: wrong", MATCHES),
    Column("fn", "only people's: missed", MATCHES),
    Column("accuracy", "the share of extractions decided alike", MATCHES),
    Column("to rules", "difference in F1, with its 95 % interval", MATCHES),
    Column("p", "of that difference, Holm-corrected", MATCHES),
    Column("Pearson", "correlation on F1, with its 95 % interval", SYSTEMS),
    Column("p", "of its difference to that of the rules, Holm-corrected", SYSTEMS),
    Column("Spearman", "rank correlation on F1", SYSTEMS),
    Column("Kendall", "rank correlation on F1", SYSTEMS),
    Column("pairs", "the share of pairs of systems that are ordered alike", SYSTEMS),
    Column("MAE", "mean absolute error of F1", SYSTEMS),
)
PAPER_COLUMNS = (
    Column("F1", "Table 8 of the paper", PAPER),
    Column("code F1", "by the authors' released code", PAPER),
    Column("Pearson", "Table 13 of the paper", PAPER),
)
SPEED_COLUMN = Column("pairs/s", "extraction-cluster pairs that it decides in a second")


def results_table(comparison: Comparison, figures: dict[str, Published], timings: bool = True) -> SortableTable:
    """A row a matcher."""
    rows = []
    for result in comparison.results:
        cells = [_name_cell(result), *_match_cells(result), *_agreement_cells(result)]
        if figures:
            own = figures.get(result.name, Published())
            cells += [Cell(text, float(text) if text else None) for text in (own.f1, own.code_f1, own.pearson)]
        speed = result.pairs_per_second(comparison.ground.pairs)
        cells += [Cell(f"{speed:,.0f}", speed)] if timings else []
        rows.append(Row(tuple(cells), "best" if result.name == comparison.best.name else ""))
    columns = (*COLUMNS, *(PAPER_COLUMNS if figures else ()), *([SPEED_COLUMN] if timings else []))
    return SortableTable("All measures; a head sorts by its column, fp and fn lead to the cases.", columns, tuple(rows))


def _name_cell(result: Result) -> Cell:
    verdicts = result.verdicts
    notes = [verdicts.protocol] if verdicts.protocol != UNTRAINED else []
    if result.pairs is None:
        notes.append("scores only")
    if verdicts.seen:
        notes.append(SEEN)
    return Cell(result.name, note=", ".join(notes))


def _match_cells(result: Result) -> list[Cell]:
    pairs = result.pairs
    if pairs is None:
        return [Cell("")] * 9
    score, interval, difference = pairs.score, pairs.interval, pairs.difference
    f1 = Cell(f"{score.f1:.3f}", score.f1, _between(interval))
    gap = Cell("")
    if difference:
        gap = Cell(f"{difference.value:+.3f}", difference.value, _between(difference.interval, sign="+"))
    return [
        *(Cell(f"{value:.3f}", value) for value in (score.precision, score.recall)),
        f1,
        Cell(f"{score.tp:,}", score.tp),
        Cell(f"{score.fp:,}", score.fp, link=case_link(result.name, "wrong")),
        Cell(f"{score.fn:,}", score.fn, link=case_link(result.name, "missed")),
        Cell(f"{pairs.accuracy:.3f}", pairs.accuracy),
        gap,
        _p_cell(difference),
    ]


def _between(interval: Interval | None, digits: int = 2, sign: str = "") -> str:
    return f"{interval.low:{sign}.{digits}f} to {interval.high:{sign}.{digits}f}" if interval else ""


def _p_cell(difference: Difference | None) -> Cell:
    mark = "far" if difference and is_significant(difference.p) else ""
    return Cell(p_value(difference.p if difference else None), difference.p if difference else None, mark=mark)


def case_link(matcher: str, kind: str) -> str:
    """A link to the disagreements of a matcher of one kind."""
    return f"#cases?{urlencode({'matcher': matcher, 'kind': kind})}"


def _agreement_cells(result: Result) -> list[Cell]:
    agreement = result.agreement["f1"]
    values, bounds = agreement.correlation, agreement.pearson_interval
    others = (values.spearman, values.kendall, values.pairwise_accuracy, values.mae)
    return [
        Cell(number(values.pearson, 3), values.pearson, _between(bounds)),
        _p_cell(result.difference),
        *(Cell(number(value, 3), value) for value in others),
    ]


def systems_table(comparison: Comparison) -> SortableTable:
    """A row a system: its F1 by people and by each matcher."""
    columns = (Column("system"), Column("people"), *(Column(result.name) for result in comparison.results))
    rows = tuple(
        Row(
            (
                Cell(name),
                Cell(f"{manual.f1:.3f}", manual.f1),
                *(Cell(f"{r.systems[name].f1:.3f}", r.systems[name].f1) for r in comparison.results),
            )
        )
        for name, manual in comparison.manual.items()
    )
    return SortableTable("F1 of each system", columns, rows)


def speed_table(speeds: Speeds) -> SortableTable | None:
    """A row a matcher and size."""
    if not speeds:
        return None
    titles = ("matcher", "size", "extractions/s", "pairs/s", "speed to rules", "memory, MB", "memory to rules", "done")
    rows = tuple(
        Row(
            (
                Cell(name, f"{name} {one.scale:03}"),
                Cell(f"{one.scale}x", one.scale),
                Cell(f"{one.extractions_per_second:,.0f}", one.extractions_per_second),
                Cell(f"{one.pairs_per_second:,.0f}", one.pairs_per_second),
                Cell(f"{one.speed_ratio or 0:.2f}", one.speed_ratio),
                Cell(f"{one.megabytes:,.0f}", one.megabytes),
                Cell(f"{one.memory_ratio or 0:.2f}", one.memory_ratio),
                Cell(f"{one.done:.0%}", one.done, "" if one.done == 1 else f"stopped after {one.seconds:.0f} s"),
            )
        )
        for name, measurements in speeds.items()
        for one in measurements
    )
    return SortableTable("Throughput and memory", tuple(map(Column, titles)), rows)


def citation(name: str) -> str:
    """How people should cite the data set, if it is one of those with a name."""
    return DATASETS[name].citation if name in DATASETS else ""
