"""Fitting a cross-encoder: on judged pairs and further ones, with a threshold that inner folds choose.

A fit with an output folder leaves what it has there as it goes, and the same fit, begun again, goes on from it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from data.problems import InputError
from data.thinning import FULL, Thinness, thin_sentence
from matchers.assignment import decode
from matchers.encoder import weights as payload
from matchers.encoder.matcher import CrossEncoderMatcher, Scored, chosen
from training.fitting.decisions import NEARLY
from training.fitting.examples import Example, Extra, examples, without
from training.fitting.lora import positive_weight, train
from training.fitting.processes import is_main_process, wait_for_everyone
from training.labels.folds import folds
from training.labels.judged_parts import Judged, keys
from training.metrics import pair_counts, pair_score
from training.recipes import Recipe

_FINISHED, _STEPS = "finished", "steps"


@dataclass
class Fits:
    """The fits of a recipe's cross-encoders; what is asked for again is not fitted again.

    With an `output` folder a fit leaves there what it has as it goes, and one that was finished is read.
    """

    recipe: Recipe
    output: Path | None = None
    quiet: bool = False
    last: tuple[str, CrossEncoderMatcher] | None = None  # only one, since each holds a whole model

    def fitted(self, work: Sequence[Judged], extra: Extra) -> CrossEncoderMatcher:
        """A cross-encoder whose threshold is at even odds."""
        recipe, options = self.recipe, self.recipe.cross_encoder
        shown = examples(work, extra, options.negatives, options.extra_negatives, recipe.levels)
        if len({example.label for example in shown}) < 2:
            raise InputError("a cross-encoder needs pairs that match and pairs that don't to be trained on")
        fingerprint = _fingerprint(recipe, shown)
        if self.last is None or self.last[0] != fingerprint:
            self.last = (fingerprint, self._trained(shown, fingerprint))
        matcher = copy(self.last[1])
        matcher.threshold = even_odds(positive_weight(options, shown))
        return matcher

    def _trained(self, shown: Sequence[Example], fingerprint: str) -> CrossEncoderMatcher:
        folder = None if self.output is None else self.output / f"fit-{fingerprint}"
        if folder is not None and payload.is_saved(folder / _FINISHED):
            return payload.load(folder / _FINISHED)
        weights = train(self.recipe, shown, None if folder is None else folder / _STEPS, self.quiet)
        matcher = payload.matcher_of(weights, 0.5)
        if folder is not None:
            if is_main_process():
                payload.save(matcher, folder / _FINISHED)
                shutil.rmtree(folder / _STEPS, ignore_errors=True)
            wait_for_everyone()
        return matcher

    def inner(self, work: Sequence[Judged], extra: Extra = ()) -> Iterator[tuple[frozenset[str], CrossEncoderMatcher]]:
        """Cross-encoders of inner folds, each with the keys of the sentences that it was not trained on."""
        every = [*work, *(part for parts, _ in extra for part in parts)]
        for fold in folds(every, "sentence", self.recipe.cross_encoder.threshold_folds, self.recipe.seed):
            held = keys(every[position] for position in fold.test)
            inner = [part for part in work if part.key not in held]
            yield held, self.fitted(inner, without(extra, held))


def fit_cross_encoder(fits: Fits, work: Sequence[Judged], extra: Extra = ()) -> CrossEncoderMatcher:
    """A cross-encoder of judged parts, and of further ones with a weight of each of their pairs.

    One that does not learn from judged parts is told of them for its thresholds; `extra` must be of other sentences.
    """
    options = fits.recipe.cross_encoder
    matcher = fits.fitted(work if options.judged else (), extra)
    matcher.keeps_rules = options.keep_rules
    if not options.judged:
        asked = [(keys(work), matcher)]
    elif options.threshold_folds >= 2 and len(keys(work)) >= 2:
        asked = list(fits.inner(work, extra))
    else:
        return matcher
    matcher.threshold = _chosen_threshold(work, asked, (FULL,), options.keep_rules)  # full gold asks for caution
    if levels := fits.recipe.levels:
        matcher.thin_threshold = _chosen_threshold(work, asked, levels, options.keep_rules)
    return matcher


def _chosen_threshold(
    work: Sequence[Judged],
    asked: Sequence[tuple[frozenset[str], CrossEncoderMatcher]],
    levels: Sequence[Thinness],
    keep_rules: bool,
) -> float:
    """The threshold that is best at these levels, by matchers that have not seen the sentences of these keys."""
    versions = [replace(part, sentence=thin_sentence(part.sentence, level)) for part in work for level in levels]
    scored: dict[int, list[Scored]] = {}
    for held, matcher in asked:
        positions = [position for position, part in enumerate(versions) if part.key in held]
        pairs = matcher.scored(
            [(versions[position].sentence, versions[position].extractions) for position in positions]
        )
        scored.update(zip(positions, pairs, strict=True))
    ordered = [scored[position] for position in range(len(versions))]
    return best_threshold(versions, ordered, keep_rules, cautious=levels == (FULL,))


def even_odds(weight: float) -> float:
    """The score that means a probability of a half, if positive examples counted so many times in training.

    >>> even_odds(1.0), even_odds(3.0)
    (0.5, 0.75)
    """
    return weight / (1.0 + weight)


def best_threshold(
    work: Sequence[Judged], scored: Sequence[Sequence[Scored]], keep_rules: bool = False, cautious: bool = False
) -> float:
    """The threshold of the highest pair F1 after assignment; of equal ones the one nearest to a half.

    A `cautious` one is the highest of those that are nearly as good.
    """
    f1 = {}
    for threshold in (number / 50 for number in range(2, 50)):
        assignments = [
            decode(part.sentence, part.extractions, chosen(part.sentence, pairs, threshold, keep_rules))
            for part, pairs in zip(work, scored, strict=True)
        ]
        f1[threshold] = round(pair_score(pair_counts(work, assignments)).f1, 9)
    if cautious:
        return max(threshold for threshold, value in f1.items() if value >= max(f1.values()) - NEARLY)
    return max(f1, key=lambda threshold: (f1[threshold], -round(abs(threshold - 0.5), 9), threshold))


def _fingerprint(recipe: Recipe, shown: Sequence[Example]) -> str:
    """What a fit depends on, in short: another recipe or other examples never go on from its steps."""
    told = {"seed": recipe.seed, **asdict(recipe.cross_encoder)}
    for decoding in ("threshold_folds", "keep_rules", "judged"):
        del told[decoding]
    content = json.dumps([told, [asdict(example) for example in shown]], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]
