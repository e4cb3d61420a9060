from __future__ import annotations

from dataclasses import replace

import pytest

from tests.matchers.facts import triple
from tests.training.labels.chemist import BENCHMARK, GOLD, OTHER
from training.labels.generated import generated
from training.labels.held_out import AMBIGUOUS_COST, HeldOut, is_doubtful
from training.labels.judged_parts import Judged, Source


def test_what_is_allowed_beside() -> None:
    work = [Judged(GOLD, "x", (), ()), Judged(OTHER, "y", (), ())]
    held_out = HeldOut.of(work, work[:1])
    made_of = {part.sentence: part for part in generated(BENCHMARK, 1, seed=1)}
    assert held_out.allows(made_of[GOLD])
    assert not held_out.allows(made_of[OTHER])  # its sentence is held out
    third = replace(OTHER, text="Nobody judged this .")
    assert held_out.allows(Judged(third, "x", (), (), source="silver"))
    assert not held_out.allows(Judged(third, "y", (), (), source="silver"))  # its system is held out
    assert held_out.allows(Judged(third, "z", (), (), source="silver"))


@pytest.mark.parametrize(
    ("source", "repeat", "other"),
    [("people", True, False), ("silver", True, True), ("generated", True, True)],
)
def test_what_a_rule_fires_on_is_doubtful_by_its_source(source: Source, repeat: bool, other: bool) -> None:
    extractions = (triple("Mara Venn - is - the chemist"), triple("Mara - is - the chemist"))
    part = Judged(GOLD, "x", extractions, (frozenset({"1"}), frozenset()), source=source)
    assert is_doubtful(part, 1, "1", fires=True, cost=9.0) is repeat
    assert is_doubtful(part, 1, "2", fires=True, cost=9.0) is other
    assert not is_doubtful(part, 1, "1", fires=False, cost=9.0)
    assert is_doubtful(part, 1, "1", fires=False, cost=AMBIGUOUS_COST) is (source == "silver")
