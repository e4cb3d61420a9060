"""How an extraction can be read as a cluster's fact: the rules with tolerance, each with the edits that it takes.

Three readings are tried, on lemmas: as a formulation (EM), as a formulation with the detail of another (LoD), as one
that a rewriting makes a formulation (AF). Where a rule fires, its reading takes no edits; where it nearly does, the
edits say what is in the way, by kind of word. The cheapest reading represents the pair.

Words are aligned only where that can decide: the nearest formulations by their sets of words, and of these no slot or
line more than it takes to see that a reading is not the cheapest. What was aligned once is remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from data.model import Extraction, Sentence
from matchers.alignment import Alignment, align, differences
from matchers.alternatives import alternative_triples
from matchers.edits import NONE, OWN, Edits, cheaper, edits_of, extra, missing, tenths, without_own
from matchers.masks import ExtractionMasks, Masks, masks
from matchers.patterns import Groups
from matchers.views import SOFT, Slots, View, Words, view

AS_FORMULATION, WITH_DETAIL, REWRITTEN = "formulation", "detail", "rewritten"

_NEAREST = 3
_CLOSEST = 4
count = int.bit_count


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


class SlotDifference(NamedTuple):
    """How words differ from a gold slot: tallies of what is missing and extra, and the words that are in both."""

    missing: int
    extra: int
    kept: frozenset[str]


class LineDifference(NamedTuple):
    """How a linearization differs from a formulation's: a tally of what is missing, the extra words, their tally."""

    missing: int
    words: Words
    extra: int


class Near(NamedTuple):
    """What is nearest to an extraction by sets of words: clusters, and formulations of any cluster."""

    clusters: list[int]
    lines: list[int]


