"""Whatever bytes a file has, every reader gives a parsed result or one clear error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data.annie import read_annie_json, read_annie_text
from data.benchie import read_gold
from data.carb import read_carb_benchmark
from data.extractions import read_extractions
from data.formats import guess_format
from data.judgments import read_judgments
from data.model import Benchmark, Cluster, Sentence
from data.problems import Diagnostics, InputError
from data.wire57 import read_wire57_benchmark, read_wire57_systems

Reader = Callable[[Path, Diagnostics], object]

BENCHIE = """sent_id:1\tMara Venn , a chemist , moved to Oslo .
1--> Cluster 1:
Mara Venn --> is --> [a] chemist
1--> Cluster 2:
Mara Venn --> moved --> XXX

sent_id:2\tRain fell [again] .
2--> Cluster 1:
Rain --> fell --> [again]
"""
ANNIE_TEXT = BENCHIE.replace("sent_id:1\t", "").replace("sent_id:2\t", "").replace("\n", " \r\n")
_WORD = {"text": "Rain", "posLabel": "NN", "index": 0, "type": "", "optional": True}
_MARK = {"state": True, "index1": 0, "index2": 1}
ANNIE_JSON = {
    "name": "rain",
    "textFile": {"name": "rain.txt", "text": "", "sentences": [{"index": 0, "text": "Rain fell .", "words": [_WORD]}]},
    "clusters": [
        {
            "sentenceNumber": 0,
            "clusterNumber": 1,
            "triples": [
                {
                    "subjects": [_WORD, {**_WORD, "index": 1}],
                    "predicates": [{**_WORD, "optional": False}],
                    "objects": [],
                    "startSeparators": [_MARK],
                    "endSeparators": [_MARK],
                }
            ],
        }
    ],
}
_PART = {"words": ["Rain", "falls"], "words_indexes": [0, "inf"]}
_ARGUMENT = {**_PART, "decorefed_words": ["Rain", "water"], "decorefed_indexes": [[1, 0.5], "coref"]}
_TUPLE = {"attrib/spec?": "", "arg1": _ARGUMENT, "rel": _PART, "arg2": _ARGUMENT, "arg3+": [_ARGUMENT]}
WIRE57 = {"doc": [{"id": "A 1", "sent": "Rain fell .", "tokens": ["Rain", "fell", "."], "tuples": [_TUPLE]}]}
_OUTPUT = {"arg1": "Rain", "rel": "fell", "arg2": "", "extractor": "openie", "score": 0.5, "arg3+": ["on", "it"]}
WIRE57_SYSTEMS = {"A 1": [_OUTPUT, {**_OUTPUT, "extractor": "other"}]}
CARB = "Rain fell on Oslo .\tfell\tRain\ton Oslo\tin May\nRain fell on Oslo .\tfell\tRain\n"
TSV = "1\tRain\tfell\ton Oslo\t0.5\n2\tRain\tfell\t\t-3e5\n"
JSONL = '{"sentence_id": "1", "arg1": "Rain", "relation": "fell", "arg2": "", "confidence": 0.5}\n' * 2
MATCH = ",extraction,cluster,system,flag\n0,Rain - fell - on - Oslo,1.2,pithy,1\n1,Rain - fell,0,pithy,0\n"
JUDGED = '{"system": "a", "sentence_id": "1", "arg1": "a", "relation": "b", "arg2": "c", "clusters": ["1", 2]}\n' * 2

_CLUSTERS = (Cluster("1", ()), Cluster("2", ()))
GOLD = Benchmark("gold", (Sentence("1", "Rain fell .", _CLUSTERS), Sentence("2", "Snow fell .", _CLUSTERS)))
CASES: dict[str, tuple[str, Reader]] = {
    "benchie": (BENCHIE, read_gold),
    "annie-text": (ANNIE_TEXT, read_annie_text),
    "annie-json": (json.dumps(ANNIE_JSON, indent=1), read_annie_json),
    "wire57": (json.dumps(WIRE57), lambda path, _: read_wire57_benchmark(path)),
    "wire57-extractions": (json.dumps(WIRE57_SYSTEMS), lambda path, _: read_wire57_systems(path)),
    "carb": (CARB, lambda path, _: read_carb_benchmark(path)),
    "tsv": (TSV, lambda path, d: read_extractions(path, d, form="tsv")),
    "tsv-first": (TSV, lambda path, d: read_extractions(path, d, confidence="first", form="tsv")),
    "tsv-last": (TSV, lambda path, d: read_extractions(path, d, confidence="last", form="tsv")),
    "jsonl": (JSONL, lambda path, d: read_extractions(path, d, form="jsonl")),
    "match-csv": (MATCH, lambda path, d: read_judgments(path, GOLD, d, form="csv")),
    "judgments-jsonl": (JUDGED, lambda path, d: read_judgments(path, GOLD, d, form="jsonl")),
    "guess": (JSONL, lambda path, _: guess_format(path)),
}
FRAGMENTS = (
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b"\t\t\t\t", b" ", b"[", b"]", b"{", b"}", b'"',
    b"-->", b"->", b"XXX", b"sent_id:", b"Cluster 1:", b"1--> Cluster 1:\n", b"null", b"true", b"-1", b"1e999", b"[]",
    b"{}", b"NaN", b"9" * 5000, b"[" * 5000, b"\\ud800", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xc2\xa0",
    "\u0663".encode(), "\u00b2".encode(), b",", b".", b"0.0", b"inf",
)  # fmt: skip

moderate = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@st.composite
def edited(draw: st.DrawFn, text: str) -> bytes:
    """A valid file after some edits: bytes flipped, deleted or put in, an end cut off, lines swapped or repeated."""
    content = text.encode()
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted(draw(st.tuples(*(st.integers(0, len(content)) for _ in range(2)))))
        edit = draw(st.sampled_from(("flip", "delete", "insert", "replace", "cut", "swap", "repeat")))
        if edit == "flip" and start < len(content):
            byte = content[start] ^ (1 << draw(st.integers(0, 7)))
            content = content[:start] + bytes([byte]) + content[start + 1 :]
        elif edit == "delete":
            content = content[:start] + content[min(end, start + 12) :]
        elif edit == "insert":
            content = content[:start] + draw(st.sampled_from(FRAGMENTS)) + content[start:]
        elif edit == "replace":
            content = content[:start] + draw(st.sampled_from(FRAGMENTS)) + content[min(end, start + 6) :]
        elif edit == "cut":
            content = content[:end]
        else:
            lines = content.splitlines(keepends=True)
            if lines:
                one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
                if edit == "swap":
                    lines[one], lines[other] = lines[other], lines[one]
                else:
                    lines.insert(one, lines[other])
            content = b"".join(lines)
    return content


def check(path: Path, content: bytes, read: Reader) -> None:
    """Anything but a result or an error of one line, with warnings of one line, fails."""
    path.write_bytes(content)
    diagnostics = Diagnostics()
    try:
        assert read(path, diagnostics) is not None or read is CASES["guess"][1]
    except InputError as error:
        assert len(str(error).splitlines()) == 1
        assert str(path) in str(error)
    for problem in diagnostics.problems:
        assert "\n" not in str(problem)


@pytest.mark.parametrize("name", CASES)
def test_the_unedited_file_is_read(tmp_path: Path, name: str) -> None:
    text, read = CASES[name]
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8", newline="")
    assert read(path, Diagnostics()) is not None


@pytest.mark.parametrize("name", CASES)
@given(st.data())
@moderate
def test_edited_files(tmp_path: Path, name: str, data: st.DataObject) -> None:
    text, read = CASES[name]
    check(tmp_path / "file", data.draw(edited(text)), read)


@given(st.binary(max_size=200))
@moderate
def test_random_bytes(tmp_path: Path, content: bytes) -> None:
    for _, read in CASES.values():
        check(tmp_path / "file", content, read)


def _values(value: object) -> list[tuple[object, ...]]:
    """The paths to all values in a JSON document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *rest) for key, item in items for rest in _values(item))]


