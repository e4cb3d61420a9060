"""How an extraction can be read as a cluster's fact: the rules with tolerance, each with the edits that it takes.

Three readings are tried, on lemmas: as a formulation (EM), as a formulation with the detail of another (LoD), as one
that a rewriting makes a formulation (AF). Where a rule fires, its reading takes no edits; where it nearly does, the
edits say what is in the way, by kind of word. The cheapest reading represents the pair.

Words are aligned with the nearest formulations only, by their sets of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from data.model import Sentence
from matchers.features.differences import Differences, LineDifference, SlotDifference
from matchers.features.edits import NONE, OWN, Edits, cheaper, edits_of, tenths, without_own
from matchers.features.word_bits import ExtractionMasks, FormulationMasks, Masks, masks
from matchers.rules.joined_facts import alternative_triples
from matchers.text.alignment import Alignment, align
from matchers.text.gold_index import SOFT, Slots, View, Words, view

AS_FORMULATION, WITH_DETAIL, REWRITTEN = "formulation", "detail", "rewritten"

_NEAREST = 3
_CLOSEST = 4
count = int.bit_count

# content and function words that are needed, all that are allowed; the number of the first, the weight of both
Weighed = tuple[int, int, int, int, int]


@dataclass(frozen=True)
class Reading:
    """A reading of an extraction as a cluster's fact."""

    kind: str
    formulation: int
    edits: Edits
    detail: int | None = None

    @property
    def cost(self) -> float:
        """What its edits cost."""
        return self.edits.cost


class Near(NamedTuple):
    """What is nearest to an extraction by sets of words: clusters, and formulations of any cluster."""

    clusters: list[int]
    lines: list[int]


class Reader:
    """Reads the extractions of one sentence."""

    def __init__(self, sentence: Sentence, bits: Masks) -> None:
        self.bits = bits
        self.view: View = view(sentence, SOFT)
        self.differences = Differences(self.view)
        sizes = [len(formulations) for formulations in bits.clusters]
        self.offsets = list(accumulate(sizes, initial=0))[:-1]
        self.formulations = [gold for formulations in bits.clusters for gold in formulations]
        self._weighed = [
            _weighed(formulations, offset, bits.function)
            for formulations, offset in zip(bits.clusters, self.offsets, strict=True)
        ]

    def slot(self, words: Words, pattern: int) -> Alignment:
        """How words differ from a gold slot."""
        if pattern in self.view.accepted(words):
            return Alignment((), (), words, (), (), ())  # what is absent is of no interest here
        return align(words, self.view.patterns[pattern].groups)

    def line(self, words: Words, triple: int) -> Alignment:
        """How a linearization differs from a formulation's."""
        return align(words, self.differences.line_groups(triple))

    def near(self, said: ExtractionMasks) -> Near:
        """What is nearest to an extraction: clusters of which it has all content words but one, and formulations."""
        says, function = said.says & ~self.bits.function, said.says & self.bits.function
        content, size = 2 * count(says), 2 * count(says) + count(function)
        clusters: list[tuple[int, int]] = []
        lines: list[tuple[int, int]] = []
        for cluster, different in enumerate(self._weighed):
            best = None
            for (needs, needs_function, allows, needed, weight), numbers in different:
                there, common = count(needs & says), allows & says
                lacking = weight - 3 * there - count(needs_function & function)
                shared = 2 * count(common)
                cost = lacking + size - shared - count(allows & function)
                lines.extend([(cost, number) for number in numbers])
                if needed - there <= 1 and common and (best is None or lacking + content - shared < best):
                    best = lacking + content - shared
            if best is not None:
                clusters.append((best, cluster))
        return Near(_nearest(clusters, _CLOSEST), _nearest(lines, _NEAREST))

    def readings(
        self, slots: Slots, said: ExtractionMasks, clusters: Iterable[int], lines: Sequence[int]
    ) -> dict[int, list[Reading]]:
        """The readings of an extraction's slots as each of these clusters' facts, the best of each kind."""
        rewritten: dict[int, Reading] = {}
        for triple, _ in alternative_triples(self.view, slots):
            if triple.cluster not in rewritten:
                number = self._number(triple.cluster, triple.formulation)
                rewritten[triple.cluster] = Reading(REWRITTEN, number, NONE)
        attempt = _Attempt(self, slots, said, lines)
        by_cluster = {}
        for cluster in clusters:
            candidates, centres = attempt.nearest(cluster)
            plain = attempt.as_formulation(cluster, candidates)
            by_cluster[cluster] = [plain]
            if plain.edits is not NONE:
                by_cluster[cluster] += attempt.with_detail(cluster, centres)
                if cluster in rewritten:
                    by_cluster[cluster].append(rewritten[cluster])
        return by_cluster

    def _number(self, cluster: int, formulation: object) -> int:
        start = self.offsets[cluster]
        for position in range(len(self.bits.clusters[cluster])):
            if self.view.triples[start + position].formulation is formulation:
                return position
        return 0


