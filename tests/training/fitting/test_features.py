from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from data.catalog import load
from data.problems import Diagnostics, InputError
from data.text import one_line
from training.fitting import features
from training.fitting.estimation import used_columns
from training.fitting.features import fit_features
from training.fitting.parts import Part, featurise
from training.labels.generated import generated
from training.labels.judged_parts import Judged, Source, judged, key_of
from training.recipes import Classifier, Recipe, Supervision

RECIPE = Recipe(inner_folds=3, supervision=Supervision(generated_weight=(0.5, 1.0)))


@pytest.fixture
def work(small: Path) -> list[Judged]:
    return judged(load(small, diagnostics=Diagnostics()))


def otherwise_written(part: Judged, source: Source) -> Judged:
    """A part of the same sentence under another id and spelling, as another file might have it."""
    text = one_line(part.sentence.text.replace(" ,", ",").replace(" .", ".").upper())
    sentence = replace(part.sentence, id=f"{part.sentence.id}-again", text=text)
    extractions = tuple(replace(one, sentence_id=sentence.id) for one in part.extractions)
    return Judged(sentence, "elsewhere", extractions, part.labels, source=source)


@pytest.mark.parametrize("source", ["generated", "formulations", "silver"])
def test_no_inner_fold_learns_from_a_sentence_that_it_judges(
    source: Source, work: list[Judged], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted leak: every sentence stands beside the judged ones once more, in another spelling."""
    beside = [featurise(otherwise_written(part, source), 0.5) for part in work]
    seen: list[set[str]] = []
    judged_without: list[set[str]] = []
    fit = features.fit_estimator

    def watched(classifier: Any, parts: Sequence[Part], extra: Sequence[Part], *rest: Any) -> Any:
        seen.append({part.judged.key for part in [*parts, *extra]})
        judged_without.append({part.judged.key for part in parts})
        return fit(classifier, parts, extra, *rest)

    monkeypatch.setattr(features, "fit_estimator", watched)
    fit_features(RECIPE, [featurise(part) for part in work], beside, seed=1)
    everything = {part.key for part in work}
    inner = [one for one in seen if one != everything]
    # a round of inner folds a weight of generated parts, and one fit of the whole
    assert len(inner) == 3 * len(RECIPE.supervision.generated_weight) and len(seen) == len(inner) + 1
    for keys, trained in zip(seen, judged_without, strict=True):
        assert keys == trained  # nothing of the sentences that this fold is to judge
    assert set.union(*(everything - keys for keys in inner)) == everything


def test_the_plant_is_a_leak(work: list[Judged]) -> None:
    """What the test above plants would get through if sentences were compared by their texts."""
    planted = otherwise_written(work[0], "silver")
    assert planted.sentence.text != work[0].sentence.text and planted.sentence.id != work[0].sentence.id
    assert key_of(planted.sentence) == key_of(work[0].sentence)


def test_doubtful_pairs_are_not_trained_on(work: list[Judged]) -> None:
    """Where a rule fires and no label says so, a silver part leaves the pair out."""
    fired = learned = 0
    for part in work:
        made = featurise(replace(part, labels=tuple(frozenset() for _ in part.labels), source="silver"))
        pairs = zip(made.table.extraction.tolist(), made.table.cluster.tolist(), strict=True)
        kept = {pair for pair, trained in zip(pairs, made.trained, strict=True) if trained}
        assert not kept & set(made.table.rules)
        fired, learned = fired + len(made.table.rules), learned + len(kept)
    assert fired and learned


def test_weights_count(work: list[Judged], small: Path) -> None:
    made = generated(load(small, diagnostics=Diagnostics()), 4, seed=1)
    parts = [featurise(part) for part in work]
    plain = replace(RECIPE, supervision=Supervision())

    def slope(weight: float) -> Any:
        beside = [featurise(replace(part, source="silver"), weight) for part in made]
        return fit_features(plain, parts, beside, seed=1).model.estimator.as_json()

    assert slope(1.0) == slope(1.0) != slope(0.2)


def test_columns_that_are_left_out() -> None:
    every = used_columns(Classifier())
    assert len(used_columns(Classifier(features_without=("rank",)))) == len(every) - 1
    with pytest.raises(InputError, match="did you mean 'edits'"):
        used_columns(Classifier(groups_without=("edit",)))


@pytest.mark.parametrize(
    ("left_open", "asks"),
    [({}, 0), ({"calibrated": True}, 1), ({"threshold": None}, 1), ({"anchor": ("rules", "exact")}, 1)],
    ids=str,
)
def test_inner_folds_are_asked_for_what_the_recipe_leaves_open_alone(
    left_open: dict[str, Any], asks: int, work: list[Judged], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"threshold": 0.8, "calibrated": False, "anchor": ("rules",), **left_open}
    calls = []
    scores = features.inner_scores
    monkeypatch.setattr(features, "inner_scores", lambda *given: calls.append(given) or scores(*given))
    recipe = Recipe(inner_folds=2, classifier=Classifier(**given))
    model = fit_features(recipe, [featurise(part) for part in work], [], seed=1).model
    assert len(calls) == asks
    assert (model.slope != 1.0) == recipe.classifier.calibrated
