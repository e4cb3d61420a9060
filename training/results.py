"""The results of a comparison as JSON, as CSV and as a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from data.commands import table
from data.judgments import joined
from data.textfile import sha256
from matchers.bootstrap import Interval
from matchers.signature import signed
from training.comparison import Comparison, PairAgreement, Result, SystemAgreement
from training.contenders import UNTRAINED
from training.metrics import MEASURES, Difference
from training.published import WIRE57, Published, published
from training.speed import Speeds, speed_table
from training.verdicts import Ground

SEEN = "seen in training"
CORRELATIONS = ("pearson", "spearman", "kendall", "pairwise_accuracy", "mae")


def run_signature(comparison: Comparison) -> str:
    """What the whole comparison was made with and on."""
    ground, terms = comparison.ground, comparison.terms
    own = {"dataset": ground.benchmark.name, "judgments": judgments_hash(ground)}
    return str(signed(ground.benchmark, own, resamples=terms.resamples, seed=terms.seed))


def judgments_hash(ground: Ground) -> str:
    """The first digits of the hash of all judgments."""
    lines = (
        f"{part.sentence.id}\t{part.system}\t{joined(extraction)}\t{','.join(sorted(label))}\n"
        for part in ground.work
        for extraction, label in zip(part.extractions, part.labels, strict=True)
    )
    return sha256("".join(lines).encode())[:12]


def as_json(comparison: Comparison, speeds: Speeds | None = None) -> dict[str, Any]:
    """The results as JSON; what a token scorer does not have is null."""
    ground = comparison.ground
    return {
        "dataset": ground.benchmark.name,
        "sentences": len(ground.sentences),
        "pairs": ground.pairs,
        "positives": ground.positives,
        "signature": run_signature(comparison),
        "matchers": [_matcher_json(result, ground, speeds or {}) for result in comparison.results],
        "manual": {name: asdict(score) for name, score in comparison.manual.items()},
    }


def _matcher_json(result: Result, ground: Ground, speeds: Speeds) -> dict[str, Any]:
    verdicts, pairs = result.verdicts, result.pairs
    found = {
        "name": result.name,
        "signature": verdicts.signature,
        "protocol": verdicts.protocol,
        "seen": bool(verdicts.seen),
        **{name: getattr(pairs.score, name) if pairs else None for name in (*MEASURES, "tp", "fp", "fn")},
        "f1_interval": bounds(pairs.interval if pairs else None),
        "difference_to_rules": _difference_json(pairs),
        "correlation": {measure: _agreement_json(result.agreement[measure]) for measure in MEASURES},
        "systems": {name: asdict(score) for name, score in result.systems.items()},
        "seconds": round(verdicts.seconds, 4),
        "pairs_per_second": round(result.pairs_per_second(ground.pairs), 1),
    }
    if result.name in speeds:
        found["speed"] = [asdict(measurement) for measurement in speeds[result.name]]
    return found


def bounds(interval: Interval | None) -> list[float] | None:
    """An interval as JSON."""
    return [interval.low, interval.high] if interval else None


def _difference_json(pairs: PairAgreement | None) -> dict[str, Any] | None:
    if pairs is None or pairs.difference is None:
        return None
    difference = pairs.difference
    return {"f1": difference.value, "interval": bounds(difference.interval), "p": difference.p}


def _agreement_json(agreement: SystemAgreement) -> dict[str, Any]:
    values = asdict(agreement.correlation)
    interval = bounds(agreement.pearson_interval)
    return {**{name: values[name] for name in CORRELATIONS}, "pearson_interval": interval}


def as_csv(comparison: Comparison) -> str:
    """The results as CSV: a row a matcher; what a token scorer does not have is empty."""
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    rows = [_csv_row(result, comparison.ground) for result in comparison.results]
    writer.writerow(rows[0])
    writer.writerows(row.values() for row in rows)
    return stream.getvalue()


def _csv_row(result: Result, ground: Ground) -> dict[str, Any]:
    verdicts, pairs = result.verdicts, result.pairs
    row: dict[str, Any] = {"matcher": result.name, "protocol": verdicts.protocol, "seen": verdicts.seen}
    row |= {name: getattr(pairs.score, name) if pairs else None for name in (*MEASURES, "tp", "fp", "fn")}
    row["accuracy"] = pairs.accuracy if pairs else None
    row |= _flat("f1", pairs.interval if pairs else None)
    row |= _difference_cells("f1_difference", pairs.difference if pairs else None)
    for measure in MEASURES:
        agreement = result.agreement[measure]
        values = asdict(agreement.correlation)
        row |= {f"{measure}_{name}": values[name] for name in CORRELATIONS}
        row |= _flat(f"{measure}_pearson", agreement.pearson_interval)
    row |= _difference_cells("f1_pearson_difference", result.difference)
    row |= {"seconds": verdicts.seconds, "pairs_per_second": result.pairs_per_second(ground.pairs)}
    row |= {f"{system}_{name}": getattr(score, name) for system, score in result.systems.items() for name in MEASURES}
    return row | {"signature": verdicts.signature}


def _difference_cells(name: str, difference: Difference | None) -> dict[str, float | None]:
    if difference is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high", f"{name}_p"))
    return {name: difference.value, **_flat(name, difference.interval), f"{name}_p": difference.p}


def _flat(name: str, interval: Interval | None) -> dict[str, float | None]:
    return {f"{name}_low": interval.low if interval else None, f"{name}_high": interval.high if interval else None}


HEAD = (
    *("matcher", "P", "R", "F1", "95 % of F1", "tp", "fp", "fn", "to rules", "p"),
    *("Pearson", "Spearman", "Kendall", "p", "MAE"),
)
PAPER_HEAD = ("paper F1", "code F1", "paper r")
NOTES = (
    "P, R, F1: agreement with people on extraction-cluster pairs; intervals by resampling sentences",
    "to rules: difference in F1; p: permutation tests against the rules, in F1 and in Pearson, Holm-corrected",
    "Pearson, Spearman, Kendall, MAE: systems' F1 by the matcher against their F1 by people",
)
PAPER_NOTES = ("paper: Tables 8 and 13 of Lamarche and Langlais (2024); code: their released code on the same files",)


def as_table(comparison: Comparison, speeds: Speeds | None = None) -> str:
    """The results for a terminal, with the published figures where the gold is the published one."""
    ground = comparison.ground
    figures = published(ground.benchmark)
    rows = [[*HEAD, *(PAPER_HEAD if figures else ())]]
    for result in comparison.results:
        row = [*_pair_cells(result), *_system_cells(result)]
        rows.append([*row, *_paper_cells(figures.get(result.name, Published()))] if figures else row)
    notes = [*NOTES, *(PAPER_NOTES if figures else ())]
    if figures and any(result.name.startswith("wire57") for result in comparison.results):
        notes.append(WIRE57)
    return "\n".join(
        [
            f"{ground.benchmark.name}: {len(ground.sentences)} sentences, {len(ground.systems)} systems, "
            f"{ground.extractions} judged extractions, {ground.pairs} pairs, {ground.positives} of them positive",
            "",
            table(rows),
            "",
            *notes,
            *_remarks(comparison.results),
            *(["", speed_table(speeds)] if speeds else []),
            run_signature(comparison),
        ]
    )


def _pair_cells(result: Result) -> list[str]:
    pairs = result.pairs
    name = f"{result.name} (seen)" if result.verdicts.seen else result.name
    if pairs is None:
        return [name, *[""] * 9]
    score, difference = pairs.score, pairs.difference
    return [
        name,
        *(f"{value:.4f}" for value in (score.precision, score.recall, score.f1)),
        f"[{pairs.interval.low:.3f}, {pairs.interval.high:.3f}]",
        *(str(value) for value in (score.tp, score.fp, score.fn)),
        f"{difference.value:+.4f}" if difference else "",
        p_text(difference),
    ]


def _system_cells(result: Result) -> list[str]:
    values = result.agreement["f1"].correlation
    return [
        *(f"{value:.4f}" for value in (values.pearson, values.spearman, values.kendall)),
        p_text(result.difference),
        f"{values.mae:.4f}",
    ]


def _paper_cells(figures: Published) -> list[str]:
    return [figures.f1, figures.code_f1, figures.pearson]


def p_text(difference: Difference | None) -> str:
    """A p-value for a reader.

    >>> p_text(Difference(0.1, Interval(0.0, 0.2), 0.0004)), p_text(Difference(0.1, Interval(0.0, 0.2), 0.25))
    ('<.001', '.250')
    """
    if difference is None:
        return ""
    if difference.p < 0.001:
        return "<.001"
    text = f"{difference.p:.3f}"
    return text if text.startswith("1") else text.removeprefix("0")


def _remarks(results: Iterable[Result]) -> list[str]:
    """What must be known of single matchers: how they were trained, and on what."""
    lines = []
    for result in results:
        verdicts = result.verdicts
        if verdicts.protocol != UNTRAINED:
            seen = f"; {verdicts.seen} sentences {SEEN}: no measure of what it can do" if verdicts.seen else ""
            lines.append(f"{result.name}: {verdicts.protocol}{seen}")
        if result.pairs is None:
            lines.append(f"{result.name}: gives fractions of words and no matches, so only systems are compared")
    return lines
