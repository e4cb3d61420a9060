"""WiRe57's files: what the token scorer needs, what a matcher needs, and one clear error for each mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from data.catalog import load
from data.formats.wire57 import (
    Wire57Word,
    load_wire57,
    read_wire57_benchmark,
    read_wire57_extractions,
    read_wire57_gold,
    read_wire57_systems,
)
from data.problems import InputError

SENTENCE_ID = "AR 1"


def part(
    words: str, indexes: list[Any], resolved: str | None = None, places: list[Any] | None = None
) -> dict[str, Any]:
    fields: dict[str, Any] = {"text": words, "words": words.split(), "words_indexes": indexes}
    if resolved is not None:
        fields.update(decorefed_words=resolved.split(), decorefed_indexes=places)
    return fields


def gold() -> dict[str, Any]:
    """A document with one sentence of two tuples: a plain one, and one with a pronoun and a third argument."""
    plain = {
        "attrib/spec?": "",
        "arg1": part("Mara Venn", [0, [1, -2.0]], "Mara Venn", [0, [1, -2.0]]),
        "rel": part("is", ["inf"]),
        "arg2": part("a chemist", ["inf", 3], "a chemist", ["inf", 3]),
        "arg3+": [],
    }
    resolved = {
        "attrib/spec?": "x",
        "arg1": part("she", [5], "Mara Venn", ["coref", "coref"]),
        "rel": part("moved", [6]),
        "arg2": part("to Oslo", [7, 8], "to Oslo", [7, 8]),
        "arg3+": [part("in May", [9, 10], "in May", [9, 10])],
    }
    text = "Mara Venn, chemist, said she moved to Oslo in May."
    sentence = {"id": SENTENCE_ID, "sent": text, "tokens": text.split(), "tuples": [plain, resolved]}
    return {"Arden-merge": [sentence], "Empty-merge": []}


def output() -> dict[str, Any]:
    first = {"arg1": "she", "rel": "moved", "arg2": "to Oslo", "extractor": "openie", "score": 0.5, "arg3+": ["in May"]}
    second = {"arg1": "she", "rel": "moved", "arg2": "", "extractor": "pithy", "score": -184.5}
    return {SENTENCE_ID: [first, second]}


def saved(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_parts_know_which_words_are_inferred_and_what_pronouns_stand_for(tmp_path: Path) -> None:
    (sentence,) = read_wire57_gold(saved(tmp_path / "gold.json", gold()))
    assert (sentence.id, sentence.tokens[0]) == (SENTENCE_ID, "Mara")
    plain, resolved = sentence.tuples
    assert plain.relation.words == (Wire57Word("is", inferred=True),)
    assert plain.relation.resolved == plain.relation.words
    assert [word.inferred for word in plain.arg2.words] == [True, False]
    assert (plain.attributed, resolved.attributed) == (False, True)
    assert (resolved.arg1.text, resolved.arg1.resolved_text) == ("she", "Mara Venn")
    assert all(word.coreference for word in resolved.arg1.resolved)
    assert [further.text for further in resolved.further] == ["in May"]


def test_extractions_keep_all_arguments_and_the_score(tmp_path: Path) -> None:
    first, second = read_wire57_extractions(saved(tmp_path / "output.json", output()))
    assert (first.system, first.sentence_id) == ("openie4", SENTENCE_ID)
    assert (first.arg2, first.further, first.score) == ("to Oslo", ("in May",), 0.5)
    assert (second.system, second.arg2, second.further) == ("pithy", "", ())


def test_a_benchmark_has_a_cluster_a_tuple_with_its_resolved_wording(tmp_path: Path) -> None:
    benchmark = load_wire57(saved(tmp_path / "gold.json", gold()), saved(tmp_path / "output.json", output()))
    (sentence,) = benchmark.sentences
    assert sentence.text == "Mara Venn, chemist, said she moved to Oslo in May."
    assert [[str(wording) for wording in cluster.formulations] for cluster in sentence.clusters] == [
        ["Mara Venn --> is --> a chemist"],
        ["she --> moved --> to Oslo in May", "Mara Venn --> moved --> to Oslo in May"],
    ]
    openie4, pithy = benchmark.systems
    assert (openie4.name, pithy.name) == ("openie4", "pithy")
    assert openie4.extractions[0].slots == ("she", "moved", "to Oslo in May")
    assert pithy.extractions[0].confidence == -184.5


def test_marks_that_a_gold_slot_cannot_hold_are_taken_out_of_words(tmp_path: Path) -> None:
    document = gold()
    document["Arden-merge"][0]["tuples"][0]["rel"] = {"words": ["[is", "]", "now-->a"], "words_indexes": [1, 2, 3]}
    benchmark = read_wire57_benchmark(saved(tmp_path / "gold.json", document))
    assert str(benchmark.sentences[0].clusters[0].formulations[0].relation) == "is now a"


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    plain = saved(tmp_path / "gold.json", gold())
    marked = tmp_path / "marked" / "gold.json"
    marked.parent.mkdir()
    marked.write_bytes(b"\xef\xbb\xbf" + json.dumps(gold(), indent=1).replace("\n", "\r\n").encode())
    assert read_wire57_benchmark(marked) == read_wire57_benchmark(plain)


def _without(*path: Any) -> dict[str, Any]:
    document = gold()
    value: Any = document
    for key in path[:-1]:
        value = value[key]
    del value[path[-1]]
    return document


IN_SENTENCE = ("Arden-merge", 0)
IN_TUPLE = (*IN_SENTENCE, "tuples", 1)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ((*IN_SENTENCE, "id"), "document 'Arden-merge', sentence 1: the field 'id' is missing"),
        ((*IN_SENTENCE, "sent"), "sentence 'AR 1': the field 'sent' is missing"),
        ((*IN_SENTENCE, "tokens"), "sentence 'AR 1': the field 'tokens' is missing or no list"),
        ((*IN_SENTENCE, "tuples"), "sentence 'AR 1': the field 'tuples' is missing or no list"),
        ((*IN_TUPLE, "attrib/spec?"), "sentence 'AR 1', tuple 2: the field 'attrib/spec?' is missing"),
        ((*IN_TUPLE, "arg1"), "sentence 'AR 1', tuple 2, arg1: is missing"),
        ((*IN_TUPLE, "rel", "words"), "sentence 'AR 1', tuple 2, rel: the field 'words' is missing or no list"),
        ((*IN_TUPLE, "arg2", "decorefed_words"), "tuple 2, arg2: the field 'decorefed_words' is missing or no list"),
        ((*IN_TUPLE, "arg3+", 0, "words"), "tuple 2, further argument 1: the field 'words' is missing or no list"),
        ((*IN_TUPLE, "arg2", "words", 0), "tuple 2, arg2: 1 'words' have 2 'words_indexes'"),
    ],
)
def test_a_missing_gold_field_is_named_with_its_place(tmp_path: Path, path: tuple[Any, ...], message: str) -> None:
    file = saved(tmp_path / "gold.json", _without(*path))
    with pytest.raises(InputError) as caught:
        read_wire57_gold(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert message in str(caught.value)


def test_an_unknown_kind_of_index_is_refused(tmp_path: Path) -> None:
    document = gold()
    document["Arden-merge"][0]["tuples"][0]["rel"]["words_indexes"] = ["guess"]
    with pytest.raises(InputError, match="tuple 1, rel: 'guess' in 'words_indexes' is no token number"):
        read_wire57_gold(saved(tmp_path / "gold.json", document))


def test_two_sentences_of_one_id_are_refused(tmp_path: Path) -> None:
    document = gold()
    document["Arden-merge"] *= 2
    with pytest.raises(InputError, match="two sentences are called 'AR 1'"):
        read_wire57_benchmark(saved(tmp_path / "gold.json", document))


@pytest.mark.parametrize("field", ["arg1", "rel", "arg2", "extractor"])
def test_a_missing_extraction_field_is_named_with_its_place(tmp_path: Path, field: str) -> None:
    document = output()
    del document[SENTENCE_ID][1][field]
    with pytest.raises(InputError, match=f"sentence 'AR 1', extraction 2: the field '{field}' is missing"):
        read_wire57_systems(saved(tmp_path / "output.json", document))


def test_an_extraction_without_words_is_refused(tmp_path: Path) -> None:
    document = {"AR 1": [{"arg1": "", "rel": " ", "arg2": "", "extractor": "pithy"}]}
    with pytest.raises(InputError, match="extraction 1: an extraction needs at least one word"):
        read_wire57_systems(saved(tmp_path / "output.json", document))


def test_extractions_of_unknown_sentences_are_refused(tmp_path: Path) -> None:
    document = {"ZZ 9": output()[SENTENCE_ID]}
    with pytest.raises(InputError, match="sentence 'ZZ 9' is not in the gold file"):
        load_wire57(saved(tmp_path / "gold.json", gold()), saved(tmp_path / "output.json", document))


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "is not JSON"), ("[]", "a JSON object was expected"), ("{}", "has no"), ('{"a": 1}', "no list")],
)
def test_what_is_no_such_document_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "gold.json"
    path.write_text(text)
    for read in (read_wire57_gold, read_wire57_extractions):
        with pytest.raises(InputError, match=message):
            read(path)


def test_the_real_counts(real_data: Path) -> None:
    benchmark = load("wire57", real_data)
    assert (len(benchmark.sentences), benchmark.cluster_count, benchmark.extraction_count) == (57, 343, 1355)
    assert {system.name: len(system.extractions) for system in benchmark.systems} == {
        "ollie": 145, "clausie": 223, "openie4": 101, "stanford": 371, "minie": 252, "reverb": 79, "props": 184,
    }  # fmt: skip
    assert sum(len(cluster.formulations) == 2 for sentence in benchmark for cluster in sentence.clusters) == 180


def test_the_real_marks(real_data: Path) -> None:
    tuples = [t for s in read_wire57_gold(real_data / "wire57" / "WiRe57_343-manual-oie.json") for t in s.tuples]
    parts = [part for t in tuples for part in (t.arg1, t.relation, t.arg2, *t.further)]
    assert sum(word.inferred for part in parts for word in part.words) == 347
    assert sum(bool(t.further) for t in tuples) == 89
    assert sum(t.attributed for t in tuples) == 21
