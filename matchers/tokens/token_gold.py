"""Gold facts as tuples of words, which is how the token-level scorers see them.

Those scorers were made for gold that states each fact once. Where a fact is a cluster of formulations with optional
words, a `Reading` says how it becomes tuples:
- formulations: `best`, a fact is compared by the formulation that fits best; `first`, by its first only; `every`, each
  formulation is a gold tuple of its own.
- optional words: `inferred`, they may be there and need not be, as WiRe57 treats the words that its annotators
  inferred; `kept`, they are words like all others; `dropped`, they are left out.
- weight: `tuples`, a system's precision is the mean over its tuples, as in the released scorers; `tokens`, it is a
  share of its words, as in the formula that the WiRe57 paper prints.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from data.model import Extraction, Formulation, Sentence, Slot
from data.problems import InputError

BEST, FIRST, EVERY = "best", "first", "every"
INFERRED, KEPT, DROPPED = "inferred", "kept", "dropped"
TUPLES, TOKENS = "tuples", "tokens"
CHOICES = {"formulations": (BEST, FIRST, EVERY), "optional": (INFERRED, KEPT, DROPPED), "weight": (TUPLES, TOKENS)}

Words = tuple[str, ...]


@dataclass(frozen=True)
class GoldPart:
    """An argument or relation: its words, and those among them that an extraction is asked to find."""

    words: Words
    needed: Words

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The distinct words."""
        return frozenset(self.words)

    @cached_property
    def bag(self) -> Counter[str]:
        """How often each word is there."""
        return Counter(self.words)

    @cached_property
    def needed_bag(self) -> Counter[str]:
        """How often each word is asked for."""
        return Counter(self.needed)


GoldTuple = tuple[GoldPart, ...]


@dataclass(frozen=True)
class Reading:
    """How clusters become gold tuples, and what is averaged.

    >>> Reading.of("first+kept")
    Reading(formulations='first', optional='kept', weight='tuples')
    >>> str(Reading.of("every+tokens")), str(Reading())
    ('every+tokens', '')
    """

    formulations: str = BEST
    optional: str = INFERRED
    weight: str = TUPLES

    @classmethod
    def of(cls, text: str) -> Reading:
        """The reading of choices that are joined with +; what is not named is as by default."""
        chosen: dict[str, str] = {}
        for word in text.split("+") if text else ():
            field = next((name for name, words in CHOICES.items() if word in words), None)
            if field is None or field in chosen:
                known = "; ".join(", ".join(words) for words in CHOICES.values())
                raise InputError(f"{text!r} is no reading of clusters; join at most one each of {known} with +")
            chosen[field] = word
        return cls(**chosen)

    def __str__(self) -> str:
        chosen = (self.formulations, self.optional, self.weight)
        return "+".join(word for word, words in zip(chosen, CHOICES.values(), strict=True) if word != words[0])

    def facts(self, sentence: Sentence) -> list[tuple[Formulation, ...]]:
        """The facts to be found: each one's formulations. Clusters without any can't be found, and still count."""
        if self.formulations == EVERY:
            return [(formulation,) for cluster in sentence.clusters for formulation in cluster.formulations]
        last = 1 if self.formulations == FIRST else None
        return [cluster.formulations[:last] for cluster in sentence.clusters]

    def tuple_of(self, formulation: Formulation) -> GoldTuple:
        """The three parts of a formulation, in reading order."""
        return tuple(self._part(slot) for slot in formulation.slots)

    def _part(self, slot: Slot) -> GoldPart:
        if self.optional == INFERRED:
            return GoldPart(slot.words, slot.required)
        words = slot.words if self.optional == KEPT else slot.required
        return GoldPart(words, words)


def words_of(extraction: Extraction) -> tuple[Words, ...]:
    """The words of an extraction's three slots, as they are written."""
    return tuple(tuple(slot.split()) for slot in extraction.slots)
