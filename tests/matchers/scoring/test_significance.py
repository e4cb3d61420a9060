from __future__ import annotations

import pytest

from matchers.scoring.significance import (
    BOOTSTRAP,
    LEVEL,
    SWAPS,
    is_significant,
    no_intervals,
    p_text,
    p_value,
    tie_legend,
)


@pytest.mark.parametrize(
    ("p", "cell", "text"),
    [
        (0.0002, "<.001", "p < .001"),
        (0.001, ".001", "p = .001"),
        (0.05, ".050", "p = .050"),
        (1.0, "1.000", "p = 1.000"),
    ],
)
def test_a_p_value_is_written_alike_everywhere(p: float, cell: str, text: str) -> None:
    assert (p_value(p), p_text(p)) == (cell, text)


def test_no_test_no_p_value() -> None:
    assert p_value(None) == ""


def test_the_level_itself_is_not_significant() -> None:
    assert is_significant(LEVEL - 1e-9) and not is_significant(LEVEL)


def test_the_legend_says_what_was_tested_with() -> None:
    assert tie_legend(BOOTSTRAP) != tie_legend(SWAPS) and "p >= 0.05" in tie_legend(SWAPS)


def test_why_there_are_no_intervals() -> None:
    assert no_intervals(1).startswith("no intervals: 1 sentence can't") and "4 sentences" in no_intervals(4)
