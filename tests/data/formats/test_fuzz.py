"""Whatever bytes a file has, every reader gives a parsed result or one clear error."""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import data as package
from data.fetching.manifest import read_manifest
from data.formats.annie import read_annie_json, read_annie_text
from data.formats.benchie import read_gold
from data.formats.carb import read_carb_benchmark
from data.formats.extractions import read_extractions, write_extractions
from data.formats.judgments import read_judgments
from data.formats.piped_triples import read_piped_gold, read_piped_system
from data.formats.reading import ReadOptions
from data.formats.registry import FORMATS, guess_format, read_any_gold
from data.formats.webnlg import read_webnlg_gold, read_webnlg_system
from data.formats.wire57 import read_wire57_benchmark, read_wire57_systems
from data.linting.report import lint
from data.model import Benchmark, Cluster, Extraction, Sentence, System
from data.problems import Diagnostics, InputError
from tests.data.file_server import FILES, entry
from tests.fuzzing import fuzzed
from tests.strategies import golds, systems

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
JUDGED = '{"system": "a", "sentence_id": "1", "arg1": "a", "relation": "b", "arg2": "c", "clusters": ["1", 2]}\n'

_ENTRY = '<entry category="Rain" eid="Id1" size="1"><modifiedtripleset><mtriple>Rain | fallsOn | "3"^^xsd:int</mtriple>'
_LEX = "<lex lid='Id1'>Rain fell &amp; fell .</lex>"
WEBNLG_XML = f"<benchmark><entries>{_ENTRY}</modifiedtripleset>{_LEX}</entry></entries></benchmark>"
_TRIPLE = {"subject": "Rain", "property": "fallsOn", "object": "Oslo"}
_WORDING = {"lang": "en", "lex": "Rain fell ."}
_RAIN = {"category": "Rain", "size": "1", "xmlid": "Id1", "lexicalisations": [_WORDING], "modifiedtripleset": [_TRIPLE]}
WEBNLG_JSON = json.dumps({"entries": [{"1": _RAIN}]})
PIPED = "# 1\tRain fell on Oslo .\nRain | fell on | Oslo\n- (Rain | fell |)\n"

_CLUSTERS = (Cluster("1", ()), Cluster("2", ()))
GOLD = Benchmark("gold", (Sentence("1", "Rain fell .", _CLUSTERS), Sentence("2", "Snow fell .", _CLUSTERS)))
JUDGED_GOLD = replace(GOLD, systems=(System("a", (Extraction("1", "a", "b", "c"),)),))
CASES: dict[str, tuple[str, Reader]] = {
    "benchie": (BENCHIE, read_gold),
    "annie-text": (ANNIE_TEXT, read_annie_text),
    "annie-json": (json.dumps(ANNIE_JSON, indent=1), read_annie_json),
    "wire57": (json.dumps(WIRE57), lambda path, _: read_wire57_benchmark(path)),
    "wire57-extractions": (json.dumps(WIRE57_SYSTEMS), lambda path, _: read_wire57_systems(path)),
    "carb": (CARB, lambda path, _: read_carb_benchmark(path)),
    "tsv": (TSV, lambda path, d: read_extractions(path, d, options=ReadOptions(nary="join"), form="tsv")),
    "tsv-first": (TSV, lambda path, d: read_extractions(path, d, options=ReadOptions(confidence="first"), form="tsv")),
    "tsv-last": (TSV, lambda path, d: read_extractions(path, d, options=ReadOptions(confidence="last"), form="tsv")),
    "jsonl": (JSONL, lambda path, d: read_extractions(path, d, form="jsonl")),
    "match-csv": (MATCH, lambda path, d: read_judgments(path, GOLD, d, form="csv")),
    "judgments-jsonl": (JUDGED, lambda path, d: read_judgments(path, GOLD, d, form="jsonl")),
    "guess": (JSONL, lambda path, _: guess_format(path)),
    "any-gold": (BENCHIE, lambda path, d: lint(read_any_gold(path, d), d)),
    "any-systems": (JSONL, lambda path, d: package.read_systems(path, diagnostics=d)),
    "lenient": (JUDGED, lambda path, d: read_judgments(path, JUDGED_GOLD, replace(d, lenient=True), form="jsonl")),
    "webnlg-xml": (WEBNLG_XML, lambda path, _: read_webnlg_gold(path, form="xml")),
    "webnlg-xml-triples": (WEBNLG_XML, lambda path, _: read_webnlg_system(path, form="xml")),
    "webnlg-json": (WEBNLG_JSON, lambda path, _: read_webnlg_gold(path, form="json")),
    "webnlg-json-triples": (WEBNLG_JSON, lambda path, _: read_webnlg_system(path, form="json")),
    "piped": (PIPED, lambda path, _: read_piped_gold(path)),
    "piped-triples": (PIPED, lambda path, _: read_piped_system(path)),
    "manifest": (
        json.dumps([entry(path, content) for path, content in FILES.items()]),
        lambda path, _: read_manifest(path),
    ),
}
FRAGMENTS = (
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b"\t\t\t\t", b" ", b"[", b"]", b"{", b"}", b'"',
    b"-->", b"->", b"XXX", b"sent_id:", b"Cluster 1:", b"1--> Cluster 1:\n", b"null", b"true", b"-1", b"1e999", b"[]",
    b"{}", b"NaN", b"9" * 5000, b"[" * 5000, b"\\ud800", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xc2\xa0",
    "\u0663".encode(), "\u00b2".encode(), b",", b".", b"0.0", b"inf",
    b" " * 20_000, b"\x1b[2J", b"\xc2\x9b", b"[a] " * 2000, b"1--> Cluster 1:\n" * 2000, b"-->" * 5000,
)  # fmt: skip


