"""Labels for sentences that nobody judged: the rules' matches (silver), as judged parts.

Nothing is taken from sentences that are held out: the caller says which those are.
"""

from __future__ import annotations

from data.model import Benchmark
from matchers.interface import Assignment
from matchers.rules.matcher import RuleMatcher
from training.labels.judged_parts import SILVER, Judged, key_of


def silver(benchmark: Benchmark, without: frozenset[str] = frozenset()) -> list[Judged]:
    """The rules' matches of a benchmark's systems as labels, but for sentences of these keys."""
    rules = RuleMatcher()
    parts = []
    for sentence in benchmark.sentences:
        if key_of(sentence) in without or not sentence.clusters:
            continue
        for system in benchmark.systems:
            if extractions := system.by_sentence.get(sentence.id, ()):
                found = rules.match(sentence, extractions)
                parts.append(Judged(sentence, system.name, found.extractions, _labels(found), source=SILVER))
    return parts


def _labels(assignment: Assignment) -> tuple[frozenset[str], ...]:
    return tuple(
        frozenset(match.cluster for match in assignment.of(index)) for index in range(len(assignment.extractions))
    )
