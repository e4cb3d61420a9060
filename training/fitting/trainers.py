"""Trainers: from a recipe and what there is to train on to matchers, one a fold and one of the whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path

from data.command_line import progress
from data.extras import need
from data.problems import InputError
from matchers.checkpoints import knows, load_encoder, sentence_hash
from matchers.encoder.hybrid import HybridMatcher, with_encoder
from matchers.encoder.matcher import CrossEncoderMatcher
from matchers.features.matcher import FeatureMatcher
from matchers.interface import Matcher
from training.fitting.adaptation import adapt, prepared
from training.fitting.cross_encoder import Fits, fit_cross_encoder
from training.fitting.estimation import learns_thin, used_columns
from training.fitting.examples import Extra, by_weight
from training.fitting.features import fit_features
from training.fitting.lora import need_libraries
from training.fitting.parts import Part, featurise
from training.labels.folds import folds
from training.labels.judged_parts import Judged, keys
from training.labels.material import Material, Weighted
from training.labels.protocols import Protocol
from training.recipes import Recipe


class Trainer(ABC):
    """Trains matchers by a recipe on judged parts of its material, which are named by their positions.

    What stands beside the judged parts is trained on too, but for what shares a sentence or system with judged parts
    that are not among those trained on. With a `workspace`, cross-encoders that were finished or begun there are not
    trained again.
    """

    def __init__(self, recipe: Recipe, material: Material, quiet: bool = False, workspace: Path | None = None) -> None:
        self.recipe, self.material, self.quiet, self.workspace = recipe, material, quiet, workspace

    @abstractmethod
    def __call__(self, train: Sequence[int]) -> Matcher:
        """The matcher of the judged parts at these positions."""

    def of_everything(self) -> Matcher:
        """The matcher of all judged parts."""
        return self(range(len(self.material.work)))

    def with_recipe(self, recipe: Recipe) -> Trainer:
        """The same trainer, and what it has prepared of the same material, for another recipe of its kind."""
        other = copy(self)
        other.recipe = recipe
        return other


class FeatureTrainer(Trainer):
    """Trains the feature-based classifier; features are computed once and shared by all folds."""

    def __init__(self, recipe: Recipe, material: Material, quiet: bool = False, workspace: Path | None = None) -> None:
        super().__init__(recipe, material, quiet, workspace)
        need("training", "train", "sklearn", "threadpoolctl")
        used_columns(recipe.classifier)  # a wrong name is better said before the work
        weighted = [*((part, 1.0) for part in material.work), *((item.part, item.weight) for item in material.beside)]
        parts = _featurised(weighted, recipe, quiet)
        self.parts, self.beside = parts[: len(material.work)], parts[len(material.work) :]

    def __call__(self, train: Sequence[int]) -> Matcher:
        """The matcher of the judged parts at these positions."""
        allowed = self.material.allowed(train)
        return self.fitted([self.parts[position] for position in train], [self.beside[place] for place in allowed])

    def fitted(self, parts: Sequence[Part], beside: Sequence[Part]) -> Matcher:
        """The matcher of parts with their features, and of those beside them."""
        return fit_features(self.recipe, parts, beside, self.recipe.seed)


class AdaptingTrainer(Trainer):
    """Adapts a trained classifier to judged parts; nothing stands beside them."""

    def __init__(self, recipe: Recipe, material: Material, start: FeatureMatcher, quiet: bool = False) -> None:
        super().__init__(recipe, material, quiet)
        need("training", "train", "sklearn", "threadpoolctl")
        self.start = start
        self.parts = prepared(material.work)

    def __call__(self, train: Sequence[int]) -> Matcher:
        """The start, adapted to the judged parts at these positions."""
        parts = [self.parts[position] for position in train]
        return replace(adapt(self.start, parts, self.recipe.inner_folds, self.recipe.seed), name=self.recipe.name)


def _featurised(weighted: Sequence[tuple[Judged, float]], recipe: Recipe, quiet: bool) -> list[Part]:
    """The features of parts with their weights, under the levels at which they are trained on."""
    return [
        featurise(part, weight, recipe.levels if learns_thin(recipe.classifier, part) else ())
        for part, weight in progress(weighted, "features", quiet, len(weighted))
    ]


class CrossEncoderTrainer(Trainer):
    """Trains cross-encoders."""

    def __init__(self, recipe: Recipe, material: Material, quiet: bool = False, workspace: Path | None = None) -> None:
        super().__init__(recipe, material, quiet, workspace)
        self.fits = _fits(recipe, material, workspace, quiet)

    def __call__(self, train: Sequence[int]) -> Matcher:
        """The matcher of the judged parts at these positions."""
        parts = [self.material.work[position] for position in train]
        beside = [self.material.beside[place] for place in self.material.allowed(train)]
        matcher = fit_cross_encoder(self.fits, parts, _further(self.recipe, self.material, beside))
        matcher.name = self.recipe.name or "cross_encoder"
        return matcher

    def with_recipe(self, recipe: Recipe) -> Trainer:
        """The same trainer for another recipe, whose cross-encoders are others."""
        return CrossEncoderTrainer(recipe, self.material, self.quiet, self.workspace)


class HybridTrainer(FeatureTrainer):
    """Trains hybrids: a classifier over the features of pairs and a cross-encoder, whose log-odds are weighed.

    The cross-encoder's word on pairs of judged parts comes from one that has not seen their sentences: one that learned
    from sentences without judgments alone, or those of inner folds.
    """

    def __init__(self, recipe: Recipe, material: Material, quiet: bool = False, workspace: Path | None = None) -> None:
        options = recipe.cross_encoder
        self.given = _given(options.checkpoint, material) if options.checkpoint else None
        if self.given is None:
            if options.judged and options.threshold_folds < 2:
                raise InputError("a hybrid needs inner folds: cross_encoder.threshold_folds must be at least 2")
            self.fits = _fits(recipe, material, workspace, quiet)
        super().__init__(recipe, material, quiet, workspace)

    def fitted(self, parts: Sequence[Part], beside: Sequence[Part]) -> Matcher:
        """The matcher of parts with their features, and of those beside them."""
        judged = [part.judged for part in parts]
        further = _further(self.recipe, self.material, [part.weighted for part in beside])
        if self.given is None and self.recipe.cross_encoder.judged:
            encoder = self.fits.fitted(judged, further)
            asked = list(self.fits.inner(judged, further))
        else:
            encoder = self.given or self.fits.fitted((), further)
            asked = [(keys(judged), encoder)]
        if self.given is None:
            learned = [
                *(judged if self.recipe.cross_encoder.judged else ()),
                *(one for parts, _ in further for one in parts),
            ]
            encoder.trained_on = frozenset(map(sentence_hash, keys(learned)))
        stacked: dict[int, Part] = {}
        for held, matcher in asked:
            stacked.update(_scored(matcher, parts, held))
        ordered = [stacked[number] for number in range(len(parts))]
        features = fit_features(self.recipe, ordered, beside, self.recipe.seed)
        return HybridMatcher(features.model, self.recipe.name or "hybrid", encoder=encoder)

    def with_recipe(self, recipe: Recipe) -> Trainer:
        """The same trainer, and what it has prepared of the same material, for another recipe of its kind."""
        other = super().with_recipe(recipe)
        assert isinstance(other, HybridTrainer)
        if self.given is None:
            other.fits = _fits(recipe, self.material, self.workspace, self.quiet)
        return other


def _given(name: str, material: Material) -> CrossEncoderMatcher:
    """The cross-encoder of a checkpoint that does not know the judged sentences."""
    matcher = load_encoder(name)
    sentences = {part.key: part.sentence for part in material.work}.values()
    if seen := sum(knows(matcher, sentence) for sentence in sentences):
        raise InputError(
            f"{name} was trained on {seen} of the judged sentences, so that what it says of them is worth nothing; "
            "name another cross_encoder.checkpoint, or leave it out to train one"
        )
    return matcher


def _fits(recipe: Recipe, material: Material, workspace: Path | None, quiet: bool) -> Fits:
    """The fits of a recipe's cross-encoders; without judged sentences it needs others."""
    need_libraries(recipe.cross_encoder)
    if not recipe.cross_encoder.judged and all(item.part.key in keys(material.work) for item in material.beside):
        raise InputError(
            "the recipe's cross-encoder learns from sentences without judgments, and there are none at hand; "
            "with cross_encoder.judged=true it learns from those with judgments"
        )
    return Fits(recipe, workspace, quiet)


