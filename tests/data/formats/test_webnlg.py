from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from data.convert import main as convert
from data.formats.registry import guess_format
from data.formats.webnlg import read_webnlg_gold, read_webnlg_system
from data.problems import InputError
from matchers.score import main as score

XML = """<?xml version="1.0" encoding="utf-8"?>
<benchmark>
  <entries>
    <entry category="Chemist" eid="Id1" shape="(X (X))" size="2">
      <originaltripleset><otriple>Mara_Venn | birth | Oslo</otriple></originaltripleset>
      <modifiedtripleset>
        <mtriple>Mara_Venn | birthPlace | Oslo,_Norway</mtriple>
        <mtriple>Mara_Venn | birthYear | "1961"^^xsd:integer</mtriple>
      </modifiedtripleset>
      <lex comment="good" lid="Id1" lang="ru">Mara Venn, po-russki .</lex>
      <lex comment="good" lid="Id2" lang="en">Mara Venn was born in Oslo , Norway &amp; in 1961 .</lex>
      <lex comment="good" lid="Id3">Oslo is where Mara Venn was born .</lex>
    </entry>
  </entries>
</benchmark>
"""
OUTPUT = """<benchmark><entries>
<entry eid="Id1"><generatedtripleset>
<gtriple>Mara Venn | birth place | Oslo, Norway</gtriple>
</generatedtripleset></entry>
</entries></benchmark>"""


def document(**changes: Any) -> dict[str, Any]:
    entry = {
        "category": "Chemist",
        "size": "1",
        "xmlid": "Id1",
        "lexicalisations": [{"comment": "good", "lang": "", "lex": "Mara Venn lives in Oslo ."}],
        "modifiedtripleset": [{"subject": "Mara_Venn", "property": "residence", "object": "Oslo"}],
    }
    return {"entries": [{"1": {**entry, **changes}}]}


def written(folder: Path, content: str | dict[str, Any], name: str = "gold.xml") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_xml_as_gold(tmp_path: Path) -> None:
    (sentence,) = read_webnlg_gold(written(tmp_path, XML)).sentences
    assert (sentence.id, sentence.text) == ("Id1", "Mara Venn was born in Oslo , Norway & in 1961 .")
    assert [str(cluster.formulations[0]) for cluster in sentence.clusters] == [
        "Mara Venn --> birth place --> Oslo, Norway",
        "Mara Venn --> birth year --> 1961",
    ]


def test_xml_as_a_systems_output(tmp_path: Path) -> None:
    (extraction,) = read_webnlg_system(written(tmp_path, OUTPUT, "mine.xml")).extractions
    assert (extraction.sentence_id, *extraction.slots) == ("Id1", "Mara Venn", "birth place", "Oslo, Norway")


def test_json_as_gold_and_as_output(tmp_path: Path) -> None:
    path = written(tmp_path, document(), "gold.json")
    (sentence,) = read_webnlg_gold(path, form="json").sentences
    assert (sentence.id, sentence.text) == ("Id1", "Mara Venn lives in Oslo .")
    (extraction,) = read_webnlg_system(path, form="json").extractions
    assert extraction.slots == ("Mara Venn", "residence", "Oslo")


def test_ids_that_come_twice_are_made_longer(tmp_path: Path) -> None:
    entry = XML[XML.index("    <entry") : XML.index("  </entries>")]
    twice = XML.replace(entry, entry + entry.replace("Chemist", "Town"))
    assert [one.id for one in read_webnlg_gold(written(tmp_path, twice))] == ["Chemist_2_Id1", "Town_2_Id1"]
    with pytest.raises(InputError, match=r"gold\.xml:14: two entries are called 'Chemist_2_Id1'"):
        read_webnlg_gold(written(tmp_path, XML.replace(entry, entry + entry)))


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("Mara_Venn | birthPlace | Oslo,_Norway", "Mara_Venn | birthPlace", 7, "2 parts"),
        ("Mara_Venn | birthPlace | Oslo,_Norway", "a | b | c | d", 7, "4 parts"),
        ("Mara_Venn | birthPlace | Oslo,_Norway", " | | ", 7, "at least one word"),
        ("Mara_Venn | birthPlace | Oslo,_Norway", "", 7, "1 parts"),
        ('eid="Id1"', "", 4, "no 'eid'"),
        ("</modifiedtripleset>", "</modified>", 9, "mismatched tag"),
        ('lang="en"', 'lang="de"', 4, None),
        ("&amp;", "&nbsp;", 11, "undefined entity"),
    ],
)
def test_a_malformed_part_of_xml_is_named(tmp_path: Path, old: str, new: str, line: int, message: str | None) -> None:
    path = written(tmp_path, XML.replace(old, new, 1))
    if message is None:
        assert read_webnlg_gold(path).sentences[0].text == "Oslo is where Mara Venn was born ."
        return
    with pytest.raises(InputError, match=message) as error:
        read_webnlg_gold(path)
    assert str(error.value).startswith(f"{path}:{line}: ")


