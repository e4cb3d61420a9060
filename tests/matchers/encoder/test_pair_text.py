from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings

from data.model import Benchmark, Sentence
from matchers.encoder.pair_text import SPECIAL_TOKENS, encoded_pairs
from tests.matchers.facts import sentence, triple
from tests.strategies import benchmarks


def text(gold: Sentence, extraction: str, cluster: int = 0) -> str:
    found = {pair.cluster: pair.text for pair in encoded_pairs(gold, [triple(extraction)])}
    return found[cluster]


MOVED = sentence("Mara Venn --> moved to --> Oslo", "Mara Venn --> moved to Oslo in --> May")


def test_a_detail_that_another_cluster_accounts_for_is_marked_as_one() -> None:
    expected = "[LOD] [DETAIL] [1] [W1] [T1] mara venn [REL] moved to [ARG] oslo [D] in may [/D]"
    assert text(MOVED, "Mara Venn - moved to - Oslo in May") == expected


def test_an_exact_pair_has_no_marks_but_its_slots() -> None:
    assert text(MOVED, "Mara Venn - moved to - Oslo") == "[EM] [SAME] [0] [W1] [T1] mara venn [REL] moved to [ARG] oslo"


def test_missing_and_extra_words_are_marked_where_they_stand() -> None:
    found = text(MOVED, "Mara Venn - later moved - Oslo")
    assert found == "[NONE] [SAME] [0] [W1] [T1] mara venn [REL] [+] later [/+] moved [-] to [/-] [ARG] oslo"


def test_a_word_that_stands_in_another_slot_is_moved() -> None:
    found = text(MOVED, "Mara Venn - moved - to Oslo")
    assert found == "[NONE] [SAME] [0] [W1] [T1] mara venn [REL] moved [-] to [/-] [ARG] [M] to [/M] oslo"


def test_another_form_of_a_word_is_no_difference_but_is_told() -> None:
    gold = sentence("[the] mill --> was burned by --> Alex")
    found = text(gold, "A mill - is burned by - Alex")
    assert found == "[NONE] [SAME] [0] [W1] [T1] [~] a mill [REL] [~] is burned by [ARG] alex"


def test_optional_words_are_resolved_to_what_the_extraction_has() -> None:
    gold = sentence("[the] [old] mill --> burned [down] --> [in May]")
    assert text(gold, "old mill - burned - ") == "[EM] [SAME] [0] [W1] [T1] old mill [REL] burned [ARG]"


def test_what_a_rewriting_drops_is_marked() -> None:
    gold = sentence("Alex --> visited --> Oslo", "Alex --> visited --> Bergen")
    found = text(gold, "Alex - visited - Oslo and Bergen")
    assert found == "[AF] [REWRITTEN] [1] [W1] [T1] alex [REL] visited [ARG] oslo [A] and bergen [/A]"


def test_three_clusters_in_one_are_counted() -> None:
    gold = sentence("[the] mill --> burned --> XXX", "[the] mill --> burned in --> June", "Alex --> saw --> [the] mill")
    found = text(gold, "the mill Alex saw - burned - in June", 0)
    assert found.split()[2] == "[2]"
    assert "[+]" not in found
    assert "the mill [F] alex saw [/F] [REL] burned" in found


def test_long_runs_are_shortened_to_their_ends() -> None:
    words = " ".join(f"w{number}" for number in range(20))
    gold = sentence(f"Alex --> said --> {words}")
    assert text(gold, f"Alex - says - {words}").endswith("[ARG] w0 [..] w19")


def test_a_slot_of_brackets_can_not_pass_for_a_mark() -> None:
    gold = sentence("Alex --> said --> [...]")
    assert "[/+]" not in text(gold, "Alex - said - [/+]").split("[ARG]")[1].replace("[/+]", "", 1)


def test_exact_pairs_and_rules_are_told_with_the_text() -> None:
    pairs = encoded_pairs(MOVED, [triple("Mara Venn - moved to - Oslo"), triple("Mara Venn - moved to - Oslo in May")])
    told = {(pair.extraction, pair.cluster): (pair.exact, pair.rule.reason.rule if pair.rule else "") for pair in pairs}
    assert told[0, 0] == (True, "em")
    assert told[1, 0] == (False, "lod")


def test_a_sentence_without_clusters_has_no_pairs() -> None:
    assert encoded_pairs(sentence(), [triple("Alex - is - here")]) == []


@given(benchmarks())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_benchmark_can_be_encoded_and_twice_alike(benchmark: Benchmark) -> None:
    for system in benchmark.systems:
        for gold in benchmark.sentences:
            extractions = system.by_sentence.get(gold.id, ())
            first = [pair.text for pair in encoded_pairs(gold, extractions)]
            assert first == [pair.text for pair in encoded_pairs(gold, extractions)]
            for one in first:
                assert one.count("[REL]") == 1
                assert one.count("[ARG]") == 1


def test_marks_open_and_close_in_turn(judged: Benchmark) -> None:
    opening = {mark for mark in SPECIAL_TOKENS if mark.replace("[", "[/") in SPECIAL_TOKENS}
    for system in judged.systems:
        for gold in judged.sentences:
            for pair in encoded_pairs(gold, system.by_sentence.get(gold.id, ())):
                opened = ""
                for word in pair.text.split():
                    if word in opening:
                        assert not opened
                        opened = word
                    elif word.startswith("[/"):
                        assert word == opened.replace("[", "[/")
                        opened = ""
                assert not opened


@pytest.mark.parametrize(
    "module", ["matchers.encoder.pair_text", "matchers.encoder.matcher", "matchers.encoder.base_models"]
)
def test_no_heavy_library_is_imported(module: str) -> None:
    code = f"import sys, {module}; print([name for name in ('torch', 'transformers') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
