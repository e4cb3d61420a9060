from __future__ import annotations

from itertools import combinations

import pytest

from tests.training.compared import Overlap, sample
from training.pages.curves import Bin, calibration, curves, labelled, precision_recall, thinned
from training.pages.plots import LETTER, Point, placed, ranks


def test_ties_are_one_point() -> None:
    points = precision_recall([(0.9, True), (0.9, False), (0.5, True)], 2)
    assert [(point.recall, point.precision, point.score) for point in points] == [(0.5, 0.5, 0.9), (1.0, 2 / 3, 0.5)]


def test_people_s_own_scores_are_a_perfect_curve() -> None:
    work = sample().work
    perfect = [
        [
            (e, c, float(cluster.id in part.labels[e]))
            for e in range(len(part.extractions))
            for c, cluster in enumerate(part.sentence.clusters)
        ]
        for part in work
    ]
    found = curves(work, perfect)
    assert found is not None
    assert found.average_precision == pytest.approx(1.0) and found.calibration_error == 0
    assert {(one.score, one.share) for one in found.bins} == {(0.0, 0.0), (1.0, 1.0)}


def test_a_matcher_with_one_score_has_no_curve() -> None:
    assert curves(sample().work, [[(0, 0, 1.0)] if part.extractions else [] for part in sample().work]) is None
    assert curves(sample().work, [[] for _ in sample().work]) is None


def test_the_curve_ends_where_all_pairs_are_taken() -> None:
    work = sample().work
    scores = [Overlap().pair_scores(part.sentence, part.extractions) for part in work]
    found = curves(work, scores)
    assert found is not None and len(found.points) <= 202
    assert found.points[-1].recall == 1.0
    assert found.points[-1].precision == pytest.approx(810 / 8740)
    pairs = labelled(work, scores)
    assert len(pairs) == 8740 and pairs == sorted(pairs, key=lambda item: -item[0])


def test_bins_hold_the_edges() -> None:
    assert calibration([(1.0, True), (0.0, False), (1.2, True)]) == [Bin(0.0, 0.0, 1), Bin(1.1, 1.0, 2)]


def test_thinning_keeps_the_end() -> None:
    points = precision_recall([(1 - number / 1000, True) for number in range(999)], 999)
    kept = thinned(points)
    assert len(kept) < 260 and kept[-1] == points[-1] and kept[0] == points[0]


def test_labels_do_not_overlap() -> None:
    points = [
        Point(name, 100 + number, 100 + number, name)
        for number, name in enumerate(("one", "two", "three", "four", "five"))
    ]
    found = placed(points)
    assert [point.name for point in found] == [point.name for point in points]
    assert all(point.label == point.name for point in found), "no label is dropped"
    assert not found[0].leader and any(point.leader for point in found)
    boxes = []
    for point in found:
        width = len(point.label) * LETTER
        left = {"start": point.label_x, "end": point.label_x - width, "middle": point.label_x - width / 2}[point.anchor]
        boxes.append((left, point.label_y - 9, left + width, point.label_y + 2))
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_equal_scores_rank_by_name() -> None:
    assert ranks({"b": 0.5, "a": 0.5, "c": 0.7}) == {"c": 1, "a": 2, "b": 3}
