from __future__ import annotations

from pathlib import Path

import pytest

from data.catalog import load
from data.formats.slots import parse_slot
from data.languages import characters, language_of, tokenised
from data.model import Benchmark, Cluster, Extraction, Formulation, Judgment, Sentence, Slot, System
from data.problems import Diagnostics, InputError


def made(text: str, gold: str, extraction: tuple[str, str, str]) -> Benchmark:
    arg1, relation, arg2 = (parse_slot(slot)[0] for slot in gold.split(" --> "))
    sentence = Sentence("1", text, (Cluster("1", (Formulation(arg1, relation, arg2),)),))
    own = Extraction("1", *extraction, confidence=0.5)
    return Benchmark("made", (sentence,), (System("own", (own,)),), (Judgment("own", own, ("1",)),))


def test_chinese_is_split_into_characters_on_both_sides() -> None:
    found = tokenised(made("她在奥斯陆工作。", "她 --> [一直] 在 --> 奥斯陆 工作", ("她", "在", "奥斯陆工作")), "zh")
    assert found.language == "zh"
    assert found.sentences[0].text == "她 在 奥 斯 陆 工 作 。"
    assert str(found.sentences[0].clusters[0].formulations[0]) == "她 --> [一 直] 在 --> 奥 斯 陆 工 作"
    assert found.systems[0].extractions[0] == Extraction("1", "她", "在", "奥 斯 陆 工 作", 0.5)
    assert found.judgments[0].extraction == found.systems[0].extractions[0]


def test_splitting_twice_changes_nothing() -> None:
    once = tokenised(made("她在奥斯陆 。", "她 --> 在 --> 奥斯陆", ("她", "在", "奥斯陆")), "zh")
    assert tokenised(once, "zh") == once


def test_german_keeps_its_words() -> None:
    benchmark = made("Sie wohnt in Oslo.", "Sie --> wohnt in --> Oslo", ("Sie", "wohnt", "in Oslo"))
    found = tokenised(benchmark, "de")
    assert found == benchmark and found.language == "de"


def test_marks_stay_with_their_character() -> None:
    assert characters("か\u3099 e\u0301x") == ("か\u3099", "e\u0301", "x")
    assert characters("CEO 5 年") == ("C", "E", "O", "5", "年")


def test_an_empty_slot_stays_empty() -> None:
    found = tokenised(made("她在 。", "她 --> 在 --> XXX", ("她", "在", "")), "zh")
    assert found.sentences[0].clusters[0].formulations[0].arg2 == Slot()
    assert found.systems[0].extractions[0].arg2 == ""


@pytest.mark.parametrize(("tag", "language"), [("zh-Hans", "zh"), ("zh_CN", "zh"), ("DE", "de"), ("gsw", "gsw")])
def test_language_tags(tag: str, language: str) -> None:
    assert language_of(tag) == language


@pytest.mark.parametrize("tag", ["", "x", "german", "12"])
def test_what_is_no_language(tag: str) -> None:
    with pytest.raises(InputError, match="is no language"):
        language_of(tag)


def test_a_part_of_a_benchmark_keeps_its_language() -> None:
    found = tokenised(made("她在 。", "她 --> 在 --> XXX", ("她", "在", "")), "zh")
    assert found.restricted(["1"]).language == "zh"


@pytest.mark.parametrize(
    ("name", "language", "clusters"),
    [("benchie_de", "de", 1086), ("benchie_zh", "zh", 994), ("benchie_en", "en", 1350)],
)
def test_the_benchmarks_of_benchie_know_their_language(
    real_data: Path, name: str, language: str, clusters: int
) -> None:
    found = load(name, real_data, Diagnostics())
    assert (found.language, found.cluster_count, len(found.sentences)) == (language, clusters, 300)
