"""A labelled folder of the user's own."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from data.folder import UNJUDGED, files_of, load_folder, read_system
from data.formats.reading import ReadOptions
from data.formats.registry import read_any_gold
from data.problems import Diagnostics, InputError

GOLD = "sent_id:1\tRain fell .\n1--> Cluster 1:\nRain --> fell --> XXX\n"


def folder(tmp_path: Path, **files: str) -> Path:
    """A folder with these files, named `room__file__ending`."""
    for name, text in files.items():
        room, stem, ending = name.split("__")
        (tmp_path / room).mkdir(exist_ok=True)
        (tmp_path / room / f"{stem}.{ending}").write_text(text)
    return tmp_path


def load(path: Path) -> tuple[list[str], Diagnostics]:
    diagnostics = Diagnostics()
    return [system.name for system in load_folder(path, diagnostics).systems], diagnostics


def test_systems_are_called_as_their_files(tmp_path: Path) -> None:
    jsonl = '{"sentence_id": "1", "arg1": "Rain", "relation": "fell"}\n'
    path = folder(tmp_path, gold__a__txt=GOLD, extractions__b__tsv="1\tRain\tfell\t\n", extractions__a__jsonl=jsonl)
    names, diagnostics = load(path)
    assert names == ["a", "b"] and not diagnostics.problems and not diagnostics.notes


def test_extractions_of_unknown_sentences_are_an_error_with_the_line(tmp_path: Path) -> None:
    path = folder(tmp_path, gold__a__txt=GOLD, extractions__a__txt="1\tRain\tfell\t\n2\tRain\tfell\t\n")
    with pytest.raises(InputError, match=r"a\.txt:2: sentence id '2' is not in the gold, whose ids are 1"):
        load(path)


def test_gold_of_another_format_is_read_and_said(tmp_path: Path) -> None:
    annie = GOLD.replace("sent_id:1\t", "")
    _, diagnostics = load(folder(tmp_path, gold__a__txt=annie, extractions__a__txt="1\tRain\tfell\t\n"))
    assert [str(note) for note in diagnostics.notes] == [
        f"{tmp_path}/gold/a.txt: read as annie-text; --from names another format"
    ]


def test_a_system_without_extractions_is_there(tmp_path: Path) -> None:
    names, diagnostics = load(folder(tmp_path, gold__a__txt=GOLD, extractions__idle__tsv=""))
    assert names == ["idle"] and "has no extractions, which scores 0" in str(diagnostics.problems[0])


def test_extractions_without_judgment_are_counted(tmp_path: Path) -> None:
    two = "1\tRain\tfell\t\n1\tRain\tfell\tagain\n"
    path = folder(tmp_path, gold__a__txt=GOLD, extractions__s__txt=two, match__m__csv="0,Rain - fell -,1,s\n")
    _, diagnostics = load(path)
    assert diagnostics.counts() == {UNJUDGED: 1}


def test_one_gold_and_one_file_of_judgments(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"one gold file .* found: none"):
        load(tmp_path)
    with pytest.raises(InputError, match=r"one gold file .* found: a\.txt, b\.txt"):
        load(folder(tmp_path, gold__a__txt=GOLD, gold__b__txt=GOLD))
    (tmp_path / "gold" / "b.txt").unlink()
    with pytest.raises(InputError, match="one file of judgments was expected"):
        load(folder(tmp_path, match__a__csv="", judgments__b__jsonl=""))


def test_hidden_and_other_files_are_not_read(tmp_path: Path) -> None:
    for name in ("b.tsv", "a.TSV", ".c.tsv", "d.md"):
        (tmp_path / name).write_text("")
    (tmp_path / "e.tsv").mkdir()
    assert [path.name for path in files_of(tmp_path, (".tsv",))] == ["a.TSV", "b.tsv"]
    assert files_of(tmp_path / "none", (".tsv",)) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable to the superuser")
def test_a_folder_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o300)
    with pytest.raises(InputError, match="can't be read"):
        files_of(tmp_path / "locked", (".tsv",))


XML = """<benchmark><entries><entry eid="1"><generatedtripleset><gtriple>Rain | fell | hard</gtriple>
</generatedtripleset></entry></entries></benchmark>"""
PIPED = "# 1\n- (Rain | fell | hard)\n"
ENTRY = '{"subject": "Rain", "property": "fell", "object": "hard"}'
JSON = f'{{"entries": [{{"1": {{"xmlid": "1", "generatedtripleset": [{ENTRY}]}}}}]}}'


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [("mine.xml", XML, "webnlg-xml-triples"), ("mine.txt", PIPED, "piped-triples"), ("m.json", JSON, "webnlg-json")],
)
def test_systems_in_other_formats_are_read_and_said(tmp_path: Path, name: str, content: str, told: str) -> None:
    (tmp_path / "gold.txt").write_text(GOLD)
    (tmp_path / name).write_text(content)
    diagnostics = Diagnostics()
    gold = read_any_gold(tmp_path / "gold.txt", diagnostics)
    system = read_system("mine", tmp_path / name, gold, diagnostics, ReadOptions())
    assert [str(e) for e in system.extractions] == ["Rain - fell - hard"] and system.name == "mine"
    assert f"{name}: read as {told}" in str(diagnostics.notes[0])
    (tmp_path / name).write_text(content.replace("1", "7"))
    with pytest.raises(InputError, match=f"{name}: sentence id '7' is not in the gold, whose ids are 1"):
        read_system("mine", tmp_path / name, gold, diagnostics, ReadOptions())


def test_a_malformed_triple_names_its_line(tmp_path: Path) -> None:
    path = folder(tmp_path, gold__a__txt=GOLD, extractions__a__txt=PIPED + "Rain | fell\n")
    with pytest.raises(InputError, match=r"a\.txt:3: 'subject \| predicate \| object' was expected"):
        load(path)


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "gold.txt").write_text(GOLD)
    writer = threading.Thread(target=pipe.write_text, args=("1\tRain\tfell\t\n",), daemon=True)
    writer.start()
    gold = read_any_gold(tmp_path / "gold.txt", Diagnostics())
    assert len(read_system("mine", pipe, gold, Diagnostics(), ReadOptions()).extractions) == 1
