"""A matcher's agreement with people in figures: on pairs with an interval, and on systems' scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matchers.interface import Assignment
from matchers.scoring.bootstrap import Interval
from training.evaluation.shapes import CorrelationJson, FiguresJson, LeadJson
from training.evaluation.significance import Difference, f1_difference, f1_interval
from training.labels.judged_parts import Judged
from training.metrics import (
    Correlation,
    PairScore,
    correlation,
    pair_counts,
    pair_score,
    system_counts,
    system_scores,
)

UNDEFINED = "\N{EN DASH}"


@dataclass(frozen=True)
class Figures:
    """Agreement of one matcher with people."""

    name: str
    score: PairScore
    interval: Interval | None
    correlation: Correlation

    def to_json(self) -> FiguresJson:
        """The figures as JSON."""
        score = self.score
        return {
            "name": self.name,
            "tp": score.tp,
            "fp": score.fp,
            "fn": score.fn,
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.f1,
            "f1_interval": bounds(self.interval),
            **correlation_json(self.correlation),
        }


@dataclass(frozen=True)
class SystemFigures:
    """Pair F1 of recipe and rules on one system's extractions."""

    system: str
    rules: float
    matcher: float


def figures(
    name: str,
    work: Sequence[Judged],
    assignments: Sequence[Assignment],
    systems: Sequence[str],
    resamples: int,
    seed: int,
) -> Figures:
    """Agreement of one matcher with people."""
    counts = pair_counts(work, assignments)
    ours = system_scores(system_counts(work, assignments, systems), systems)
    theirs = system_scores(system_counts(work, [part.manual for part in work], systems), systems)
    agreement = correlation([ours[system].f1 for system in systems], [theirs[system].f1 for system in systems])
    return Figures(name, pair_score(counts), f1_interval(counts, resamples, seed), agreement)


def lead_over(
    work: Sequence[Judged], ours: Sequence[Assignment], theirs: Sequence[Assignment], resamples: int, seed: int
) -> Difference:
    """The difference in pair F1 of two matchers on the same parts."""
    return f1_difference(pair_counts(work, ours), pair_counts(work, theirs), resamples, seed)


def by_system(
    work: Sequence[Judged], ours: Sequence[Assignment], rules: Sequence[Assignment], systems: Sequence[str]
) -> tuple[SystemFigures, ...]:
    """Pair F1 of recipe and rules on each system's extractions."""

    def f1(assignments: Sequence[Assignment], system: str) -> float:
        chosen = [position for position, part in enumerate(work) if part.system == system]
        parts = [work[position] for position in chosen]
        return pair_score(pair_counts(parts, [assignments[position] for position in chosen])).f1

    return tuple(SystemFigures(system, f1(rules, system), f1(ours, system)) for system in systems)


def bounds(interval: Interval | None) -> list[float] | None:
    """An interval as JSON."""
    return [interval.low, interval.high] if interval else None


def number(value: float | None, digits: int = 4) -> str:
    """A figure for a table; a dash where it is not defined."""
    return UNDEFINED if value is None else f"{value:.{digits}f}"


def span(interval: Interval | None, sign: str = "", digits: int = 3) -> str:
    """An interval for a table.

    >>> span(Interval(0.25, 0.5)), span(Interval(-0.1, 0.2), "+", 4)
    ('[0.250, 0.500]', '[-0.1000, +0.2000]')
    """
    return f"[{interval.low:{sign}.{digits}f}, {interval.high:{sign}.{digits}f}]" if interval else UNDEFINED


def lead(difference: Difference) -> str:
    """A difference to the rules in running text.

    >>> lead(Difference(0.0781, Interval(0.0301, 0.1332), 0.0392))
    '+0.0781 [+0.0301, +0.1332], p = 0.0392 (permutation of sentences)'
    """
    bounds = span(difference.interval, "+", 4)
    return f"{difference.value:+.4f} {bounds}, p = {difference.p:.4f} (permutation of sentences)"


def correlation_json(correlation: Correlation) -> CorrelationJson:
    """A correlation as JSON; null where one is not defined."""
    return {
        "pearson": correlation.pearson,
        "spearman": correlation.spearman,
        "kendall": correlation.kendall,
        "pairwise_accuracy": correlation.pairwise_accuracy,
        "mae": correlation.mae,
    }


def difference_json(difference: Difference) -> LeadJson:
    """A difference as JSON."""
    return {"value": difference.value, "interval": bounds(difference.interval), "p": difference.p}
