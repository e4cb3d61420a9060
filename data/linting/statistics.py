"""The statistics of a gold annotation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.model import Benchmark


@dataclass(frozen=True)
class Statistics:
    """What the paper's Table 5 has of an annotation, and some more; a mean over nothing is None.

    Lengths are in words and count optional ones; those called `required` do not.
    """

    sentences: int
    clusters: int
    formulations: int
    optional_groups: int
    clusters_per_sentence: float | None
    formulations_per_cluster: float | None
    formulation_length: float | None
    relation_length: float | None
    required_formulation_length: float | None
    required_relation_length: float | None


def statistics(benchmark: Benchmark) -> Statistics:
    """Count sentences, clusters and formulations, and their mean sizes."""
    clusters = [cluster for sentence in benchmark for cluster in sentence.clusters]
    formulations = [formulation for cluster in clusters for formulation in cluster.formulations]
    return Statistics(
        len(benchmark.sentences),
        len(clusters),
        len(formulations),
        sum(group.optional for f in formulations for slot in f.slots for group in slot.groups),
        _mean([len(sentence.clusters) for sentence in benchmark]),
        _mean([len(cluster.formulations) for cluster in clusters]),
        _mean([sum(len(slot.words) for slot in f.slots) for f in formulations]),
        _mean([len(f.relation.words) for f in formulations]),
        _mean([sum(len(slot.required) for slot in f.slots) for f in formulations]),
        _mean([len(f.relation.required) for f in formulations]),
    )


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None