def edited(text: str) -> st.SearchStrategy[bytes]:
    """A valid file after some edits."""
    return edited_bytes(text.encode())


@st.composite
def edited_bytes(draw: st.DrawFn, content: bytes) -> bytes:
    """Content after some edits: bytes flipped, deleted or put in, an end cut off, lines swapped or repeated."""
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
    started = time.process_time()
    try:
        assert read(path, diagnostics) is not None or read is CASES["guess"][1]
    except InputError as error:
        assert str(path) in str(error)
        harmless(str(error))
    assert time.process_time() - started < 5
    for problem in diagnostics.problems + diagnostics.notes:
        harmless(str(problem))


def harmless(message: str) -> None:
    """One line that can't steer a terminal."""
    assert len(message.splitlines()) == 1
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", message)


@pytest.mark.parametrize("name", CASES)
def test_the_unedited_file_is_read(tmp_path: Path, name: str) -> None:
    text, read = CASES[name]
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8", newline="")
    assert read(path, Diagnostics()) is not None


@pytest.mark.parametrize("name", CASES)
@fuzzed
@given(st.data())
def test_edited_files(tmp_path: Path, name: str, data: st.DataObject) -> None:
    text, read = CASES[name]
    check(tmp_path / "file", data.draw(edited(text)), read)


@fuzzed
@given(st.binary(max_size=200))
def test_random_bytes(tmp_path: Path, content: bytes) -> None:
    for _, read in CASES.values():
        check(tmp_path / "file", content, read)


@pytest.mark.parametrize("name", ["benchie", "annie-text", "annie-json", "carb"])
@fuzzed
@given(st.data())
def test_edited_files_that_we_wrote(tmp_path: Path, name: str, data: st.DataObject) -> None:
    write = FORMATS[name].write
    assert write
    path = tmp_path / "file"
    with contextlib.suppress(InputError):  # not every gold fits every format
        write(data.draw(golds()), path, Diagnostics(), "utf-8")  # type: ignore[arg-type,call-arg]
        check(path, data.draw(edited_bytes(path.read_bytes())), CASES[name][1])


@fuzzed
@given(systems(), st.data())
def test_edited_extractions_that_we_wrote(tmp_path: Path, system: System, data: st.DataObject) -> None:
    for name in ("tsv", "jsonl"):
        path = tmp_path / "file"
        write_extractions(system, path, form=name)  # type: ignore[arg-type]
        check(path, data.draw(edited_bytes(path.read_bytes())), CASES[name][1])


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


@pytest.mark.parametrize("name", ["annie-json", "wire57", "wire57-extractions", "webnlg-json", "webnlg-json-triples"])
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
