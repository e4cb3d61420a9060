"""How an extraction can be read as a cluster's fact: the rules with tolerance, each with the edits that it takes.

Three readings are tried, on lemmas: as a formulation (EM), as a formulation with the detail of another (LoD), as one
that a rewriting makes a formulation (AF). Where a rule fires, its reading takes no edits; where it nearly does, the
edits say what is in the way, by kind of word. The cheapest reading represents the pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import add
from typing import NamedTuple

from data.model import Extraction, Sentence
from matchers.alignment import Alignment, align
from matchers.alternatives import alternative_triples
from matchers.masks import ExtractionMasks, FormulationMasks, Masks
from matchers.patterns import Groups
from matchers.views import SOFT, Slots, View, view
from matchers.words import ADVERBS, FUNCTION, PREPOSITIONS

AS_FORMULATION, WITH_DETAIL, REWRITTEN = "formulation", "detail", "rewritten"

_LIGHT = ADVERBS - {"first", "well", "here", "there", "today", "yesterday", "tomorrow", "ago"}
_DETERMINER = "a"
_NEAREST = 3
count = int.bit_count


class Edits(NamedTuple):
    """How many words of each kind a reading has to take away or put in."""

    missing_content: int = 0
    missing_preposition: int = 0
    missing_function: int = 0
    extra_content: int = 0
    extra_preposition: int = 0
    extra_function: int = 0
    determiners: int = 0
    adverbs: int = 0
    own: int = 0

    def plus(self, other: Edits) -> Edits:
        """These edits and others."""
        return Edits(*map(add, self, other))

    @property
    def cost(self) -> float:
        """A weighted sum: content words weigh most, determiners and adverbs least."""
        return (
            3.0 * self.missing_content
            + 2.0 * self.extra_content
            + 1.5 * (self.missing_preposition + self.extra_preposition)
            + 1.0 * (self.missing_function + self.extra_function)
            + 0.3 * self.determiners
            + 0.4 * self.adverbs
            + 0.1 * self.own
        )

    @property
    def only_light(self) -> bool:
        """Whether only determiners, adverbs and the cluster's own words are in the way."""
        return not (
            self.missing_content
            or self.missing_preposition
            or self.missing_function
            or self.extra_content
            or self.extra_preposition
            or self.extra_function
        )


NONE = Edits()


def edits_of(missing: Sequence[str], extra: Sequence[str], own: frozenset[str] = frozenset()) -> Edits:
    """The edits of missing and extra lemmas; extra ones that are the cluster's `own` are counted apart."""
    if not missing and not extra:
        return NONE
    tally = [0] * 9
    for word in missing:
        tally[_kind(word, 0)] += 1
    for word in extra:
        tally[8 if word in own else _kind(word, 3)] += 1
    return Edits(*tally)


@lru_cache(maxsize=65536)
def _kind(word: str, offset: int) -> int:
    if word == _DETERMINER:
        return 6
    if word in _LIGHT:
        return 7
    if word in PREPOSITIONS:
        return offset + 1
    return offset + 2 if word in FUNCTION else offset


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


