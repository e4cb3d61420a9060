"""What systems do wrong: errors by slot, scores by kind of sentence, lengths of extractions (BenchIE, section 5).

Errors: each extraction that states no fact is laid beside its closest gold formulations, those with which it agrees in
most slots. Which slots agree is its error bucket: (1, 1, 0) has the right first argument and relation and a wrong
second argument. Several closest formulations may differ in that; then each of their buckets gets one more. A slot's
share of errors is the share of these counts in which it is wrong.

Slots are compared as the matcher compares words: as they are written if it is a set of rules without Punc, else without
punctuation and case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

import numpy

from data.model import SLOT_NAMES, Benchmark, Extraction, System
from matchers.bootstrap import Interval, interval, resampled_scores
from matchers.interface import Assignment, Matcher
from matchers.rules import PUNC, RuleMatcher
from matchers.scoring import Counts, Duplicates, Score, SystemScore, Tally, assignments
from matchers.sentence_counts import BucketFunction, default_buckets, ordered_labels
from matchers.views import PLAIN, WRITTEN, View, view

Right = tuple[int, int, int]

ERROR_BUCKETS: tuple[Right, ...] = ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0))
ALL_RIGHT: Right = (1, 1, 1)


@dataclass(frozen=True)
class Resampling:
    """How intervals are drawn."""

    resamples: int = 1000
    seed: int = 1


USUAL = Resampling()


@dataclass(frozen=True)
class Errors:
    """What became of a system's extractions.

    `repeats` state a fact with which another extraction was credited. `without_gold` are in sentences without any
    formulation, so nothing is close. `rejected` agree with a formulation in all slots and still were not matched, which
    only learned matchers do. The other `wrong` ones are counted in `buckets`, some of them in several.
    """

    matched: int
    repeats: int
    without_gold: int
    rejected: int
    wrong: int
    buckets: Mapping[Right, int]

    def share(self, bucket: Right) -> float:
        """The share of the error counts that are in a bucket."""
        total = sum(self.buckets.values())
        return self.buckets[bucket] / total if total else 0.0

    @property
    def slots(self) -> dict[str, float]:
        """The share of the error counts in which each slot is wrong; they need not add up to 1."""
        return {
            name: sum(self.share(bucket) for bucket in ERROR_BUCKETS if not bucket[slot])
            for slot, name in enumerate(SLOT_NAMES)
        }


@dataclass(frozen=True)
class Lengths:
    """How many words a system's extractions have, all slots together; half of them have from `lower` to `upper`."""

    mean: float
    median: float
    shortest: int
    longest: int
    lower: float = 0.0
    upper: float = 0.0

    @classmethod
    def of(cls, system: System) -> Lengths:
        """The lengths of all extractions of a system; words are those at spaces."""
        found = [sum(len(slot.split()) for slot in extraction.slots) for extraction in system.extractions]
        if not found:
            return cls(0.0, 0.0, 0, 0)
        lower, upper = (float(value) for value in numpy.percentile(found, [25, 75]))
        return cls(mean(found), float(median(found)), min(found), max(found), lower, upper)


@dataclass(frozen=True)
class SystemProfile:
    """A system's score, errors, lengths, and scores by dimension (such as length) and bucket of sentences.

    `intervals` are those of F1 in each bucket that has sentences, by resampling them.
    """

    name: str
    extractions: int
    score: Score
    errors: Errors
    lengths: Lengths
    by_bucket: Mapping[str, Mapping[str, Score]]
    intervals: Mapping[str, Mapping[str, Interval]]


@dataclass(frozen=True)
class Profile:
    """The profiles of a benchmark's systems, and how many sentences each bucket of each dimension has."""

    sizes: Mapping[str, Mapping[str, int]]
    systems: tuple[SystemProfile, ...]


def profile(
    benchmark: Benchmark,
    matcher: Matcher,
    buckets: Mapping[str, BucketFunction] | None = None,
    duplicates: Duplicates = "count",
    resampling: Resampling = USUAL,
) -> Profile:
    """The profiles of a benchmark's systems by one matcher.

    `buckets` are functions that name the bucket of a sentence, by the name of what they look at; without any, length,
    conjunctions and case markers.

    >>> import data, matchers
    >>> sample = data.load("sample")
    >>> asks = {"years": lambda sentence: "a year" if any(w.isdecimal() for w in sentence.text.split()) else "none"}
    >>> profile(sample, matchers.load("rules"), asks).sizes
    {'years': {'a year': ..., 'none': ...}}
    """
    tally = Tally(benchmark, duplicates)
    finder = ErrorFinder(matcher)
    for number, system, assignment in assignments(benchmark, matcher):
        tally.add(number, system.name, assignment)
        finder.add(system.name, assignment)
    functions = default_buckets() if buckets is None else buckets
    return profile_of(benchmark, tally.scores(), finder, functions, resampling)


