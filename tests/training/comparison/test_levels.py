from __future__ import annotations

from data.thinning import Thinness
from tests.training.compared import THIN_TERMS, few
from training.comparison.ground import Terms
from training.comparison.levels import thin_levels


def test_five_levels_of_which_one_is_five_draws() -> None:
    levels = thin_levels(3)
    assert [level.name for level in levels] == ["all", "3", "2", "first", "random"]
    assert [len(level.draws) for level in levels] == [1, 1, 1, 1, 5]
    assert len({draw.seed for draw in levels[-1].draws}) == 5
    assert set(thin_levels(3)[-1].draws).isdisjoint(thin_levels(8)[-1].draws)


def test_the_levels_and_seeds_are_in_the_settings() -> None:
    assert THIN_TERMS.settings["levels"] == "all+3+2+first+random-1+random-2+random-3+random-4+random-5"
    assert THIN_TERMS.settings["seeds"] == 2
    assert set(Terms().settings) == {"formulations", "resamples", "seed"}  # nothing new where nothing was asked for


def test_thin_ground_has_the_same_parts_and_judgments() -> None:
    full, first = few(), few().thinned(Thinness.of("first"))
    assert full.thinned(Thinness.of("all")) is full and full.thinned(Thinness.of("first")) is first
    assert first.formulations < full.thinned(Thinness.of("2")).formulations < full.formulations
    assert first.formulations == sum(bool(c.formulations) for s in full.sentences for c in s.clusters)
    for one, other in zip(full.work, first.work, strict=True):
        assert (one.system, one.extractions, one.labels) == (other.system, other.extractions, other.labels)
