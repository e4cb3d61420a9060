"""One interface for all matchers: propose candidate matches of a sentence's extractions, then decode them.

A matcher fills one method, `candidates`; decoding, scoring and explanation follow from it. What else a matcher has,
batches or lines that explain a pair or settings for the signature, it gives by overriding the methods below.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from data.model import Cluster, Extraction, Sentence
from matchers.assignment import CLOSEST, Decoding, decode
from matchers.matches import Assignment, Candidate, Match, Reason

__all__ = ["Assignment", "Candidate", "Match", "Matcher", "Reason"]


class Matcher(ABC):
    """Decides which facts extractions state."""

    name: str
    hash: str = ""
    trained_on: frozenset[str] = frozenset()
    decoding: Decoding = CLOSEST  # how candidates are assigned; see `matchers.assignment`
    english: str = ""  # what of it is bound to English, for a warning on benchmarks in other languages
    worth_workers: int | None = 20_000  # extractions from which on a second process pays; None if it never does
    alone: bool = False  # must see all work itself, whatever --workers says
    caution: str = ""  # what its user should know before it starts

    @abstractmethod
    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        """The pairs that may be matches, of the extractions of one system in one sentence."""

    def match(self, sentence: Sentence, extractions: Sequence[Extraction]) -> Assignment:
        """The matches of one system's extractions of a sentence."""
        return decode(sentence, extractions, self.candidates(sentence, extractions), self.decoding)

    def match_many(self, work: Sequence[tuple[Sentence, Sequence[Extraction]]]) -> list[Assignment]:
        """The assignments of many systems and sentences; matchers that gain from large batches override this."""
        return [self.match(sentence, extractions) for sentence, extractions in work]

    def show_progress(self, quiet: bool) -> None:  # noqa: B027
        """Draw a bar of one's own while matching, or don't; those do whose time goes into few large batches."""

    def explain_pair(self, sentence: Sentence, extraction: Extraction, cluster: Cluster) -> list[str]:  # noqa: ARG002
        """Lines that say what this matcher sees in a pair, for `matchers.explain`; learned matchers override this."""
        return []

    def explain_extraction(self, sentence: Sentence, extraction: Extraction) -> list[str]:  # noqa: ARG002
        """Lines that say what this matcher did with an extraction, whatever the cluster; few have anything to say."""
        return []

    def afterword(self) -> str:
        """A line for stderr when all is matched: what the user should know of how it went."""
        return ""

    def pair_scores(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[tuple[int, int, float]]:
        """The score of every pair that was looked at: positions of extraction and cluster, and a score from 0 to 1."""
        return [(c.extraction, c.cluster, c.score) for c in self.candidates(sentence, extractions)]

    @property
    def settings(self) -> dict[str, str]:
        """What else decides this matcher's numbers, for the signature; of a user's own matcher, its code."""
        return {"code": self.hash[:12]} if self.hash else {}