def profile_of(
    benchmark: Benchmark,
    scores: Sequence[SystemScore],
    finder: ErrorFinder,
    buckets: Mapping[str, BucketFunction],
    resampling: Resampling = USUAL,
) -> Profile:
    """The profiles of a benchmark's systems whose scores and errors have been counted."""
    rows = {name: _rows(benchmark, function) for name, function in buckets.items()}
    intervals = {name: _intervals(scores, of_bucket, resampling) for name, of_bucket in rows.items()}
    systems = []
    for place, (system, scored) in enumerate(zip(benchmark.systems, scores, strict=True)):
        by_bucket = {name: _scores(scored.counts, of_bucket) for name, of_bucket in rows.items()}
        errors, lengths = finder.errors(system.name), Lengths.of(system)
        bounds = {name: {label: found[place] for label, found in own.items()} for name, own in intervals.items()}
        systems.append(
            SystemProfile(system.name, len(system.extractions), scored.score, errors, lengths, by_bucket, bounds)
        )
    sizes = {name: {label: len(numbers) for label, numbers in found.items()} for name, found in rows.items()}
    return Profile(sizes, tuple(systems))


def _rows(benchmark: Benchmark, function: BucketFunction) -> dict[str, list[int]]:
    """The positions of the sentences of each bucket."""
    labels = [str(function(sentence)) for sentence in benchmark.sentences]
    rows: dict[str, list[int]] = {label: [] for label in ordered_labels(function, labels)}
    for number, label in enumerate(labels):
        rows[label].append(number)
    return rows


def _scores(counts: Counts, rows: Mapping[str, list[int]]) -> dict[str, Score]:
    return {label: Score.of(counts[numbers].sum(axis=0)) for label, numbers in rows.items()}


def _intervals(
    scores: Sequence[SystemScore], rows: Mapping[str, list[int]], resampling: Resampling
) -> dict[str, list[Interval]]:
    """The intervals of the systems' F1 in each bucket that has sentences."""
    found = {}
    for label, numbers in rows.items():
        if numbers and scores:
            counts = [system.counts[numbers] for system in scores]
            drawn = resampled_scores(counts, resampling.resamples, resampling.seed)[:, :, 2]
            found[label] = [interval(drawn[:, place]) for place in range(len(scores))]
    return found


class ErrorFinder:
    """Counts the errors of systems, assignment by assignment."""

    def __init__(self, matcher: Matcher) -> None:
        written = isinstance(matcher, RuleMatcher) and PUNC not in matcher.rules
        self.kind = WRITTEN if written else PLAIN
        self.outcomes: dict[str, Counter[str]] = {}
        self.buckets: dict[str, Counter[Right]] = {}

    def add(self, system: str, assignment: Assignment) -> None:
        """Take in what one system did in one sentence."""
        outcomes = self.outcomes.setdefault(system, Counter())
        seen = view(assignment.sentence, self.kind)
        matched, repeats = assignment.matched, assignment.repeats
        for index, extraction in enumerate(assignment.extractions):
            if index in matched or index in repeats:
                outcomes["matched" if index in matched else "repeats"] += 1
                continue
            found = closest(seen, extraction)
            if not found or ALL_RIGHT in found:
                outcomes["rejected" if found else "without_gold"] += 1
                continue
            outcomes["wrong"] += 1
            self.buckets.setdefault(system, Counter()).update(found)

    def errors(self, system: str) -> Errors:
        """The errors of a system."""
        outcomes, buckets = self.outcomes.get(system, Counter()), self.buckets.get(system, Counter())
        return Errors(
            matched=outcomes["matched"],
            repeats=outcomes["repeats"],
            without_gold=outcomes["without_gold"],
            rejected=outcomes["rejected"],
            wrong=outcomes["wrong"],
            buckets={bucket: buckets[bucket] for bucket in ERROR_BUCKETS},
        )


def closest(seen: View, extraction: Extraction) -> set[Right]:
    """Which slots agree with the closest formulations of a sentence; empty if it has none."""
    accepted = [seen.accepted(words) for words in seen.slots(extraction)]
    met = {
        (int(triple.slots[0] in accepted[0]), int(triple.slots[1] in accepted[1]), int(triple.slots[2] in accepted[2]))
        for triple in seen.triples
    }
    most = max((sum(right) for right in met), default=0)
    return {right for right in met if sum(right) == most}
