"""The results of a comparison as CSV: a row a matcher; what a token scorer does not have is empty."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import Any

from matchers.scoring.bootstrap import Interval
from training.comparison.ground import Ground
from training.comparison.results import Comparison, Result
from training.comparison.thin_results import Spread, ThinResult
from training.evaluation.run_means import Mean
from training.evaluation.significance import Difference
from training.metrics import MEASURES


def as_csv(comparison: Comparison, timings: bool = True) -> str:
    """The results as CSV; timings differ from run to run and can be left out."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    rows = [_row(result, comparison.ground, timings) for result in comparison.results]
    if comparison.thinness:
        rows = [row | _thin(own) for row, own in zip(rows, comparison.thinness.results, strict=True)]
    writer.writerow(rows[0])
    writer.writerows(row.values() for row in rows)
    return stream.getvalue()


def _row(result: Result, ground: Ground, timings: bool) -> dict[str, Any]:
    verdicts, pairs = result.verdicts, result.pairs
    row: dict[str, Any] = {"matcher": result.name, "protocol": verdicts.protocol, "seen": verdicts.seen}
    row |= {name: getattr(pairs.score, name) if pairs else None for name in (*MEASURES, "tp", "fp", "fn")}
    row["accuracy"] = pairs.accuracy if pairs else None
    row |= _bounds("f1", pairs.interval if pairs else None)
    row |= _difference("f1_difference", pairs.difference if pairs else None)
    for measure in MEASURES:
        agreement = result.agreement[measure]
        row |= {f"{measure}_{name}": value for name, value in asdict(agreement.correlation).items()}
        row |= _bounds(f"{measure}_pearson", agreement.pearson_interval)
    row |= _difference("f1_pearson_difference", result.difference)
    if timings:
        row |= {"seconds": verdicts.seconds, "pairs_per_second": result.pairs_per_second(ground.pairs)}
    row |= {f"{system}_{name}": getattr(score, name) for system, score in result.systems.items() for name in MEASURES}
    return row | {"signature": verdicts.signature}


def _thin(result: ThinResult) -> dict[str, Any]:
    """The mean F1 over the levels, and the measures at each of them."""
    row = _mean("thin_mean_f1", result.mean) | _spread("thin_mean_f1", result.spread)
    for at in result.levels:
        name = f"thin_{at.level.name}"
        row |= {f"{name}_{measure}": at.mean(measure) for measure in ("precision", "recall", "tp", "fp", "fn")}
        row |= _mean(f"{name}_f1", at.f1) | _spread(f"{name}_f1", at.spread)
        for measure, mean in at.ranking.items():
            row |= _mean(f"{name}_{measure}", mean)
    return row


def _mean(name: str, mean: Mean | None) -> dict[str, float | None]:
    figures = {name: mean.value if mean else None} | _bounds(name, mean.interval if mean else None)
    return figures | _difference(f"{name}_difference", mean.difference if mean else None)


def _spread(name: str, spread: Spread | None) -> dict[str, float | None]:
    return {f"{name}_lowest": spread[0] if spread else None, f"{name}_highest": spread[1] if spread else None}


def _difference(name: str, difference: Difference | None) -> dict[str, float | None]:
    if difference is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high", f"{name}_p"))
    return {name: difference.value, **_bounds(name, difference.interval), f"{name}_p": difference.p}


def _bounds(name: str, interval: Interval | None) -> dict[str, float | None]:
    return {f"{name}_low": interval.low if interval else None, f"{name}_high": interval.high if interval else None}
