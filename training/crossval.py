"""Cross-validation: each part is matched by a matcher that was trained without its sentence (or system)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from data.commands import progress
from matchers.interface import Assignment, Matcher
from training.folds import Fold, Protocol, folds
from training.judged import Judged, assign_all

PairScores = list[tuple[int, int, float]]
Trainer = Callable[[Sequence[Judged], Fold], Matcher]


@dataclass(frozen=True)
class OutOfFold:
    """What matchers said of parts that they were not trained on: assignments, and each candidate pair's score."""

    protocol: str
    assignments: list[Assignment]
    scores: list[PairScores] = field(default_factory=list)


def cross_validate(
    work: Sequence[Judged], train: Trainer, protocol: Protocol, count: int, seed: int, quiet: bool = False
) -> OutOfFold:
    """Train once a fold and match what was left out. `train` gets the parts to train on and the fold."""
    found: dict[int, Assignment] = {}
    scores: dict[int, PairScores] = {}
    all_folds = folds(work, protocol, count, seed)
    for fold in progress(all_folds, "cross-validation", quiet, len(all_folds)):
        matcher = train([work[position] for position in fold.train], fold)
        parts = [work[position] for position in fold.test]
        for position, assignment in zip(fold.test, assign_all(matcher, parts), strict=True):
            found[position] = assignment
            scores[position] = matcher.pair_scores(work[position].sentence, work[position].extractions)
    name = f"{len(all_folds)}-fold by sentence" if protocol == "sentence" else protocol
    positions = range(len(work))
    return OutOfFold(name, [found[position] for position in positions], [scores[position] for position in positions])