def _further(recipe: Recipe, material: Material, beside: Sequence[Weighted]) -> Extra:
    """What a cross-encoder learns from beside judged parts, or in place of them: then of other sentences alone."""
    if not recipe.cross_encoder.judged:
        own = keys(material.work)
        beside = [item for item in beside if item.part.key not in own]
    return by_weight(beside)


def _scored(encoder: CrossEncoderMatcher, parts: Sequence[Part], held: frozenset[str]) -> dict[int, Part]:
    """The parts of held sentences, by their positions, with the cross-encoder's word on their pairs at each level."""
    positions = [number for number, part in enumerate(parts) if part.judged.key in held]
    versions = [version for number in positions for version in parts[number].every]
    work = [(version.judged.sentence, version.judged.extractions) for version in versions]
    tables = iter(with_encoder(encoder, work, [version.table for version in versions]))
    scored = {}
    for number in positions:
        part = replace(parts[number], table=next(tables))
        scored[number] = replace(part, thin=tuple(replace(version, table=next(tables)) for version in part.thin))
    return scored


KINDS: dict[str, type[Trainer]] = {
    "features": FeatureTrainer,
    "cross_encoder": CrossEncoderTrainer,
    "hybrid": HybridTrainer,
}


def trainer_for(
    recipe: Recipe,
    material: Material,
    quiet: bool = False,
    workspace: Path | None = None,
    start: FeatureMatcher | None = None,
) -> Trainer:
    """The trainer of a recipe's kind, or of a matcher to start from.

    A `workspace` keeps what long training has done so far.
    """
    if start is not None:
        return AdaptingTrainer(recipe, material, start, quiet)
    return KINDS[recipe.kind](recipe, material, quiet, workspace)


def planned_fits(recipe: Recipe, material: Material, protocol: Protocol, whole: bool) -> str:
    """What a recipe that takes long is about to do, in a sentence; nothing of one that doesn't."""
    if recipe.kind == "features":
        return ""
    options = recipe.cross_encoder
    if recipe.kind == "hybrid" and options.checkpoint:
        return ""
    rounds = len(folds(material.work, protocol, recipe.folds, recipe.seed)) + whole
    count = rounds * (1 + (options.threshold_folds if options.threshold_folds >= 2 else 0)) if options.judged else 1
    return (
        f"this takes long: {count} cross-encoders are trained, each some minutes on a processor; interrupted, "
        "the same command with --resume goes on"
    )
