from __future__ import annotations

import pytest

from data.catalog import load
from data.model import Benchmark
from data.problems import Diagnostics
from matchers.features.edits import NONE, Edits
from matchers.features.readings import AS_FORMULATION, REWRITTEN, WITH_DETAIL, Reader, Reading
from matchers.features.rows import pair_table
from matchers.features.word_bits import masks
from tests.matchers.facts import sentence, triple

GOLD = sentence(
    ["Mara Venn --> is --> [a] chemist", "Mara Venn --> is [a] --> chemist"],
    "Mara Venn --> moved to --> Oslo",
    "Mara Venn --> moved to --> Bergen",
    "Mara Venn --> sold --> the old mill",
    "Mara Venn --> sold the old mill in --> May",
)


def readings(text: str, cluster: int) -> list[Reading]:
    """The readings of an extraction as the fact of the cluster with this number."""
    bits = masks(GOLD)
    extraction = triple(text)
    reader, said = Reader(GOLD, bits), bits.extraction(extraction)
    return reader.readings(reader.view.slots(extraction), said, [cluster - 1], reader.near(said).lines)[cluster - 1]


def best(text: str, cluster: int) -> Reading:
    return min(readings(text, cluster), key=lambda reading: reading.cost)


def test_a_formulation_takes_no_edits() -> None:
    assert readings("Mara Venn - is - a chemist", 1) == [Reading(AS_FORMULATION, 0, NONE)]


def test_lemmas_are_compared() -> None:
    assert best("Mara Venn - was - the chemists", 1).edits == NONE


@pytest.mark.parametrize(
    ("text", "cluster", "edits"),
    [
        ("Mara Venn - is - a chemist now", 1, Edits(adverbs=1)),
        ("Mara Venn - sold - old mill", 4, Edits(determiners=1)),
        ("Mara Venn - moved - to Oslo", 2, Edits(missing_preposition=1, extra_preposition=1)),
        ("Mara Venn - did not sell - the old mill", 4, Edits(extra_function=2)),
        ("Mara Venn - sold - the mill", 4, Edits(missing_content=1)),
        ("Mara Venn - moved to - Oslo harbour", 2, Edits(extra_content=1)),
    ],
)
def test_what_is_in_the_way_of_a_formulation(text: str, cluster: int, edits: Edits) -> None:
    found = best(text, cluster)
    assert (found.kind, found.edits) == (AS_FORMULATION, edits)


def test_a_detail_of_another_fact() -> None:
    found = best("Mara Venn - sold - the old mill in May", 4)
    assert (found.kind, found.edits, found.detail) == (WITH_DETAIL, NONE, 5)


def test_joined_facts_are_rewritten() -> None:
    for cluster in (2, 3):
        found = best("Mara Venn - moved to - Oslo and Bergen", cluster)
        assert (found.kind, found.edits) == (REWRITTEN, NONE)


def test_the_nearest_formulation_is_read() -> None:
    gold = sentence(["Ann Lo --> wrote --> songs", "Ann Lo --> composed --> [some] songs"])
    bits = masks(gold)
    extraction = triple("Ann Lo - composed - some songs")
    reader = Reader(gold, bits)
    found = reader.readings(reader.view.slots(extraction), bits.extraction(extraction), [0], [])[0]
    assert [(reading.formulation, reading.cost) for reading in found] == [(1, 0)]


def check_that_rules_take_no_edits(benchmark: Benchmark) -> int:
    """Where a rule fires, the cheapest reading is free; the number of such pairs.

    Where LoD found centre and detail in one cluster, only a slot border moved: that may take a light edit.
    """
    fired = 0
    for part in benchmark.sentences:
        for system in benchmark.systems:
            table = pair_table(part, system.by_sentence.get(part.id, ()))
            for index, cluster, reading in zip(table.extraction, table.cluster, table.readings, strict=True):
                if (rule := table.rules.get((index, cluster))) is not None:
                    fired += 1
                    border = rule.reason.second_cluster == part.clusters[cluster].id
                    assert reading.cost == 0 or (border and reading.edits.only_light), (part.id, system.name, index)
    return fired


def test_where_a_rule_fires_the_reading_takes_no_edits() -> None:
    assert check_that_rules_take_no_edits(load("sample", diagnostics=Diagnostics())) > 500


def test_where_a_rule_fires_the_reading_takes_no_edits_in_real_data(judged: Benchmark) -> None:
    assert check_that_rules_take_no_edits(judged) >= 285
