"""The nouns of matching: a candidate with its reason, a match, and the assignment of one system in one sentence."""

from __future__ import annotations

from dataclasses import dataclass, field

from data.model import Extraction, Sentence


@dataclass(frozen=True)
class Reason:
    """Why a candidate is one: the rule or model that proposed it, and with what."""

    rule: str
    text: str = ""
    formulation: str = ""
    dropped: tuple[str, ...] = ()
    rewriting: tuple[str, str] | None = None
    second_cluster: str | None = None

    def __str__(self) -> str:
        return self.text or self.rule


@dataclass(frozen=True)
class Candidate:
    """A pair that may be a match: an extraction and a cluster by their positions, how close they are, and why.

    `exact` pairs are assigned before all others. Among pairs of one kind, those of a higher `score` are preferred.
    """

    extraction: int
    cluster: int
    score: float
    exact: bool
    reason: Reason


@dataclass(frozen=True)
class Match:
    """An extraction that was found to state a cluster's fact."""

    extraction: Extraction
    cluster: str
    score: float
    reason: Reason
    index: int = field(compare=False, default=0)


@dataclass(frozen=True)
class Assignment:
    """The matches of one system in one sentence, in the order of its extractions, and the candidates they are from."""

    sentence: Sentence
    extractions: tuple[Extraction, ...]
    matches: tuple[Match, ...]
    candidates: tuple[Candidate, ...] = field(compare=False, default=())

    def of(self, index: int) -> tuple[Match, ...]:
        """The matches of the extraction at this position: none, one, rarely two."""
        return tuple(match for match in self.matches if match.index == index)

    @property
    def matched(self) -> frozenset[int]:
        """The positions of the extractions that were credited."""
        return frozenset(match.index for match in self.matches)

    @property
    def covered(self) -> frozenset[str]:
        """The ids of the clusters that were found."""
        return frozenset(match.cluster for match in self.matches)

    @property
    def repeats(self) -> frozenset[int]:
        """The positions of the extractions that state a fact with which another one was credited."""
        return frozenset(candidate.extraction for candidate in self.candidates) - self.matched