def _with(value: object, path: tuple[object, ...], new: object) -> object:
    if not path:
        return new
    if isinstance(value, dict):
        return {key: _with(item, path[1:], new) if key == path[0] else item for key, item in value.items()}
    assert isinstance(value, list)
    return [_with(item, path[1:], new) if key == path[0] else item for key, item in enumerate(value)]


ODD = (None, True, 0, -1, 10**30, 1.5, 1e300, "", " ", "\t", "XXX", "[", "-->", "\ud800", "\x00", [], [[]], {}, [None])


@pytest.mark.parametrize("name", ["annie-json", "wire57", "wire57-extractions"])
def test_any_value_of_any_type_anywhere(tmp_path: Path, name: str) -> None:
    text, read = CASES[name]
    document = json.loads(text)
    for path in _values(document):
        for odd in ODD:
            check(tmp_path / "file", json.dumps(_with(document, path, odd)).encode(), read)


@pytest.mark.parametrize("name", ["jsonl", "judgments-jsonl"])
def test_any_value_in_any_field(tmp_path: Path, name: str) -> None:
    text, read = CASES[name]
    record = json.loads(text.splitlines()[0])
    for path in _values(record):
        for odd in ODD:
            check(tmp_path / "file", json.dumps(_with(record, path, odd)).encode(), read)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf", b"\xff", b"{}", b"[]", b"null", b'""', b"\x00" * 9])
def test_files_with_nothing_in_them(tmp_path: Path, name: str, content: bytes) -> None:
    check(tmp_path / "file", content, CASES[name][1])


@pytest.mark.parametrize("row", ["9" * 5000 + ",a - b - c,1,s,1", "0,a - b - c," + "9" * 5000 + ",s,1"])
def test_numbers_of_thousands_of_digits(tmp_path: Path, row: str) -> None:
    with pytest.raises(InputError):
        path = tmp_path / "match.csv"
        path.write_text(row)
        CASES["match-csv"][1](path, Diagnostics())


@pytest.mark.parametrize("name", CASES)
def test_a_folder_is_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="is a folder"):
        CASES[name][1](tmp_path, Diagnostics())
