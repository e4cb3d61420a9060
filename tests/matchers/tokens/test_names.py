from __future__ import annotations

import pytest

from matchers.tokens.names import OWN_SCORERS, gives_fractions, is_own
from matchers.tokens.registry import SCORERS


@pytest.mark.parametrize(
    ("dataset", "matcher", "own", "fractions"),
    [
        ("wire57", "wire57", True, True),
        ("wire57", "wire57:first", False, False),
        ("benchie_carb", "carb", True, True),
        ("benchie_fl", "carb:first", False, True),
        (None, "carb", False, True),
        ("benchie_fl", "wire57", False, False),
        ("sample", "rules", False, False),
    ],
)
def test_who_gives_fractions_and_who_scores_its_own_tuples(
    dataset: str | None, matcher: str, own: bool, fractions: bool
) -> None:
    assert (is_own(dataset, matcher), gives_fractions(dataset, matcher)) == (own, fractions)


def test_the_scorers_of_data_sets_are_known() -> None:
    assert set(OWN_SCORERS.values()) <= set(SCORERS)
