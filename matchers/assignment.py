"""Assignment: which of the candidate matches of one system in one sentence are credited.

A cluster credits one extraction, and an extraction is credited with one cluster, or with two in the rare case that it
states both exactly. Exact candidates are assigned before all others; within each of the two kinds the choice is the
one-to-one assignment with the highest total score. So the result does not depend on the order of the extractions, and
an extraction that loses a cluster to a closer one may take another that it matches. Ties go to the candidate whose
extraction comes first in alphabetical order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from data.model import Extraction
from matchers.interface import Candidate
from matchers.optimal import best_assignment


def assign(candidates: Iterable[Candidate], extractions: Sequence[Extraction]) -> list[Candidate]:
    """The credited candidates, in the order of the extractions."""
    best: dict[tuple[int, int], Candidate] = {}
    for candidate in candidates:
        key = (candidate.extraction, candidate.cluster)
        if key not in best or (candidate.exact, candidate.score) > (best[key].exact, best[key].score):
            best[key] = candidate
    if not best:
        return []
    chosen = one_to_one([candidate for candidate in best.values() if candidate.exact], extractions)
    chosen += _doubles(best, chosen, {candidate.cluster for candidate in chosen}, extractions)
    taken = {candidate.cluster for candidate in chosen}
    credited = {candidate.extraction for candidate in chosen}
    rest = [c for c in best.values() if not c.exact and c.cluster not in taken and c.extraction not in credited]
    loose = one_to_one(rest, extractions)
    loose += _doubles(best, loose, taken | {candidate.cluster for candidate in loose}, extractions)
    return sorted(chosen + loose, key=lambda candidate: (candidate.extraction, candidate.cluster))


def _doubles(
    best: dict[tuple[int, int], Candidate],
    chosen: Sequence[Candidate],
    taken: set[int],
    extractions: Sequence[Extraction],
) -> list[Candidate]:
    """Second clusters that credited extractions state just as well, and that nobody was credited with."""
    first = {candidate.extraction: candidate for candidate in chosen}
    equal = [
        candidate
        for candidate in best.values()
        if candidate.cluster not in taken
        and candidate.extraction in first
        and _states_both(first[candidate.extraction], candidate)
    ]
    return one_to_one(equal, extractions)


def _states_both(first: Candidate, second: Candidate) -> bool:
    """Whether an extraction states a second cluster as well as its first: both exactly, or by one formulation."""
    if first.exact or second.exact:
        return first.exact and second.exact
    return first.reason.rule == second.reason.rule and first.reason.formulation == second.reason.formulation != ""


def one_to_one(candidates: Sequence[Candidate], extractions: Sequence[Extraction]) -> list[Candidate]:
    """The assignment of most candidates and, among those, of the highest total score."""
    rows = sorted({c.extraction for c in candidates}, key=lambda row: (extractions[row].slots, row))
    columns = sorted({c.cluster for c in candidates})
    if len(rows) == len(candidates) == len(columns):
        return list(candidates)
    row_of = {row: number for number, row in enumerate(rows)}
    column_of = {column: number for number, column in enumerate(columns)}
    gains = [[0.0] * len(columns) for _ in rows]
    by_cell = {}
    for candidate in candidates:
        row, column = row_of[candidate.extraction], column_of[candidate.cluster]
        gains[row][column] = 1000.0 + candidate.score  # one more match outweighs any scores
        by_cell[row, column] = candidate
    return [by_cell[cell] for cell in best_assignment(gains) if cell in by_cell]
