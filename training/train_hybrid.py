"""Training hybrids: a classifier over the features of pairs and over the word of a cross-encoder, stacked.

The cross-encoder's word on a pair that the classifier learns from comes from one that was trained without the pair's
sentence, by inner folds. Both learn from the same parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from data.model import Benchmark
from data.problems import InputError
from matchers.cross_encoder import CrossEncoderMatcher
from matchers.hybrid import HybridMatcher, with_encoder
from matchers.interface import Matcher
from training.cross_encoder import fit_cross_encoder, inner_fits
from training.examples import by_weight
from training.fit_features import Part, fit_features
from training.recipes import Recipe
from training.train import FeatureTrainer


class HybridTrainer(FeatureTrainer):
    """Trains hybrids; with a `workspace`, cross-encoders that were finished or begun there are not trained again."""

    def __init__(
        self, recipe: Recipe, benchmark: Benchmark, data: Path | None, quiet: bool, workspace: Path | None
    ) -> None:
        if recipe.cross_encoder.threshold_folds < 2:
            raise InputError("a hybrid needs inner folds: cross_encoder.threshold_folds must be at least 2")
        super().__init__(recipe, benchmark, data, quiet)
        self.quiet, self.workspace = quiet, workspace

    def fitted(self, parts: Sequence[Part], extra: Sequence[Part]) -> Matcher:
        """The matcher of parts with their features, and of extra ones beside them."""
        judged = [part.judged for part in parts]
        beside = by_weight((part.judged, part.weight) for part in extra)
        every = [*parts, *extra]
        stacked: dict[int, Part] = {}
        for held, inner in inner_fits(self.recipe, judged, beside, self.workspace, self.quiet):
            stacked.update(_scored(inner, every, held))
        plain = replace(self.recipe, cross_encoder=replace(self.recipe.cross_encoder, threshold_folds=0))
        encoder = fit_cross_encoder(plain, judged, beside, self.workspace, self.quiet)
        rest = frozenset(part.judged.sentence.text for number, part in enumerate(every) if number not in stacked)
        stacked.update(_scored(encoder, every, rest))  # sentences that no cross-encoder was trained on
        ordered = [stacked[number] for number in range(len(every))]
        features = fit_features(self.recipe, ordered[: len(parts)], ordered[len(parts) :], self.recipe.seed)
        return HybridMatcher(features.model, self.recipe.name or "hybrid", encoder=encoder)


def _scored(encoder: CrossEncoderMatcher, parts: Sequence[Part], held: frozenset[str]) -> dict[int, Part]:
    """The parts of held sentences, by their positions, with the cross-encoder's word on their pairs."""
    positions = [number for number, part in enumerate(parts) if part.judged.sentence.text in held]
    work = [(parts[number].judged.sentence, parts[number].judged.extractions) for number in positions]
    tables = with_encoder(encoder, work, [parts[number].table for number in positions])
    return {number: replace(parts[number], table=table) for number, table in zip(positions, tables, strict=True)}
