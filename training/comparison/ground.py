"""What a benchmark is about: the judged ground, the terms of the comparison, and what a contender said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from data.model import Benchmark, Extraction, Sentence
from data.thinning import FULL, Thinness, formulation_count, thin
from matchers.counts import Counts, Sums
from matchers.interface import Assignment, Matcher
from matchers.workers.choice import ONE, Workers
from training.comparison.levels import Level, signed_levels
from training.evaluation.crossval import PairScores
from training.labels.hashes import parts_hash
from training.labels.judged_parts import Judged, judged, systems_of
from training.labels.protocols import Protocol
from training.metrics import pair_counts, system_counts

Work = Sequence[tuple[Sentence, Sequence[Extraction]]]
Place = tuple[int, int, str]  # a judged part, an extraction in it, a cluster's id


@dataclass(frozen=True)
class Ground:
    """What contenders are compared on: the judged extractions of a benchmark, by sentence and system."""

    benchmark: Benchmark
    work: tuple[Judged, ...]
    systems: tuple[str, ...]
    _thinned: dict[Thinness, Ground] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, benchmark: Benchmark) -> Ground:
        """The judged part of a benchmark."""
        return cls(benchmark, tuple(judged(benchmark)), tuple(systems_of(benchmark)))

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences with a judged extraction, in the order of the benchmark."""
        return tuple({part.sentence.id: part.sentence for part in self.work}.values())

    def thinned(self, thinness: Thinness) -> Ground:
        """The same ground with thin gold, made once; what people said of it stays as it is, part by part."""
        if thinness.is_full:
            return self
        if thinness not in self._thinned:
            self._thinned[thinness] = Ground.of(thin(self.benchmark, thinness))
        return self._thinned[thinness]

    @property
    def formulations(self) -> int:
        """How many formulations the gold of the judged sentences has: what an annotator has to write."""
        return formulation_count(replace(self.benchmark, sentences=self.sentences))

    @cached_property
    def judgments(self) -> str:
        """The hash of what people said, for signatures."""
        return parts_hash(self.work)

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
    """How contenders are judged: the protocol of recipes, resampling, the seen-data guard, where other data are.

    `supervision` fixes the sources that recipes are trained on beside people's judgments. `thinness` is that of the
    gold that they are given. With `levels`, contenders match under each of them too, recipes once for each of so many
    `seeds`; they learn from the gold as it is.
    """

    protocol: Protocol = "sentence"
    resamples: int = 10_000
    seed: int = 1
    allow_seen: bool = False
    data: Path | None = None
    quiet: bool = True
    workers: Workers = ONE
    supervision: tuple[str, ...] | None = None
    thinness: Thinness = FULL
    levels: tuple[Level, ...] = ()
    seeds: int = 1

    @property
    def draws(self) -> tuple[Thinness, ...]:
        """Every thinness of the levels."""
        return tuple(draw for level in self.levels for draw in level.draws)

    @property
    def settings(self) -> dict[str, object]:
        """What of the terms decides a number, for signatures."""
        return {"formulations": self.thinness, **self.repeats, "resamples": self.resamples, "seed": self.seed}

    @property
    def repeats(self) -> dict[str, object]:
        """Under which levels, and with how many seeds; nothing where none were asked for."""
        return {"levels": signed_levels(self.levels), "seeds": self.seeds} if self.levels else {}


@dataclass(frozen=True)
class Run:
    """What a contender said under one thinness, as counts of each sentence: of pairs if it makes matches, of systems.

    A recipe says it once for each seed; what needs no training has none.
    """

    thinness: Thinness
    seed: int | None
    pairs: Counts | None
    sums: Sums

    @classmethod
    def of(cls, ground: Ground, thinness: Thinness, said: Sequence[Assignment], seed: int | None = None) -> Run:
        """The run of a matcher's assignments."""
        return cls(thinness, seed, pair_counts(ground.work, said), system_counts(ground.work, said, ground.systems))


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
    calls: int | None = None  # to a language model
    runs: tuple[Run, ...] = ()  # under each thinness of the levels that were asked for


def explained(
    matcher: Matcher, work: Sequence[Judged], positions: Sequence[int], assignments: Sequence[Assignment]
) -> dict[Place, tuple[str, ...]]:
    """What a matcher sees in the pairs on which it disagrees with people, if it can say."""
    if type(matcher).explain_pair is Matcher.explain_pair:
        return {}
    notes: dict[Place, tuple[str, ...]] = {}
    for position, assignment in zip(positions, assignments, strict=True):
        part = work[position]
        for index, label in enumerate(part.labels):
            for cluster_id in label ^ {match.cluster for match in assignment.of(index)}:
                cluster = part.sentence.cluster(cluster_id)
                lines = matcher.explain_pair(part.sentence, part.extractions[index], cluster)
                notes[position, index, cluster_id] = tuple(lines)
    return notes


def scores_of(matcher: Matcher, work: Sequence[Judged], assignments: Sequence[Assignment]) -> tuple[PairScores, ...]:
    """The scores of the pairs that a matcher looked at; those of its candidates if it has no others."""
    if type(matcher).pair_scores is Matcher.pair_scores:
        return tuple([(c.extraction, c.cluster, c.score) for c in assignment.candidates] for assignment in assignments)
    return tuple(matcher.pair_scores(part.sentence, part.extractions) for part in work)
