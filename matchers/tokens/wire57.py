"""WiRe57's scorer: pairs that share a word in every part, taken greedily by F1, scored by the share of common words.

An extraction may match a gold tuple if they share a word in the first argument, in the relation and in the second
argument; a gold part that is wholly inferred asks for none. Written from the paper, section 4.1, and read so that its
Table 3 comes out:
- words are what stands between spaces, and case counts;
- a word of the extraction is shared if the gold part has it, however often: parts are sets, not bags;
- precision divides the shared words by those of the extraction, but leaves out arguments for which the gold tuple has
  no counterpart;
- recall divides the same shared words, inferred ones among them, by the gold words that are not inferred, so that a
  pair's recall can be above 1;
- a system's precision is the sum of its matches' precisions over its extractions, and its recall the sum of their
  recalls over the gold tuples. The formula printed in the paper weighs by words instead: `Reading.weight`.

On clusters (see `matchers.tokens.token_gold`), optional words are taken for inferred ones: "optional to find when
scoring", as the paper puts it. Table 13 of the BenchIE^FL paper gives 0.219 as the Pearson correlation of the seven
systems' F1 by WiRe57's function with their manual F1, and does not say how clusters were read. On BenchIE^FL_match we
find:

    Wire57Scorer, fractions                 Wire57Matcher, matches counted as those of other matchers
    wire57                      0.335       wire57            0.207
    wire57:first                0.262       wire57:first      0.171
    wire57:every                0.310       wire57:dropped    0.220
    wire57:every+tokens         0.215
    wire57:every+kept+tokens    0.211

`docs/reproduction.md` has all readings. The default was chosen for its sense, not for its correlation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data.model import Extraction, Sentence
from data.problems import InputError
from matchers.interface import Candidate, Reason
from matchers.tokens.scorer import GreedyMatcher, Row, TokenScorer, greedy, named
from matchers.tokens.token_gold import EVERY, TOKENS, GoldTuple, Reading, Words, words_of

NAME = "wire57"


@dataclass(frozen=True)
class Overlap:
    """The words that an extraction shares with a gold tuple, and how many it has and was asked for.

    >>> Overlap(3, 4, 6).precision, Overlap(3, 4, 6).recall, Overlap(3, 4, 6).f1
    (0.75, 0.5, 0.6)
    """

    shared: int
    claimed: int
    needed: int

    @property
    def precision(self) -> float:
        """The share of the extraction's words."""
        return self.shared / self.claimed if self.claimed else 0.0

    @property
    def recall(self) -> float:
        """The share of the gold tuple's words."""
        return self.shared / self.needed if self.needed else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def overlap(extraction: Sequence[Words], gold: GoldTuple) -> Overlap | None:
    """What an extraction and a gold tuple share, or None if they can't match."""
    for words, part in zip(extraction[:3], gold, strict=False):
        if part.needed and part.vocabulary.isdisjoint(words):
            return None
    common = zip(extraction, gold, strict=False)
    shared = sum(word in part.vocabulary for words, part in common for word in words)
    if not shared:
        return None
    claimed = sum(len(words) for words in extraction[: len(gold)])
    return Overlap(shared, claimed, sum(len(part.needed) for part in gold))


@dataclass(frozen=True)
class Fit:
    """An extraction and a fact, by their positions, in the formulation of the fact that fits best."""

    extraction: int
    fact: int
    formulation: int
    overlap: Overlap


def fits(extractions: Sequence[Sequence[Words]], facts: Sequence[Sequence[GoldTuple]]) -> Iterator[Fit]:
    """The pairs that may match, extraction by extraction."""
    for row, extraction in enumerate(extractions):
        for column, formulations in enumerate(facts):
            best: Fit | None = None
            for number, gold in enumerate(formulations):
                common = overlap(extraction, gold)
                if common and (best is None or common.f1 > best.overlap.f1):
                    best = Fit(row, column, number, common)
            if best:
                yield best


def matched(extractions: Sequence[Sequence[Words]], facts: Sequence[Sequence[GoldTuple]]) -> list[Fit]:
    """The pairs that match: the highest F1 first, each extraction and each fact once."""
    by_pair = {(fit.extraction, fit.fact): fit for fit in fits(extractions, facts)}
    return [by_pair[pair] for pair in greedy((fit.overlap.f1, *pair) for pair, fit in by_pair.items())]


class Wire57Scorer(TokenScorer):
    """WiRe57's scores of systems on any benchmark.

    >>> from data.model import Cluster, Formulation, Slot
    >>> fact = Formulation(Slot.of("Alex"), Slot.of("is"), Slot.of("a pilot"))
    >>> sentence = Sentence("1", "Alex is a pilot .", (Cluster("1", (fact,)),))
    >>> Wire57Scorer().row(sentence, [Extraction("1", "Alex", "is", "a good pilot"), Extraction("1", "a", "b", "c")])
    (0.8, 2.0, 1.0, 1.0)
    """

    def __init__(self, reading: Reading | None = None) -> None:
        self.reading = reading or Reading()
        self.name = named(NAME, self.reading)

    def row(self, sentence: Sentence, extractions: Sequence[Extraction]) -> Row:
        """Numerator and denominator of precision, then of recall, of one system in one sentence."""
        read = self.reading.tuple_of
        facts = [[read(formulation) for formulation in fact] for fact in self.reading.facts(sentence)]
        texts = [words_of(extraction) for extraction in extractions]
        fitting = matched(texts, facts)
        if self.reading.weight == TOKENS:
            return _token_row(texts, facts, fitting)
        precisions, recalls = (
            sum(fit.overlap.precision for fit in fitting),
            sum(fit.overlap.recall for fit in fitting),
        )
        return float(precisions), float(len(texts)), float(recalls), float(len(facts))


def _token_row(
    extractions: Sequence[Sequence[Words]], facts: Sequence[Sequence[GoldTuple]], fitting: Sequence[Fit]
) -> Row:
    """Words instead of tuples: a fact has those of the formulation that was matched, or else of its first."""
    shared = float(sum(fit.overlap.shared for fit in fitting))
    claimed = float(sum(len(words) for extraction in extractions for words in extraction))
    used = {fit.fact: fit.formulation for fit in fitting}
    golds = [formulations[used.get(number, 0)] for number, formulations in enumerate(facts) if formulations]
    return shared, claimed, shared, float(sum(len(part.needed) for gold in golds for part in gold))


class Wire57Matcher(GreedyMatcher):
    """The matches that WiRe57's scorer scores, as a matcher; a pair's score is its F1."""

    def __init__(self, reading: Reading | None = None) -> None:
        self.reading = reading or Reading()
        if self.reading.formulations == EVERY:
            raise InputError(
                f"'{NAME}:{self.reading}' gives scores but no matches: a cluster could be matched repeatedly"
            )
        self.name = named(NAME, self.reading)

    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        """The pairs that share a word in every part."""
        facts = self.reading.facts(sentence)
        golds = [[self.reading.tuple_of(formulation) for formulation in fact] for fact in facts]
        candidates = []
        for fit in fits([words_of(extraction) for extraction in extractions], golds):
            formulation = str(facts[fit.fact][fit.formulation])
            exact = words_of(extractions[fit.extraction]) == tuple(
                part.words for part in golds[fit.fact][fit.formulation]
            )
            shared = fit.overlap
            text = f"shares {shared.shared} of {shared.claimed} words with the {shared.needed} of '{formulation}'"
            candidates.append(Candidate(fit.extraction, fit.fact, shared.f1, exact, Reason(NAME, text, formulation)))
        return candidates
