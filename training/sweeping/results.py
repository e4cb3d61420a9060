"""The result of a sweep: its trials, and how the best recipe does on the sentences that no trial has seen."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from data.command_line import table
from training.evaluation.figures import Figures, difference_json, lead, number, span
from training.evaluation.shapes import RecipeJson
from training.evaluation.significance import Difference
from training.recipes import Recipe
from training.sweeping.shapes import SweepJson

BEST = "best.yaml"


@dataclass(frozen=True)
class Trial:
    """A finished trial: its place, its cross-validated F1, and what it tried, as overrides of the recipe."""

    number: int
    f1: float
    chosen: tuple[str, ...]


@dataclass(frozen=True)
class SweepReport:
    """The trials of a sweep, its best recipe, and the figures on the sentences that were held out of all trials."""

    sweep: str
    config: str
    dataset: str
    signature: str
    trials: tuple[Trial, ...]
    best: Trial
    recipe: Recipe
    sentences: int
    held_out: int
    matchers: tuple[Figures, ...]
    difference: Difference
    output: Path

    def to_json(self) -> SweepJson:
        """The report as JSON."""
        return {
            "sweep": self.sweep,
            "config": self.config,
            "dataset": self.dataset,
            "signature": self.signature,
            "trials": [{"number": one.number, "f1": one.f1, "chosen": list(one.chosen)} for one in self.trials],
            "best": {
                "f1": self.best.f1,
                "chosen": list(self.best.chosen),
                "recipe": cast(RecipeJson, asdict(self.recipe)),
            },
            "sentences": self.sentences,
            "held_out": {
                "sentences": self.held_out,
                "matchers": [figures.to_json() for figures in self.matchers],
                "difference": difference_json(self.difference),
            },
        }

    def to_yaml(self) -> str:
        """The best recipe as a file for `--config`."""
        import yaml

        values = json.loads(json.dumps(asdict(self.recipe)))  # lists for tuples
        head = f"# The best of {len(self.trials)} trials of the sweep {self.sweep} on {self.dataset}.\n"
        return head + str(yaml.safe_dump(values, sort_keys=False, allow_unicode=True))

    def __str__(self) -> str:
        ranked = sorted(self.trials, key=lambda trial: (-trial.f1, trial.number))[:5]
        rows = [["trial", "inner F1", "values"]]
        rows += [[str(trial.number), f"{trial.f1:.4f}", " ".join(trial.chosen)] for trial in ranked]
        figures = [["matcher", "P", "R", "F1", "95 % of F1"]]
        for one in self.matchers:
            cells = [number(value) for value in (one.score.precision, one.score.recall, one.score.f1)]
            figures.append([one.name, *cells, span(one.interval)])
        return "\n".join(
            [
                f"{self.dataset}: {len(self.trials)} trials on {self.sentences} sentences, by inner folds",
                "",
                table(rows, left=3),
                "",
                f"on {self.held_out} sentences that no trial has seen:",
                "",
                table(figures),
                "",
                f"difference of the best to the rules in F1: {lead(self.difference)}",
                "",
                f"recipe: {self.output / BEST} (train with it: --config {self.output / BEST})",
                self.signature,
            ]
        )