class Reader:
    """Reads the extractions of one sentence."""

    def __init__(self, sentence: Sentence, bits: Masks) -> None:
        self.bits = bits
        self.view: View = view(sentence, SOFT)
        sizes = [len(cluster.formulations) for cluster in sentence.clusters]
        self.offsets = [sum(sizes[:position]) for position in range(len(sizes))]
        self._aligned: dict[tuple[tuple[str, ...], int], Alignment] = {}
        self._edits: dict[tuple[tuple[str, ...], int], Edits] = {}
        self._lined: dict[tuple[tuple[str, ...], int], Alignment] = {}

    def _size(self, cluster: int) -> int:
        return len(self.bits.clusters[cluster])

    def slot(self, words: tuple[str, ...], pattern: int) -> Alignment:
        """How words differ from a gold slot."""
        key = (words, pattern)
        if key not in self._aligned:
            if pattern in self.view.accepted(words):
                self._aligned[key] = Alignment((), (), words, (), (), ())  # what is absent is of no interest here
            else:
                self._aligned[key] = align(words, self.view.patterns[pattern].groups)
        return self._aligned[key]

    def slot_edits(self, words: tuple[str, ...], pattern: int) -> Edits:
        """The edits between words and a gold slot."""
        key = (words, pattern)
        found = self._edits.get(key)
        if found is None:
            part = self.slot(words, pattern)
            found = self._edits[key] = edits_of(part.missing, part.extra)
        return found

    def line(self, words: tuple[str, ...], triple: int) -> Alignment:
        """How a linearization differs from a formulation's."""
        key = (words, triple)
        if key not in self._lined:
            slots = self.view.triples[triple].slots
            groups: Groups = tuple(group for slot in slots for group in self.view.patterns[slot].groups)
            self._lined[key] = align(words, groups)
        return self._lined[key]

    def nearest_lines(self, said: ExtractionMasks) -> list[int]:
        """The formulations, of any cluster, whose words together are most like the extraction's."""
        costs = []
        for cluster, formulations in enumerate(self.bits.clusters):
            for position, gold in enumerate(formulations):
                costs.append((self._line_cost(said, gold), self.offsets[cluster] + position))
        return [number for _, number in sorted(costs)[:_NEAREST]]

    def _line_cost(self, said: ExtractionMasks, gold: FormulationMasks) -> float:
        function = self.bits.function
        missing, extra = gold.needs & ~said.says, said.says & ~gold.allows
        return (
            3.0 * count(missing & ~function) + count(missing & function)
            + 2.0 * count(extra & ~function) + count(extra & function)
        )  # fmt: skip

    def readings(
        self, extraction: Extraction, said: ExtractionMasks, clusters: Sequence[int]
    ) -> dict[int, list[Reading]]:
        """The readings of an extraction as each of these clusters' facts, the best of each kind."""
        slots = self.view.slots(extraction)
        lines = self.nearest_lines(said)
        rewritten: dict[int, Reading] = {}
        for triple, _ in alternative_triples(self.view, slots):
            rewritten.setdefault(
                triple.cluster, Reading(REWRITTEN, self._number(triple.cluster, triple.formulation), NONE)
            )
        found = {}
        for cluster in clusters:
            plain = self._as_formulation(slots, said, cluster)
            readings = [plain]
            if plain.cost > 0:
                readings += self._with_detail(slots, said, cluster, lines)
                if cluster in rewritten:
                    readings.append(rewritten[cluster])
            found[cluster] = readings
        return found

    def _number(self, cluster: int, formulation: object) -> int:
        start = self.offsets[cluster]
        for position in range(self._size(cluster)):
            if self.view.triples[start + position].formulation is formulation:
                return position
        return 0

    def _candidates(self, said: ExtractionMasks, cluster: int) -> list[int]:
        """The formulations of a cluster that are worth an alignment: those with the nearest words in each slot."""
        costs = []
        for position, gold in enumerate(self.bits.clusters[cluster]):
            cost = 0
            for slot in range(3):
                cost += count(gold.required[slot] & ~said.slots[slot]) + count(said.slots[slot] & ~gold.every[slot])
            costs.append((cost, position))
        return [position for _, position in sorted(costs)[:_NEAREST]]

    def _as_formulation(self, slots: Slots, said: ExtractionMasks, cluster: int) -> Reading:
        best: Reading | None = None
        for position in self._candidates(said, cluster):
            patterns = self.view.triples[self.offsets[cluster] + position].slots
            edits = NONE
            for words, pattern in zip(slots, patterns, strict=True):
                edits = edits.plus(self.slot_edits(words, pattern))
            if best is None or edits.cost < best.cost:
                best = Reading(AS_FORMULATION, position, edits)
                if not best.cost:
                    break
        assert best is not None
        return best

    def _with_detail(self, slots: Slots, said: ExtractionMasks, cluster: int, lines: Sequence[int]) -> list[Reading]:
        """Readings in which one argument goes on beyond the formulation's, in the words of another formulation."""
        words = slots[0] + slots[1] + slots[2]
        best: Reading | None = None
        for position in self._centres(said, cluster):
            triple = self.view.triples[self.offsets[cluster] + position]
            arg1, relation, arg2 = (self.slot(w, p) for w, p in zip(slots, triple.slots, strict=True))
            own = frozenset(arg1.kept + relation.kept + arg2.kept)
            if arg2.extra and not arg1.extra:
                near, far = arg1, arg2
            elif arg1.extra and not arg2.extra:
                near, far = arg2, arg1
            elif arg2.extra:
                near, far = arg1, arg2
            else:
                continue
            centre = edits_of(near.missing, near.extra).plus(edits_of(relation.missing, relation.extra))
            centre = centre.plus(edits_of(far.missing, ()))
            for number in lines:
                if number == self.offsets[cluster] + position:
                    continue
                line = self.line(words, number)
                edits = centre.plus(edits_of(line.missing, line.extra, own))
                if best is None or edits.cost < best.cost:
                    best = Reading(WITH_DETAIL, position, edits, number)
        return [best] if best else []

    def _centres(self, said: ExtractionMasks, cluster: int) -> list[int]:
        """The formulations of a cluster that an extraction may centre on: the nearest, what is extra left aside."""
        costs = []
        for position, gold in enumerate(self.bits.clusters[cluster]):
            cost = sum(3 * count(gold.required[slot] & ~said.slots[slot]) for slot in range(3))
            cost += 2 * count(said.slots[1] & ~gold.every[1]) + count(said.slots[0] & ~gold.every[0])
            costs.append((cost, position))
        return [position for _, position in sorted(costs)[:_NEAREST]]
