"""The results of a comparison: typed, as JSON, and as the table of the command.

Timings differ from run to run, so they have a key of their own that can be left out; without it, one comparison made
twice gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import cast

from data.command_line import table
from data.text import counted
from matchers.counts import Score
from matchers.scoring.bootstrap import Interval
from matchers.scoring.shapes import RatesJson
from matchers.scoring.significance import FEWEST, no_intervals, p_value
from matchers.signature import signed
from training.comparison.contenders import BASELINE, UNTRAINED
from training.comparison.ground import Ground, Terms, Verdicts
from training.comparison.measurement import Speeds, speed_table
from training.comparison.published import PAPER_NOTE, WIRE57, Published, published
from training.comparison.scale import Scales, scale_table
from training.comparison.shapes import (
    ComparisonJson,
    ContenderJson,
    MeasurementJson,
    ScaleJson,
    SystemCorrelationJson,
    TimingJson,
)
from training.comparison.thin_results import ThinComparison
from training.comparison.thin_table import thin_tables
from training.evaluation.figures import bounds, correlation_json, number, span
from training.evaluation.significance import Difference
from training.metrics import MEASURES, Correlation, PairScore

SEEN = "seen in training"


@dataclass(frozen=True)
class PairAgreement:
    """Agreement on extraction-cluster pairs, of a contender that makes matches."""

    score: PairScore
    interval: Interval | None
    accuracy: float
    difference: Difference | None = None


@dataclass(frozen=True)
class SystemAgreement:
    """Agreement on the systems' precision, recall or F1."""

    correlation: Correlation
    pearson_interval: Interval | None

    def to_json(self) -> SystemCorrelationJson:
        """The correlations as JSON; null where one is not defined."""
        return {**correlation_json(self.correlation), "pearson_interval": bounds(self.pearson_interval)}


@dataclass(frozen=True)
class Result:
    """A contender's verdicts and their measures; p-values of differences to the rules are Holm-corrected."""

    verdicts: Verdicts
    pairs: PairAgreement | None
    systems: dict[str, Score]
    agreement: dict[str, SystemAgreement]
    difference: Difference | None = None  # of Pearson's correlation on F1 to that of the rules

    @property
    def name(self) -> str:
        """The contender's name."""
        return self.verdicts.name

    @property
    def f1(self) -> float | None:
        """Its pair F1; None if it makes no matches."""
        return self.pairs.score.f1 if self.pairs else None

    @property
    def pearson(self) -> float | None:
        """The correlation of its F1 of systems with people's; None where that is not defined."""
        return self.agreement["f1"].correlation.pearson

    def pairs_per_second(self, pairs: int) -> float:
        """How many extraction-cluster pairs it decides in a second."""
        return pairs / max(self.verdicts.seconds, 1e-9)

    def to_json(self) -> ContenderJson:
        """The result as JSON, without timings; what a token scorer does not have is null."""
        pairs = self.pairs
        score, difference = (pairs.score, pairs.difference) if pairs else (None, None)
        return {
            "name": self.name,
            "signature": self.verdicts.signature,
            "protocol": self.verdicts.protocol,
            "seen": bool(self.verdicts.seen),
            "precision": score.precision if score else None,
            "recall": score.recall if score else None,
            "f1": score.f1 if score else None,
            "tp": score.tp if score else None,
            "fp": score.fp if score else None,
            "fn": score.fn if score else None,
            "f1_interval": bounds(pairs.interval if pairs else None),
            "difference_to_rules": {
                "f1": difference.value,
                "interval": bounds(difference.interval),
                "p": difference.p,
            }
            if difference
            else None,
            "correlation": {measure: self.agreement[measure].to_json() for measure in MEASURES},
            "systems": _rates(self.systems),
        }


