"""The report of an experiment: what was trained on what, how it agrees with people beside the rules; JSON and text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import cast

from data.command_line import table
from data.text import counted
from matchers.scoring.significance import FEWEST, no_intervals
from training.evaluation.figures import Figures, SystemFigures, difference_json, lead, number, span
from training.evaluation.shapes import RecipeJson, StartJson, TrainingJson
from training.evaluation.significance import Difference
from training.labels.material import Used
from training.recipes import Recipe

LEGEND = (
    "P, R, F1: agreement with people on extraction-cluster pairs (tp: matches of both, fp: the matcher's only, fn: "
    "people's only)\nPearson, Kendall, MAE: systems' F1 by the matcher against their F1 by people; intervals by "
    "resampling sentences"
)


@dataclass(frozen=True)
class Trained:
    """What a matcher that was trained on everything leans on, how its training went, and the folder it is saved in."""

    insight: tuple[tuple[str, float], ...] = ()
    learning_curve: tuple[tuple[int, float], ...] = ()
    checkpoint: str | None = None


@dataclass(frozen=True)
class Start:
    """The checkpoint that was adapted: its name, its hash, and the hashes of the sentences that it knows."""

    name: str
    hash: str
    trained_on: frozenset[str]

    def to_json(self) -> StartJson:
        """The start as JSON."""
        return {"name": self.name, "hash": self.hash, "sentences": len(self.trained_on)}


@dataclass(frozen=True)
class Report:
    """The figures of a cross-validated recipe and of the rules on the same sentences.

    `trained` is there if a matcher was then trained on everything. `origins` says where what it learned from is from.
    """

    recipe: Recipe
    dataset: str
    known: str | None  # the data set's name among those that we know by their gold
    sentences: int
    pairs: int
    positives: int
    protocol: str
    signature: str
    command: str
    rules: Figures
    matcher: Figures
    difference: Difference
    by_system: tuple[SystemFigures, ...]
    judgments: str
    supervision: tuple[Used, ...]
    training_data: str
    origins: tuple[str, ...]
    libraries: dict[str, str]
    trained: Trained | None = None
    start: Start | None = None

    def to_json(self) -> TrainingJson:
        """The report as JSON."""
        report: TrainingJson = {
            "name": self.recipe.name,
            "kind": self.recipe.kind,
            "dataset": self.dataset,
            "sentences": self.sentences,
            "pairs": self.pairs,
            "positives": self.positives,
            "protocol": self.protocol,
            "signature": self.signature,
            "command": self.command,
            "rules": self.rules.to_json(),
            "matcher": self.matcher.to_json(),
            "difference": difference_json(self.difference),
            "by_system": {one.system: {"rules": one.rules, "matcher": one.matcher} for one in self.by_system},
            "judgments": self.judgments,
            "supervision": [used.to_json() for used in self.supervision],
            "training_data": self.training_data,
            "origins": list(self.origins),
            "recipe": cast(RecipeJson, asdict(self.recipe)),
            "libraries": self.libraries,
        }
        if self.start:
            report["start"] = self.start.to_json()
        if self.trained:
            report["insight"] = list(self.trained.insight)
            report["learning_curve"] = list(self.trained.learning_curve)
            if self.trained.checkpoint is not None:
                report["checkpoint"] = self.trained.checkpoint
        return report

    def __str__(self) -> str:
        counts = f"{counted(self.sentences, 'sentence')}, {counted(self.pairs, 'pair')}, {self.positives} positive"
        lines = [
            f"{self.dataset}: {counts}; {self.protocol}, out of fold",
            *([f"adapted from {self.start.name} ({self.start.hash[:12]})"] if self.start else []),
            "",
            table([HEAD, row(self.rules), row(self.matcher)]),
            "",
            LEGEND,
            *([no_intervals(self.sentences)] if self.sentences < FEWEST else []),
            "",
            f"difference to the rules in F1: {lead(self.difference)}",
            "",
            "F1 on each system's extractions:",
            table(
                [
                    ["system", "rules", self.recipe.name],
                    *([one.system, f"{one.rules:.4f}", f"{one.matcher:.4f}"] for one in self.by_system),
                ]
            ),
        ]
        return "\n".join([*lines, *_trained_lines(self.trained or Trained()), self.signature])


HEAD = ["matcher", "P", "R", "F1", "95 % of F1", "tp", "fp", "fn", "Pearson", "Kendall", "MAE"]


def row(figures: Figures) -> list[str]:
    """A matcher's figures under the head."""
    score, agreement = figures.score, figures.correlation
    return [
        figures.name,
        *(number(value) for value in (score.precision, score.recall, score.f1)),
        span(figures.interval),
        *(str(value) for value in (score.tp, score.fp, score.fn)),
        *(number(value) for value in (agreement.pearson, agreement.kendall, agreement.mae)),
    ]


def _trained_lines(trained: Trained) -> list[str]:
    lines = []
    if trained.insight:
        lines += ["", "most useful features: " + ", ".join(f"{name} {weight:+.2f}" for name, weight in trained.insight)]
    if curve := trained.learning_curve:
        shown = curve[:: max(1, len(curve) // 8)]
        lines += ["", "loss by step: " + ", ".join(f"{step} {loss:.3f}" for step, loss in shown)]
    if trained.checkpoint:
        lines += ["", f"checkpoint: {trained.checkpoint} (score with it: --matcher {trained.checkpoint})"]
    return lines
