"""What became of each extraction: credited with a fact, a repeat of one, or wrong; by which rule, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from data.model import Extraction
from matchers.matches import Assignment, Candidate, Match
from matchers.scoring.shapes import OutcomeJson

Kind = Literal["credited", "repeat", "wrong"]
CREDITED, REPEAT, WRONG = KINDS = ("credited", "repeat", "wrong")
NO_MATCH = "no rule or model matches it to a cluster"


@dataclass(frozen=True)
class Outcome:
    """What became of one extraction: a repeat states a fact with which another extraction was credited.

    `clusters` are the ids of the facts that it is credited with, `facts` the positions of those that it states,
    credited or not. `rule` and `score` are those of its match or, for a repeat, of its best candidate.
    """

    extraction: Extraction
    kind: Kind
    clusters: tuple[str, ...]
    facts: tuple[int, ...]
    rule: str | None
    score: float
    explanation: str

    def to_json(self, system: str) -> OutcomeJson:
        """A line of the file of matches."""
        line: OutcomeJson = {
            "sentence_id": self.extraction.sentence_id,
            "system": system,
            "arg1": self.extraction.arg1,
            "relation": self.extraction.relation,
            "arg2": self.extraction.arg2,
            "cluster": self.clusters[0] if self.clusters else None,
            "score": round(self.score, 6),
            "rule": REPEAT if self.kind == REPEAT else self.rule,
            "explanation": self.explanation,
        }
        if self.clusters:
            line["clusters"] = list(self.clusters)
        return line


def outcomes(assignment: Assignment) -> list[Outcome]:
    """What became of the extractions of one system in one sentence, in their order."""
    matches: dict[int, list[Match]] = {}
    for match in assignment.matches:
        matches.setdefault(match.index, []).append(match)
    best = _best(assignment.candidates)
    places = {cluster.id: place for place, cluster in enumerate(assignment.sentence.clusters)}
    became = []
    for index, extraction in enumerate(assignment.extractions):
        if own := matches.get(index):
            became.append(_credited(extraction, own, places))
        elif index in best:
            became.append(_repeat(extraction, best[index], assignment))
        else:
            became.append(Outcome(extraction, "wrong", (), (), None, 0.0, NO_MATCH))
    return became


def _best(candidates: Iterable[Candidate]) -> dict[int, Candidate]:
    """The best candidate of each extraction that has any; of equal ones, that of the first cluster."""
    ordered = sorted(candidates, key=lambda candidate: (candidate.score, -candidate.cluster))
    return {candidate.extraction: candidate for candidate in ordered}


def _credited(extraction: Extraction, matches: list[Match], places: dict[str, int]) -> Outcome:
    clusters = tuple(match.cluster for match in matches)
    first = matches[0]
    why = "; ".join(dict.fromkeys(str(match.reason) for match in matches))
    facts = tuple(places[cluster] for cluster in clusters)
    return Outcome(extraction, "credited", clusters, facts, first.reason.rule, first.score, why)


def _repeat(extraction: Extraction, best: Candidate, assignment: Assignment) -> Outcome:
    cluster = assignment.sentence.clusters[best.cluster].id
    why = f"{best.reason}, but cluster {cluster} is credited to a closer extraction"
    return Outcome(extraction, "repeat", (), (best.cluster,), best.reason.rule, best.score, why)
