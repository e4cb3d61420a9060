from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from data.command_line import run
from data.lint import main

CLEAN = """sent_id:1\tMara Venn sold the old mill .
1--> Cluster 1:
Mara Venn --> sold --> [the] [old] mill
"""
DEFECTIVE = """sent_id:1\tMara Venn sold the old mill to Tove .
1--> Cluster 1:
Mara Venn --> sold --> [the]mill
Mara Venn --> sold --> [the] mill
1--> Cluster 2:
Mara Venn --> sold --> the mill
1--> Cluster 3:
Tove --> owns --> mill
sent_id:2\tRain fell .
"""


@pytest.fixture
def defective(tmp_path: Path) -> Path:
    path = tmp_path / "gold.txt"
    path.write_text(DEFECTIVE)
    return path


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    path = tmp_path / "clean.txt"
    path.write_text(CLEAN)
    return path


def linted(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main([*map(str, arguments), "--json", "-"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def by_name(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {check["name"]: check for check in report["checks"]}


def counted(report: dict[str, Any], name: str) -> tuple[int, int]:
    found = by_name(report)[name]
    return found["hits"], found["sentences"]


def test_the_table_and_the_examples(defective: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(defective)]) == 0
    shown = capsys.readouterr().out
    assert "glued bracket" in shown
    assert "sentence 1 cluster 1 line 3: Mara Venn --> sold --> [the]mill" in shown
    assert "sentence 1 cluster 1 and 2: " in shown
    assert "sentence 2: Rain fell ." in shown
    assert "paper" not in shown


def test_show_limits_the_examples(defective: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many = defective.with_name("many.txt")
    lines = "".join(f"1--> Cluster {n}:\nMara --> met{n} --> [the]mill\n" for n in range(1, 6))
    many.write_text(f"sent_id:1\tMara\n{lines}")
    main([str(many)])
    default = capsys.readouterr().out
    assert default.count("(glued bracket in") == 3
    assert "and 2 more (--show all)" in default
    main([str(many), "--show", "all"])
    assert capsys.readouterr().out.count("(glued bracket in") == 5
    main([str(many), "--show", "0"])
    assert "(glued bracket in" not in capsys.readouterr().out


def test_json_shape(defective: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = linted(capsys, defective)
    assert set(report) == {"gold", "against", "unpaired", "statistics", "checks", "published"}
    assert report["gold"]["path"] == str(defective)
    assert len(report["gold"]["sha256"]) == 64
    assert report["published"] is None and report["against"] is None
    assert report["statistics"]["clusters"] == 3
    for check in report["checks"]:
        assert set(check) == {"name", "level", "meaning", "hits", "sentences", "found"}
        assert check["level"] in ("warning", "info")
        assert check["hits"] == len(check["found"])
    (hit,) = by_name(report)["glued bracket"]["found"]
    assert (hit["sentence_id"], hit["clusters"], hit["line"]) == ("1", ["1"], 3)
    assert by_name(report)["duplicate formulation"]["hits"] == 1
    assert by_name(report)["subsumed cluster"]["found"][0]["clusters"] == ["2", "1"]


def test_json_to_a_file_keeps_the_table(defective: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "lint.json"
    assert main([str(defective), "--json", str(target)]) == 0
    assert json.loads(target.read_text())["gold"]["name"] == "gold"
    assert "glued bracket" in capsys.readouterr().out


def test_strict_is_for_warnings_only(defective: Path, clean: Path, tmp_path: Path) -> None:
    assert main([str(defective), "--strict"]) == 1
    assert main([str(clean), "--strict"]) == 0
    informational = tmp_path / "inferred.txt"
    informational.write_text(CLEAN.replace("--> sold -->", "--> has sold -->"))
    assert main([str(informational), "--strict"]) == 0


def test_against_another_annotation(
    defective: Path, clean: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = linted(capsys, defective, "--against", clean)
    (hit,) = by_name(report)["missing facts"]["found"]
    assert (hit["sentence_id"], hit["clusters"]) == ("1", ["3"])
    assert report["unpaired"] == ["2"]
    main([str(defective), "--against", str(clean)])
    assert "1 sentences have no counterpart and were not compared: 2" in capsys.readouterr().out


def test_against_a_stranger(clean: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stranger = tmp_path / "stranger.txt"
    stranger.write_text("sent_id:99\tSnow fell .\n99--> Cluster 1:\nSnow --> fell --> XXX\n")
    assert run(main, [str(clean), "--against", str(stranger)]) == 1
    assert "another annotation of the same sentences" in capsys.readouterr().err


def test_a_folder_as_a_data_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine" / "gold").mkdir(parents=True)
    (tmp_path / "mine" / "gold" / "gold.txt").write_text(DEFECTIVE)
    report = linted(capsys, "--dataset", tmp_path / "mine")
    assert report["gold"]["name"] == "mine"
    assert counted(report, "glued bracket") == (1, 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file"),
        (b"", "has no sentence"),
        (b"\x89PNG\r\n\x1a\n\x00\xff\xfe", "is not utf-8"),
        (b"\x00\x01\x02\n", "was expected"),
    ],
)
def test_bad_files_give_one_line(
    content: bytes | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.txt"
    if content is not None:
        path.write_bytes(content)
    target = tmp_path / "lint.json"
    assert run(main, [str(path), "--json", str(target)]) == 1
    shown = capsys.readouterr()
    assert shown.err.startswith("error: ") and message in shown.err
    assert len(shown.err.splitlines()) == 1
    assert str(path) in shown.err
    assert not shown.out and not target.exists()


def test_an_unknown_data_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(main, ["--dataset", "no_such_set"]) == 1
    assert "no data set or folder is called" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["gold.txt", "--dataset", "sample"], ["gold.txt", "--show", "some"]])
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "from data.lint import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'torch', 'transformers', 'datasets', 'scipy', 'sklearn'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "examples:" in done.stdout


# (hits, sentences) as measured; the paper's figure for the sentences, where it has one, stands beside.
FL_COUNTS = {
    "double annotation": (13, 9),  # paper: 5
    "double annotation, joined": (13, 9),
    "double meaning": (315, 162),  # paper: 26
    "missing facts": (345, 146),  # paper: 68
    "duplicate formulation": (113, 28),
    "subsumed cluster": (1, 1),
    "words not in the sentence": (723, 216),
    "glued bracket": (25, 11),
    "repeated cluster number": (4, 4),
    "formulations before the first header": (3, 3),
    "formulation of four slots": (1, 1),
    "sentence without cluster": (1, 1),
}
EN_COUNTS = {
    "double annotation": (4, 3),  # paper: 135, see the test of the readings
    "double annotation, joined": (453, 164),
    "double meaning": (396, 195),  # paper: 55
    "missing facts": (40, 22),  # paper: 17
    "duplicate formulation": (221, 54),
    "subsumed cluster": (1, 1),
    "words not in the sentence": (14, 6),
    "glued bracket": (34, 2),
    "stray bracket": (2, 1),
    "malformed cluster header": (1, 1),
    "repeated cluster number": (1, 1),
    "cluster header of another sentence": (2, 2),
    "sentence without cluster": (4, 4),
}


@pytest.mark.parametrize(
    ("name", "other", "counts"), [("benchie_fl", "benchie_en", FL_COUNTS), ("benchie_en", "benchie_fl", EN_COUNTS)]
)
def test_real_counts(
    name: str, other: str, counts: dict[str, tuple[int, int]], real_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = linted(capsys, "--dataset", name, "--against", other, "--data", real_data)
    assert {check["name"]: (check["hits"], check["sentences"]) for check in report["checks"] if check["hits"]} == counts


def test_real_places_of_the_defects(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = by_name(linted(capsys, real_data / "benchie_fl" / "gold" / "benchie_fl_300.txt"))

    def sentences(name: str) -> list[str]:
        return [hit["sentence_id"] for hit in report[name]["found"]]

    assert report["glued bracket"]["hits"] == 25
    assert sentences("formulations before the first header") == ["113", "117", "192"]
    assert sentences("sentence without cluster") == ["109"]
    assert sentences("formulation of four slots") == ["96"]


def test_real_statistics(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fl = linted(capsys, "--dataset", "benchie_fl", "--data", real_data)["statistics"]
    en = linted(capsys, "--dataset", "benchie_en", "--data", real_data)["statistics"]
    assert (fl["sentences"], fl["clusters"], fl["formulations"]) == (300, 1822, 5655)  # paper: 1798 clusters
    assert (en["sentences"], en["clusters"], en["formulations"]) == (300, 1350, 8150)  # paper: 1354 clusters
    means = ("clusters_per_sentence", "formulations_per_cluster", "formulation_length", "relation_length")
    assert [round(fl[name], 2) for name in means] == [6.07, 3.10, 10.49, 3.87]  # paper: 6, 3, 10.6, 3.9
    assert [round(en[name], 2) for name in means] == [4.5, 6.04, 12.53, 4.04]  # paper: 4.5, 6, 12.5, 4.0


def test_real_readings_beside_the_paper(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows: dict[str, dict[str, Any]] = {}
    for name, other in (("benchie_fl", "benchie_en"), ("benchie_en", "benchie_fl")):
        published = linted(capsys, "--dataset", name, "--against", other, "--data", real_data)["published"]
        rows[name] = {row["name"]: row for row in published["table5"] + published["table18"]}

    def reading(name: str, row: str, label: str) -> float:
        return next(float(r["value"]) for r in rows[name][row]["readings"] if r["reading"] == label)

    phantom = "each sentence without cluster counted as one cluster"
    assert reading("benchie_en", "clusters", phantom) == 1354  # paper: 1354
    assert reading("benchie_fl", "clusters", phantom) == 1823  # paper: 1798
    dropped = "slots joined, optional words dropped"
    assert reading("benchie_en", "double annotation", dropped) == 135  # paper: 135
    assert reading("benchie_fl", "double annotation", dropped) == 8  # paper: 5
    disjoint = "second arguments without a required word in common"
    assert reading("benchie_en", "double meaning", disjoint) == 54  # paper: 55
    assert reading("benchie_fl", "double meaning", disjoint) == 38  # paper: 26
    content = "as ours, function words left out"
    assert reading("benchie_en", "missing facts", content) == 15  # paper: 17
    assert reading("benchie_fl", "missing facts", content) == 64  # paper: 68
    literal = "no shared resolution, slots joined"
    assert reading("benchie_en", "missing facts", literal) == 153  # paper: 17
    assert reading("benchie_fl", "missing facts", literal) == 258  # paper: 68


def test_published_figures_are_shown(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    started = time.process_time()
    main([str(real_data / "benchie_fl" / "gold" / "benchie_fl_300.txt"), "--show", "0"])
    assert time.process_time() - started < 5  # of the processor; about one is usual
    shown = capsys.readouterr().out
    assert "BenchIE^FL, Table 5" in shown and "1798" in shown
    assert "missing facts" not in shown


def test_the_format_is_guessed_as_by_the_scorer_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gold.txt"
    path.write_text(CLEAN.replace("sent_id:1\t", ""))
    assert main([str(path), "--show", "0"]) == 0
    assert capsys.readouterr().err == f"{path}: read as annie-text; --from names another format\n"
    assert main([str(path), "--quiet"]) == main([str(path), "--from", "annie-text"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["lint", "score"])
@pytest.mark.parametrize("form", [[], ["--from", "benchie"], ["--from", "annie-text"]])
def test_a_first_line_that_lost_its_mark_is_named_and_nobody_is_sent_in_a_circle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, form: list[str]
) -> None:
    from matchers.score import main as score

    path, system = tmp_path / "gold.txt", tmp_path / "s.tsv"
    path.write_text(CLEAN.replace("sent_id:1\t", "1\t") + CLEAN.replace("1", "2"))
    system.write_text("1\tMara Venn\tsold\tthe mill\n")
    given = [str(path), *form] if command == "lint" else ["--gold", str(path), "--system", f"s={system}", *form]
    assert run(main if command == "lint" else score, given) == 1
    error = capsys.readouterr().err
    if form == ["--from", "annie-text"]:
        assert f"{path}:4: 'sent_id:' begins a sentence of BenchIE's text, and line 1 lacks it; write it there" in error
    else:
        assert f"{path}:1: '1 Mara Venn sold the old mill .' looks like a sentence without its 'sent_id:" in error
    assert "read it with" not in error and "read this file with" not in error
