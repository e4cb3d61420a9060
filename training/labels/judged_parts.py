"""What people said, system by system and sentence by sentence: the ground that matchers are trained and judged on.

Labels from elsewhere than people come in the same shape and say where they are from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from data.model import Benchmark, Extraction, Sentence
from data.problems import InputError
from data.text import sentence_key
from matchers.interface import Assignment, Match, Matcher, Reason
from matchers.workers.choice import ONE, Workers
from matchers.workers.matching import match_parts

Source = Literal["people", "silver", "formulations", "generated"]
PEOPLE: Source = "people"
SILVER: Source = "silver"
GENERATED: Source = "generated"
FORMULATIONS: Source = "formulations"


@dataclass(frozen=True)
class Judged:
    """The judged extractions of one system in one sentence, each with the ids of the clusters that it matches.

    `source` says where the labels are from; the `system` of generated extractions is the kind of edit that made them.
    """

    sentence: Sentence
    system: str
    extractions: tuple[Extraction, ...]
    labels: tuple[frozenset[str], ...]
    source: Source = PEOPLE

    @property
    def key(self) -> str:
        """What stands for its sentence."""
        return key_of(self.sentence)

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


_key = lru_cache(maxsize=1 << 16)(sentence_key)  # asked for over and over while folds are made


def key_of(sentence: Sentence) -> str:
    """What stands for a sentence, however it is written: sentences of one key are never on both sides of a fold."""
    return _key(sentence.text)


def keys(work: Iterable[Judged]) -> frozenset[str]:
    """What stands for the sentences of judged parts."""
    return frozenset(part.key for part in work)


def judged(benchmark: Benchmark) -> list[Judged]:
    """The judgments of a benchmark, in the order of its sentences and, within one, of its systems."""
    if not benchmark.judgments:
        raise InputError(f"{benchmark.name} has no judgments; a labelled set has a folder match/ or judgments/")
    labelled: dict[tuple[str, str], list[tuple[Extraction, frozenset[str]]]] = {}
    for judgment in benchmark.judgments:
        key = (judgment.extraction.sentence_id, judgment.system)
        labelled.setdefault(key, []).append((judgment.extraction, frozenset(judgment.clusters)))
    systems = systems_of(benchmark)
    return [
        Judged(
            sentence,
            system,
            tuple(extraction for extraction, _ in labelled[sentence.id, system]),
            tuple(label for _, label in labelled[sentence.id, system]),
        )
        for sentence in benchmark.sentences
        for system in systems
        if (sentence.id, system) in labelled
    ]


def systems_of(benchmark: Benchmark) -> list[str]:
    """The systems that were judged, in the order of the benchmark."""
    named = {judgment.system for judgment in benchmark.judgments}
    return [system.name for system in benchmark.systems if system.name in named]


def assign_all(matcher: Matcher, work: Sequence[Judged], workers: Workers = ONE) -> list[Assignment]:
    """A matcher's assignments of judged extractions, in their order."""
    return match_parts(matcher, [(part.sentence, part.extractions) for part in work], workers)
