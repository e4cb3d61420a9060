from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from data.problems import InputError
from matchers.encoder import weights as payload
from matchers.encoder.matcher import CrossEncoderMatcher, Scored
from tests.matchers import tiny
from tests.training.fitting.test_features import otherwise_written
from training.fitting.cross_encoder import Fits, best_threshold, fit_cross_encoder
from training.fitting.examples import Extra
from training.labels.judged_parts import Judged, Source, assign_all
from training.metrics import pair_counts, pair_score
from training.recipes import CrossEncoder, Recipe, Supervision

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")

TINY = CrossEncoder(
    base_model="tiny", method="full", epochs=1.0, learning_rate=1e-3, max_length=64, threshold_folds=0, bf16=False
)
RECIPE = Recipe(kind="cross_encoder", cross_encoder=TINY)


def scores(matcher: CrossEncoderMatcher) -> list[tuple[int, int, float]]:
    return [one for part in tiny.parts() for one in matcher.pair_scores(part.sentence, part.extractions)]


def test_it_learns_what_it_is_shown() -> None:
    recipe = replace(RECIPE, cross_encoder=replace(TINY, epochs=30.0, learning_rate=5e-3))
    matcher = fit_cross_encoder(Fits(recipe, quiet=True), tiny.parts())
    assert pair_score(pair_counts(tiny.parts(), assign_all(matcher, tiny.parts()))).f1 > 0.93


def test_the_threshold_is_chosen_on_inner_folds() -> None:
    recipe = replace(RECIPE, cross_encoder=replace(TINY, threshold_folds=2))
    threshold = fit_cross_encoder(Fits(recipe, quiet=True), tiny.parts()).threshold
    assert 0.0 < threshold < 1.0
    assert threshold == fit_cross_encoder(Fits(recipe, quiet=True), tiny.parts()).threshold


def test_one_that_is_not_judged_learns_from_the_further_parts_alone_and_only_once() -> None:
    names = list(dict.fromkeys(part.key for part in tiny.parts()))
    work, further = ([part for part in tiny.parts() if (part.key in names[:3]) == own] for own in (True, False))
    recipe = replace(RECIPE, cross_encoder=replace(TINY, judged=False), supervision=Supervision(levels=("first",)))
    fits = Fits(recipe, quiet=True)
    some, all_of_them = (fit_cross_encoder(fits, parts, [(further, 1.0)]) for parts in (work[:4], work))
    assert some.scorer is all_of_them.scorer and some.thin_threshold is not None
    alone = fit_cross_encoder(Fits(replace(recipe, cross_encoder=TINY), quiet=True), [], [(further, 1.0)])
    assert scores(alone) == scores(some)


def test_inner_folds_hold_out_every_sentence_once_with_what_stands_beside_it() -> None:
    recipe = replace(RECIPE, cross_encoder=replace(TINY, epochs=0.01, threshold_folds=2))
    names = list(dict.fromkeys(part.key for part in tiny.parts()))
    work = [part for part in tiny.parts() if part.key in names[:4]]
    beside = [part for part in tiny.parts() if part.key in names[2:]]  # two sentences are in both
    held = [texts for texts, _ in Fits(recipe, quiet=True).inner(work, [(beside, 0.5)])]
    assert len(held) == 2 and not held[0] & held[1] and held[0] | held[1] == set(names)


@pytest.mark.parametrize("source", ["generated", "formulations", "silver"])
def test_no_inner_fit_learns_from_a_sentence_that_it_judges(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted leak: what stands beside the judged parts is of the same sentences in another spelling."""
    from training.fitting import cross_encoder

    recipe = replace(RECIPE, cross_encoder=replace(TINY, threshold_folds=3))
    work = tiny.parts()
    beside = [otherwise_written(part, source) for part in work]
    seen: list[set[str]] = []

    def fitted(_: Fits, parts: Sequence[Judged], extra: Extra) -> CrossEncoderMatcher:
        seen.append({part.key for part in [*parts, *(one for more, _ in extra for one in more)]})
        return tiny.matcher()

    monkeypatch.setattr(cross_encoder.Fits, "fitted", fitted)
    held = [keys for keys, _ in Fits(recipe, quiet=True).inner(work, [(beside, 0.5)])]
    everything = {part.key for part in work}
    assert len(seen) == 3 and set.union(*map(set, held)) == everything
    assert all(keys == everything - out for keys, out in zip(seen, held, strict=True))


def test_of_thresholds_that_are_as_good_the_one_nearest_to_a_half_is_taken() -> None:
    matcher = tiny.matcher()
    work = tiny.parts()
    scored = matcher.scored([(part.sentence, part.extractions) for part in work])
    right = [
        [
            Scored(
                one.pair, float(part.sentence.clusters[one.pair.cluster].id in part.labels[one.pair.extraction]) * 0.4
            )
            for one in pairs
        ]
        for part, pairs in zip(work, scored, strict=True)
    ]
    assert best_threshold(work, right) == pytest.approx(0.4)


def test_a_finished_fit_is_not_done_again(tmp_path: Path) -> None:
    first = fit_cross_encoder(Fits(RECIPE, tmp_path, quiet=True), tiny.parts())
    written = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert {path.name for path in written} == {*payload.FILES["model"], "cross_encoder.json"}
    again = fit_cross_encoder(Fits(RECIPE, tmp_path, quiet=True), tiny.parts())
    assert scores(first) == scores(again)
    assert written == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}


def test_another_recipe_does_not_go_on_from_the_steps_of_this_one(tmp_path: Path) -> None:
    first = fit_cross_encoder(Fits(RECIPE, tmp_path, quiet=True), tiny.parts())
    other = replace(RECIPE, cross_encoder=replace(TINY, learning_rate=1e-2))
    assert scores(fit_cross_encoder(Fits(other, tmp_path, quiet=True), tiny.parts())) != scores(first)


def test_it_needs_pairs_of_both_kinds() -> None:
    part = tiny.parts()[0]
    nothing = replace(part, labels=tuple(frozenset() for _ in part.labels))
    with pytest.raises(InputError, match="needs pairs that match and pairs that don't"):
        fit_cross_encoder(Fits(RECIPE, quiet=True), [nothing])
