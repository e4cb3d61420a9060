"""Training hybrids: a classifier over the features of pairs and over the word of a cross-encoder, stacked.

The cross-encoder's word on a pair that the classifier learns from comes from one that was trained without the pair's
sentence: the sentences are split into inner folds, whose parts are scored by a cross-encoder of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from data.model import Benchmark
from matchers.cross_encoder import CrossEncoderMatcher
from matchers.hybrid import HybridMatcher, with_encoder
from matchers.interface import Matcher
from training.cross_encoder import fit_cross_encoder
from training.examples import by_weight
from training.fit_features import Part, fit_features
from training.folds import Fold, folds
from training.judged import Judged
from training.recipes import Recipe
from training.train import FeatureTrainer


class HybridTrainer(FeatureTrainer):
    """Trains hybrids; with a `workspace`, cross-encoders that were finished or begun there are not trained again."""

    def __init__(
        self, recipe: Recipe, benchmark: Benchmark, data: Path | None, quiet: bool, workspace: Path | None
    ) -> None:
        super().__init__(recipe, benchmark, data, quiet)
        self.quiet, self.workspace = quiet, workspace

    def fitted(self, parts: Sequence[Part], extra: Sequence[Part]) -> Matcher:
        """The matcher of parts with their features; the inner folds of the stack take in the extra ones."""
        every = [*parts, *extra]
        stacked: dict[int, Part] = {}
        work = [part.judged for part in every]
        for fold in folds(work, "sentence", max(2, self.recipe.cross_encoder.threshold_folds), self.recipe.seed):
            encoder = self._encoder([every[position] for position in fold.train], len(parts), fold)
            held = [every[position] for position in fold.test]
            stacked.update(zip(fold.test, _scored(encoder, held), strict=True))
        ordered = [stacked[position] for position in range(len(every))]
        features = fit_features(self.recipe, ordered[: len(parts)], ordered[len(parts) :], self.recipe.seed)
        encoder = self._encoder(every, len(parts), None)
        return HybridMatcher(features.model, self.recipe.name, encoder=encoder)

    def _encoder(self, parts: Sequence[Part], own: int, fold: Fold | None) -> CrossEncoderMatcher:
        """A cross-encoder of these parts: the first ones are judged by people, the others stand beside them."""
        first = own if fold is None else sum(position < own for position in fold.train)
        judged: list[Judged] = [part.judged for part in parts[:first]]
        extra = by_weight((part.judged, part.weight) for part in parts[first:])
        recipe = replace(self.recipe, cross_encoder=replace(self.recipe.cross_encoder, threshold_folds=0))
        return fit_cross_encoder(recipe, judged, extra, self.workspace, self.quiet)


def _scored(encoder: CrossEncoderMatcher, parts: Sequence[Part]) -> list[Part]:
    """Parts with the cross-encoder's word on their pairs."""
    work = [(part.judged.sentence, part.judged.extractions) for part in parts]
    tables = with_encoder(encoder, work, [part.table for part in parts])
    return [replace(part, table=table) for part, table in zip(parts, tables, strict=True)]
