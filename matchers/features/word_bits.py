"""Words as the bits of integers: which words of a sentence's facts an extraction has, in a few operations.

Each lemma of a sentence has a bit. A slot is the set of its lemmas, so what a formulation has and an extraction lacks
is `required & ~said`, and how much that is a count of bits. Order and repetition are left out: the rules look at those.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from data.model import Extraction, Sentence, Slot
from matchers.text import word_lists as kinds
from matchers.text.punctuation import plain
from matchers.text.word_lists import lemma

KINDS = {
    "function": kinds.FUNCTION,
    "preposition": kinds.PREPOSITIONS,
    "determiner": kinds.DETERMINERS,
    "conjunction": kinds.CONJUNCTIONS,
    "pronoun": kinds.PRONOUNS,
    "negation": kinds.NEGATIONS,
    "hedge": kinds.HEDGES,
}


@dataclass(frozen=True)
class FormulationMasks:
    """The lemmas of a formulation: per slot those required and all; and of the three slots together."""

    required: tuple[int, int, int]
    every: tuple[int, int, int]
    forms: int
    needs: int
    allows: int


@dataclass(frozen=True)
class ExtractionMasks:
    """The lemmas of an extraction per slot and together, and its words as they are inflected."""

    slots: tuple[int, int, int]
    says: int
    forms: int


class Masks:
    """The bits of one sentence's words; words that only an extraction has get bits as they are met."""

    def __init__(self, sentence: Sentence) -> None:
        self._bits: dict[str, int] = {}
        self._forms: dict[str, int] = {}
        self.function = self.preposition = self.determiner = self.conjunction = 0
        self.pronoun = self.negation = self.hedge = self.adverb = self.date = 0
        self._slots: dict[int, tuple[int, int, int]] = {}  # by identity: readers share the objects of repeated slots
        self.clusters = [
            [self._formulation(formulation.slots) for formulation in cluster.formulations]
            for cluster in sentence.clusters
        ]

    def _add(self, word: str) -> int:
        bit = self._bits[word] = 1 << len(self._bits)
        for kind, members in KINDS.items():
            if word in members:
                setattr(self, kind, getattr(self, kind) | bit)
        if word in kinds.ADVERBS or (word.endswith("ly") and len(word) > 4):
            self.adverb |= bit
        if word in kinds.DATES or word.isdigit():
            self.date |= bit
        return bit

    def of(self, words: tuple[str, ...]) -> int:
        """The lemmas of words without punctuation and case."""
        mask = 0
        for word in words:
            root = lemma(word)
            mask |= self._bits.get(root) or self._add(root)
        return mask

    def forms_of(self, words: tuple[str, ...]) -> int:
        """The inflected words, as bits of their own."""
        mask = 0
        for word in words:
            bit = self._forms.get(word)
            if bit is None:
                bit = self._forms[word] = 1 << len(self._forms)
            mask |= bit
        return mask

    def _slot(self, slot: Slot) -> tuple[int, int, int]:
        """The lemmas of a slot that are required, all its lemmas, and its words."""
        bits = self._slots.get(id(slot))
        if bits is None:
            words = plain(slot.words)
            every = self.of(words)
            required = every if slot.required == slot.words else self.of(plain(slot.required))
            bits = self._slots[id(slot)] = (required, every, self.forms_of(words))
        return bits

    def _formulation(self, slots: tuple[Slot, Slot, Slot]) -> FormulationMasks:
        required, every, forms = zip(*map(self._slot, slots), strict=True)
        return FormulationMasks(
            required,
            every,
            forms[0] | forms[1] | forms[2],
            required[0] | required[1] | required[2],
            every[0] | every[1] | every[2],
        )

    def extraction(self, extraction: Extraction) -> ExtractionMasks:
        """The lemmas of an extraction."""
        words = [plain(tuple(slot.split())) for slot in extraction.slots]
        slots = [self.of(slot) for slot in words]
        forms = self.forms_of(words[0] + words[1] + words[2])
        return ExtractionMasks((slots[0], slots[1], slots[2]), slots[0] | slots[1] | slots[2], forms)


@lru_cache(maxsize=1024)
def masks(sentence: Sentence) -> Masks:
    """The bits of a sentence's words; made once."""
    return Masks(sentence)


def left_by(covers: Collection[int], words: int) -> Iterator[int]:
    """What is left of words after each cover, that which takes most of what is left coming first, while one takes any.

    >>> [bin(left) for left in left_by([0b0011, 0b0111, 0b1000, 0b0100], 0b1111)]
    ['0b1000', '0b0']
    """
    while words and (best := max(covers, key=lambda cover: (cover & words).bit_count(), default=0)) & words:
        words &= ~best
        yield words
