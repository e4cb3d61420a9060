"""Profiles of systems: their errors, scores by kind of sentence, and lengths of extractions (BenchIE, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

import numpy

from data.command_line import table
from data.languages import is_english, tokenised
from data.model import SLOT_NAMES, Benchmark, System
from data.problems import Diagnostics
from data.text import counted
from matchers.counts import Score, Sums, SystemScore
from matchers.interface import Matcher
from matchers.profiling.buckets import BucketFunction, default_buckets, ordered_labels
from matchers.profiling.errors import ERROR_BUCKETS, ErrorFinder, Errors
from matchers.scoring.bootstrap import Interval
from matchers.scoring.evaluation import USUAL, ScoringSettings, evaluate
from matchers.scoring.results import UNDEFINED, Scores, bounds_json, bounds_text
from matchers.scoring.shapes import BucketScoreJson, LengthsJson, ProfileJson, SystemProfileJson
from matchers.scoring.significance import FEWEST
from matchers.scoring.spread import Spread
from matchers.signature import signature
from matchers.workers.choice import ONE, Workers

WORDS = "words"  # what conjunctions and case markers are counted with, if not a parse
ENGLISH_WORDS = "English word lists"


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
        lengths = [sum(len(slot.split()) for slot in extraction.slots) for extraction in system.extractions]
        if not lengths:
            return cls(0.0, 0.0, 0, 0)
        lower, upper = (float(value) for value in numpy.percentile(lengths, [25, 75]))
        return cls(mean(lengths), float(median(lengths)), min(lengths), max(lengths), lower, upper)

    def to_json(self) -> LengthsJson:
        """The lengths as JSON."""
        return {
            "mean": self.mean,
            "median": self.median,
            "shortest": self.shortest,
            "longest": self.longest,
            "lower": self.lower,
            "upper": self.upper,
        }


@dataclass(frozen=True)
class SystemProfile:
    """A system's score, errors, lengths, and scores by dimension (such as length) and bucket of sentences.

    `intervals` are those of F1 in each bucket that has five sentences or more, by resampling them.
    """

    name: str
    extractions: int
    score: Score
    errors: Errors
    lengths: Lengths
    by_bucket: Mapping[str, Mapping[str, Score]]
    intervals: Mapping[str, Mapping[str, Interval]]

    def to_json(self) -> SystemProfileJson:
        """The profile as JSON."""
        return {
            "name": self.name,
            "extractions": self.extractions,
            "precision": self.score.precision,
            "recall": self.score.recall,
            "f1": self.score.f1,
            "errors": self.errors.to_json(),
            "words": self.lengths.to_json(),
            "by_bucket": {
                name: {label: self._bucket_json(name, label) for label in scores}
                for name, scores in self.by_bucket.items()
            },
        }

    def _bucket_json(self, name: str, label: str) -> BucketScoreJson:
        score, interval = self.by_bucket[name][label], bounds_json(self.intervals[name].get(label))
        return {"precision": score.precision, "recall": score.recall, "f1": score.f1, "f1_interval": interval}


@dataclass(frozen=True)
class Profile:
    """The profiles of a benchmark's systems, and how many sentences each bucket of each dimension has.

    `counted` says with what conjunctions and case markers were counted. Printed, a profile is tables.
    """

    sizes: Mapping[str, Mapping[str, int]]
    systems: tuple[SystemProfile, ...]
    signature: str
    matcher: str
    benchmark: str
    sentences: int
    clusters: int
    counted: str = WORDS

    def __str__(self) -> str:
        return as_text(self)

    def to_json(self) -> ProfileJson:
        """The profile as JSON."""
        return {
            "signature": self.signature,
            "matcher": self.matcher,
            "gold": {"name": self.benchmark, "sentences": self.sentences, "clusters": self.clusters},
            "bucket_sizes": {name: dict(sizes) for name, sizes in self.sizes.items()},
            "systems": [system.to_json() for system in self.systems],
        }


def profile(
    benchmark: Benchmark,
    matcher: Matcher,
    buckets: Mapping[str, BucketFunction] | None = None,
    settings: ScoringSettings = USUAL,
    counted: str = WORDS,
    notes: Diagnostics | None = None,
    ready: Callable[[], object] = lambda: None,
    workers: Workers = ONE,
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
    notes = notes or Diagnostics()
    if counted == WORDS and not is_english(tokenised(benchmark, settings.variant.language or benchmark.language)):
        message = f"conjunctions and case markers are counted by English words, but {benchmark.name} is not English"
        notes.warn(ENGLISH_WORDS, message + "; name a spaCy model with --spacy")
    scores = evaluate(benchmark, matcher, settings, notes, ready, workers=workers)
    return profile_of(scores, matcher, default_buckets() if buckets is None else buckets, settings, counted)


def profile_of(
    scores: Scores,
    matcher: Matcher,
    buckets: Mapping[str, BucketFunction],
    settings: ScoringSettings = USUAL,
    counted: str = WORDS,
) -> Profile:
    """The profiles of systems that a matcher has scored, in the order of the benchmark."""
    benchmark = scores.benchmark
    finder = ErrorFinder(matcher)
    for name, made in scores.assignments.items():
        for assignment in made:
            finder.add(name, assignment)
    scored = [scores[system.name].scored for system in benchmark.systems]
    rows = {name: _rows(benchmark, function) for name, function in buckets.items()}
    intervals = {name: _intervals(scored, of_bucket, settings) for name, of_bucket in rows.items()}
    systems = tuple(
        SystemProfile(
            system.name,
            len(system.extractions),
            scored[place].score,
            finder.errors(system.name),
            Lengths.of(system),
            {name: _scores(scored[place].counts, of_bucket) for name, of_bucket in rows.items()},
            {name: {label: bounds[place] for label, bounds in own.items()} for name, own in intervals.items()},
        )
        for place, system in enumerate(benchmark.systems)
    )
    sizes = {name: {label: len(numbers) for label, numbers in of_bucket.items()} for name, of_bucket in rows.items()}
    own = {"duplicates": settings.duplicates, **settings.variant.settings(benchmark), "counted": counted}
    signed_by = signature(benchmark, matcher, **own, resamples=settings.resamples, seed=settings.seed)
    size = (len(benchmark.sentences), benchmark.cluster_count)
    return Profile(sizes, systems, str(signed_by), matcher.name, benchmark.name, *size, counted)


def _rows(benchmark: Benchmark, function: BucketFunction) -> dict[str, list[int]]:
    """The positions of the sentences of each bucket."""
    labels = [str(function(sentence)) for sentence in benchmark.sentences]
    rows: dict[str, list[int]] = {label: [] for label in ordered_labels(function, labels)}
    for number, label in enumerate(labels):
        rows[label].append(number)
    return rows


def _scores(counts: Sums, rows: Mapping[str, list[int]]) -> dict[str, Score]:
    return {label: Score.of(counts[numbers].sum(axis=0)) for label, numbers in rows.items()}


def _intervals(
    scored: Sequence[SystemScore], rows: Mapping[str, list[int]], settings: ScoringSettings
) -> dict[str, list[Interval]]:
    """The intervals of the systems' F1 in each bucket that has sentences enough for them."""
    intervals = {}
    for label, numbers in rows.items():
        spread = Spread.of([system.counts[numbers] for system in scored], settings.resamples, settings.seed)
        bounds = [of_rates[2] for place in range(len(scored)) if (of_rates := spread.intervals(place))]
        if bounds:
            intervals[label] = bounds
    return intervals


