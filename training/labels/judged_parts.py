"""What people said, system by system and sentence by sentence: the ground that matchers are trained and judged on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.model import Benchmark, Extraction, Sentence
from data.problems import InputError
from matchers.interface import Assignment, Match, Matcher, Reason


@dataclass(frozen=True)
class Judged:
    """The judged extractions of one system in one sentence, each with the ids of the clusters that it matches.

    The extractions at `unclear` positions are there for the others' sake; what they match is not known.
    """

    sentence: Sentence
    system: str
    extractions: tuple[Extraction, ...]
    labels: tuple[frozenset[str], ...]
    unclear: frozenset[int] = frozenset()

    @property
    def manual(self) -> Assignment:
        """The judgments as an assignment, so that people are scored as matchers are."""
        matches = (
            Match(extraction, cluster.id, 1.0, Reason("manual"), index)
            for index, (extraction, label) in enumerate(zip(self.extractions, self.labels, strict=True))
            for cluster in self.sentence.clusters
            if cluster.id in label
        )
        return Assignment(self.sentence, self.extractions, tuple(matches))


def judged(benchmark: Benchmark) -> list[Judged]:
    """The judgments of a benchmark, in the order of its sentences and, within one, of its systems."""
    if not benchmark.judgments:
        raise InputError(f"{benchmark.name} has no judgments; a labelled set has a folder match/ or judgments/")
    found: dict[tuple[str, str], list[tuple[Extraction, frozenset[str]]]] = {}
    for judgment in benchmark.judgments:
        key = (judgment.extraction.sentence_id, judgment.system)
        found.setdefault(key, []).append((judgment.extraction, frozenset(judgment.clusters)))
    systems = systems_of(benchmark)
    return [
        Judged(
            sentence,
            system,
            tuple(extraction for extraction, _ in found[sentence.id, system]),
            tuple(label for _, label in found[sentence.id, system]),
        )
        for sentence in benchmark.sentences
        for system in systems
        if (sentence.id, system) in found
    ]


def systems_of(benchmark: Benchmark) -> list[str]:
    """The systems that were judged, in the order of the benchmark."""
    named = {judgment.system for judgment in benchmark.judgments}
    return [system.name for system in benchmark.systems if system.name in named]


def assign_all(matcher: Matcher, work: Sequence[Judged]) -> list[Assignment]:
    """A matcher's assignments of judged extractions, in their order."""
    return matcher.match_many([(part.sentence, part.extractions) for part in work])