@dataclass(frozen=True)
class Comparison:
    """Contenders compared on one ground, in the order in which they were named."""

    ground: Ground
    terms: Terms
    manual: dict[str, Score]
    results: tuple[Result, ...]
    speeds: Speeds = field(default_factory=dict)
    scales: Scales = field(default_factory=dict)
    thinness: ThinComparison | None = None

    @property
    def baseline(self) -> Result:
        """The rules."""
        return self[BASELINE]

    @property
    def best(self) -> Result:
        """Who agrees best with people on pairs, of those that have not seen them; the rules if there is a tie."""
        fair = [result for result in self.results if result.pairs and not result.verdicts.seen]
        return max(fair, key=lambda result: (result.f1 or 0.0, result.name == BASELINE))

    @property
    def signature(self) -> str:
        """What the whole comparison was made with and on."""
        own = {"dataset": self.ground.benchmark.name, "judgments": self.ground.judgments}
        return str(signed(self.ground.benchmark, own, **self.terms.settings))

    def __getitem__(self, name: str) -> Result:
        """The result of a contender by its name."""
        for result in self.results:
            if result.name == name:
                return result
        raise KeyError(name)

    def to_json(self, timings: bool = True) -> ComparisonJson:
        """The results as JSON."""
        whole: ComparisonJson = {
            "dataset": self.ground.benchmark.name,
            "sentences": len(self.ground.sentences),
            "pairs": self.ground.pairs,
            "positives": self.ground.positives,
            "signature": self.signature,
            "matchers": [result.to_json() for result in self.results],
            "manual": _rates(self.manual),
        }
        if self.thinness:
            whole["thinness"] = self.thinness.to_json()
        if timings:
            whole["timings"] = self._timings()
        return whole

    def _timings(self) -> dict[str, TimingJson]:
        taken: dict[str, TimingJson] = {}
        for result in self.results:
            speed = round(result.pairs_per_second(self.ground.pairs), 1)
            taken[result.name] = {"seconds": round(result.verdicts.seconds, 4), "pairs_per_second": speed}
            if result.verdicts.calls is not None:
                taken[result.name]["calls"] = result.verdicts.calls
            if result.name in self.speeds:
                measured = self.speeds[result.name]
                taken[result.name]["speed"] = [cast(MeasurementJson, asdict(one)) for one in measured]
            if result.name in self.scales:
                taken[result.name]["scale"] = [cast(ScaleJson, asdict(one)) for one in self.scales[result.name]]
        return taken

    def __str__(self) -> str:
        ground, figures = self.ground, published(self.ground.benchmark)
        rows = [[*HEAD, *(PAPER_HEAD if figures else ())]]
        for result in self.results:
            row = [*_pair_cells(result), *_system_cells(result)]
            rows.append([*row, *_paper_cells(figures.get(result.name, Published()))] if figures else row)
        notes = [*NOTES, *([PAPER_NOTE] if figures else ())]
        if figures and any(result.name.startswith("wire57") for result in self.results):
            notes.append(WIRE57)
        return "\n".join(
            [
                f"{ground.benchmark.name}: {_size(ground)}",
                "",
                table(rows),
                "",
                *notes,
                *([no_intervals(len(ground.sentences))] if len(ground.sentences) < FEWEST else []),
                *_remarks(self.results),
                *(["", thin_tables(self.thinness), ""] if self.thinness else []),
                *(["", speed_table(self.speeds)] if self.speeds else []),
                *(["", scale_table(self.scales)] if self.scales else []),
                self.signature,
            ]
        )


def _size(ground: Ground) -> str:
    counts = {"sentence": len(ground.sentences), "system": len(ground.systems), "judged extraction": ground.extractions}
    all_counts = ", ".join(counted(number, noun) for noun, number in (counts | {"pair": ground.pairs}).items())
    return f"{all_counts}, {ground.positives} of them positive"


HEAD = (
    *("matcher", "P", "R", "F1", "95 % of F1", "tp", "fp", "fn", "to rules", "p of F1"),
    *("Pearson", "Spearman", "Kendall", "p of r", "MAE"),
)
PAPER_HEAD = ("paper F1", "code F1", "paper r")
NOTES = (
    "P, R, F1: agreement with people on extraction-cluster pairs; intervals by resampling sentences",
    "to rules: difference in F1; p of F1, p of r: permutation tests of the differences to the rules, in F1 and in "
    "Pearson's r, Holm-corrected",
    "Pearson, Spearman, Kendall, MAE: systems' F1 by the matcher against their F1 by people",
)


def _rates(scores: Mapping[str, Score]) -> dict[str, RatesJson]:
    return {
        name: {"precision": score.precision, "recall": score.recall, "f1": score.f1} for name, score in scores.items()
    }


def _pair_cells(result: Result) -> list[str]:
    pairs = result.pairs
    name = f"{result.name} (seen)" if result.verdicts.seen else result.name
    if pairs is None:
        return [name, *[""] * 9]
    score, difference = pairs.score, pairs.difference
    return [
        name,
        *(number(value) for value in (score.precision, score.recall, score.f1)),
        span(pairs.interval),
        *(str(value) for value in (score.tp, score.fp, score.fn)),
        f"{difference.value:+.4f}" if difference else "",
        p_value(difference.p if difference else None),
    ]


def _system_cells(result: Result) -> list[str]:
    values = result.agreement["f1"].correlation
    return [
        *(number(value) for value in (values.pearson, values.spearman, values.kendall)),
        p_value(result.difference.p if result.difference else None),
        number(values.mae),
    ]


def _paper_cells(figures: Published) -> list[str]:
    return [figures.f1, figures.code_f1, figures.pearson]


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
        if verdicts.calls is not None:
            told = f"{verdicts.calls} calls, {verdicts.seconds:.1f} s with them; what the cache knew was not asked"
            lines.append(f"{result.name}: {told}")
    return lines
