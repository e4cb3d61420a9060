from __future__ import annotations

import subprocess
import sys

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from matchers import hungarian as optimal
from matchers.hungarian import LARGE, best_assignment

tied = st.sampled_from((0.0, 0.0, 1000.25, 1000.5, 1000.75))
gains = st.one_of(tied, st.floats(0, 1).map(lambda score: 1000.0 + score))


@st.composite
def tables(draw: st.DrawFn) -> list[list[float]]:
    """Tables as they come from candidates: mostly empty, often with ties."""
    width = draw(st.integers(1, 7))
    return draw(st.lists(st.lists(gains, min_size=width, max_size=width), min_size=1, max_size=7))


def by_scipy(table: list[list[float]]) -> list[tuple[int, int]]:
    rows, columns = linear_sum_assignment(numpy.array(table), maximize=True)
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True)]


@settings(max_examples=500)
@given(tables())
def test_the_same_as_scipy_with_ties(table: list[list[float]]) -> None:
    assert best_assignment(table) == by_scipy(table)


@pytest.mark.parametrize("size", [(5, 20), (10, 10), (12, 8), (30, 30)])
def test_the_same_as_scipy_on_larger_tables(size: tuple[int, int]) -> None:
    random = numpy.random.default_rng(1)
    for _ in range(5):
        table = (random.integers(0, 5, size) * random.integers(0, 2, size)).astype(float).tolist()
        assert best_assignment(table) == by_scipy(table)


def test_large_tables_are_handed_to_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal, "_columns_of_rows", None)
    side = int(LARGE**0.5) + 1
    assert best_assignment([[1.0] * side] * side) == [(row, row) for row in range(side)]


def test_small_tables_do_without_scipy() -> None:
    code = "import sys; from matchers.hungarian import best_assignment as f; f([[1.0, 2.0]] * 3); print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "scipy" not in shown
