"""What the features say of an extraction whatever else its system extracted: a row for each cluster that is near.

Systems extract the same things from a sentence again and again: each is described once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from data.model import Extraction, Sentence
from matchers.interface import Candidate
from matchers.masks import ExtractionMasks, FormulationMasks, masks
from matchers.patterns import Text
from matchers.readings import AS_FORMULATION, REWRITTEN, WITH_DETAIL, Reader, Reading, reader
from matchers.rules import RuleMatcher
from matchers.views import Slots, view
from matchers.words import ADVERBS, CONJUNCTIONS, DETERMINERS, PREPOSITIONS, PRONOUNS

Row = tuple[float, ...]

_FAR = 50.0
_MOST = 10.0
_RULES = RuleMatcher()
_ENDS = CONJUNCTIONS | DETERMINERS
_OPENERS = CONJUNCTIONS | PREPOSITIONS | PRONOUNS | ADVERBS
_STARTS = CONJUNCTIONS | PREPOSITIONS
count = int.bit_count


@dataclass(frozen=True)
class Description:
    """An extraction beside the clusters that are near: for each the cheapest reading, its cost, and the features.

    Features that depend on the system's other extractions are 0. `rules` are the candidates of the rules, for an
    extraction that stands alone.
    """

    clusters: tuple[int, ...]
    readings: tuple[Reading, ...]
    costs: tuple[float, ...]
    rows: tuple[Row, ...]
    rules: tuple[Candidate, ...]


class Describer:
    """Describes the extractions of one sentence."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.reader: Reader = reader(sentence)
        self.relations = [
            frozenset(triple.slots[1] for triple in self.reader.view.triples[start : start + len(formulations)])
            for start, formulations in zip(self.reader.offsets, self.reader.bits.clusters, strict=True)
        ]
        self.allows = [
            list(dict.fromkeys([gold.allows for gold in formulations])) for formulations in self.reader.bits.clusters
        ]
        self._known: dict[tuple[str, str, str], Description] = {}

    def describe(self, extraction: Extraction) -> Description:
        """The description of an extraction; made once."""
        found = self._known.get(extraction.slots)
        if found is None:
            found = self._known[extraction.slots] = self._described(extraction)
        return found

    def _described(self, extraction: Extraction) -> Description:
        said = self.reader.bits.extraction(extraction)
        rules = tuple(_RULES.candidates(self.sentence, [extraction]))
        near = self.reader.near(said)
        clusters = sorted({*near.clusters, *(candidate.cluster for candidate in rules)})
        if not clusters:
            return Description((), (), (), (), rules)
        slots = self.reader.view.slots(extraction)
        readings = self.reader.readings(slots, said, clusters, near.lines)
        costs = [{reading.kind: reading.cost for reading in readings[cluster]} for cluster in clusters]
        least = tuple([min(own.values()) for own in costs])
        best = tuple(
            [readings[c][list(own.values()).index(low)] for c, own, low in zip(clusters, costs, least, strict=True)]
        )
        shared = _Shared(self, slots, said, rules, sorted(least))
        rows = tuple(map(shared.row, clusters, best, least, costs))
        return Description(tuple(clusters), best, least, rows, rules)


