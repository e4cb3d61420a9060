"""Fitting a cross-encoder: on judged pairs and further ones, with a threshold that inner folds choose.

A fit with an output folder leaves what it has there as it goes, and the same fit, begun again, goes on from it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from data.problems import InputError
from matchers import payload
from matchers.cross_encoder import CrossEncoderMatcher, Scored, chosen
from matchers.interface import decode
from training.examples import Example, Extra, examples, without
from training.folds import folds
from training.judged import Judged
from training.metrics import pair_counts, pair_score
from training.processes import is_main_process, wait_for_everyone
from training.recipes import Recipe
from training.supervision import texts
from training.tuning import positive_weight, train

_FINISHED, _STEPS = "finished", "steps"


def fit_cross_encoder(
    recipe: Recipe, work: Sequence[Judged], extra: Extra = (), output: Path | None = None, quiet: bool = False
) -> CrossEncoderMatcher:
    """A cross-encoder that is trained on judged parts, and on further ones with a weight of each of their pairs."""
    matcher = _fitted(recipe, work, extra, output, quiet)
    matcher.keeps_rules = recipe.cross_encoder.keep_rules
    if recipe.cross_encoder.threshold_folds >= 2 and len(texts(work)) >= 2:
        matcher.threshold = _inner_threshold(recipe, work, extra, output, quiet)
    return matcher


def inner_fits(
    recipe: Recipe, work: Sequence[Judged], extra: Extra = (), output: Path | None = None, quiet: bool = False
) -> Iterator[tuple[frozenset[str], CrossEncoderMatcher]]:
    """Cross-encoders of inner folds, each with the texts of the sentences that it was not trained on."""
    every = [*work, *(part for parts, _ in extra for part in parts)]
    for fold in folds(every, "sentence", recipe.cross_encoder.threshold_folds, recipe.seed):
        held = texts([every[position] for position in fold.test])
        inner = [part for part in work if part.sentence.text not in held]
        yield held, _fitted(recipe, inner, without(extra, held), output, quiet)


def _inner_threshold(recipe: Recipe, work: Sequence[Judged], extra: Extra, output: Path | None, quiet: bool) -> float:
    """The threshold that is best on inner folds."""
    scored: dict[int, list[Scored]] = {}
    for held, matcher in inner_fits(recipe, work, extra, output, quiet):
        positions = [position for position, part in enumerate(work) if part.sentence.text in held]
        found = matcher.scored([(work[position].sentence, work[position].extractions) for position in positions])
        scored.update(zip(positions, found, strict=True))
    return best_threshold(work, [scored[position] for position in range(len(work))], recipe.cross_encoder.keep_rules)


def even_odds(weight: float) -> float:
    """The score that means a probability of a half, if positive examples counted so many times in training.

    >>> even_odds(1.0), even_odds(3.0)
    (0.5, 0.75)
    """
    return weight / (1.0 + weight)


def best_threshold(work: Sequence[Judged], scored: Sequence[Sequence[Scored]], keep_rules: bool = False) -> float:
    """The threshold of the highest pair F1 after assignment; of equal ones the one nearest to a half."""
    best = (-1.0, 0.0, 0.5)
    for threshold in (number / 50 for number in range(2, 49)):
        assignments = [
            decode(part.sentence, part.extractions, chosen(part.sentence, pairs, threshold, keep_rules))
            for part, pairs in zip(work, scored, strict=True)
        ]
        f1 = pair_score(pair_counts(work, assignments)).f1
        best = max(best, (round(f1, 9), -round(abs(threshold - 0.5), 9), threshold))
    return best[2]


def _fitted(
    recipe: Recipe, work: Sequence[Judged], extra: Extra, output: Path | None, quiet: bool
) -> CrossEncoderMatcher:
    """A cross-encoder whose threshold is at even odds; one that was finished in the output folder before is read."""
    options = recipe.cross_encoder
    found = examples(work, extra, options.negatives, options.extra_negatives)
    if len({example.label for example in found}) < 2:
        raise InputError("a cross-encoder needs pairs that match and pairs that don't to be trained on")
    folder = None if output is None else output / f"fit-{_fingerprint(recipe, found)}"
    threshold = even_odds(positive_weight(options, found))
    if folder is not None and payload.is_saved(folder / _FINISHED):
        matcher = payload.load(folder / _FINISHED)
        matcher.threshold = threshold
        return matcher
    weights = train(recipe, found, None if folder is None else folder / _STEPS, quiet)
    matcher = payload.matcher_of(weights, threshold)
    if folder is not None:
        if is_main_process():
            payload.save(matcher, folder / _FINISHED)
            _remove(folder / _STEPS)
        wait_for_everyone()
    return matcher


def _fingerprint(recipe: Recipe, found: Sequence[Example]) -> str:
    """What a fit depends on, in short: another recipe or other examples never go on from its steps."""
    told = {"seed": recipe.seed, **asdict(recipe.cross_encoder)}
    for decoding in ("threshold_folds", "keep_rules"):
        del told[decoding]
    content = json.dumps([told, [asdict(example) for example in found]], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _remove(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
