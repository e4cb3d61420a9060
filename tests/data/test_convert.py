"""The convert command: what it writes, what it refuses and how it says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.command_line import run
from data.convert import main
from data.formats.benchie import read_gold
from data.formats.extractions import read_extractions
from data.formats.judgments import read_judgments
from data.formats.reading import ReadOptions
from data.formats.registry import FORMATS
from data.problems import Diagnostics

GOLD = "sent_id:1\tRain fell on Oslo .\n1--> Cluster 1:\n[The] rain --> fell --> on Oslo\n"
TSV = "1\tRain\tfell\ton Oslo\t0.5\n1\tRain\tfell\t\t0.25\n"
WIRE57 = {
    "A 1": [
        {"arg1": "Rain", "rel": "fell", "arg2": "", "extractor": "openie", "score": 0.5},
        {"arg1": "Rain", "rel": "fell", "arg2": "on", "arg3+": ["Oslo"], "extractor": "pithy", "score": 1},
    ]
}


def saved(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def convert(*arguments: object) -> int:
    return run(main, [str(argument) for argument in arguments])


@pytest.mark.parametrize("target", ["annie-json", "annie-text", "benchie"])
def test_gold_goes_there_and_back(tmp_path: Path, target: str) -> None:
    gold = saved(tmp_path / "gold.txt", GOLD)
    there, back = tmp_path / "there", tmp_path / "back.txt"
    assert convert(gold, there, "--from", "benchie", "--to", target) == 0
    assert convert(there, back, "--from", target, "--to", "benchie") == 0
    assert back.read_text() == GOLD


def test_the_format_of_the_input_is_guessed_where_that_is_safe(tmp_path: Path) -> None:
    gold = saved(tmp_path / "gold.txt", GOLD)
    assert convert(gold, tmp_path / "gold.tsv", "--to", "carb") == 0
    assert (tmp_path / "gold.tsv").read_text() == "Rain fell on Oslo .\tfell\tThe rain\ton Oslo\n"


def test_where_it_is_not_safe_the_user_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert convert(saved(tmp_path / "a.txt", "Rain fell .\n"), tmp_path / "out", "--to", "benchie") == 1
    assert (
        capsys.readouterr().err == f"error: {tmp_path}/a.txt: its format can't be told for sure; name it with --from\n"
    )


def test_confidences_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tsv, jsonl, back = saved(tmp_path / "pithy.tsv", TSV), tmp_path / "pithy.jsonl", tmp_path / "back.tsv"
    arguments = ("--from", "extractions-tsv", "--to", "extractions-jsonl")
    assert convert(tsv, jsonl, *arguments, "--confidence", "last") == 0
    assert json.loads(jsonl.read_text().splitlines()[1])["confidence"] == 0.25
    assert convert(jsonl, back, "--to", "extractions-tsv") == 0
    assert back.read_text() == TSV
    assert "read them with --confidence last" in capsys.readouterr().err


def test_a_first_column_of_confidences_becomes_a_last_one(tmp_path: Path) -> None:
    first = saved(tmp_path / "pithy.tsv", "0.5\t1\tRain\tfell\ton Oslo\n")
    out = tmp_path / "out.tsv"
    assert convert(first, out, "--from", "extractions-tsv", "--to", "extractions-tsv", "--confidence", "first") == 0
    assert out.read_text() == "1\tRain\tfell\ton Oslo\t0.5\n"


def test_a_file_of_several_systems_becomes_a_folder(tmp_path: Path) -> None:
    source = saved(tmp_path / "all.json", json.dumps(WIRE57))
    folder = tmp_path / "systems"
    assert convert(source, folder, "--from", "wire57-extractions", "--to", "extractions-tsv") == 0
    assert sorted(path.name for path in folder.iterdir()) == ["openie4.tsv", "pithy.tsv"]
    assert (folder / "pithy.tsv").read_text() == "A 1\tRain\tfell\ton Oslo\t1.0\n"


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = saved(tmp_path / "all.json", json.dumps(WIRE57))
    taken = saved(tmp_path / "taken", "mine")
    assert convert(source, taken, "--to", "extractions-jsonl") == 1
    assert "several systems need a folder" in capsys.readouterr().err
    assert taken.read_text() == "mine"


@pytest.mark.parametrize("name", ["../out", "a\\b", ".hidden"])
def test_a_systems_name_does_not_lead_out_of_the_folder(tmp_path: Path, name: str) -> None:
    record = {"arg1": "Rain", "rel": "fell", "arg2": "", "extractor": name}
    source = saved(tmp_path / "all.json", json.dumps({"1": [record]}))
    assert convert(source, tmp_path / "systems", "--from", "wire57-extractions", "--to", "extractions-tsv") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["all.json"]


def test_one_system_becomes_a_file_of_several(tmp_path: Path) -> None:
    source, out = saved(tmp_path / "pithy.tsv", "1\tRain\tfell\t\n"), tmp_path / "all.json"
    assert convert(source, out, "--from", "extractions-tsv", "--to", "wire57-extractions") == 0
    assert json.loads(out.read_text()) == {"1": [{"arg1": "Rain", "rel": "fell", "arg2": "", "extractor": "pithy"}]}


def test_matches_become_judgments(tmp_path: Path) -> None:
    gold, pithy = saved(tmp_path / "gold.txt", GOLD), saved(tmp_path / "pithy.tsv", "1\tRain - snow\tfell\ton Oslo\n")
    match = saved(tmp_path / "match.csv", "0,Rain - snow - fell - on Oslo,1,pithy,1\n")
    out = tmp_path / "judgments.jsonl"
    arguments = ("--from", "match-csv", "--to", "judgments-jsonl", "--gold", gold, "--system", f"pithy={pithy}")
    assert convert(match, out, *arguments, "--strict") == 0
    (judgment,) = read_judgments(out, read_gold(gold, Diagnostics()), Diagnostics()).judgments
    assert (judgment.extraction.slots, judgment.clusters) == (("Rain - snow", "fell", "on Oslo"), ("1",))


@pytest.mark.parametrize(
    ("source", "target", "ways"),
    [
        ("benchie", "extractions-tsv", "benchie, annie-json, annie-text, carb"),
        ("annie-json", "wire57", "benchie, annie-json, annie-text, carb"),
        ("extractions-tsv", "benchie", "extractions-tsv, extractions-jsonl, wire57-extractions, piped-triples"),
        ("judgments-jsonl", "match-csv", "judgments-jsonl"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, target: str, ways: str
) -> None:
    gold, out = saved(tmp_path / "gold.txt", GOLD), tmp_path / "out"
    assert convert(gold, out, "--from", source, "--to", target) == 1
    message = f"error: {gold}: {source} can't be converted to {target}; it can be to {ways}\n"
    assert capsys.readouterr().err == message
    assert not out.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--to", "conll"),
        ("--from", "match-csv", "--to", "judgments-jsonl"),
        ("--from", "match-csv", "--to", "judgments-jsonl", "--gold", "gold.txt"),
        ("--from", "match-csv", "--to", "judgments-jsonl", "--gold", "gold.txt", "--system", "pithy"),
        ("--from", "match-csv", "--to", "judgments-jsonl", "--gold", "g", "--system", "a=b", "--system", "a=c"),
        ("--from", "benchie", "--to", "carb", "--gold", "gold.txt"),
        ("--from", "benchie", "--to", "carb", "--confidence", "last"),
    ],
)
def test_wrong_usage_exits_with_two(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as caught:
        convert(saved(tmp_path / "gold.txt", GOLD), tmp_path / "out", *arguments)
    assert caught.value.code == 2


def test_the_hint_of_the_gold_reader_names_a_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export = saved(tmp_path / "export.txt", GOLD.replace("sent_id:1\t", "").replace("\n", " \r\n"))
    assert convert(export, tmp_path / "gold.txt", "--from", "benchie", "--to", "benchie") == 1
    hint = capsys.readouterr().err.split("--from ")[1].strip()
    assert hint in FORMATS
    assert convert(export, tmp_path / "gold.txt", "--from", hint, "--to", "benchie") == 0
    assert (tmp_path / "gold.txt").read_text() == GOLD


def test_warnings_are_shown_unless_quiet_and_errors_if_strict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, out = saved(tmp_path / "gold.txt", GOLD.replace("1--> C", "1-->C")), tmp_path / "out.txt"
    arguments = (gold, out, "--from", "benchie", "--to", "benchie")
    assert convert(*arguments) == 0
    assert capsys.readouterr().err.startswith(f"warning: {gold}:2: ")
    assert convert(*arguments, "--quiet") == 0
    assert capsys.readouterr().err == ""
    out.unlink()
    assert convert(*arguments, "--strict") == 1
    assert capsys.readouterr().err.startswith(f"error: {gold}:2: ")
    assert not out.exists()


def test_other_encodings_and_missing_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    latin = tmp_path / "latin.tsv"
    latin.write_bytes("1\tZoë\tfell\t\n".encode("latin-1"))
    arguments = ("--from", "extractions-tsv", "--to", "extractions-jsonl")
    assert convert(latin, tmp_path / "out.jsonl", *arguments) == 1
    assert convert(latin, tmp_path / "out.jsonl", *arguments, "--encoding", "latin-1") == 0
    assert "Zoë" in (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert convert(latin, tmp_path / "out.jsonl", *arguments, "--encoding", "hex") == 1
    assert "unknown encoding 'hex'" in capsys.readouterr().err
    assert convert(tmp_path / "none.tsv", tmp_path / "out", *arguments) == 1
    assert capsys.readouterr().err == f"error: {tmp_path}/none.tsv: no such file\n"


def test_the_input_may_be_named_within_the_data_folder(tmp_path: Path) -> None:
    (tmp_path / "data" / "gold").mkdir(parents=True)
    saved(tmp_path / "data" / "gold" / "rain_gold.txt", GOLD)
    out = tmp_path / "out.txt"
    assert convert("gold/rain_gold.txt", out, "--to", "benchie", "--data", tmp_path / "data") == 0
    assert out.read_text() == GOLD


def test_help_shows_formats_and_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        convert("--help")
    shown = capsys.readouterr().out
    assert caught.value.code == 0
    assert all(name in shown for name in FORMATS)
    assert "examples:\n  python -m data.convert" in shown


def test_real_matches_all_resolve(real_data: Path, tmp_path: Path) -> None:
    systems = {path.stem: path for path in (real_data / "benchie_fl" / "extractions").iterdir()}
    named = [argument for name, path in systems.items() for argument in ("--system", f"{name}={path}")]
    match = real_data / "benchie_fl" / "match" / "matches_benchie50_7_systems_annotated.csv"
    gold = real_data / "benchie_fl" / "gold" / "benchie_fl_50.txt"
    out = tmp_path / "judgments.jsonl"
    assert convert(match, out, "--to", "judgments-jsonl", "--gold", gold, *named, "--quiet") == 0
    judgments = read_judgments(out, read_gold(gold, Diagnostics()), Diagnostics()).judgments
    assert len(judgments) == 1089


def test_real_wire57_becomes_seven_files(real_data: Path, tmp_path: Path) -> None:
    (source,) = (real_data / "wire57").glob("*extractions*")
    assert convert(source, tmp_path / "out", "--to", "extractions-tsv", "--quiet") == 0
    read = [
        read_extractions(path, Diagnostics(), options=ReadOptions(confidence="last"))
        for path in (tmp_path / "out").iterdir()
    ]
    assert sum(len(system.extractions) for system in read) == 1355
    assert {"openie4", "props"} < {system.name for system in read}


def test_the_input_is_written_over_only_by_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = saved(tmp_path / "gold.txt", GOLD)
    assert convert(gold, gold, "--to", "annie-text") == 1
    assert "is the input itself; name another OUT, or write over it with --force" in capsys.readouterr().err
    assert gold.read_text() == GOLD
    assert convert(gold, gold, "--to", "annie-text", "--force") == 0
    assert gold.read_text().startswith("Rain fell")


def test_a_column_of_numbers_is_asked_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tsv, out = saved(tmp_path / "pithy.tsv", TSV), tmp_path / "out.jsonl"
    assert convert(tsv, out, "--to", "extractions-jsonl") == 1
    assert "say --confidence last, or --nary join" in capsys.readouterr().err and not out.exists()
    assert convert(tsv, out, "--to", "extractions-jsonl", "--nary", "join") == 0
