"""Scoring a benchmark's systems by a matcher or a token scorer: the typed function behind `matchers.score`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from data.model import Benchmark
from data.problems import Diagnostics, InputError
from matchers.counts import Duplicates, Scorer, SystemScore, Tally, ranked
from matchers.interface import Matcher
from matchers.matches import Assignment
from matchers.scoring.results import GoldInfo, Scores, SystemResult
from matchers.scoring.spread import Spread
from matchers.scoring.variants import Variant, as_variant, note_limits
from matchers.signature import Signature, gold_hash, signature, signed
from matchers.workers.choice import ONE, Workers
from matchers.workers.matching import SIZE, assignments, counts_of

Watch = Callable[[Iterable[Any], int], Iterable[Any]]  # steps, and how many there are


@dataclass(frozen=True)
class ScoringSettings:
    """What decides a score beside benchmark and matcher: repeats, variant, and how intervals are drawn."""

    duplicates: Duplicates = "count"
    resamples: int = 1000
    seed: int = 1
    variant: Variant = field(default_factory=Variant)

    def __post_init__(self) -> None:
        if self.duplicates not in ("count", "ignore"):
            raise InputError(f"repeats are a matter of 'count' or 'ignore', not {self.duplicates!r}")
        if self.resamples < 1 or self.seed < 0:
            raise InputError("there must be at least one resample, and the seed must not be negative")

    def signed(self, benchmark: Benchmark) -> dict[str, object]:
        """What the signature says of the variant and the resampling."""
        return {**self.variant.settings(benchmark), "resamples": self.resamples, "seed": self.seed}


USUAL = ScoringSettings()


def evaluate(
    benchmark: Benchmark,
    scorer: Matcher | Scorer,
    settings: ScoringSettings = USUAL,
    notes: Diagnostics | None = None,
    ready: Callable[[], object] = lambda: None,
    watch: Watch = lambda steps, _: steps,
    workers: Workers = ONE,
    keep: bool = True,
) -> Scores:
    """The scores of a benchmark's systems, in the variant of the settings.

    What the user should know goes to `notes`. `ready` is called when the work begins, and `watch` may wrap its steps,
    whose number it is told. The work is shared by `workers`, and the result is the same with any number of them.
    Without `keep` it has no assignments, which take most of the memory.

    >>> import data, matchers
    >>> scores = evaluate(data.load("sample"), matchers.load("rules"))
    >>> scores.systems[0].f1 >= scores.systems[1].f1
    True
    """
    notes = notes or Diagnostics()
    benchmark = as_variant(benchmark, settings.variant, notes)
    note_limits(benchmark, scorer, settings.variant.facet, notes)
    ready()
    if not isinstance(scorer, Matcher):
        signed_by = signed(benchmark, {"matcher": scorer.name}, **settings.signed(benchmark))
        return _scores(benchmark, scorer, scorer.score_systems(benchmark), signed_by, settings)
    tally = Tally(benchmark, settings.duplicates)
    made: dict[str, list[Assignment]] = {system.name: [] for system in benchmark.systems}
    if keep:
        total = len(benchmark.sentences) * len(benchmark.systems)
        for number, system, assignment in watch(assignments(benchmark, scorer, workers), total):
            tally.add(number, system.name, assignment)
            made[system.name].append(assignment)
    else:
        steps = counts_of(benchmark, scorer, settings.duplicates, workers)
        tally.take(watch(steps, -(-len(benchmark.sentences) // SIZE)))
    signed_by = signature(benchmark, scorer, duplicates=settings.duplicates, **settings.signed(benchmark))
    return _scores(benchmark, scorer, tally.scores(), signed_by, settings, made)


def _scores(
    benchmark: Benchmark,
    scorer: Matcher | Scorer,
    scored: Sequence[SystemScore],
    signed_by: Signature,
    settings: ScoringSettings,
    made: Mapping[str, Sequence[Assignment]] | None = None,
) -> Scores:
    """The scores of systems, with those of their assignments that were kept."""
    seen = seen_in_training(scorer, benchmark) if isinstance(scorer, Matcher) else 0
    gold, facet = gold_info(benchmark, seen), settings.variant.label
    systems, spread = results_of(scored, settings)
    return Scores(str(signed_by), scorer.name, gold, systems, spread, benchmark, facet, made is None, made or {})


def results_of(scored: Sequence[SystemScore], settings: ScoringSettings) -> tuple[tuple[SystemResult, ...], Spread]:
    """The systems by F1, with intervals and p-values, and what these are from."""
    order = ranked(scored)
    spread = Spread.of([system.counts for system in order], settings.resamples, settings.seed)
    systems = tuple(
        SystemResult(system, spread.intervals(rank), spread.p(rank - 1, rank) if rank else None)
        for rank, system in enumerate(order)
    )
    return systems, spread


def gold_info(benchmark: Benchmark, seen: int = 0) -> GoldInfo:
    """What results say of their gold."""
    source = benchmark.source
    path, digest = (str(source.path), source.sha256) if source else (benchmark.name, gold_hash(benchmark))
    return GoldInfo(path, digest, len(benchmark.sentences), benchmark.cluster_count, seen)


def seen_in_training(matcher: Matcher, benchmark: Benchmark) -> int:
    """How many of the sentences a matcher was trained on."""
    if not matcher.trained_on:
        return 0
    from matchers.checkpoints import seen_sentences  # what reads checkpoints brings the learned matchers with it

    return seen_sentences(matcher, benchmark)
