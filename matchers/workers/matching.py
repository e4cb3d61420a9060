"""Matching a benchmark with workers: shards of its sentences with all systems, and what each worker gives back.

For scores alone the counts are enough; where matches are asked for, candidates and matches come back too, and
assignments are put together here. What is computed is the same either way, and the same with any number of workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy

from data.model import Benchmark, Extraction, Sentence, System
from matchers.counts import Counts, Duplicates, count
from matchers.interface import Matcher
from matchers.matches import Assignment, Candidate, Match
from matchers.workers.choice import ONE, Workers
from matchers.workers.pool import Here, Job, Part, Pool, Result

SIZE = 64  # sentences of a shard
PARTS = 128  # parts of a shard, where sentences are not kept together

Steps = Iterator[tuple[int, System, Assignment]]


@dataclass(frozen=True)
class SentenceShard:
    """Some sentences, with the extractions of each system in each of them."""

    start: int
    sentences: tuple[Sentence, ...]
    extractions: tuple[tuple[tuple[Extraction, ...], ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the sentences."""
        return tuple(sentence.id for sentence in self.sentences)

    @cached_property
    def work(self) -> list[tuple[Sentence, tuple[Extraction, ...]]]:
        """Sentence by sentence, system by system."""
        parts = zip(self.sentences, self.extractions, strict=True)
        return [(sentence, extractions) for sentence, systems in parts for extractions in systems]


def shards_of(benchmark: Benchmark) -> Iterator[SentenceShard]:
    """The sentences of a benchmark in shards."""
    for start in range(0, len(benchmark.sentences), SIZE):
        sentences = benchmark.sentences[start : start + SIZE]
        extractions = tuple(tuple(s.by_sentence.get(one.id, ()) for s in benchmark.systems) for one in sentences)
        yield SentenceShard(start, sentences, extractions)


@dataclass(frozen=True)
class Found:
    """What is found in one part of a shard, without its sentence, which need not be sent back."""

    matches: tuple[Match, ...]
    candidates: tuple[Candidate, ...]

    def assignment(self, sentence: Sentence, extractions: tuple[Extraction, ...]) -> Assignment:
        """The assignment in this process' own objects."""
        matches = tuple(replace(match, extraction=extractions[match.index]) for match in self.matches)
        return Assignment(sentence, extractions, matches, self.candidates)


@dataclass(frozen=True)
class Matching:
    """Matches a shard, and gives back what was found."""

    matcher: Matcher

    def __call__(self, shard: SentenceShard | PartsShard) -> list[Found]:
        """What is found in each part."""
        return [Found(one.matches, one.candidates) for one in self.matcher.match_many(shard.work)]


@dataclass(frozen=True)
class Counting:
    """Matches a shard, and gives back the counts alone."""

    matcher: Matcher
    duplicates: Duplicates

    def __call__(self, shard: SentenceShard) -> Counts:
        """Right, claimed, covered and all clusters, a row a part."""
        return numpy.array([count(one, self.duplicates) for one in self.matcher.match_many(shard.work)], numpy.int64)


def pool_for(job: Job[Part, Result], workers: Workers, matcher: Matcher, extractions: int) -> Pool[Part, Result]:
    """Who does a job: this process, several, or a Ray cluster."""
    if matcher.alone:
        return Here(job)
    if workers.ray is not None:
        from matchers.workers.ray_cluster import RayWorkers

        return RayWorkers(job, workers.ray)
    processes = workers.processes(extractions, matcher.worth_workers)
    if processes == 1:
        return Here(job)
    from matchers.workers.processes import Processes

    return Processes(job, processes)


def assignments(benchmark: Benchmark, matcher: Matcher, workers: Workers = ONE) -> Steps:
    """The assignment of each sentence (by position) and system, sentence by sentence."""
    with pool_for(Matching(matcher), workers, matcher, benchmark.extraction_count) as pool:
        for shard, found in zip(shards_of(benchmark), pool.map(shards_of(benchmark)), strict=True):
            for place, ((sentence, extractions), one) in enumerate(zip(shard.work, found, strict=True)):
                number, system = divmod(place, len(benchmark.systems))
                yield shard.start + number, benchmark.systems[system], one.assignment(sentence, extractions)


def counts_of(
    benchmark: Benchmark, matcher: Matcher, duplicates: Duplicates, workers: Workers = ONE
) -> Iterator[Counts]:
    """The counts of a benchmark's sentences, shard by shard: of the shape (sentences, systems, 4)."""
    with pool_for(Counting(matcher, duplicates), workers, matcher, benchmark.extraction_count) as pool:
        for rows in pool.map(shards_of(benchmark)):
            yield rows.reshape(-1, len(benchmark.systems), 4)


@dataclass(frozen=True)
class PartsShard:
    """Some parts of any work: a sentence each, and one system's extractions of it."""

    work: tuple[tuple[Sentence, tuple[Extraction, ...]], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the sentences."""
        return tuple(dict.fromkeys(sentence.id for sentence, _ in self.work))


def match_parts(
    matcher: Matcher, work: Sequence[tuple[Sentence, Sequence[Extraction]]], workers: Workers = ONE
) -> list[Assignment]:
    """The assignments of any work, in its order."""
    parts = [(sentence, tuple(extractions)) for sentence, extractions in work]
    pool = pool_for(Matching(matcher), workers, matcher, sum(len(extractions) for _, extractions in parts))
    if isinstance(pool, Here):  # one call, which those gain from that ask or compute in batches
        return matcher.match_many(parts)
    shards = [PartsShard(tuple(parts[start : start + PARTS])) for start in range(0, len(parts), PARTS)]
    with pool:
        found = [one for shard in pool.map(shards) for one in shard]
    return [one.assignment(*part) for one, part in zip(found, parts, strict=True)]