def test_gold_needs_a_wording(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no English wording"):
        read_webnlg_gold(written(tmp_path, OUTPUT))


LAUGHS = "\n".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    "doctype",
    [
        f'<!DOCTYPE b [<!ENTITY l0 "ha">\n{LAUGHS}]>',
        '<!DOCTYPE b [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE b SYSTEM "http://127.0.0.1:9/webnlg.dtd">',
        "<!DOCTYPE b>",
    ],
    ids=["laughs", "file", "network", "bare"],
)
def test_document_types_are_refused_at_once(tmp_path: Path, doctype: str) -> None:
    hostile = XML.replace("<benchmark>", f"{doctype}<benchmark>").replace("Oslo,_Norway", "&l11;&x;")
    started = time.process_time()
    with pytest.raises(InputError, match=r"gold\.xml:2: declares a document type"):
        read_webnlg_gold(written(tmp_path, hostile))
    assert time.process_time() - started < 1


def test_deep_xml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nested more than"):
        read_webnlg_gold(written(tmp_path, "<a>" * 100_000))


@pytest.mark.parametrize("content", ["", "no XML", "<benchmark/>", "<?xml version='1.0' encoding='klingon'?><a/>"])
def test_what_is_not_webnlg(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match=r"gold\.xml"):
        read_webnlg_gold(written(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "a list 'entries'"),
        ({"entries": {}}, "a list 'entries'"),
        ({"entries": []}, "no entries"),
        ({"entries": [7]}, "entry 1: a JSON object"),
        ({"entries": [{}]}, "entry 1: one field"),
        ({"entries": [{"1": []}]}, "entry 1, 1: a JSON object"),
        (document(modifiedtripleset=[{"subject": "a", "object": "b"}]), "triple 1: the field 'property' is missing"),
        (document(modifiedtripleset=[{"subject": " ", "property": "", "object": ""}]), "triple 1: a triple needs"),
        (document(modifiedtripleset=["a | b | c"]), "triple 1: a JSON object"),
        (document(lexicalisations=[]), "no English wording"),
    ],
)
def test_a_malformed_part_of_json_is_named(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_webnlg_gold(written(tmp_path, content, "gold.json"), form="json")


def test_formats_are_recognised(tmp_path: Path) -> None:
    for path, expected in (
        (written(tmp_path, XML), "webnlg-xml"),
        (written(tmp_path, document(), "gold.json"), "webnlg-json"),
    ):
        found = guess_format(path)
        assert found is not None and found.name == expected


def test_from_xml_to_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, mine = written(tmp_path, XML), written(tmp_path, OUTPUT, "mine.xml")
    flags = ["--from", "webnlg-xml-triples", "--to", "extractions-tsv", "--quiet"]
    assert convert([str(mine), str(tmp_path / "mine.tsv"), *flags]) == 0
    given = ["--gold", str(gold), "--from", "webnlg-xml", "--system", f"mine={tmp_path / 'mine.tsv'}"]
    assert score([*given, "--json", "-", "--quiet"]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    assert (system["precision"], system["recall"]) == (1.0, 0.5)


def test_it_can_only_be_read(tmp_path: Path) -> None:
    path = written(tmp_path, XML)
    with pytest.raises(InputError, match="can't be converted to webnlg-json"):
        convert([str(path), str(tmp_path / "out"), "--from", "webnlg-xml", "--to", "webnlg-json"])
