"""Scoring of files that are too large to be held: the same scores, byte for byte, as of files that are read whole.

Workers check the files in pieces, then match them by the shard, which is read when its turn comes. What is kept are
four numbers a sentence and system.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TextIO

import numpy

from data.formats.json_records import dump_lines
from data.model import Benchmark
from data.problems import Diagnostics
from data.streaming.files import BenchmarkFiles, Checked, OpenFiles, RawShard, opened
from data.streaming.pieces import Piece
from matchers.counts import Counts, Duplicates, SystemScore, count, matches_score
from matchers.interface import Matcher
from matchers.matches import Assignment
from matchers.scoring.evaluation import ScoringSettings, results_of, seen_in_training
from matchers.scoring.finished import Done, Finished, finished_shards
from matchers.scoring.outcomes import outcomes
from matchers.scoring.results import GoldInfo, Scores
from matchers.scoring.variants import Variant, as_variant, note_limits
from matchers.signature import signature
from matchers.workers.choice import Workers
from matchers.workers.matching import SIZE, pool_for, shards_of
from matchers.workers.pool import Pool

Work = Pool[Piece | RawShard, Any]
_BYTES = 80  # of files, for an extraction: only so that workers are started where it pays


@dataclass(frozen=True)
class Streamed:
    """What a worker does: check a piece of a file, or match a shard."""

    files: BenchmarkFiles
    matcher: Matcher
    duplicates: Duplicates
    variant: Variant
    lines: bool

    def __call__(self, part: Piece | RawShard) -> Checked | Done:
        """What came of it."""
        return self.files.check(part) if isinstance(part, Piece) else self.match(part)

    def terms(self, benchmark: Benchmark) -> str:
        """What decides the results of shards beside what is in them."""
        bare = replace(benchmark, source=None)
        signed_by = signature(bare, self.matcher, duplicates=self.duplicates, **self.variant.settings(bare))
        names = [name for name, _ in self.files.systems]
        return f"{signed_by}|lines:{self.lines}|systems:{names}|{self.files.options}"

    def match(self, shard: RawShard) -> Done:
        """What came of a shard."""
        benchmark = as_variant(shard.benchmark(self.files), self.variant, Diagnostics())
        (sentences,) = shards_of(benchmark)
        assigned = self.matcher.match_many(sentences.work)
        rows = numpy.array([count(one, self.duplicates) for one in assigned], numpy.int64)
        names = [system.name for system in benchmark.systems]
        lines = _lines(names, assigned) if self.lines else ""
        return Done(rows.reshape(-1, len(names), 4), seen_in_training(self.matcher, benchmark), lines)


def _lines(systems: list[str], assigned: list[Assignment]) -> str:
    """What became of all extractions, sentence by sentence, and there system by system."""
    parts = enumerate(assigned)
    return dump_lines(one.to_json(systems[n % len(systems)]) for n, part in parts for one in outcomes(part))


class Telling(Protocol):
    """Who is told what is met in files and how far it is; `ready` says that the files are read."""

    @property
    def diagnostics(self) -> Diagnostics:
        """For what is wrong with the files."""

    @property
    def notes(self) -> Diagnostics:
        """For what else the user should know."""

    def ready(self) -> None:
        """The work begins."""

    def watch(self, steps: Iterable[Any], total: int) -> Iterable[Any]:
        """The steps of the work."""

    def resumed(self, ready: int, shards: int, others: bool) -> None:
        """So many of the shards are finished already; `others`: there were some of other settings."""


def evaluate_files(
    files: BenchmarkFiles,
    matcher: Matcher,
    settings: ScoringSettings,
    telling: Telling,
    workers: Workers,
    matches: TextIO | None = None,
    kept: Path | None = None,
) -> Scores:
    """The scores of systems whose files are read as they are needed; their matches are written as they come.

    Finished shards are kept in a file, and taken from it, if one is named. The scores have no assignments, and their
    benchmark has no sentences.
    """
    job = Streamed(files, matcher, settings.duplicates, settings.variant, matches is not None)
    with opened(files, SIZE) as open_files, pool_for(job, workers, matcher, files.size // _BYTES) as pool:
        open_files.check(pool.map, telling.diagnostics)
        benchmark = as_variant(open_files.benchmark, settings.variant, telling.notes)
        note_limits(benchmark, matcher, settings.variant.facet, telling.notes)
        telling.ready()
        with finished_shards(kept, job.terms(benchmark), len(files.systems)) if kept else nullcontext() as finished:
            steps = _resumed(open_files, pool, finished, telling) if finished else pool.map(open_files.shards())
            counts, seen = _added_up(open_files, telling.watch(steps, open_files.index.shard_count), matches)
    scored = [
        matches_score(system.name, extractions, counts[:, place])
        for place, (system, extractions) in enumerate(zip(benchmark.systems, open_files.extractions, strict=True))
    ]
    return _scores(benchmark, matcher, scored, seen, settings)


def _resumed(files: OpenFiles, pool: Work, finished: Finished, telling: Telling) -> Iterator[Done]:
    """What came of all shards, of which those that are finished are not done again."""
    ready = {shard.number for shard in files.shards() if finished.find(shard)}
    telling.resumed(len(ready), files.index.shard_count, finished.others)
    digests: dict[int, str] = {}

    def left() -> Iterator[RawShard]:
        for shard in files.shards():
            if shard.number not in ready:
                digests[shard.number] = shard.digest
                yield shard

    coming = pool.map(left())
    for number in range(files.index.shard_count):
        if number in ready:
            done = finished.find(files.shard(number))
            assert done
        else:
            done = next(coming)
            finished.keep(number, digests.pop(number), done)
        yield done


def _added_up(files: OpenFiles, steps: Iterable[Done], matches: TextIO | None) -> tuple[Counts, int]:
    """The counts of all sentences and systems, and how many sentences the matcher was trained on."""
    counts = numpy.zeros((files.index.sentence_count, len(files.files.systems), 4), numpy.int64)
    start = seen = 0
    for done in steps:
        counts[start : start + len(done.counts)] = done.counts
        start, seen = start + len(done.counts), seen + done.seen
        if matches:
            matches.write(done.lines)
    return counts, seen


def _scores(
    benchmark: Benchmark, matcher: Matcher, scored: list[SystemScore], seen: int, settings: ScoringSettings
) -> Scores:
    signed_by = signature(benchmark, matcher, duplicates=settings.duplicates, **settings.signed(benchmark))
    systems, spread = results_of(scored, settings)
    source = benchmark.source
    assert source
    _, _, _, clusters = scored[0].counts.sum(axis=0).tolist()
    gold = GoldInfo(str(source.path), source.sha256, len(scored[0].counts), clusters, seen)
    return Scores(str(signed_by), matcher.name, gold, systems, spread, benchmark, settings.variant.label)
