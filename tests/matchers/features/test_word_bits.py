from __future__ import annotations

from matchers.features.word_bits import Masks, masks
from tests.matchers.facts import sentence, triple

GOLD = sentence("Mara Venn --> is --> [a] chemist", ["[The] mill --> burned down --> XXX", "mill --> burned --> down"])


def names(bits: Masks, mask: int) -> set[str]:
    """The lemmas of a mask."""
    return {word for word, bit in bits._bits.items() if mask & bit}


def test_what_a_formulation_needs_and_allows() -> None:
    bits = Masks(GOLD)
    first = bits.clusters[0][0]
    assert names(bits, first.needs) == {"mara", "venn", "be", "chemist"}
    assert names(bits, first.allows) == {"mara", "venn", "be", "chemist", "a"}
    assert names(bits, first.required[2]) == {"chemist"}
    assert names(bits, first.every[2]) == {"a", "chemist"}


def test_each_formulation_of_each_cluster_has_masks() -> None:
    assert [len(cluster) for cluster in Masks(GOLD).clusters] == [1, 2]


def test_an_empty_slot_has_no_bits() -> None:
    assert Masks(GOLD).clusters[1][0].every[2] == 0


def test_an_extraction_shares_the_bits_of_the_gold() -> None:
    bits = Masks(GOLD)
    said = bits.extraction(triple("Mara Venn - was - a Chemist ."))
    gold = bits.clusters[0][0]
    assert not gold.needs & ~said.says  # another tense and case are the same lemma
    assert not said.says & ~gold.allows
    assert said.forms & ~gold.forms  # but another form
    assert said.slots[0] | said.slots[1] | said.slots[2] == said.says


def test_words_that_only_the_extraction_has_get_bits_of_their_own() -> None:
    bits = Masks(GOLD)
    said = bits.extraction(triple("Mara Venn - is - a quick sailor"))
    assert names(bits, said.says & ~bits.clusters[0][0].allows) == {"quick", "sailor"}


def test_kinds_of_words() -> None:
    bits = Masks(GOLD)
    said = bits.extraction(triple("Mara - probably never moved - to the coast and quickly on Monday 1999")).says
    assert names(bits, said & bits.negation) == {"never"}
    assert names(bits, said & bits.hedge) == {"probably"}
    assert names(bits, said & bits.preposition) == {"to", "on"}
    assert names(bits, said & bits.determiner) == {"a"}
    assert names(bits, said & bits.conjunction) == {"and"}
    assert names(bits, said & bits.date) == {"monday", "1999"}
    assert names(bits, said & bits.adverb) == {"probably", "quickly"}
    assert names(bits, said & ~bits.function) >= {"mara", "move", "coast", "monday"}


def test_masks_of_a_sentence_are_made_once() -> None:
    assert masks(GOLD) is masks(GOLD)
