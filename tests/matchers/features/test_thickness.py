from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.model import Benchmark, Cluster, Sentence
from matchers.features.thickness import THICK, thickness, threshold_at
from tests import strategies
from tests.matchers.facts import sentence

ONE = ["Mara Venn --> moved to --> Oslo"]
TWO = ["Mara Venn --> is --> [a] chemist", "Mara Venn --> is [a] --> chemist"]
THREE = [*TWO, "a chemist --> is --> Mara Venn"]
NONE = Sentence("1", "Nothing is stated .")


def test_thickness_is_the_mean_of_clusters_that_have_formulations() -> None:
    assert thickness(sentence(ONE, THREE)) == 2.0
    empty = Cluster("empty", ())
    assert thickness(Sentence("1", "An invented sentence .", (*sentence(ONE, TWO).clusters, empty))) == 1.5
    assert thickness(NONE) == thickness(Sentence("1", "An invented sentence .", (empty,))) == 0.0


def test_the_threshold_goes_from_thin_to_full_in_proportion() -> None:
    at = [threshold_at(gold, 0.8, 0.4) for gold in (sentence(ONE), sentence(ONE, TWO), sentence(TWO), sentence(THREE))]
    assert at == pytest.approx([0.4, 0.6, 0.8, 0.8])


def test_gold_without_formulations_is_judged_as_full_gold() -> None:
    assert threshold_at(NONE, 0.8, 0.4) == 0.8


@given(strategies.golds(), st.floats(0, 1), st.none() | st.floats(0, 1))
def test_a_threshold_is_between_both(gold: Benchmark, full: float, thin: float | None) -> None:
    for part in gold.sentences:
        found = threshold_at(part, full, thin)
        if thin is None or thickness(part) >= THICK:
            assert found == pytest.approx(full)
        else:
            assert min(full, thin) - 1e-9 <= found <= max(full, thin) + 1e-9
