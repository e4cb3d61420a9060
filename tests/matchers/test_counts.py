from __future__ import annotations

import numpy
import pytest

from data.model import Benchmark, Extraction, System
from matchers import load
from matchers.counts import CLAIMED, CLUSTERS, COVERED, RIGHT, Score, count, ranked, ratios, score_systems
from tests.matchers.facts import sentence, triple

FIRST = sentence("Ada --> saw --> [the] harbour", "Ada --> saw --> Rome", "Ada --> left --> XXX", name="1")
SECOND = sentence("Tove --> sings --> XXX", "Tove --> sings --> XXX", name="2")


def benchmark(**systems: list[str]) -> Benchmark:
    made = (
        System(name, tuple(Extraction(line[0], *triple(line[2:]).slots) for line in lines))
        for name, lines in systems.items()
    )
    return Benchmark("test", (FIRST, SECOND), tuple(made))


def test_counting_repeats_as_wrong() -> None:
    found = benchmark(
        one=["1 Ada - saw - the harbour", "1 Ada - saw - harbour", "1 Ada - ate - soup", "2 Tove - sings - "]
    )
    (system,) = score_systems(found, load("em"))
    assert (system.extractions, system.matched, system.clusters_covered) == (4, 2, 3)
    assert system.score.precision == pytest.approx(2 / 4)
    assert system.score.recall == pytest.approx(3 / 5)
    assert system.score.f1 == pytest.approx(2 * 0.5 * 0.6 / 1.1)
    assert system.counts.tolist() == [[1, 3, 1, 3], [1, 1, 2, 2]]


def test_ignoring_repeats() -> None:
    found = benchmark(
        one=["1 Ada - saw - the harbour", "1 Ada - saw - harbour", "1 Ada - ate - soup", "2 Tove - sings - "]
    )
    (system,) = score_systems(found, load("em"), "ignore")
    # The repeat is neither right nor wrong, and an extraction covers one cluster even if it states two.
    assert system.counts.tolist() == [[1, 2, 1, 3], [1, 1, 1, 2]]
    assert system.score.precision == pytest.approx(2 / 3)
    assert system.score.recall == pytest.approx(2 / 5)


def test_counts_of_one_assignment() -> None:
    extractions = [triple("Ada - saw - Rome"), triple("Ada - saw - Rome"), triple("Ada - ate - soup")]
    assignment = load("em").match(FIRST, extractions)
    assert count(assignment, "count") == (1, 3, 1, 3)
    assert count(assignment, "ignore") == (1, 2, 1, 3)
    assert len(assignment.repeats) == 1


def test_rows_are_the_benchmarks_sentences_and_silence_counts_too() -> None:
    one, two = score_systems(benchmark(one=["2 Tove - sings - "], two=["1 Ada - left - "]), load("rules"))
    assert one.counts[:, CLAIMED].tolist() == [0, 1] and two.counts[:, CLAIMED].tolist() == [1, 0]
    assert one.counts[:, CLUSTERS].tolist() == two.counts[:, CLUSTERS].tolist() == [3, 2]


def test_more_sentences_than_a_batch() -> None:
    many = tuple(sentence("Ada --> saw --> Rome", name=str(number)) for number in range(200))
    system = System("one", tuple(Extraction(str(number), "Ada", "saw", "Rome") for number in range(0, 200, 2)))
    (score,) = score_systems(Benchmark("test", many, (system,)), load("em"))
    assert score.counts[:, RIGHT].tolist() == [1, 0] * 100
    assert score.score == Score(1.0, 0.5, pytest.approx(2 / 3))  # type: ignore[arg-type]


def test_nothing_can_be_divided() -> None:
    assert Score.of(numpy.array([0, 0, 0, 4])) == Score(0.0, 0.0, 0.0)
    assert Score.of(numpy.array([0, 0, 0, 0])) == Score(0.0, 0.0, 0.0)


def test_ratios_along_the_last_axis() -> None:
    counts = numpy.array([[[1, 2, 1, 4], [0, 3, 0, 4]], [[2, 2, 4, 4], [1, 1, 1, 2]]])
    found = ratios(counts)
    assert found.shape == (2, 2, 3)
    for row, column in numpy.ndindex(2, 2):
        assert found[row, column].tolist() == list(vars(Score.of(counts[row, column])).values())


def test_ranking_is_by_f1_and_then_by_name() -> None:
    found = benchmark(worse=["1 Ada - ate - soup"], b=["1 Ada - saw - Rome"], a=["1 Ada - left - "])
    assert [system.name for system in ranked(score_systems(found, load("em")))] == ["a", "b", "worse"]


def test_the_order_of_extractions_does_not_change_a_score() -> None:
    lines = [
        "1 Ada - saw - harbour",
        "1 Ada - saw - the harbour",
        "1 ada - saw - Rome",
        "1 Ada - saw - Rome and the harbour",
    ]
    forwards, backwards = score_systems(benchmark(one=lines, two=lines[::-1]), load("rules"))
    assert forwards.score == backwards.score
    assert forwards.counts[:, COVERED].tolist() == [2, 0]
