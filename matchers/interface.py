"""One interface for all matchers: propose candidate matches of a sentence's extractions, then decode them.

A matcher fills one method, `candidates`; assignment, scoring, explanation and checkpoints are the same for all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

from data.model import Cluster, Extraction, Sentence


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


class Matcher(ABC):
    """Decides which facts extractions state."""

    name: str
    hash: str = ""
    trained_on: frozenset[str] = frozenset()
    english: str = ""  # what of it is bound to English, for a warning on benchmarks in other languages

    @abstractmethod
    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        """The pairs that may be matches, of the extractions of one system in one sentence."""

    def match(self, sentence: Sentence, extractions: Sequence[Extraction]) -> Assignment:
        """The matches of one system's extractions of a sentence."""
        return decode(sentence, extractions, self.candidates(sentence, extractions))

    def match_many(self, work: Sequence[tuple[Sentence, Sequence[Extraction]]]) -> list[Assignment]:
        """The assignments of many systems and sentences; matchers that gain from large batches override this."""
        return [self.match(sentence, extractions) for sentence, extractions in work]

    def explain_pair(self, sentence: Sentence, extraction: Extraction, cluster: Cluster) -> list[str]:  # noqa: ARG002
        """Lines that say what this matcher sees in a pair, for `matchers.explain`; learned matchers override this."""
        return []

    def pair_scores(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[tuple[int, int, float]]:
        """The score of every pair that was looked at: positions of extraction and cluster, and a score from 0 to 1."""
        return [(c.extraction, c.cluster, c.score) for c in self.candidates(sentence, extractions)]

    @property
    def settings(self) -> dict[str, str]:
        """What else decides this matcher's numbers, for the signature."""
        return {}


def decode(sentence: Sentence, extractions: Sequence[Extraction], candidates: Sequence[Candidate]) -> Assignment:
    """The assignment of one system's candidates in one sentence."""
    from matchers.assignment import assign

    matches = (
        Match(extractions[c.extraction], sentence.clusters[c.cluster].id, c.score, c.reason, c.extraction)
        for c in assign(candidates, extractions)
    )
    return Assignment(sentence, tuple(extractions), tuple(matches), tuple(candidates))
