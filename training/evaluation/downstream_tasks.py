"""Does a benchmark rank systems as the tasks do that use their extractions? See BenchIE^FL, section 6.1.

ABQA is scored here: a system gets one point for a passage if one of its extractions matches a fact that answers the
question. The figures of the other two tasks are those that were published. A benchmark's scores of systems (F1) are
then correlated with each task's.

Intervals come from resampling: the sentences of the benchmark, and for ABQA the passages too, independently. Systems
are not resampled, and what the published tasks would vary by is not known, so true intervals are wider.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy
from numpy.typing import NDArray

from data.model import Benchmark
from matchers.checkpoints import seen_sentences
from matchers.counts import Tally
from matchers.scoring.bootstrap import Interval, interval, resampled_scores
from matchers.signature import signature
from matchers.workers.choice import ONE, Workers
from matchers.workers.matching import assignments, counts_of
from training.metrics import pearson_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from data.model import System
    from matchers.counts import Counts
    from matchers.interface import Assignment, Matcher

    Work = Iterable[tuple[int, System, Assignment]]
    Watch = Callable[[Work], Work]

Floats = NDArray[numpy.float64]
Scores = Mapping[str, float]

ABQA: Final = "ABQA"
ABQA_PRINTED: Final = "ABQA printed"
CQA: Final = "C-QA"
KBP: Final = "KBP"
LEAST_SYSTEMS = 3

# Table 9 of BenchIE^FL. IMojIE was too slow for the last two.
PUBLISHED: dict[str, dict[str, float]] = {
    ABQA_PRINTED: {
        "reverb": 0.230,
        "clausie": 0.180,
        "minie": 0.270,
        "imojie": 0.170,
        "openie6": 0.170,
        "m2oie": 0.170,
        "compactie": 0.160,
    },
    CQA: {"reverb": 0.092, "clausie": 0.089, "minie": 0.095, "openie6": 0.087, "m2oie": 0.090, "compactie": 0.093},
    KBP: {"reverb": 0.149, "clausie": 0.026, "minie": 0.396, "openie6": 0.064, "m2oie": 0.014, "compactie": 0.006},
}
# Table 10: Pearson's correlation with ABQA, C-QA and KBP.
PRINTED_CORRELATIONS = {
    "WiRe57": (0.044, -0.184, 0.204),
    "CaRB": (-0.649, -0.575, -0.382),
    "BenchIE": (0.616, 0.305, 0.631),
    "BenchIE^FL": (0.940, 0.504, 0.941),
}


@dataclass(frozen=True)
class Answers:
    """Which passages each system answers: a row a system, a column a passage."""

    systems: tuple[str, ...]
    passages: tuple[str, ...]
    answered: NDArray[numpy.bool_]

    @property
    def scores(self) -> dict[str, float]:
        """The share of the passages that each system answers."""
        return dict(zip(self.systems, self.answered.mean(axis=1).tolist(), strict=True))

    def resampled(self, resamples: int, seed: int) -> Floats:
        """The systems' scores on resampled passages: a row a resample, a column a system."""
        return resampled_means(self.answered.T.astype(float), resamples, seed)


@dataclass(frozen=True)
class Ranking:
    """A benchmark's scores of systems; `counts` a sentence, of shape (systems, sentences, 4), if they are known.

    `seen` is how many of the sentences the matcher was trained on.
    """

    name: str
    scores: Scores
    counts: Counts | None = None
    signature: str = ""
    seen: int = 0


@dataclass(frozen=True)
class TaskCorrelation:
    """Pearson's correlation of a benchmark with a task, over the systems that both have; None if it is not defined."""

    pearson: float | None
    interval: Interval | None
    systems: int


def answers(passages: Benchmark, matcher: Matcher, watch: Watch | None = None, workers: Workers = ONE) -> Answers:
    """Which passages each system answers, by a matcher; `watch` may show progress."""
    place = {system.name: number for number, system in enumerate(passages.systems)}
    answered = numpy.zeros((len(place), len(passages.sentences)), dtype=bool)
    work = assignments(passages, matcher, workers)
    for number, system, assignment in watch(work) if watch else work:
        answered[place[system.name], number] = bool(assignment.matches)
    return Answers(tuple(place), tuple(sentence.id for sentence in passages), answered)


def ranking(benchmark: Benchmark, matcher: Matcher, workers: Workers = ONE) -> Ranking:
    """A benchmark's scores by a matcher."""
    tally = Tally(benchmark)
    tally.take(counts_of(benchmark, matcher, "count", workers))
    scored = tally.scores()
    counts = numpy.stack([system.counts for system in scored]).astype(numpy.int64)
    scores = {system.name: system.score.f1 for system in scored}
    signed = str(signature(benchmark, matcher, duplicates="count"))
    return Ranking(benchmark.name, scores, counts, signed, seen_sentences(matcher, benchmark))


def resampled_means(values: Floats, resamples: int, seed: int) -> Floats:
    """The means of resampled rows: a row a resample."""
    generator = numpy.random.default_rng([seed, 2])  # another stream than that of the benchmark's sentences
    rows = len(values)
    weights = generator.multinomial(rows, numpy.full(rows, 1 / rows), size=resamples)
    means: Floats = weights @ values / rows
    return means


def correlate(ranking: Ranking, task: Scores | Answers, resamples: int = 1000, seed: int = 1) -> TaskCorrelation:
    """The correlation of a benchmark's scores with a task's, over the systems that both have.

    >>> rank = Ranking("mine", {"a": 0.1, "b": 0.2, "c": 0.4, "d": 0.9})
    >>> correlate(rank, {"a": 0.2, "b": 0.3, "c": 0.5})
    TaskCorrelation(pearson=1.0, interval=None, systems=3)
    """
    scores = task.scores if isinstance(task, Answers) else task
    shared = [name for name in ranking.scores if name in scores]
    if len(shared) < LEAST_SYSTEMS:
        return TaskCorrelation(None, None, len(shared))
    ours = numpy.array([ranking.scores[name] for name in shared])
    theirs = numpy.array([scores[name] for name in shared])
    value = float(pearson_rows(ours, theirs).round(12))
    if numpy.isnan(value):
        return TaskCorrelation(None, None, len(shared))
    if ranking.counts is None and not isinstance(task, Answers):
        return TaskCorrelation(value, None, len(shared))
    spread = pearson_rows(
        _spread(ranking, shared, resamples, seed), _task_spread(task, shared, theirs, resamples, seed)
    )
    bounds = None if numpy.isnan(spread).all() else interval(spread)
    return TaskCorrelation(value, bounds, len(shared))


def _spread(ranking: Ranking, shared: Sequence[str], resamples: int, seed: int) -> Floats:
    """A benchmark's F1 on resampled sentences, or as it is if nothing is known of them."""
    if ranking.counts is None:
        return numpy.tile([ranking.scores[name] for name in shared], (resamples, 1))
    places = [list(ranking.scores).index(name) for name in shared]
    scores: Floats = resampled_scores([ranking.counts[place] for place in places], resamples, seed)[:, :, 2]
    return scores


def _task_spread(task: Scores | Answers, shared: Sequence[str], scores: Floats, resamples: int, seed: int) -> Floats:
    if not isinstance(task, Answers):
        return numpy.tile(scores, (resamples, 1))
    return task.resampled(resamples, seed)[:, [task.systems.index(name) for name in shared]]