class Reader:
    """Reads the extractions of one sentence."""

    def __init__(self, sentence: Sentence, bits: Masks) -> None:
        self.bits = bits
        self.view: View = view(sentence, SOFT)
        sizes = [len(cluster.formulations) for cluster in sentence.clusters]
        self.offsets = list(accumulate(sizes, initial=0))[:-1]
        self._slots: dict[Words, dict[int, SlotDifference]] = {}
        self._lines: dict[Words, dict[int, LineDifference]] = {}
        self._gold = [
            [
                (needs := gold.needs & ~bits.function, gold.needs & bits.function, gold.allows,
                 3 * count(needs) + count(gold.needs & bits.function), count(needs))
                for gold in formulations
            ]
            for formulations in bits.clusters
        ]  # fmt: skip

    def slot(self, words: Words, pattern: int) -> Alignment:
        """How words differ from a gold slot."""
        if pattern in self.view.accepted(words):
            return Alignment((), (), words, (), (), ())  # what is absent is of no interest here
        return align(words, self.view.patterns[pattern].groups)

    def line(self, words: Words, triple: int) -> Alignment:
        """How a linearization differs from a formulation's."""
        return align(words, self._line_groups(triple))

    def _line_groups(self, triple: int) -> Groups:
        return tuple(group for slot in self.view.triples[triple].slots for group in self.view.patterns[slot].groups)

    def _slot_difference(self, words: Words, pattern: int) -> SlotDifference:
        if pattern in self.view.accepted(words):
            return SlotDifference(0, 0, frozenset(words))
        lacking, left_over, _ = differences(words, self.view.patterns[pattern].groups)
        kept = set(range(len(words))).difference(left_over)
        return SlotDifference(
            sum(missing(word) for word, _ in lacking),
            sum(extra(words[position]) for position in left_over),
            frozenset(words[position] for position in kept),
        )

    def _line_difference(self, words: Words, triple: int) -> LineDifference:
        lacking, left_over, _ = differences(words, self._line_groups(triple))
        added = tuple(words[position] for position in left_over)
        return LineDifference(sum(missing(word) for word, _ in lacking), added, sum(map(extra, added)))

    def near(self, said: ExtractionMasks) -> Near:
        """What is nearest to an extraction: clusters of which it has all content words but one, and formulations."""
        says, function = said.says & ~self.bits.function, said.says & self.bits.function
        content, size = count(says), 2 * count(says) + count(function)
        clusters, lines = [], []
        number = 0
        for cluster, formulations in enumerate(self._gold):
            best = None
            for needs, needs_function, allows, weight, needed in formulations:
                there = count(needs & says)
                common = allows & says
                lacking = weight - 3 * there - count(needs_function & function)
                cost = lacking + 2 * (content - count(common))
                lines.append((lacking + size - 2 * count(common) - count(allows & function), number))
                number += 1
                if needed - there <= 1 and common and (best is None or cost < best):
                    best = cost
            if best is not None:
                clusters.append((best, cluster))
        return Near(
            [cluster for _, cluster in sorted(clusters)[:_CLOSEST]], [line for _, line in sorted(lines)[:_NEAREST]]
        )

    def readings(
        self, extraction: Extraction, said: ExtractionMasks, clusters: Iterable[int], lines: Sequence[int]
    ) -> dict[int, list[Reading]]:
        """The readings of an extraction as each of these clusters' facts, the best of each kind."""
        slots = self.view.slots(extraction)
        rewritten: dict[int, Reading] = {}
        for triple, _ in alternative_triples(self.view, slots):
            if triple.cluster not in rewritten:
                number = self._number(triple.cluster, triple.formulation)
                rewritten[triple.cluster] = Reading(REWRITTEN, number, NONE)
        found = {}
        for cluster in clusters:
            candidates, centres = self._nearest_formulations(said, cluster)
            plain = self._as_formulation(slots, cluster, candidates)
            found[cluster] = [plain]
            if plain.edits is not NONE:
                found[cluster] += self._with_detail(slots, cluster, centres, lines)
                if cluster in rewritten:
                    found[cluster].append(rewritten[cluster])
        return found

    def _number(self, cluster: int, formulation: object) -> int:
        start = self.offsets[cluster]
        for position in range(len(self.bits.clusters[cluster])):
            if self.view.triples[start + position].formulation is formulation:
                return position
        return 0

    def _nearest_formulations(self, said: ExtractionMasks, cluster: int) -> tuple[list[int], list[int]]:
        """The formulations of a cluster that are worth an alignment: those with the nearest words in each slot.

        First those to be read as they are, then those that the extraction may centre on, what is extra left aside.
        """
        formulations = self.bits.clusters[cluster]
        if len(formulations) == 1:
            return [0], [0]
        said0, said1, said2 = said.slots
        candidates, centres = [], []
        for position, gold in enumerate(formulations):
            (need0, need1, need2), (gold0, gold1, gold2) = gold.required, gold.every
            lacking = count(need0 & ~said0) + count(need1 & ~said1) + count(need2 & ~said2)
            extra0, extra1 = count(said0 & ~gold0), count(said1 & ~gold1)
            candidates.append((lacking + extra0 + extra1 + count(said2 & ~gold2), position))
            centres.append((3 * lacking + 2 * extra1 + extra0, position))
        candidates.sort()
        centres.sort()
        return [position for _, position in candidates[:_NEAREST]], [position for _, position in centres[:_NEAREST]]

    def _differences(self, slots: Slots, triple: int, most: int | None = None) -> list[SlotDifference] | None:
        """How the slots differ from a formulation's; None as soon as that costs more tenths than the most."""
        found, cost = [], 0
        for words, pattern in zip(slots, self.view.triples[triple].slots, strict=True):
            known = self._slots.setdefault(words, {})
            if pattern not in known:
                known[pattern] = self._slot_difference(words, pattern)
            found.append(known[pattern])
            cost += tenths(known[pattern].missing + known[pattern].extra)
            if most is not None and cost > most:
                return None
        return found

    def _as_formulation(self, slots: Slots, cluster: int, candidates: Sequence[int]) -> Reading:
        best, number = None, 0
        for position in candidates:
            most = None if best is None else tenths(best)
            found = self._differences(slots, self.offsets[cluster] + position, most)
            if found is None:
                continue
            tally = sum(part.missing + part.extra for part in found)
            if best is None or cheaper(tally, best):
                best, number = tally, position
                if not best:
                    break
        assert best is not None
        return Reading(AS_FORMULATION, number, edits_of(best))

    def _with_detail(self, slots: Slots, cluster: int, centres: Sequence[int], lines: Sequence[int]) -> list[Reading]:
        """Readings in which one argument goes on beyond the formulation's, in the words of another formulation."""
        words = slots[0] + slots[1] + slots[2]
        best: tuple[int, int, int] | None = None
        for position in centres:
            found = self._differences(slots, self.offsets[cluster] + position)
            assert found is not None
            arg1, relation, arg2 = found
            if arg2.extra:
                centre = arg1.missing + arg1.extra + relation.missing + relation.extra + arg2.missing
            elif arg1.extra:
                centre = arg2.missing + arg2.extra + relation.missing + relation.extra + arg1.missing
            else:
                continue
            own = arg1.kept | relation.kept | arg2.kept
            for number in lines:
                if number == self.offsets[cluster] + position or (best and tenths(centre) > tenths(best[0])):
                    continue
                known = self._lines.setdefault(words, {})
                if number not in known:
                    known[number] = self._line_difference(words, number)
                line = known[number]
                tally = centre + line.missing
                if best and tenths(tally + OWN * len(line.words)) > tenths(best[0]):
                    continue
                tally += line.extra if own.isdisjoint(line.words) else without_own(line.words, own)
                if best is None or cheaper(tally, best[0]):
                    best = (tally, position, number)
        return [Reading(WITH_DETAIL, best[1], edits_of(best[0]), best[2])] if best else []


@lru_cache(maxsize=1024)
def reader(sentence: Sentence) -> Reader:
    """The reader of a sentence; made once."""
    return Reader(sentence, masks(sentence))
