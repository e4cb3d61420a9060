from __future__ import annotations

from dataclasses import replace

from matchers.llm.prompt import Prompt, described, own_examples
from tests.matchers.facts import sentence, triple


def test_a_question_has_the_sentence_the_numbered_facts_and_the_extraction() -> None:
    gold = sentence(
        ["Mara --> is --> [a] chemist", "Mara --> works as --> [a] chemist"],
        "Mara --> sleeps --> XXX",
        text="Mara is a chemist .",
    )
    question = Prompt(own_examples()).question(gold, triple("Mara - is - the chemist"))
    assert "Sentence: Mara is a chemist ." in question.user
    assert "1. (Mara; is; [a] chemist) | (Mara; works as; [a] chemist)" in question.user
    assert "2. (Mara; sleeps; -)" in question.user
    assert question.user.endswith("Extraction: (Mara; is; the chemist)\nAnswer:")
    assert question.facts == 2


def test_examples_are_shown_with_their_answers() -> None:
    examples = own_examples()
    text = Prompt(examples).system
    for one in examples:
        assert f'{described(one.sentence, one.extraction)}\nAnswer: {{"fact": {one.fact}}}' in text


def test_examples_of_our_own_name_facts_that_are_there() -> None:
    assert all(0 <= one.fact <= len(one.sentence.clusters) for one in own_examples())
    assert {bool(one.fact) for one in own_examples()} == {True, False}


def test_other_examples_have_another_hash() -> None:
    first, *rest = own_examples()
    assert Prompt((first, *rest)).label == Prompt(own_examples()).label
    assert Prompt((replace(first, fact=0), *rest)).label != Prompt(own_examples()).label