def as_text(profile: Profile) -> str:
    """A profile as tables."""
    parts = [
        f"{counted(profile.sentences, 'sentence')}, {counted(profile.clusters, 'cluster')}, matcher {profile.matcher}",
        "Wrong extractions by slot, and by the slots that are right (arg1, relation, arg2) in the closest formulation",
        table([_error_head(), *map(_error_row, profile.systems)]),
    ]
    for name, sizes in profile.sizes.items():
        heads = [f"{label} ({size})" for label, size in sizes.items()]
        rows = [
            [system.name, *(_f1_cell(system, name, label, size) for label, size in sizes.items())]
            for system in profile.systems
        ]
        few = f"; none of fewer than {FEWEST}" if any(0 < size < FEWEST for size in sizes.values()) else ""
        parts += [
            f"F1 by {name} of the sentence, with its 95 % interval (in the head: sentences{few})",
            table([["system", *heads], *rows]),
        ]
    parts += [
        "Words of an extraction",
        table([["system", "mean", "median", "shortest", "longest"], *map(_length_row, profile.systems)]),
        profile.signature,
    ]
    return "\n\n".join(parts)


def _f1_cell(system: SystemProfile, name: str, label: str, size: int) -> str:
    bounds = system.intervals[name].get(label)
    shown = f" {bounds_text(bounds, 2)}" if bounds else ""
    return f"{system.by_bucket[name][label].f1:.3f}{shown}" if size else UNDEFINED


def _error_head() -> list[str]:
    return ["system", "wrong", *SLOT_NAMES, *(",".join(map(str, right)) for right in ERROR_BUCKETS)]


def _error_row(system: SystemProfile) -> list[str]:
    errors = system.errors
    shares = [*errors.slots.values(), *(errors.share(bucket) for bucket in ERROR_BUCKETS)]
    return [system.name, str(errors.wrong), *(f"{share:.2f}" for share in shares)]


def _length_row(system: SystemProfile) -> list[str]:
    words = system.lengths
    return [system.name, f"{words.mean:.1f}", f"{words.median:g}", str(words.shortest), str(words.longest)]
