"""Assignment: which of the candidate matches of one system in one sentence are credited.

A cluster credits one extraction, and an extraction is credited with one cluster, or with two in the rare case that it
states both equally. There are two ways to choose:

- `closest` (the default, and what people do): each extraction goes to its closest cluster, each cluster credits the
  closest of the extractions that come to it, and the others get nothing.
- `optimal`: the one-to-one assignment of most candidates and then of the highest total score. An extraction that loses
  a cluster to a closer one may take another that it matches.

Exact candidates are closer than all others and come first; these are assigned optimally in both ways. Neither way
depends on the order of the extractions: ties go to the extraction that comes first in alphabetical order, and of
several loose clusters that are equally close an extraction goes to the first one of the gold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from data.model import Extraction, Sentence
from data.problems import InputError
from matchers.hungarian import best_assignment
from matchers.matches import Assignment, Candidate, Match

Decoding = Literal["closest", "optimal"]
CLOSEST: Decoding = "closest"
OPTIMAL: Decoding = "optimal"
DECODINGS: tuple[Decoding, ...] = (CLOSEST, OPTIMAL)

Best = dict[tuple[int, int], Candidate]


def decode(
    sentence: Sentence,
    extractions: Sequence[Extraction],
    candidates: Sequence[Candidate],
    decoding: Decoding = CLOSEST,
) -> Assignment:
    """The assignment of one system's candidates in one sentence."""
    for c in candidates:
        if not (0 <= c.extraction < len(extractions) and 0 <= c.cluster < len(sentence.clusters)):
            raise InputError(
                f"a matcher proposes extraction {c.extraction} of {len(extractions)} and cluster {c.cluster} of "
                f"{len(sentence.clusters)} in sentence {sentence.id}; positions are counted from 0"
            )
    matches = (
        Match(extractions[c.extraction], sentence.clusters[c.cluster].id, c.score, c.reason, c.extraction)
        for c in assign(candidates, extractions, decoding)
    )
    return Assignment(sentence, tuple(extractions), tuple(matches), tuple(candidates))


def assign(
    candidates: Iterable[Candidate], extractions: Sequence[Extraction], decoding: Decoding = CLOSEST
) -> list[Candidate]:
    """The credited candidates, in the order of the extractions."""
    best: Best = {}
    for candidate in candidates:
        key = (candidate.extraction, candidate.cluster)
        if key not in best or (candidate.exact, candidate.score) > (best[key].exact, best[key].score):
            best[key] = candidate
    if not best:
        return []
    chosen = _closest(best, extractions) if decoding == CLOSEST else _optimal(best, extractions)
    return sorted(chosen, key=lambda candidate: (candidate.extraction, candidate.cluster))


def _closest(best: Best, extractions: Sequence[Extraction]) -> list[Candidate]:
    """Exact candidates; then each other extraction's closest cluster, where no closer extraction has it.

    Clusters that an extraction states exactly are all equally close, so that these are assigned to the most.
    """
    chosen = _exact(best, extractions)
    taken, exact = {c.cluster for c in chosen}, {c.extraction for c in best.values() if c.exact}
    own: dict[int, list[Candidate]] = {}
    for candidate in best.values():
        if candidate.extraction not in exact:
            own.setdefault(candidate.extraction, []).append(candidate)
    for claims in own.values():
        claims.sort(key=lambda candidate: (-candidate.score, candidate.cluster))
    loose: dict[int, Candidate] = {}
    for claim in sorted((claims[0] for claims in own.values()), key=lambda c: (-c.score, _name(c, extractions))):
        if claim.cluster not in taken:
            loose.setdefault(claim.cluster, claim)
    credited = list(loose.values())
    return [*chosen, *credited, *_doubles(best, credited, taken | set(loose), extractions)]


def _name(candidate: Candidate, extractions: Sequence[Extraction]) -> tuple[tuple[str, str, str], int]:
    """What ties go by: the extraction's words, and its position if another one has the same."""
    return extractions[candidate.extraction].slots, candidate.extraction


def _exact(best: Best, extractions: Sequence[Extraction]) -> list[Candidate]:
    """The exact candidates that are credited."""
    chosen = one_to_one([candidate for candidate in best.values() if candidate.exact], extractions)
    return chosen + _doubles(best, chosen, {candidate.cluster for candidate in chosen}, extractions)


def _optimal(best: Best, extractions: Sequence[Extraction]) -> list[Candidate]:
    """The assignment of the exact candidates, and then of the others, that has the highest total score."""
    chosen = _exact(best, extractions)
    taken = {candidate.cluster for candidate in chosen}
    credited = {candidate.extraction for candidate in chosen}
    rest = [c for c in best.values() if not c.exact and c.cluster not in taken and c.extraction not in credited]
    loose = one_to_one(rest, extractions)
    return [*chosen, *loose, *_doubles(best, loose, taken | {candidate.cluster for candidate in loose}, extractions)]


def _doubles(
    best: Best,
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
