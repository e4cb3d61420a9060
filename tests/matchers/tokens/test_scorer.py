from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TypeVar

import pytest

from data.catalog import load as load_data
from data.model import Benchmark, Cluster, Extraction, Formulation, Sentence, Slot, System
from data.problems import Diagnostics
from matchers import load
from matchers.counts import score_systems
from matchers.tokens.registry import load_scorer

FACT = Formulation(Slot.of("Mara"), Slot.of("sold"), Slot.of("mill"))
SENTENCE = Sentence("1", "Mara sold the old mill .", (Cluster("1", (FACT,)),))
Item = TypeVar("Item")
EQUALLY_GOOD = (Extraction("1", "Mara", "sold", "the mill"), Extraction("1", "Mara", "sold", "old mill"))


@pytest.fixture(scope="module")
def sample() -> Benchmark:
    return load_data("sample", None, Diagnostics())


def shuffled(benchmark: Benchmark, seed: int) -> Benchmark:
    """The benchmark with extractions, clusters and formulations in another order."""
    random = Random(seed)

    def mixed(items: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(random.sample(items, len(items)))

    sentences = tuple(
        replace(
            sentence, clusters=mixed(tuple(replace(c, formulations=mixed(c.formulations)) for c in sentence.clusters))
        )
        for sentence in benchmark.sentences
    )
    return replace(
        benchmark, sentences=sentences, systems=tuple(System(s.name, mixed(s.extractions)) for s in benchmark.systems)
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_oie2016_does_not_depend_on_the_order_of_any_file(sample: Benchmark, seed: int) -> None:
    other = shuffled(sample, seed)
    assert [s.score for s in load_scorer("oie2016").score_systems(other)] == [
        s.score for s in load_scorer("oie2016").score_systems(sample)
    ]
    first, second = score_systems(sample, load("oie2016")), score_systems(other, load("oie2016"))
    assert [s.counts.tolist() for s in first] == [s.counts.tolist() for s in second]


def test_of_equally_good_pairs_oie2016_takes_the_same_in_any_order() -> None:
    (first,) = load("oie2016").match(SENTENCE, EQUALLY_GOOD).matches
    (second,) = load("oie2016").match(SENTENCE, EQUALLY_GOOD[::-1]).matches
    assert first.extraction == second.extraction


@pytest.mark.parametrize("extractions", [EQUALLY_GOOD, EQUALLY_GOOD[::-1]])
def test_of_equally_good_pairs_wire57_takes_the_first_of_the_file(extractions: tuple[Extraction, ...]) -> None:
    (match,) = load("wire57").match(SENTENCE, extractions).matches
    assert match.extraction == extractions[0]
