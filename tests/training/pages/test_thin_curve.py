from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest

from tests.training.compared import thin_comparison
from training.comparison.thin_results import ThinComparison
from training.pages.thin_curve import HEIGHT, STRIP, WIDTH, thin_curve


def found() -> ThinComparison:
    thinness = thin_comparison().thinness
    assert thinness is not None
    return thinness


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def test_a_line_goes_from_thin_to_full_gold_and_random_stands_aside() -> None:
    curve = thin_curve(found())
    assert [line.name for line in curve.lines] == ["rules", "em", "words"]  # not carb, which makes no matches
    for line in curve.lines:
        way = points(line.path)
        assert [x for x, _ in way] == sorted(x for x, _ in way) and (way[0][0], way[-1][0]) == (0, WIDTH)
        assert len(way) == len(line.marks) == 4
        assert line.draw is not None and -STRIP < line.draw.x < 0
        assert line.text.startswith(f"{line.name}: all 0.") and "random 0." in line.text
    assert len({line.draw.x for line in curve.lines if line.draw}) == len(curve.lines)  # none covers another


def test_places_are_to_scale() -> None:
    thinness = found()
    curve = thin_curve(thinness)
    few, many = thinness.formulations[3], thinness.formulations[0]
    by_name = {level.name: level for level in curve.levels}
    assert by_name["2"].x == pytest.approx(WIDTH * (thinness.formulations[2] - few) / (many - few), abs=0.01)
    names = sorted(level.name_x for level in curve.levels)
    assert all(right - left >= 40 for left, right in itertools.pairwise(names))  # names have room


def test_higher_is_better_and_bands_hold_their_lines() -> None:
    thinness, curve = found(), thin_curve(found())
    for line in curve.lines:
        f1 = [at.f1.value for at in thinness[line.name].levels[:4] if at.f1 and at.f1.value is not None]
        ranked = sorted(range(4), key=lambda place: -f1[place])
        downs = [mark.y for mark in reversed(line.marks)]
        assert [downs[place] for place in ranked] == sorted(downs)
        for mark in line.marks:
            assert mark.high is not None and mark.low is not None and 0 <= mark.high <= mark.y <= mark.low <= HEIGHT
        assert len(points(line.band)) == 8


def test_gold_with_one_formulation_a_fact_and_no_intervals() -> None:
    thinness = found()
    bare = tuple(
        replace(
            result,
            levels=tuple(replace(at, f1=at.f1 and replace(at.f1, interval=None)) for at in result.levels),
        )
        for result in thinness.results
    )
    curve = thin_curve(replace(thinness, formulations=(7,) * 5, results=bare))
    assert all(line.band == "" and line.marks[0].low is None for line in curve.lines)
    assert all(level.x <= 0 for level in curve.levels)
