from __future__ import annotations

import pytest

from data.formats.carb import CarbTuple
from data.formats.slots import parse_slot
from data.model import Cluster, Extraction, Formulation, Sentence, Slot, System
from data.problems import InputError
from matchers.tokens.carb import CarbGold, CarbScorer, cell, gold_of
from matchers.tokens.registry import load_scorer
from matchers.tokens.token_gold import Reading

TEXT = "Mara Venn , a chemist from Oslo , sold the old mill to Tove in May ."


SOLD = gold_of(CarbTuple("sold", ("Mara Venn", "the old mill", "to Tove")))


def words(line: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(slot.split()) for slot in line.split("-"))


def mine(*lines: str, confidences: tuple[float, ...] = ()) -> System:
    found = []
    for number, line in enumerate(lines):
        slots = [slot.strip() for slot in line.split("-")]
        found.append(Extraction("1", *slots, confidence=confidences[number] if confidences else None))
    return System("mine", tuple(found))


def test_slots_are_compared_one_by_one_and_further_arguments_join_the_second():
    # Shared: Mara, sold, the, mill, Tove: 5 of the extraction's 6 words and of the gold's 8.
    assert cell(words("Mara - sold - the grand mill Tove"), SOLD) == pytest.approx((5 / 6, 5 / 8))
    # "Mara" stands in the wrong slot.
    assert cell(words("Tove - sold - Mara mill"), SOLD) == pytest.approx((2 / 4, 2 / 8))


def test_slots_are_bags():
    assert cell(words("Mara Mara - sold - mill mill"), SOLD) == pytest.approx((3 / 5, 3 / 8))


def test_relations_must_share_a_word():
    assert cell(words("Mara Venn - bought - the old mill"), SOLD) == (0.0, 0.0)
    # ... but arguments need not.
    assert cell(words("She - sold - it"), SOLD) == pytest.approx((1 / 3, 1 / 8))


def test_be_meets_its_other_forms():
    was = gold_of(CarbTuple("was", ("Mara Venn", "a chemist")))
    assert cell(words("Mara Venn - be - a chemist"), was) == (1.0, 1.0)
    assert cell(words("Mara Venn - is - a chemist"), was) == (0.0, 0.0)


def test_reported_speech_may_have_its_arguments_the_other_way_round():
    said = gold_of(CarbTuple("said", ("Tove", "the mill burned")))
    assert cell(words("the mill burned - said - Tove"), said) == (1.0, 1.0)
    assert cell(
        words("the old mill - sold - Mara Venn"), gold_of(CarbTuple("sold", ("Mara Venn", "the old mill")))
    ) == (
        pytest.approx(1 / 6),
        pytest.approx(1 / 6),
    )


def test_a_gold_tuple_without_second_argument_does_not_look_at_the_extractions():
    left = gold_of(CarbTuple("left", ("Mara Venn",)))
    assert cell(words("Mara Venn - left - Oslo in May"), left) == (1.0, 1.0)


def test_an_extraction_without_second_argument_does_not_match_a_gold_tuple_with_one():
    assert cell((("Mara", "Venn"), ("sold",), ()), SOLD) == (0.0, 0.0)


def test_context_arguments_are_left_out():
    burned = gold_of(CarbTuple("burned", ("The mill", "in May", "C: Tove said")))
    assert burned.rest is not None and burned.rest.words == ("in", "May")
    assert gold_of(CarbTuple("burned", ("The mill", "C: Tove said"))).rest is None


def formulation(line: str) -> Formulation:
    return Formulation(*(parse_slot(text)[0] for text in line.split(" --> ")))


def test_on_clusters_optional_words_are_free_and_the_best_formulation_counts():
    fact = Cluster("1", (formulation("Oslo --> has --> chemists"), formulation("Mara --> sold --> [the] old mill")))
    sentence = Sentence("1", TEXT, (fact,))
    found = mine("Mara - sold - the mill").extractions
    # Shared: all 4 words of the extraction, 3 of the 4 required and 4 of all 5 words of the formulation.
    assert CarbScorer().row(sentence, found) == pytest.approx((1.0, 1.0, 3 / 4, 1.0))
    assert load_scorer("carb:kept").row(sentence, found) == pytest.approx((1.0, 1.0, 4 / 5, 1.0))
    assert load_scorer("carb:first").row(sentence, found) == (0.0, 1.0, 0.0, 1.0)
    assert load_scorer("carb:every").row(sentence, found) == pytest.approx((1.0, 1.0, 3 / 4, 2.0))
    assert CarbScorer().row(Sentence("1", TEXT), found) == (0.0, 0.0, 0.0, 0.0)
    with pytest.raises(InputError, match="tokens"):
        CarbScorer(Reading.of("tokens"))


def test_one_whole_sentence_finds_every_fact():
    facts = tuple(
        Cluster(str(number), (Formulation(Slot.of("Mara"), Slot.of("sold"), Slot.of(thing)),))
        for number, thing in enumerate(("mill", "old mill", "the old mill", "mill to Tove"))
    )
    row = CarbScorer().row(
        Sentence("1", TEXT, facts), mine("Mara Venn - sold - the old mill to Tove in May").extractions
    )
    assert row[2:] == (4.0, 4.0)


def test_gold_with_a_blank_relation_is_never_found():
    blank = gold_of(CarbTuple("", ("Mara", "mill")))
    assert isinstance(blank, CarbGold) and cell(words("Mara - sold - mill"), blank) == (0.0, 0.0)
