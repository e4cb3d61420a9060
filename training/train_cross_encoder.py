"""Training cross-encoders by recipe: the judged parts of a fold with silver and generated ones beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from data.model import Benchmark
from matchers.interface import Matcher
from training.cross_encoder import fit_cross_encoder
from training.examples import by_weight
from training.folds import Fold
from training.judged import Judged, judged
from training.recipes import Recipe
from training.supervision import allowed_beside, source_of, texts


class CrossEncoderTrainer:
    """Trains cross-encoders; with a `workspace`, what was finished or begun there is not trained again."""

    def __init__(
        self,
        recipe: Recipe,
        benchmark: Benchmark,
        extra: Sequence[tuple[Judged, float]],
        workspace: Path | None,
        quiet: bool,
    ) -> None:
        self.recipe, self.extra, self.workspace, self.quiet = recipe, extra, workspace, quiet
        self.work = judged(benchmark)
        self.beside: Mapping[str, int] = Counter(source_of(part) for part, _ in extra)
        self.trained_texts = texts(self.work) | texts([part for part, _ in extra])

    def __call__(self, train: Sequence[Judged], fold: Fold | None) -> Matcher:
        """The matcher of these parts; extra parts of sentences or systems that are held out are left out."""
        del fold  # the workspace tells fits apart by what they are trained on
        own, systems = texts(self.work), frozenset(part.system for part in self.work)
        extra = by_weight(item for item in self.extra if allowed_beside(item[0], train, own, systems))
        matcher = fit_cross_encoder(self.recipe, train, extra, self.workspace, self.quiet)
        matcher.name = self.recipe.name or "cross_encoder"
        return matcher
