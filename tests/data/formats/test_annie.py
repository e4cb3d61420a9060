"""AnnIE's files: what its flags and separators mean, its text with spaces and CRLF, and one error for each mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from data.brackets import STRAY
from data.formats.annie import (
    FOREIGN_WORD,
    RENUMBERED,
    read_annie_json,
    read_annie_text,
    write_annie_json,
    write_annie_text,
)
from data.formats.benchie import HEADER_NUMBER, HEADER_SENTENCE, read_gold
from data.model import Benchmark
from data.problems import Diagnostics, InputError

TEXT = (
    "Mara Venn continues to reside in Oslo .\r\n"
    "1--> Cluster 1: \r\n"
    "Mara Venn --> [continues to] reside in --> Oslo \r\n"
    "Mara Venn --> [continues] [to] reside --> in Oslo \r\n"
    "1--> Cluster 2: \r\n"
    "Mara Venn --> continues --> XXX \r\n"
    "\r\n"
    "Rain fell .\r\n"
    "2--> Cluster 1: \r\n"
    "Rain --> fell --> XXX \r\n"
)
WORDS = ["Mara", "Venn", "continues", "to", "reside", "in", "Oslo", "."]


def words(*indexes: int, optional: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    return [{"text": WORDS[i], "posLabel": "", "index": i, "type": "", "optional": i in optional} for i in indexes]


def separator(index1: int, state: bool = True) -> dict[str, Any]:
    return {"state": state, "index1": index1, "index2": index1 + 1}


def triple(starts: list[dict[str, Any]] | None = None, ends: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """Mara Venn; [continues] [to] [reside] in; Oslo."""
    return {
        "subjects": words(0, 1),
        "predicates": words(2, 3, 4, 5, optional=(2, 3, 4)),
        "objects": words(6),
        "startSeparators": starts or [],
        "endSeparators": ends or [],
    }


def document(*triples: dict[str, Any]) -> dict[str, Any]:
    sentence = {"index": 0, "text": " ".join(WORDS), "words": words(*range(len(WORDS)))}
    return {
        "name": "work",
        "textFile": {"name": "work.txt", "text": sentence["text"], "sentences": [sentence]},
        "clusters": [{"sentenceNumber": 0, "clusterNumber": 1, "triples": list(triples)}],
    }


def saved(path: Path, content: object) -> Path:
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8", newline="")
    return path


def relation(tmp_path: Path, starts: list[dict[str, Any]], ends: list[dict[str, Any]]) -> str:
    benchmark = read_annie_json(saved(tmp_path / "work.json", document(triple(starts, ends))), Diagnostics(strict=True))
    return str(benchmark.sentences[0].clusters[0].formulations[0].relation)


def test_an_optional_word_is_a_group_of_its_own(tmp_path: Path) -> None:
    assert relation(tmp_path, [], []) == "[continues] [to] [reside] in"


def test_separators_join_optional_words(tmp_path: Path) -> None:
    assert relation(tmp_path, [separator(1)], [separator(3)]) == "[continues to] [reside] in"
    assert relation(tmp_path, [separator(2)], [separator(4)]) == "[continues] [to reside] in"
    assert relation(tmp_path, [separator(1)], [separator(4)]) == "[continues to reside] in"


def test_a_group_ends_at_the_next_start_or_at_a_required_word(tmp_path: Path) -> None:
    assert relation(tmp_path, [separator(1), separator(2)], []) == "[continues] [to reside] in"
    assert relation(tmp_path, [separator(1)], []) == "[continues to reside] in"


def test_separators_that_are_off_or_lack_a_start_join_nothing(tmp_path: Path) -> None:
    assert relation(tmp_path, [separator(1, state=False)], [separator(3)]) == "[continues] [to] [reside] in"
    assert relation(tmp_path, [separator(0)], [separator(3)]) == "[continues] [to] [reside] in"


def test_sentence_ids_count_from_one_and_empty_slots_are_read(tmp_path: Path) -> None:
    work = document({"subjects": words(0, 1), "predicates": words(2), "objects": []})
    work["textFile"]["sentences"].insert(0, {"index": 0, "text": "Rain fell .", "words": []})
    work["clusters"][0]["sentenceNumber"] = 1
    benchmark = read_annie_json(saved(tmp_path / "work.json", work), Diagnostics())
    assert [sentence.id for sentence in benchmark] == ["1", "2"]
    assert str(benchmark.by_id["2"].clusters[0].formulations[0]) == "Mara Venn --> continues --> XXX"


def test_repeated_clusters_and_brackets_in_words_are_mended_with_a_warning(tmp_path: Path) -> None:
    work = document(triple())
    work["clusters"] *= 2
    work["clusters"].append(document({**triple(), "objects": [{**words(6)[0], "text": "[Oslo]"}]})["clusters"][0])
    diagnostics = Diagnostics()
    benchmark = read_annie_json(saved(tmp_path / "work.json", work), diagnostics)
    assert [cluster.id for cluster in benchmark.sentences[0].clusters] == ["1", "2", "3"]
    assert str(benchmark.sentences[0].clusters[2].formulations[0].arg2) == "Oslo"
    assert diagnostics.counts() == {HEADER_NUMBER: 2, STRAY: 1}


def test_the_text_export_is_read_with_its_spaces_and_line_ends(tmp_path: Path) -> None:
    benchmark = read_annie_text(saved(tmp_path / "export.txt", TEXT), Diagnostics(strict=True))
    assert [(sentence.id, sentence.text) for sentence in benchmark] == [("1", " ".join(WORDS)), ("2", "Rain fell .")]
    first = benchmark.sentences[0].clusters[0]
    assert [str(formulation.relation) for formulation in first.formulations] == [
        "[continues to] reside in",
        "[continues] [to] reside",
    ]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_end_and_a_byte_order_mark_read_the_same(tmp_path: Path, ending: str) -> None:
    plain = read_annie_text(saved(tmp_path / "export.txt", TEXT), Diagnostics())
    content = b"\xef\xbb\xbf" + TEXT.replace("\r\n", ending).encode()
    assert read_annie_text(saved(tmp_path / "export.txt", content), Diagnostics()) == plain


def test_a_header_of_another_sentence_is_told(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    read_annie_text(saved(tmp_path / "export.txt", TEXT.replace("2-->", "7-->")), diagnostics)
    assert diagnostics.counts() == {HEADER_SENTENCE: 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no sentence"),
        ("1--> Cluster 1: \r\n", ":1: a cluster or formulation stands before any sentence"),
        ("A --> b --> c \r\n", ":1: a cluster or formulation stands before any sentence"),
        ("Rain fell .\r\n1--> Cluster 1: \r\nRain --> fell \r\n", ":3: a formulation has three slots"),
        (
            "sent_id:1\tRain fell .\n",
            ":1: 'sent_id:' begins a sentence of BenchIE's text; read this",
        ),
    ],
)
def test_a_malformed_export_gives_one_clear_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_annie_text(saved(tmp_path / "export.txt", text), Diagnostics())


def test_read_as_benchie_text_it_says_how_to_read_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="read it with --from annie-text"):
        read_gold(saved(tmp_path / "export.txt", TEXT), Diagnostics())


def _changed(path: tuple[Any, ...], new: Any) -> dict[str, Any]:
    work = document(triple([separator(1)], [separator(3)]))
    value: Any = work
    for key in path[:-1]:
        value = value[key]
    if new is None:
        del value[path[-1]]
    else:
        value[path[-1]] = new
    return work


IN_TRIPLE = ("clusters", 0, "triples", 0)


@pytest.mark.parametrize(
    ("path", "new", "message"),
    [
        (("textFile",), None, "textFile: is missing"),
        (("textFile", "sentences"), None, "textFile: the field 'sentences' is missing or no list"),
        (("textFile", "sentences"), [], "has no sentence"),
        (("textFile", "sentences", 0, "text"), None, "textFile, sentence 1: the field 'text' is missing"),
        (("textFile", "sentences", 0, "text"), " ", "sentence 1 has no text"),
        (("clusters",), None, "the field 'clusters' is missing or no list"),
        (("clusters", 0, "sentenceNumber"), None, "cluster 1: the field 'sentenceNumber' is missing"),
        (("clusters", 0, "sentenceNumber"), 1, "cluster 1: 'sentenceNumber' is 1; there are 1 sentences, from 0"),
        (("clusters", 0, "clusterNumber"), None, "cluster 1: the field 'clusterNumber' is missing"),
        (("clusters", 0, "clusterNumber"), "a b", "can't be the id of a cluster"),
        ((*IN_TRIPLE, "objects"), None, "cluster 1, triple 1: the field 'objects' is missing or no list"),
        ((*IN_TRIPLE, "objects", 0, "text"), None, "triple 1, objects, word 1: the field 'text' is missing"),
        ((*IN_TRIPLE, "objects", 0, "text"), "XXX", "triple 1: objects: XXX stands for an empty slot"),
        ((*IN_TRIPLE, "objects", 0, "index"), "6", "objects, word 1: the field 'index' is missing or no whole number"),
        ((*IN_TRIPLE, "objects", 0, "optional"), "no", "objects, word 1: 'optional' must be true or false"),
        ((*IN_TRIPLE, "startSeparators", 0, "index2"), None, "startSeparators 1: the field 'index2' is missing"),
    ],
)
def test_a_malformed_document_gives_one_clear_error(
    tmp_path: Path, path: tuple[Any, ...], new: Any, message: str
) -> None:
    file = saved(tmp_path / "work.json", _changed(path, new))
    with pytest.raises(InputError) as caught:
        read_annie_json(file, Diagnostics())
    assert str(caught.value).startswith(f"{file}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", '"work"'])
def test_what_is_no_document_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="JSON"):
        read_annie_json(saved(tmp_path / "work.json", text), Diagnostics())


def _gold(tmp_path: Path) -> Benchmark:
    return read_annie_text(saved(tmp_path / "gold.txt", TEXT), Diagnostics())


def test_the_text_is_written_as_annie_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "written.txt"
    write_annie_text(_gold(tmp_path), path, Diagnostics(strict=True))
    assert path.read_bytes() == TEXT.encode() + b"\r\n"


def test_the_document_is_written_with_the_words_places(tmp_path: Path) -> None:
    path = tmp_path / "gold.json"
    write_annie_json(_gold(tmp_path), path, Diagnostics(strict=True))
    written = json.loads(path.read_text())
    found = written["clusters"][0]["triples"][0]
    assert [word["index"] for word in found["predicates"]] == [2, 3, 4, 5]
    assert [word["optional"] for word in found["predicates"]] == [True, True, False, False]
    assert found["startSeparators"] == [{"state": True, "index1": 1, "index2": 2}]
    assert found["endSeparators"] == [{"state": True, "index1": 3, "index2": 4}]
    assert [word["text"] for word in written["textFile"]["sentences"][1]["words"]] == ["Rain", "fell", "."]
    assert read_annie_json(path, Diagnostics(strict=True)) == _gold(tmp_path)


def test_what_annie_cannot_hold_is_told(tmp_path: Path) -> None:
    text = "sent_id:x\tRain fell .\nx--> Cluster 1:\nRain --> did fall --> XXX\n"
    gold = read_gold(saved(tmp_path / "gold.txt", text), Diagnostics(strict=True))
    diagnostics = Diagnostics()
    write_annie_json(gold, tmp_path / "gold.json", diagnostics)
    assert diagnostics.counts() == {RENUMBERED: 1, FOREIGN_WORD: 1}
    written = read_annie_json(tmp_path / "gold.json", Diagnostics(strict=True))
    assert written.sentences[0].clusters == gold.sentences[0].clusters


def test_a_sentence_that_would_be_taken_for_a_formulation_is_refused(tmp_path: Path) -> None:
    text = "sent_id:1\tpress File --> Open\n1--> Cluster 1:\none --> presses --> File\n"
    gold = read_gold(saved(tmp_path / "gold.txt", text), Diagnostics(strict=True))
    path = tmp_path / "written.txt"
    with pytest.raises(InputError, match="sentence 1 can't be told from a cluster"):
        write_annie_text(gold, path, Diagnostics())
    assert not path.exists()


@pytest.mark.parametrize("form", ["json", "text"])
def test_real_gold_survives_annies_files(real_data: Path, tmp_path: Path, form: str) -> None:
    gold = read_gold(real_data / "benchie" / "gold" / "en.txt", Diagnostics())
    path = tmp_path / f"en.{form}"
    if form == "json":
        write_annie_json(gold, path, Diagnostics())
        assert read_annie_json(path, Diagnostics()).sentences == gold.sentences
    else:
        write_annie_text(gold, path, Diagnostics())
        assert read_annie_text(path, Diagnostics()).sentences == gold.sentences
