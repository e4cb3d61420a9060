"""Scores of systems as one typed result, whoever scored: table, JSON and CSV are written from it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from data.command_line import table
from data.model import Benchmark
from data.problems import InputError
from data.text import counted
from matchers.counts import Figure, SystemScore
from matchers.matches import Assignment
from matchers.scoring.bootstrap import Interval
from matchers.scoring.outcomes import Outcome, outcomes
from matchers.scoring.shapes import Bounds, GoldJson, OutcomeJson, ScoresJson, SystemJson
from matchers.scoring.significance import is_significant, no_intervals, tie_legend
from matchers.scoring.spread import Intervals, Spread

RATES = ("precision", "recall", "f1")
DEFAULT_FACET = "default"
UNDEFINED = "\N{EN DASH}"  # in tables and pages; null in JSON, nothing in CSV


@dataclass(frozen=True)
class GoldInfo:
    """The gold that a score is of; `seen` of its sentences were in the matcher's training data."""

    path: str
    sha256: str
    sentences: int
    clusters: int
    seen: int = 0

    def to_json(self) -> GoldJson:
        """The gold as JSON."""
        own: GoldJson = {
            "path": self.path,
            "sha256": self.sha256,
            "sentences": self.sentences,
            "clusters": self.clusters,
        }
        return {**own, "seen_in_training": self.seen} if self.seen else own


@dataclass(frozen=True)
class SystemResult:
    """A system's score with the intervals of precision, recall and F1, if there are sentences enough for these.

    `p` is that of its difference in F1 to the system above it; the first has none.
    """

    scored: SystemScore
    intervals: Intervals | None
    p: float | None = None

    @property
    def name(self) -> str:
        """The system's name."""
        return self.scored.name

    @property
    def extractions(self) -> int:
        """How many extractions were scored."""
        return self.scored.extractions

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What else its scorer tells of it."""
        return self.scored.figures

    @property
    def rates(self) -> tuple[float, float, float]:
        """Precision, recall and F1."""
        score = self.scored.score
        return score.precision, score.recall, score.f1

    @property
    def precision(self) -> float:
        """The share of what it says that is right."""
        return self.scored.score.precision

    @property
    def recall(self) -> float:
        """The share of the gold that it says."""
        return self.scored.score.recall

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        return self.scored.score.f1

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of F1."""
        return self.intervals[2] if self.intervals else None

    @property
    def tied(self) -> bool:
        """Whether it is not significantly different from the system above."""
        return self.p is not None and not is_significant(self.p)

    def to_json(self) -> SystemJson:
        """The score as JSON."""
        precision, recall, f1 = map(bounds_json, self.intervals or (None, None, None))
        figures = {figure.name: figure.value for figure in self.figures}
        return {
            "name": self.name,
            "extractions": self.extractions,
            **figures,  # type: ignore[typeddict-item]  # each scorer's own, which the shape lists
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "intervals": {"precision": precision, "recall": recall, "f1": f1},
            "p_to_previous": self.p,
        }


