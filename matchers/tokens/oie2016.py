"""OIE2016's lexical match: an extraction states a fact if it has more than half of the gold tuple's words.

Which slot a word stands in does not matter, and neither does what else the extraction says: an extraction of the whole
sentence states every fact. WiRe57 (section 2.2) shows so with an extractor that returns nothing else. Its section 2.4
has the share the other way round, "more than half of the words of a predicted tuple", but that would punish just the
long extractions that section 2.2 finds unpunished; so the share is of the gold's words here.

One extraction matches one fact, the highest share first. Equal shares are frequent, and nothing in the definition says
which of them comes first. They are taken by a hash of both texts, so that the order of no file decides, and neither
does any likeness that the definition does not know (alphabetical order would bring together what begins alike). On
clusters, a fact's share is that of its best formulation, and optional words are not asked for; both can be read
otherwise, see `matchers.tokens.token_gold`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

from data.model import Extraction, Formulation, Sentence
from data.problems import InputError
from matchers.counts import count
from matchers.interface import Candidate, Reason
from matchers.tokens.scorer import GreedyMatcher, Row, TokenScorer, named
from matchers.tokens.token_gold import EVERY, TUPLES, GoldTuple, Reading, Words, words_of

NAME = "oie2016"
THRESHOLD = 0.5


def share(extraction: Sequence[Words], gold: GoldTuple) -> float:
    """The share of the gold tuple's words that the extraction has, in any slot."""
    has = {word for words in extraction for word in words}
    asked = [word for part in gold for word in part.needed] or [word for part in gold for word in part.words]
    return sum(word in has for word in asked) / len(asked) if asked else 0.0


class Oie2016Matcher(GreedyMatcher):
    """Matches by the share of the gold's words; a pair's score is that share.

    >>> from data.model import Cluster, Slot
    >>> fact = Formulation(Slot.of("Alex"), Slot.of("is"), Slot.of("a pilot"))
    >>> sentence = Sentence("1", "Alex is a pilot .", (Cluster("1", (fact,)),))
    >>> Oie2016Matcher().match(sentence, [Extraction("1", "pilot", "Alex", "a b c d e f")]).matches[0].score
    0.75
    """

    def __init__(self, reading: Reading | None = None, threshold: float = THRESHOLD) -> None:
        self.reading = reading or Reading()
        if self.reading.formulations == EVERY or self.reading.weight != TUPLES:
            raise InputError(f"'{NAME}:{self.reading}': the lexical match is of clusters, best or first, not by tokens")
        self.threshold = threshold
        self.name = named(NAME, self.reading)

    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        """The pairs with a share above the threshold, in the order in which equal shares are taken."""
        facts = self.reading.facts(sentence)
        golds = [[self.reading.tuple_of(formulation) for formulation in fact] for fact in facts]
        candidates = []
        for index, extraction in enumerate(extractions):
            text = words_of(extraction)
            for number, gold in enumerate(golds):
                shares = [share(text, formulation) for formulation in gold]
                best = max(shares, default=0.0)
                if best > self.threshold:
                    reason = _reason(facts[number][shares.index(best)], best)
                    exact = any(text == tuple(part.words for part in formulation) for formulation in gold)
                    candidates.append(Candidate(index, number, best, exact, reason))
        return sorted(candidates, key=lambda pair: _lot(extractions[pair.extraction], facts[pair.cluster]))

    @property
    def settings(self) -> dict[str, str]:
        """What else decides this matcher's numbers, for the signature."""
        return {**super().settings, "threshold": str(self.threshold)}


def _reason(formulation: Formulation, shared: float) -> Reason:
    return Reason(NAME, f"has {shared:.0%} of the words of '{formulation}'", str(formulation))


def _lot(extraction: Extraction, fact: Iterable[Formulation]) -> bytes:
    """A hash of both texts, whatever the order of extractions, clusters and formulations in their files."""
    return sha256("\n".join((*extraction.slots, *sorted(map(str, fact)))).encode()).digest()


class Oie2016Scorer(TokenScorer):
    """The scores of systems by lexical matches, which are whole numbers."""

    def __init__(self, reading: Reading | None = None, threshold: float = THRESHOLD) -> None:
        self.matcher = Oie2016Matcher(reading, threshold)
        self.name = self.matcher.name

    def row(self, sentence: Sentence, extractions: Sequence[Extraction]) -> Row:
        """Matched extractions, extractions, covered clusters, clusters."""
        right, claimed, covered, clusters = count(self.matcher.match(sentence, extractions), "count")
        return float(right), float(claimed), float(covered), float(clusters)
