"""How matchers agree with people when the gold has fewer formulations of a fact: figures at each level, typed and JSON.

Judgments are of the full gold and stay the truth, so that what people give systems does not change with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.thinning import Thinness
from training.comparison.levels import Level
from training.comparison.shapes import (
    AtLevelJson,
    LevelJson,
    RankingFigureJson,
    RunJson,
    ThinMatcherJson,
    ThinnessJson,
)
from training.evaluation.figures import bounds, difference_json
from training.evaluation.run_means import Mean
from training.metrics import Correlation, PairScore

Spread = tuple[float, float]  # the lowest and the highest of several seeds


@dataclass(frozen=True)
class RunScore:
    """One run: a contender under one thinness, a recipe by one seed."""

    thinness: Thinness
    seed: int | None
    pairs: PairScore | None
    correlation: Correlation

    def to_json(self) -> RunJson:
        """The run as JSON; what a token scorer does not have is null."""
        pairs = self.pairs
        return {
            "formulations": str(self.thinness),
            "seed": self.seed,
            "tp": pairs.tp if pairs else None,
            "fp": pairs.fp if pairs else None,
            "fn": pairs.fn if pairs else None,
            "f1": pairs.f1 if pairs else None,
            "pearson": self.correlation.pearson,
            "kendall": self.correlation.kendall,
            "mae": self.correlation.mae,
        }


@dataclass(frozen=True)
class AtLevel:
    """A contender at one level: means over its runs there. `f1` is None if it makes no matches."""

    level: Level
    runs: tuple[RunScore, ...]
    f1: Mean | None
    ranking: dict[str, Mean]  # pearson, kendall, mae
    spread: Spread | None = None  # of F1 over several seeds

    @property
    def pairs(self) -> list[PairScore]:
        """The pair scores of the runs."""
        return [run.pairs for run in self.runs if run.pairs]

    def mean(self, measure: str) -> float | None:
        """The mean of precision, recall, tp, fp or fn; None if it makes no matches."""
        values = [float(getattr(pairs, measure)) for pairs in self.pairs]
        return sum(values) / len(values) if values else None

    def to_json(self) -> AtLevelJson:
        """The level as JSON."""
        f1 = self.f1
        return {
            "level": self.level.name,
            "precision": self.mean("precision"),
            "recall": self.mean("recall"),
            "f1": f1.value if f1 else None,
            "tp": self.mean("tp"),
            "fp": self.mean("fp"),
            "fn": self.mean("fn"),
            "f1_interval": bounds(f1.interval if f1 else None),
            "f1_spread": list(self.spread) if self.spread else None,
            "difference_to_rules": difference_json(f1.difference) if f1 and f1.difference else None,
            "pearson": _ranking_json(self.ranking["pearson"]),
            "kendall": _ranking_json(self.ranking["kendall"]),
            "mae": _ranking_json(self.ranking["mae"]),
            "runs": [run.to_json() for run in self.runs],
        }


def _ranking_json(mean: Mean) -> RankingFigureJson:
    return {
        "value": mean.value,
        "interval": bounds(mean.interval),
        "difference_to_rules": difference_json(mean.difference) if mean.difference else None,
    }


@dataclass(frozen=True)
class ThinResult:
    """A contender at every level, and the mean of its F1 over the levels; `seen` if it was trained on the sentences."""

    name: str
    levels: tuple[AtLevel, ...]
    mean: Mean | None
    spread: Spread | None = None
    seen: bool = False

    def to_json(self) -> ThinMatcherJson:
        """The result as JSON; what a token scorer does not have is null."""
        mean = self.mean
        return {
            "name": self.name,
            "seen": self.seen,
            "mean_f1": mean.value if mean else None,
            "mean_f1_interval": bounds(mean.interval if mean else None),
            "mean_f1_spread": list(self.spread) if self.spread else None,
            "difference_to_rules": difference_json(mean.difference) if mean and mean.difference else None,
            "levels": [level.to_json() for level in self.levels],
        }


@dataclass(frozen=True)
class ThinComparison:
    """Contenders at each level of thinness; `formulations` are those of the gold at each level."""

    levels: tuple[Level, ...]
    formulations: tuple[int, ...]
    seeds: int
    results: tuple[ThinResult, ...]

    def to_json(self) -> ThinnessJson:
        """The comparison as JSON."""
        levels: list[LevelJson] = [
            {"name": level.name, "formulations": count, "draws": [str(draw) for draw in level.draws]}
            for level, count in zip(self.levels, self.formulations, strict=True)
        ]
        return {"levels": levels, "seeds": self.seeds, "matchers": [result.to_json() for result in self.results]}

    def __getitem__(self, name: str) -> ThinResult:
        """The result of a contender by its name."""
        for result in self.results:
            if result.name == name:
                return result
        raise KeyError(name)


def spread_of(by_seed: Sequence[float]) -> Spread | None:
    """The lowest and the highest of several seeds; None if there is one."""
    return (min(by_seed), max(by_seed)) if len(by_seed) > 1 else None
