"""What the matchers of folds say of the parts that they were not trained on, under one gold or several."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from data.thinning import Thinness
from matchers.interface import Assignment, Matcher
from training.comparison.ground import Ground, Place, Run, Terms, explained
from training.evaluation.crossval import PairScores, Train, trained_folds
from training.labels.judged_parts import assign_all
from training.recipes import Recipe


@dataclass
class Heard:
    """What was said of a ground's parts so far, each by the matcher that was trained without it.

    `seconds` is the time of matching alone; the scores of pairs, and why there is disagreement with people, are asked
    for where a page will show them.
    """

    ground: Ground
    assignments: dict[int, Assignment] = field(default_factory=dict)
    scores: dict[int, PairScores] = field(default_factory=dict)
    notes: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    seconds: float = 0.0

    def hear(self, matcher: Matcher, positions: Sequence[int], closely: bool) -> None:
        """Let a matcher speak on the parts at these positions; `closely` asks for scores and reasons too."""
        parts = [self.ground.work[position] for position in positions]
        if closely:
            for position, part in zip(positions, parts, strict=True):
                self.scores[position] = matcher.pair_scores(part.sentence, part.extractions)
        started = time.perf_counter()
        said = assign_all(matcher, parts)
        self.seconds += time.perf_counter() - started
        self.assignments.update(zip(positions, said, strict=True))
        if closely:
            self.notes |= explained(matcher, self.ground.work, positions, said)

    @property
    def said(self) -> list[Assignment]:
        """All assignments in the order of the parts."""
        return [self.assignments[position] for position in range(len(self.ground.work))]

    def run(self, thinness: Thinness, seed: int) -> Run:
        """All that was said, as counts."""
        return Run.of(self.ground, thinness, self.said, seed)


def hear_folds(
    recipe: Recipe, train: Train, grounds: Mapping[Thinness, Ground], terms: Terms, closely: bool = True
) -> dict[Thinness, Heard]:
    """Train once a fold, on the ground of the terms' own thinness, and match what was left out under every gold."""
    heard = {thinness: Heard(ground) for thinness, ground in grounds.items()}
    work = grounds[terms.thinness].work
    for fold, matcher in trained_folds(work, train, terms.protocol, recipe.folds, recipe.seed, terms.quiet):
        for thinness, own in heard.items():
            own.hear(matcher, fold.test, closely and thinness == terms.thinness)
        del matcher  # the models of all folds need not be held at once
    return heard
