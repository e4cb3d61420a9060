"""A pair as features see it: the sentence's gold, the extraction beside it, and the cluster's closest formulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from matchers.features.lines import GoldLine, Line, gold_line, place_of
from matchers.features.readings import Reader, Reading
from matchers.features.thickness import mean_formulations
from matchers.features.word_bits import ExtractionMasks, FormulationMasks
from matchers.features.word_kinds import CONTENT, NOTHING, kind
from matchers.matches import Candidate
from matchers.text.gold_index import Slots, Words
from matchers.text.patterns import Text
from matchers.text.word_lists import CONJUNCTIONS, DETERMINERS, PREPOSITIONS

_ENDS = CONJUNCTIONS | DETERMINERS
_STARTS = CONJUNCTIONS | PREPOSITIONS


class SentenceGold:
    """What the features know of a sentence's gold."""

    def __init__(self, reader: Reader, sentence: Words) -> None:
        self.reader, self.bits, self.view = reader, reader.bits, reader.view
        self.relations = [
            frozenset(triple.slots[1] for triple in reader.view.triples[start : start + len(formulations)])
            for start, formulations in zip(reader.offsets, reader.bits.clusters, strict=True)
        ]
        self.allows = [
            list(dict.fromkeys([gold.allows for gold in formulations])) for formulations in reader.bits.clusters
        ]
        self.words, self.sentence_words = sentence, frozenset(sentence)
        self.formulations = [len(formulations) for formulations in reader.bits.clusters]
        self.thickness = mean_formulations(self.formulations)
        self.clusters_with: tuple[dict[int, set[int]], ...] = ({}, {}, {})
        for triple in self.view.triples:
            for own, pattern in zip(self.clusters_with, triple.slots, strict=True):
                own.setdefault(pattern, set()).add(triple.cluster)
        self._lines: dict[int, GoldLine] = {}

    def line(self, triple: int) -> GoldLine:
        """A formulation's slots in a row; made once."""
        if triple not in self._lines:
            self._lines[triple] = gold_line(self.view, triple)
        return self._lines[triple]


class Said:
    """An extraction beside a sentence's gold: what the rows of its pairs share."""

    def __init__(
        self,
        gold: SentenceGold,
        slots: Slots,
        said: ExtractionMasks,
        rules: Sequence[Candidate],
        costs: Sequence[float],
    ) -> None:
        self.gold, self.bits, self.view = gold, gold.bits, gold.view
        self.slots, self.said, self.costs = slots, said, costs
        self.rules = {candidate.cluster: candidate for candidate in rules}
        self.text, self.opener = Text(slots[2]), slots[2][:1]
        self.accepted = [self.view.accepted(words) for words in slots]
        self.dangling_end, self.dangling_start = _dangling(slots)
        self.inside = [
            (number, formulation.needs)
            for number, formulations in enumerate(self.bits.clusters)
            for formulation in formulations
            if formulation.needs and not formulation.needs & ~said.says
        ]

    @cached_property
    def known_in(self) -> tuple[frozenset[int], ...]:
        """The clusters that have each of the slots."""
        return tuple(
            frozenset(cluster for pattern in patterns for cluster in own.get(pattern, ()))
            for own, patterns in zip(self.gold.clusters_with, self.accepted, strict=True)
        )

    @cached_property
    def strange(self) -> tuple[int, int]:
        """Content and function words that are not in the sentence."""
        words = [word for slot in self.slots for word in slot if word not in self.gold.sentence_words]
        content = sum([kind(word) == CONTENT for word in words])
        return content, len(words) - content

    @cached_property
    def places(self) -> tuple[int, int, int, int, int, int]:
        """Whether the words and the relation stand in the sentence, and what is after and before each argument."""
        words, (arg1, relation, arg2) = self.gold.words, self.slots
        return (
            place_of(arg1 + relation + arg2, words) >= 0,
            place_of(relation, words) >= 0,
            *_beside(arg2, words),
            *_beside(arg1, words),
        )

    @cached_property
    def near_lines(self) -> list[tuple[float, int]]:
        """How far the words are from those of each formulation, and its cluster."""
        says, function = self.said.says, self.bits.function
        near = []
        for cluster, formulations in enumerate(self.bits.clusters):
            for gold in formulations:
                missing, extra = gold.needs & ~says, says & ~gold.allows
                content = 3.0 * (missing & ~function).bit_count() + 2.0 * (extra & ~function).bit_count()
                rest = (missing & function).bit_count() + (extra & function).bit_count()
                near.append((content + 0.6 * rest, cluster))
        return near


class Pair:
    """An extraction and a cluster, by the cluster's formulation that is closest."""

    def __init__(self, said: Said, cluster: int, reading: Reading, cost: float, costs: Mapping[str, float]) -> None:
        self.whole, self.bits, self.said = said, said.bits, said.said
        self.cluster, self.reading, self.cost, self.costs = cluster, reading, cost, costs
        self.gold: FormulationMasks = said.bits.clusters[cluster][reading.formulation]
        self.missing = self.gold.needs & ~self.said.says
        self.extra = self.said.says & ~self.gold.allows
        self.differing = self.missing | self.extra

    @cached_property
    def line(self) -> Line:
        """Its words in a row beside the formulation's."""
        gold = self.whole.gold
        return Line(self.whole.slots, gold.line(gold.reader.offsets[self.cluster] + self.reading.formulation))


def _dangling(slots: Slots) -> tuple[int, int]:
    """How many slots end, and how many begin, with a word that leaves them open."""
    ends = sum(bool(words) and words[-1] in _ENDS for words in slots)
    ends += sum(bool(words) and words[-1] in PREPOSITIONS for words in (slots[0], slots[2]))
    starts = sum(bool(words) and words[0] in _STARTS for words in (slots[0], slots[2]))
    return ends, starts


def _beside(argument: Words, sentence: Words) -> tuple[int, int]:
    """The kinds of the words after and before an argument in the sentence; `NOTHING` at its ends and elsewhere."""
    start = place_of(argument, sentence)
    if start < 0:
        return NOTHING, NOTHING
    end = start + len(argument)
    return kind(sentence[end]) if end < len(sentence) else NOTHING, kind(sentence[start - 1]) if start else NOTHING