@dataclass(frozen=True)
class Scores:
    """The scores of a benchmark's systems, the best first; printed, a table.

    `by_words` says that a token scorer gave them, which decides no matches; a matcher's are in `assignments`, by
    system. `spread` is what intervals and p-values are from, and `benchmark` what was scored, in its variant.
    """

    signature: str
    matcher: str
    gold: GoldInfo
    systems: tuple[SystemResult, ...]
    spread: Spread = field(compare=False, repr=False)
    benchmark: Benchmark = field(compare=False, repr=False)
    facet: str = DEFAULT_FACET
    by_words: bool = False
    assignments: Mapping[str, Sequence[Assignment]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The systems' names, the best first."""
        return tuple(system.name for system in self.systems)

    def __getitem__(self, name: str) -> SystemResult:
        """The result of a system."""
        if name not in self.names:
            raise KeyError(f"no system is called {name!r}; there are {', '.join(self.names)}")
        return self.systems[self.names.index(name)]

    def __iter__(self) -> Iterator[SystemResult]:
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

    def __str__(self) -> str:
        return as_table(self)

    def p(self, first: str, second: str) -> float:
        """The p-value of the difference in F1 of two systems."""
        return self.spread.p(self.names.index(first), self.names.index(second))

    def matches(self, name: str) -> list[Outcome]:
        """What became of each of a system's extractions, sentence by sentence."""
        if self.by_words:
            raise InputError(f"{self.matcher} gives fractions of words, so that there are no matches")
        if name not in self.assignments:
            raise KeyError(f"no system is called {name!r}; there are {', '.join(self.names)}")
        return [outcome for assignment in self.assignments[name] for outcome in outcomes(assignment)]

    def match_lines(self) -> list[OutcomeJson]:
        """What became of all extractions, as lines of JSON: sentence by sentence, and there system by system."""
        by_sentence = zip(*self.assignments.values(), strict=True)
        return [
            outcome.to_json(system)
            for made in by_sentence
            for system, assignment in zip(self.assignments, made, strict=True)
            for outcome in outcomes(assignment)
        ]

    def to_json(self) -> ScoresJson:
        """The scores as JSON."""
        systems = [system.to_json() for system in self.systems]
        gold = self.gold.to_json()
        if self.facet == DEFAULT_FACET:
            return {"signature": self.signature, "matcher": self.matcher, "gold": gold, "systems": systems}
        return {
            "signature": self.signature,
            "matcher": self.matcher,
            "facet": self.facet,
            "gold": gold,
            "systems": systems,
        }


def bounds_json(bounds: Interval | None) -> Bounds | None:
    """An interval as JSON: its lower and upper bound, or null."""
    return [bounds.low, bounds.high] if bounds else None


def bounds_text(bounds: Interval | None, digits: int) -> str:
    """An interval in a table."""
    return f"[{bounds.low:.{digits}f}, {bounds.high:.{digits}f}]" if bounds else UNDEFINED


def as_table(scores: Scores) -> str:
    """The scores as a table, with a mark on systems that are not significantly worse than the one above."""
    rows = [["system", "", *_ordered(scores, ["P", "R", "F1", "95 % of F1"], ["extractions", *_titles(scores)])]]
    for system in scores.systems:
        rates = [*(f"{rate:.4f}" for rate in system.rates), bounds_text(system.interval, 3)]
        counts = [str(system.extractions), *(shown(figure.value) for figure in system.figures)]
        rows.append([system.name, "=" if system.tied else "", *_ordered(scores, rates, counts)])
    return "\n".join([_title(scores), "", table(rows, left=2), "", *legends(scores), scores.signature])


def legends(scores: Scores) -> list[str]:
    """What the marks of a table mean, and why it has no intervals; only what it needs."""
    ties = [tie_legend(scores.spread.test)] if any(system.tied for system in scores.systems) else []
    missing = any(system.intervals is None for system in scores.systems)
    return ties + ([no_intervals(scores.gold.sentences)] if missing else [])


def _ordered(scores: Scores, rates: list[str], counts: list[str]) -> list[str]:
    """The columns of a table: those of token scorers end with the rates, as their authors print them."""
    return counts + rates if scores.by_words else rates + counts


def _title(scores: Scores) -> str:
    gold = scores.gold
    fact, by = ("fact", "scored by words:") if scores.by_words else ("cluster", "matcher")
    facet = f", facet {scores.facet}" if scores.facet != DEFAULT_FACET else ""
    seen = f" ({counted(gold.seen, 'sentence')} seen in training)" if gold.seen else ""
    counts = f"{counted(gold.sentences, 'sentence')}, {counted(gold.clusters, fact)}"
    return f"{counts}, {by} {scores.matcher}{facet}{seen}"


def _titles(scores: Scores) -> list[str]:
    return [figure.title for system in scores.systems[:1] for figure in system.figures]


def shown(value: float | None) -> str:
    """A figure as text."""
    return UNDEFINED if value is None else str(value) if isinstance(value, int) else f"{value:.4f}"


def as_csv(scores: Scores) -> str:
    """The scores as CSV."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    figures = [figure.name for system in scores.systems[:1] for figure in system.figures]
    rates = [f"{name}{suffix}" for name in RATES for suffix in ("", "_low", "_high")]
    writer.writerow(["system", "extractions", *figures, *rates])
    for system in scores.systems:
        values = [
            value
            for rate, bounds in zip(system.rates, system.intervals or (None, None, None), strict=True)
            for value in (rate, *((bounds.low, bounds.high) if bounds else ("", "")))
        ]
        writer.writerow([system.name, system.extractions, *(figure.value for figure in system.figures), *values])
    return stream.getvalue()