class _Attempt:
    """Reads one extraction."""

    def __init__(self, by: Reader, slots: Slots, said: ExtractionMasks, lines: Sequence[int]) -> None:
        self.by, self.slots, self.said = by, slots, said
        self.words = slots[0] + slots[1] + slots[2]
        self.numbers = lines
        self.known = [by.differences.known(words) for words in slots]

    def nearest(self, cluster: int) -> tuple[list[int], list[int]]:
        """The formulations of a cluster that are worth an alignment: those with the nearest words in each slot.

        First those to be read as they are, then those that the extraction may centre on, what is extra left aside.
        """
        formulations = self.by.bits.clusters[cluster]
        if len(formulations) == 1:
            return [0], [0]
        said0, said1, said2 = self.said.slots
        candidates, centres = [], []
        for position, gold in enumerate(formulations):
            (need0, need1, need2), (gold0, gold1, gold2) = gold.required, gold.every
            lacking = count(need0 & ~said0) + count(need1 & ~said1) + count(need2 & ~said2)
            extra0, extra1 = count(said0 & ~gold0), count(said1 & ~gold1)
            candidates.append((lacking + extra0 + extra1 + count(said2 & ~gold2), position))
            centres.append((3 * lacking + 2 * extra1 + extra0, position))
        return _nearest(candidates, _NEAREST), _nearest(centres, _NEAREST)

    def _differences(self, triple: int) -> tuple[SlotDifference, SlotDifference, SlotDifference]:
        """How the slots differ from a formulation's."""
        arg1, relation, arg2 = self.by.view.triples[triple].slots
        slots, known, compare = self.slots, self.known, self.by.differences.slot
        return (
            known[0].get(arg1) or compare(slots[0], arg1),
            known[1].get(relation) or compare(slots[1], relation),
            known[2].get(arg2) or compare(slots[2], arg2),
        )

    def as_formulation(self, cluster: int, candidates: Sequence[int]) -> Reading:
        """The cheapest reading as one of these formulations of a cluster."""
        best, number = -1, 0
        for position in candidates:
            arg1, relation, arg2 = self._differences(self.by.offsets[cluster] + position)
            tally = arg1.missing + arg1.extra + relation.missing + relation.extra + arg2.missing + arg2.extra
            if best < 0 or cheaper(tally, best):
                best, number = tally, position
                if not best:
                    break
        return Reading(AS_FORMULATION, number, edits_of(best))

    @cached_property
    def lines(self) -> list[tuple[int, LineDifference, int]]:
        """How the words in a row differ from the nearest formulations', and what that costs at least, in tenths."""
        known: dict[int, LineDifference] = {}
        near = []
        for number in self.numbers:
            groups = self.by.differences.line_groups(number)
            if id(groups) not in known:
                known[id(groups)] = self.by.differences.line(self.words, groups)
            line = known[id(groups)]
            near.append((number, line, tenths(line.missing + OWN * len(line.words))))
        return near

    def with_detail(self, cluster: int, centres: Sequence[int]) -> list[Reading]:
        """The cheapest reading in which one argument goes on beyond a formulation's, in the words of another one."""
        best, place, offset = -1, (0, 0), self.by.offsets[cluster]
        for position in centres:
            arg1, relation, arg2 = self._differences(offset + position)
            centre = arg1.missing + relation.missing + relation.extra + arg2.missing
            if arg2.extra:
                centre += arg1.extra
            elif not arg1.extra:
                continue
            if best >= 0 and tenths(centre) > tenths(best):
                continue
            own = arg1.kept | relation.kept | arg2.kept
            for number, line, least in self.lines:
                if number == offset + position or (best >= 0 and tenths(centre) + least > tenths(best)):
                    continue
                added = line.extra if own.isdisjoint(line.words) else without_own(line.words, own)
                tally = centre + line.missing + added
                if best < 0 or cheaper(tally, best):
                    best, place = tally, (position, number)
        return [Reading(WITH_DETAIL, place[0], edits_of(best), place[1])] if best >= 0 else []


def _weighed(formulations: Sequence[FormulationMasks], offset: int, function: int) -> list[tuple[Weighed, list[int]]]:
    """The different sets of words of a cluster's formulations, each with the first formulations that have it."""
    grouped: dict[Weighed, list[int]] = {}
    for number, gold in enumerate(formulations, offset):
        needs, needs_function = gold.needs & ~function, gold.needs & function
        weighed = (needs, needs_function, gold.allows, count(needs), 3 * count(needs) + count(needs_function))
        grouped.setdefault(weighed, []).append(number)
    return [(weighed, numbers[:_NEAREST]) for weighed, numbers in grouped.items()]


def _nearest(costs: list[tuple[int, int]], most: int) -> list[int]:
    costs.sort()
    return [number for _, number in costs[:most]]


@lru_cache(maxsize=1024)
def reader(sentence: Sentence) -> Reader:
    """The reader of a sentence; made once."""
    return Reader(sentence, masks(sentence))
