from __future__ import annotations

from dataclasses import replace

import numpy
import pytest

from data.catalog import load
from data.problems import Diagnostics
from data.thinning import FULL, Thinness
from matchers.features.estimators import Linear
from matchers.features.matcher import Model
from training.fitting.decisions import THRESHOLDS, Scored, calibrated, decided, mean_f1
from training.fitting.parts import Part, featurise
from training.labels.judged_parts import judged
from training.recipes import Classifier

LEVELS = (Thinness.of("first"), Thinness.of("random-1"), Thinness.of("random-2"))
NO_MODEL = Model((), Linear(numpy.zeros(0), numpy.ones(0), numpy.zeros(0), 0.0))


@pytest.fixture(scope="module")
def parts() -> list[Part]:
    return [featurise(part, 1.0, LEVELS) for part in judged(load("sample", diagnostics=Diagnostics()))[:40]]


def scored(parts: list[Part], sure: float = 4.0, thin: float = -1.0) -> list[Scored]:
    """Scores that are right everywhere, and surer under the full gold than under a thin one."""
    found = []
    for number, level in enumerate((FULL, *LEVELS)):
        own = [part.every[number] for part in parts]
        high = sure if level.is_full else thin
        found.append(Scored(level, own, [numpy.where(part.labels, high, -4.0) for part in own]))
    return found


def test_thin_gold_has_a_threshold_of_its_own(parts: list[Part]) -> None:
    f1, model = decided(scored(parts), NO_MODEL, Classifier(anchor=("none",)))
    assert model.thin_threshold is not None and model.thin_threshold <= 0.25 < model.threshold
    assert f1 > 0.9 and f1 == pytest.approx(mean_f1(scored(parts), model), abs=1e-6)
    assert mean_f1(scored(parts), replace(model, thin_threshold=None)) < f1 - 0.3


def test_the_anchor_that_inner_folds_prefer(parts: list[Part]) -> None:
    right = scored(parts)
    wrong = [replace(one, log_odds=[numpy.full(len(part.labels), -9.0) for part in one.parts]) for one in right]
    assert decided(wrong, NO_MODEL, Classifier(anchor=("none", "rules")))[1].anchor == "rules"
    assert decided(right, NO_MODEL, Classifier(anchor=("rules", "none")))[1].anchor == "none"


def test_all_draws_are_one_level(parts: list[Part]) -> None:
    found = scored(parts)
    model = replace(NO_MODEL, anchor="none")
    one = [single.f1(model) for single in found]
    assert mean_f1(found, model) == pytest.approx((one[0] + one[1] + (one[2] + one[3]) / 2) / 3)


def test_calibration_turns_scores_into_log_odds(parts: list[Part]) -> None:
    model = calibrated(scored(parts, sure=1.0, thin=1.0), NO_MODEL)
    assert model.slope > 0 and model.slope * 1.0 + model.offset > 0 > model.slope * -4.0 + model.offset
    assert model.encoder_slope == 0


def test_calibration_is_by_gold_with_one_wording_where_there_is_such_gold(parts: list[Part]) -> None:
    found = scored(parts)
    nonsense = [replace(found[0], log_odds=[-odds for odds in found[0].log_odds]), *found[1:]]
    assert calibrated(nonsense, NO_MODEL) == calibrated(found, NO_MODEL) == calibrated(found[1:], NO_MODEL)
    assert calibrated(nonsense[:1], NO_MODEL) == NO_MODEL  # a slope that isn't positive is left out
    assert calibrated(found[:1], NO_MODEL).slope > 0


def test_without_scores_what_the_recipe_gives_is_taken() -> None:
    given = Classifier(anchor=("exact",), threshold=0.8, thin_threshold=0.4)
    f1, model = decided([], NO_MODEL, given)
    assert (f1, model.threshold, model.thin_threshold, model.anchor) == (0.0, 0.8, 0.4, "exact")


def test_a_cross_encoder_that_knows_better_is_weighed_more(parts: list[Part]) -> None:
    """Where the estimator guesses and the cross-encoder's log-odds are right, the latter decide."""
    chance = numpy.random.default_rng(1)

    def with_column(part: Part) -> Part:
        said = numpy.where(part.labels, 3.0, -3.0) + chance.normal(0, 0.5, len(part.labels))
        return replace(part, table=replace(part.table, values=numpy.column_stack([part.table.values, said])))

    own = [with_column(part) for part in parts]
    found = [Scored(FULL, own, [chance.normal(0, 1, len(part.labels)) for part in own])]
    model = calibrated(found, NO_MODEL)
    assert model.encoder_slope > 3 * abs(model.slope)
    assert found[0].f1(replace(model, anchor="none")) > 0.95


def test_full_gold_takes_the_most_cautious_threshold_of_those_that_are_as_good(parts: list[Part]) -> None:
    """All thresholds up to the odds of a match give the same here."""
    model = decided(scored(parts)[:1], NO_MODEL, Classifier(anchor=("none",)))[1]
    assert model.threshold == max(one for one in THRESHOLDS if one < 0.98)
