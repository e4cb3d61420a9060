"""From a recipe to trained matchers: what one fold is trained on, and what the whole is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from data.catalog import DATASETS, NAMES, find, load
from data.commands import progress
from data.model import Benchmark
from data.problems import Diagnostics, InputError
from data.reviews import read_reviews
from matchers.checkpoints import WEIGHTS
from matchers.classifier import ENCODER, FeatureMatcher
from matchers.interface import Matcher
from training.fit_features import Part, featurise, fit_features, used_columns
from training.folds import Fold
from training.judged import Judged, judged
from training.recipes import Recipe
from training.supervision import allowed_beside, generated, reviewed, silver, source_of, texts

HOW_TO_INSTALL = "training needs scikit-learn: pip install 'factmatch[train]'"


class FeatureTrainer:
    """Trains the feature-based classifier; features are computed once and shared by all folds."""

    def __init__(self, recipe: Recipe, benchmark: Benchmark, data: Path | None = None, quiet: bool = False) -> None:
        try:
            import sklearn  # noqa: F401
        except ImportError:
            raise InputError(HOW_TO_INSTALL) from None
        used_columns(recipe.classifier)  # a wrong name is better said before the work
        self.recipe = recipe
        self.work = judged(benchmark)
        made = extra_parts(recipe, benchmark, data)
        named = [*((part, 1.0) for part in self.work), *made]
        found = [featurise(*item) for item in progress(named, "features", quiet, len(named))]
        self.parts = {id(part.judged): part for part in found[: len(self.work)]}
        self.extra = found[len(self.work) :]
        self.beside: Mapping[str, int] = Counter(source_of(part.judged) for part in self.extra)
        self.trained_texts = texts([part.judged for part in found])
        self._own, self._systems = texts(self.work), frozenset(part.system for part in self.work)

    def __call__(self, train: Sequence[Judged], fold: Fold | None) -> Matcher:
        """The matcher of these parts; extra parts of sentences or systems that are held out are left out."""
        del fold  # training is quick enough to need no checkpoints of its own
        extra = [part for part in self.extra if allowed_beside(part.judged, train, self._own, self._systems)]
        return self.fitted([self.parts[id(part)] for part in train], extra)

    def fitted(self, parts: Sequence[Part], extra: Sequence[Part]) -> Matcher:
        """The matcher of parts with their features, and of extra ones beside them."""
        return fit_features(self.recipe, parts, extra, self.recipe.seed)


def silver_source(recipe: Recipe, data: Path | None) -> str | None:
    """The data set beside the judged one that a recipe asks for; None if it asks for none or it is not at hand."""
    name = recipe.supervision.silver_dataset
    if name in DATASETS:
        return name if find(name, data) else None
    if name is not None and name != "sample" and not Path(name).is_dir():
        raise InputError(f"supervision.silver_dataset is a folder, null, or one of {', '.join(NAMES)}, not {name!r}")
    return name


def extra_parts(recipe: Recipe, benchmark: Benchmark, data: Path | None) -> list[tuple[Judged, float]]:
    """Reviewed, silver and generated parts with their weights, as the recipe asks and the data allow.

    Reviewed and silver parts are of sentences without judgments, generated ones of all sentences that are at hand.
    """
    supervision = recipe.supervision
    own = texts(judged(benchmark))
    found: list[tuple[Judged, float]] = []
    sources = [benchmark]
    if name := silver_source(recipe, data):
        other = load(name, data, Diagnostics())
        sources.append(other.restricted(sentence.id for sentence in other.sentences if sentence.text not in own))
    done = own
    if supervision.reviewed_weight > 0:
        for source in sources:
            parts = reviewed(source, read_reviews(), own)
            found += [(part, supervision.reviewed_weight) for part in parts]
            done |= texts(parts)
    if supervision.silver_weight > 0:
        for source in sources:
            found += [(part, supervision.silver_weight) for part in silver(source, done)]
    if any(weight > 0 for weight in supervision.generated_weight):
        for source in sources:
            parts = generated(source, supervision.generated_per_sentence, recipe.seed)
            found += [(part, supervision.generated_weight[0]) for part in parts]
    return found


class JudgedTrainer(Protocol):
    """Trains matchers on parts of the judged work that it holds."""

    recipe: Recipe
    work: list[Judged]
    beside: Mapping[str, int]  # how many parts there are beside the judged ones, by source
    trained_texts: frozenset[str]  # of all sentences that anything was learned from, silver and generated ones too

    def __call__(self, train: Sequence[Judged], fold: Fold | None) -> Matcher:
        """The matcher of these parts, all of them if there is no fold."""


def checkpoint_parts(matcher: Matcher) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What a checkpoint's config says of a matcher, and the files of its weights."""
    settings: dict[str, Any] = {}
    files: dict[str, bytes] = {}
    if isinstance(matcher, FeatureMatcher):
        model = matcher.model
        weights = {"estimator": model.estimator.as_json(), "slope": model.slope, "offset": model.offset}
        settings = {"features": list(model.features), "threshold": model.threshold}
        files = {WEIGHTS: (json.dumps(weights) + "\n").encode()}
        if type(matcher) is FeatureMatcher:
            return settings, files
    from matchers.cross_encoder import CrossEncoderMatcher
    from matchers.hybrid import HybridMatcher
    from matchers.payload import payload_files, settings_for_config

    if isinstance(matcher, HybridMatcher):
        encoder = matcher.encoder
        return {**settings, ENCODER: settings_for_config(encoder)}, {**files, **payload_files(encoder)}
    if not isinstance(matcher, CrossEncoderMatcher):
        raise TypeError(f"{type(matcher).__name__} can't be saved as a checkpoint")
    return settings_for_config(matcher), payload_files(matcher)


def trainer_for(
    recipe: Recipe,
    benchmark: Benchmark,
    data: Path | None = None,
    quiet: bool = False,
    workspace: Path | None = None,
) -> JudgedTrainer:
    """The trainer of a recipe's kind; a `workspace` keeps what long training has done so far."""
    if recipe.kind == "features":
        return FeatureTrainer(recipe, benchmark, data, quiet)
    if recipe.kind == "hybrid":
        from training.train_hybrid import HybridTrainer

        return HybridTrainer(recipe, benchmark, data, quiet, workspace)
    from training.train_cross_encoder import CrossEncoderTrainer

    extra = extra_parts(recipe, benchmark, data)
    return CrossEncoderTrainer(recipe, benchmark, extra, workspace, quiet)