class _Shared:
    """What the rows of one extraction share."""

    def __init__(
        self,
        describer: Describer,
        slots: Slots,
        said: ExtractionMasks,
        rules: Sequence[Candidate],
        costs: Sequence[float],
    ) -> None:
        self.describer = describer
        self.bits = describer.reader.bits
        self.view = describer.reader.view
        self.said = said
        self.costs = costs
        self.rules = {candidate.cluster: candidate for candidate in rules}
        self.slots = slots
        self.text, self.opener = Text(self.slots[2]), self.slots[2][:1]
        self.accepted = [self.view.accepted(words) for words in self.slots]
        self.dangling = _dangling(self.slots)
        self.length = float(sum(map(len, self.slots)))
        self.inside = [
            (number, gold.needs)
            for number, formulations in enumerate(self.bits.clusters)
            for gold in formulations
            if gold.needs and not gold.needs & ~said.says
        ]

    def row(self, cluster: int, reading: Reading, cost: float, costs: Mapping[str, float]) -> Row:
        """The features of one pair, in the order of the registry; `costs` are those of all kinds of readings."""
        bits, said, edits = self.bits, self.said, reading.edits
        gold = bits.clusters[cluster][reading.formulation]
        missing, extra = gold.needs & ~said.says, said.says & ~gold.allows
        differing = missing | extra
        plain = min(_FAR, costs[AS_FORMULATION])
        common = count(said.says & gold.allows)
        return (
            *edits,
            min(_FAR, cost), cost == 0, cost > 0 and edits.only_light,
            reading.kind == WITH_DETAIL, reading.kind == REWRITTEN,
            plain, min(_FAR, costs.get(WITH_DETAIL, plain)),
            max(0, count(said.forms & ~gold.forms) - count(extra)),
            count(differing & bits.negation), count(differing & bits.hedge),
            count(extra & bits.date), count(extra & bits.conjunction),
            *self._words(gold, missing, extra),
            *self._moves(gold),
            *self._order(cluster, reading),
            *self.dangling, self.length,
            2 * common / (count(said.says) + max(common, count(gold.needs)) or 1),
            not self.slots[2] or not gold.every[2],
            *self._rules(cluster),
            *self._combined(cluster, gold), *self._needed(cluster, extra & ~bits.function),
            *standing(cost, self.costs), 0.0, 0.0,
        )  # fmt: skip

    def _words(self, gold: FormulationMasks, missing: int, extra: int) -> Row:
        """Determiners and adverbs on one side alone; content words of each slot that the other side has nowhere."""
        if not missing and not extra:
            return (0, 0, 0, 0, 0, 0, 0, 0, 0)
        bits, content = self.bits, ~self.bits.function
        lack, new = missing & content, extra & content & ~bits.adverb
        return (
            count(missing & bits.determiner), count(missing & bits.adverb), count(extra & bits.adverb),
            *(count(required & lack) for required in gold.required),
            *(count(said & new) for said in self.said.slots),
        )  # fmt: skip

    def _moves(self, gold: FormulationMasks) -> Row:
        """Words that stand in another slot: content, function; prepositions out of the relation and into it."""
        (said0, said1, said2), (need0, need1, need2), (gold0, gold1, gold2) = self.said.slots, gold.required, gold.every
        lack0, lack1, lack2 = need0 & ~said0, need1 & ~said1, need2 & ~said2
        add0, add1, add2 = said0 & ~gold0, said1 & ~gold1, said2 & ~gold2
        moved = (lack0 | lack1 | lack2) & self.said.says | (add0 | add1 | add2) & gold.allows
        if not moved:
            return (0, 0, 0, 0)
        function, preposition = self.bits.function, self.bits.preposition
        return (
            count(moved & ~function), count(moved & function),
            count(lack1 & (add0 | add2) & preposition), count(add1 & (lack0 | lack2) & preposition),
        )  # fmt: skip

    def _order(self, cluster: int, reading: Reading) -> Row:
        """Whether relation and arguments are the cluster's and the formulation's, and what comes after the latter's."""
        arg1, relation, arg2 = self.accepted
        triple = self.view.triples[self.describer.reader.offsets[cluster] + reading.formulation]
        first, _, third = triple.slots
        pattern = self.view.patterns[third]
        same, end = third in arg2, 0
        if not same and not pattern.openers.isdisjoint(self.opener):
            end = max(0, pattern.run(self.text, 1).bit_length() - 1)
        tail = self.slots[2][end:] if end else ()
        return (
            not relation.isdisjoint(self.describer.relations[cluster]), first in arg1, same, same or end > 0,
            len(tail), bool(tail) and tail[0] not in _OPENERS,
        )  # fmt: skip

    def _rules(self, cluster: int) -> Row:
        """The rule that fires, the surest elsewhere, and a place for the surest of the system's other extractions."""
        if not self.rules:
            return (0, 0, 0, 0, 0, 0)
        fired = self.rules.get(cluster)
        rule, score = (fired.reason.rule, fired.score) if fired else ("", 0.0)
        elsewhere = max((other.score for other in self.rules.values() if other.cluster != cluster), default=0.0)
        lod, af = rule.startswith("lod"), rule.startswith("af")
        return (rule == "em", rule == "em+punc", score if lod else 0.0, score if af else 0.0, elsewhere, 0.0)

    def _combined(self, cluster: int, gold: FormulationMasks) -> Row:
        """The other clusters that the extraction contains whole, and the maximal ones among their formulations."""
        others = [needs for number, needs in self.inside if number != cluster]
        if not others:
            return (0, 0)
        content, outside = ~self.bits.function, ~self.bits.function & ~gold.allows
        maximal, different = 0, set(others)
        for needs in different:
            if needs & outside:
                own = needs & content
                if all(own & ~other or other == needs for other in different):
                    maximal += others.count(needs)
        return (len({number for number, _ in self.inside if number != cluster}), maximal)

    def _needed(self, cluster: int, extra: int) -> Row:
        """The other clusters that it takes for the extra words; how many words one leaves over, and how many all."""
        if not extra:
            return (0, 0, 0)
        covers = {
            extra & allows: None
            for number, different in enumerate(self.describer.allows)
            if number != cluster
            for allows in different
        }
        rest, needed, unaccounted = extra, 0, count(extra)
        while rest:
            best = max(covers, key=lambda cover: count(cover & rest), default=0)
            if not best & rest:
                break
            rest &= ~best
            needed += 1
            if needed == 1:
                unaccounted = count(rest)
        return (needed, unaccounted, count(rest))


def standing(cost: float, costs: Sequence[float]) -> tuple[int, float]:
    """How many of these costs are less, and how far a cost is above the least other one; it is one of them itself.

    >>> standing(2.0, [0.5, 2.0, 7.0]), standing(0.5, [0.5, 2.0, 7.0])
    ((1, 1.5), (0, -1.5))
    """
    if len(costs) == 1:
        return 0, 0.0  # with nothing to compare it to, a cost says nothing of rank
    rank = bisect_left(costs, cost)
    gap = cost - (costs[0] if rank else costs[1])
    return rank, max(-_MOST, min(_MOST, gap))


def _dangling(slots: Slots) -> Row:
    ends = sum(bool(words) and words[-1] in _ENDS for words in slots)
    ends += sum(bool(words) and words[-1] in PREPOSITIONS for words in (slots[0], slots[2]))
    starts = sum(bool(words) and words[0] in _STARTS for words in (slots[0], slots[2]))
    return (ends, starts)


@lru_cache(maxsize=1024)
def describer(sentence: Sentence) -> Describer:
    """What describes the extractions of a sentence; made once."""
    return Describer(sentence)


def forget() -> None:
    """Forget what was prepared of sentences, for whoever measures what that takes."""
    for prepared in (view, masks, reader, describer):
        prepared.cache_clear()
