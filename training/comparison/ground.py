"""What a benchmark is about: the judged ground, the terms of the comparison, and what a contender said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from data.model import Benchmark, Extraction, Sentence
from matchers.interface import Assignment, Matcher
from matchers.scoring import Sums
from training.crossval import PairScores
from training.folds import Protocol
from training.judged import Judged, judged, systems_of

Work = Sequence[tuple[Sentence, Sequence[Extraction]]]
Place = tuple[int, int, str]  # a judged part, an extraction in it, a cluster's id


@dataclass(frozen=True)
class Ground:
    """What contenders are compared on: the judged extractions of a benchmark, by sentence and system."""

    benchmark: Benchmark
    work: tuple[Judged, ...]
    systems: tuple[str, ...]

    @classmethod
    def of(cls, benchmark: Benchmark) -> Ground:
        """The judged part of a benchmark."""
        return cls(benchmark, tuple(judged(benchmark)), tuple(systems_of(benchmark)))

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences with a judged extraction, in the order of the benchmark."""
        return tuple({part.sentence.id: part.sentence for part in self.work}.values())

    @property
    def extractions(self) -> int:
        """How many extractions were judged."""
        return sum(len(part.extractions) for part in self.work)

    @property
    def pairs(self) -> int:
        """How many extraction-cluster pairs there are."""
        return sum(len(part.extractions) * len(part.sentence.clusters) for part in self.work)

    @property
    def positives(self) -> int:
        """How many of them people matched."""
        return sum(len(label) for part in self.work for label in part.labels)


@dataclass(frozen=True)
class Terms:
    """How contenders are judged: the protocol of recipes, resampling, the seen-data guard, where other data are."""

    protocol: Protocol = "sentence"
    resamples: int = 10_000
    seed: int = 1
    allow_seen: bool = False
    data: Path | None = None
    quiet: bool = True


@dataclass(frozen=True)
class Verdicts:
    """What a contender said: assignments and pair scores in the order of the ground's parts, or sums of systems only.

    `seconds` is the time of matching, without that of training. `seen` counts the sentences that it was trained on.
    `notes` says why it decided as it did where it disagrees with people.
    """

    name: str
    signature: str
    protocol: str
    seconds: float
    sums: Sums
    assignments: tuple[Assignment, ...] | None = None
    scores: tuple[PairScores, ...] = ()
    seen: int = 0
    learned: bool = False
    notes: dict[Place, tuple[str, ...]] = field(default_factory=dict)


def explained(
    matcher: Matcher, work: Sequence[Judged], positions: Sequence[int], found: Sequence[Assignment]
) -> dict[Place, tuple[str, ...]]:
    """What a matcher sees in the pairs on which it disagrees with people, if it can say."""
    if type(matcher).explain_pair is Matcher.explain_pair:
        return {}
    notes: dict[Place, tuple[str, ...]] = {}
    for position, assignment in zip(positions, found, strict=True):
        part = work[position]
        for index, label in enumerate(part.labels):
            for cluster_id in label ^ {match.cluster for match in assignment.of(index)}:
                cluster = part.sentence.cluster(cluster_id)
                lines = matcher.explain_pair(part.sentence, part.extractions[index], cluster)
                notes[position, index, cluster_id] = tuple(lines)
    return notes


def scores_of(matcher: Matcher, work: Sequence[Judged], found: Sequence[Assignment]) -> tuple[PairScores, ...]:
    """The scores of the pairs that a matcher looked at; those of its candidates if it has no others."""
    if type(matcher).pair_scores is Matcher.pair_scores:
        return tuple([(c.extraction, c.cluster, c.score) for c in assignment.candidates] for assignment in found)
    return tuple(matcher.pair_scores(part.sentence, part.extractions) for part in work)
