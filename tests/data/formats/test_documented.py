"""docs/formats.md: every example is read as it stands there, and every message is one that is given."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import data
from data import Diagnostics, InputError
from data.command_line import run
from data.convert import main as convert
from data.folder import load_folder
from data.formats.registry import FORMATS, GoldFormat, JudgmentFormat, guess_format, read_any_gold

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
EXAMPLES = {
    name: (file, content)
    for name, file, content in re.findall(r"^```\w+ ([\w-]+) ([\w.]+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
}
READABLE = [name for name in EXAMPLES if name in FORMATS]


def written(folder: Path, name: str) -> Path:
    file, content = EXAMPLES[name]
    (folder / file).write_text(content, encoding="utf-8")
    return folder / file


def test_every_format_has_an_example() -> None:
    assert set(READABLE) == set(FORMATS)
    for name in FORMATS:
        assert re.search(rf"^### .*`{name}`", TEXT, re.MULTILINE)


@pytest.mark.parametrize("name", READABLE)
def test_examples_are_read_without_a_warning_and_recognised(tmp_path: Path, name: str) -> None:
    path, strict = written(tmp_path, name), Diagnostics(strict=True)
    guessed = guess_format(path)
    assert guessed is not None and guessed.name == name.removesuffix("-triples" if "webnlg" in name else "")
    if isinstance(FORMATS[name], GoldFormat):
        assert data.read_gold(path, name, diagnostics=strict).cluster_count > 0
    elif isinstance(FORMATS[name], JudgmentFormat):
        gold = data.read_gold(written(tmp_path, "benchie"))
        pithy = data.read_extractions(written(tmp_path, "extractions-tsv"))
        judged = data.read_judgments(path, data.Benchmark("gold", gold.sentences, (pithy,)), name, diagnostics=strict)
        assert [judgment.clusters for judgment in judged.judgments] == [("2",), ("1",), ()]
    elif "wire57" in name:
        assert [len(system.extractions) for system in data.read_systems(path, diagnostics=strict)] == [1, 1]
    else:
        assert [e.slots for e in data.read_extractions(path, name, diagnostics=strict).extractions] == [
            ("Mara Venn", "moved to", "Oslo"), ("Mara Venn", "is", "a chemist"), ("Rain", "fell", ""),
        ]  # fmt: skip


def test_the_gold_examples_state_the_same(tmp_path: Path) -> None:
    texts = {
        name: [s.text for s in data.read_gold(written(tmp_path, name))] for name in ("benchie", "annie-text", "carb")
    }
    assert texts["benchie"] == texts["annie-text"] == texts["carb"]


def test_the_folder_is_a_data_set(tmp_path: Path) -> None:
    for room, name in (("gold", "benchie"), ("extractions", "extractions-tsv"), ("judgments", "judgments-jsonl")):
        (tmp_path / room).mkdir()
        written(tmp_path / room, name)
        assert f"mine/{room}/{EXAMPLES[name][0]}" in TEXT
    assert len(load_folder(tmp_path, Diagnostics(strict=True)).judgments) == 3


def test_matches_are_what_the_scorer_writes(tmp_path: Path) -> None:
    from matchers.score import main

    gold, pithy = written(tmp_path, "benchie"), written(tmp_path, "extractions-tsv")
    target = tmp_path / "out.jsonl"
    given = ["--gold", str(gold), "--system", f"pithy={pithy}", "--matches", str(target), "--quiet"]
    assert run(main, given) == 0
    shown = EXAMPLES["matches"][1]
    assert target.read_text(encoding="utf-8").startswith(shown) and shown.count("\n") == 2


def test_checkpoints_have_the_keys_and_files() -> None:
    shown = json.loads(EXAMPLES["config"][1])
    folder = ROOT / "checkpoints" / shown["name"]
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert shown.keys() <= config.keys() and shown["kind"] == config["kind"]
    for file in ("config.json", "weights.json", "report.json", "README.md"):
        assert (folder / file).is_file() and f"features/{file}" in TEXT


GOLD = EXAMPLES["benchie"][1]
TSV = EXAMPLES["extractions-tsv"][1]
JUDGED = EXAMPLES["judgments-jsonl"][1]
Read = Callable[[Path, str, Diagnostics], object]


def gold(path: Path, text: str, diagnostics: Diagnostics) -> object:
    path.write_bytes(text.encode("latin-1"))
    return read_any_gold(path, diagnostics)


def system(path: Path, text: str, diagnostics: Diagnostics, **options: str) -> object:
    path = path.with_suffix(".jsonl" if text.startswith("{") else ".tsv")
    path.write_text(text)
    return data.read_extractions(path, diagnostics=diagnostics, **options)  # type: ignore[arg-type]


def dataset(path: Path, text: str, diagnostics: Diagnostics) -> object:
    """The documented folder, with this text for the extractions or for the judgments."""
    judgments = text.startswith(("{", ","))
    match = text.startswith(",")
    files = {"gold/gold.txt": GOLD, "extractions/pithy.tsv": TSV if judgments else text}
    if judgments:
        files["match/m.csv" if match else "judgments/j.jsonl"] = text
    for file, content in files.items():
        (path.parent / file).parent.mkdir()
        (path.parent / file).write_text(content)
    return load_folder(path.parent, diagnostics)


def converted(path: Path, text: str, _: Diagnostics) -> object:
    path.write_text(text)
    return convert([str(path), str(path), "--to", "carb"])


LINE = JUDGED.splitlines(keepends=True)[0]
ERRORS: dict[str, tuple[Read, str]] = {
    "byte 0xff is not utf-8": (gold, "sent_id:1\t\xff\n"),
    "has no sentence": (gold, ""),
    "looks like a sentence without its 'sent_id:ID<TAB>'": (gold, GOLD.replace("sent_id:2", "2")),
    "a cluster stands before any 'sent_id:ID<TAB>sentence' line": (gold, "1--> Cluster 1:\na --> b --> c\n"),
    "a formulation has three slots": (gold, GOLD.replace(" --> XXX", "")),
    "a second sentence has the id '1'": (gold, GOLD + GOLD),
    "has more than 500 clusters": (gold, GOLD + "2--> Cluster 1:\na --> b --> c\n" * 501),
    "more than 100 optional groups": (gold, GOLD.replace("[the]", "[the] " * 101)),
    "its format can't be told for sure": (converted, "Rain fell .\n"),
    "is what it looks like, and holds no gold": (gold, TSV),
    "there are 3 columns": (system, "1\tRain\tfell\n"),
    "a column after the fourth has only numbers": (system, "1\tRain\tfell\tagain\t0.5\n"),
    "is no confidence": (lambda *given: system(*given, confidence="last"), "1\tRain\tfell\tagain\tx\n"),
    "sentence id '9' is not in the gold": (dataset, "9\tRain\tfell\t\n"),
    "is not JSON": (system, '{"sentence_id": "1"\n'),
    "the field 'relation' is missing": (system, '{"sentence_id": "1", "arg1": "Rain"}\n'),
    "the gold has no sentence '9'": (dataset, LINE.replace('"1"', '"9"')),
    "has no cluster 9": (dataset, LINE.replace('["2"]', '["9"]')),
    "no system is called 'other'": (dataset, LINE.replace("pithy", "other")),
    "no file of pithy has": (dataset, LINE.replace("Oslo", "Arden")),
    "is judged again, after line 1": (dataset, LINE * 2),
    "is no sentence index": (dataset, ",extraction,cluster,system\n9,a - b - c,1,pithy\n"),
    "there is no folder": (lambda path, *_: data.write_gold(data.read_gold("sample"), path / "x" / "y"), ""),
    "is the input itself": (converted, GOLD),
}
WARNINGS: dict[str, tuple[Read, str]] = {
    "is a header line": (system, "sent_id\targ1\trel\targ2\n" + TSV),
    "has no extractions, which scores 0": (system, ""),
    "extractions have more than two arguments": (system, "1\tMara\tmoved\tto Oslo\tin May\n"),
    "is no formulation and is left out": (gold, GOLD + "checked\n"),
    "is taken for one of sentence 1": (gold, GOLD.replace("1--> Cluster 2", "7--> Cluster 2")),
    "has a second cluster 1": (gold, GOLD.replace("Cluster 2", "Cluster 1")),
    "glued bracket": (gold, GOLD.replace("[the] ", "[the]")),
    "stray bracket": (gold, GOLD.replace("[the] ", "the] ")),
    "slots; those after the second are joined to one": (gold, GOLD.replace("XXX", "in May --> XXX")),
    "form a cluster": (gold, GOLD.replace("2--> Cluster 1:\n", "")),
    "sentence 2 has no cluster": (gold, GOLD[: GOLD.index("2--> Cluster 1:")]),
}


def rows(head: str) -> set[str]:
    """The messages of a table of the document."""
    table = TEXT[TEXT.index(f"| {head} |") :].split("\n\n")[0]
    return set(re.findall(r"^\| `(.*?)`", table, re.MULTILINE))


def test_the_tables_name_these_messages() -> None:
    assert rows("error") == set(ERRORS) and rows("warning") == set(WARNINGS)


@pytest.mark.parametrize("message", ERRORS)
def test_errors_are_as_documented(tmp_path: Path, message: str) -> None:
    read, text = ERRORS[message]
    with pytest.raises(InputError, match=re.escape(message)):
        read(tmp_path / "file", text, Diagnostics())


@pytest.mark.parametrize("message", re.findall(r"^\| `(.*?)` \* \|", TEXT, re.MULTILINE))
def test_errors_with_an_asterisk_are_warnings_if_lenient(tmp_path: Path, message: str) -> None:
    read, text = ERRORS[message]
    lenient = Diagnostics(lenient=True)
    read(tmp_path / "file", JUDGED + text if "again" not in message else text, lenient)
    assert any(message in str(problem) for problem in lenient.problems)


@pytest.mark.parametrize("message", WARNINGS)
def test_warnings_are_as_documented(tmp_path: Path, message: str) -> None:
    read, text = WARNINGS[message]
    diagnostics = Diagnostics()
    read(tmp_path / "file", text, diagnostics)
    assert any(message in str(problem) for problem in diagnostics.problems)
