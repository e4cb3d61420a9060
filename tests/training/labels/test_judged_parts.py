from __future__ import annotations

import pytest

from data.model import Benchmark, Judgment, System
from data.problems import InputError
from matchers.rules.matcher import RuleMatcher
from tests.matchers.facts import sentence, triple
from training.labels.judged_parts import assign_all, judged, systems_of

GOLD = sentence("Ann Lo --> is --> [a] pilot", "Ann Lo --> left --> Oslo", text="Ann Lo , a pilot , left Oslo .")
OTHER = sentence("Bo Kern --> bakes --> bread", text="Bo Kern bakes bread .", name="2")
A = triple("Ann Lo - is - a pilot")
B = triple("Ann Lo - a pilot left - Oslo")
C = triple("Bo Kern - bakes - bread", "2")
BENCHMARK = Benchmark(
    "small",
    (GOLD, OTHER),
    (System("quiet"), System("late", (C, A)), System("early", (A, B))),
    (Judgment("late", C, ("1",)), Judgment("early", A, ("1",)), Judgment("early", B, ()), Judgment("late", A, ())),
)


def test_parts_are_in_the_order_of_sentences_and_systems() -> None:
    assert [(part.sentence.id, part.system) for part in judged(BENCHMARK)] == [
        ("1", "late"), ("1", "early"), ("2", "late"),
    ]  # fmt: skip


def test_a_part_has_its_extractions_with_their_clusters() -> None:
    part = judged(BENCHMARK)[1]
    assert part.extractions == (A, B) and part.labels == (frozenset({"1"}), frozenset())


def test_systems_without_judgments_are_left_out() -> None:
    assert systems_of(BENCHMARK) == ["late", "early"]


def test_judgments_as_an_assignment() -> None:
    manual = judged(BENCHMARK)[1].manual
    assert [(match.index, match.cluster, match.reason.rule) for match in manual.matches] == [(0, "1", "manual")]
    assert manual.matched == {0} and manual.covered == {"1"}


def test_an_extraction_may_match_two_clusters() -> None:
    both = Benchmark("both", (GOLD,), (System("s", (B,)),), (Judgment("s", B, ("2", "1")),))
    [part] = judged(both)
    assert [match.cluster for match in part.manual.matches] == ["1", "2"]


def test_a_benchmark_without_judgments_is_refused() -> None:
    with pytest.raises(InputError, match="plain has no judgments"):
        judged(Benchmark("plain", (GOLD,)))


def test_assignments_come_in_the_order_of_the_parts() -> None:
    work = judged(BENCHMARK)
    found = assign_all(RuleMatcher(), work)
    assert [assignment.sentence.id for assignment in found] == ["1", "1", "2"]
    assert [assignment.covered for assignment in found] == [{"1"}, {"1"}, {"1"}]
