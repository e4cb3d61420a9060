"""The statistics of a gold annotation."""

from __future__ import annotations

from data.linting.statistics import statistics
from data.model import Benchmark, Sentence


def test_statistics() -> None:
    benchmark = Benchmark(
        "invented",
        (
            Sentence.of("Mara sold it .", ["Mara --> has sold --> the [old] mill", "Mara --> sold [it] --> XXX"]),
            Sentence.of("Rain .", id="2"),
        ),
    )
    found = statistics(benchmark)
    assert (found.sentences, found.clusters, found.formulations, found.optional_groups) == (2, 1, 2, 2)
    assert found.clusters_per_sentence == 0.5
    assert found.formulations_per_cluster == 2
    assert found.formulation_length == (6 + 3) / 2
    assert found.relation_length == 2
    assert found.required_formulation_length == (5 + 2) / 2
    assert found.required_relation_length == 1.5


def test_statistics_of_nothing_have_no_means() -> None:
    found = statistics(Benchmark("empty", (Sentence("1", "Rain ."),)))
    assert found.clusters_per_sentence == 0
    assert found.formulation_length is None and found.formulations_per_cluster is None
