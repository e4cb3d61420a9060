"""The profiling command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from matchers.profile import main
from matchers.profiling.errors import ERROR_BUCKETS
from matchers.scoring.results import UNDEFINED


def test_intervals_hold_their_values_and_keep_to_the_seed(capsys: pytest.CaptureFixture[str]):
    def profiled(*arguments: str) -> dict[str, Any]:
        assert main(["--dataset", "sample", "--json", "-", *arguments]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    first = profiled("--resamples", "50", "--seed", "3")
    assert "|resamples:50|seed:3|" in first["signature"] and first == profiled("--resamples", "50", "--seed", "3")
    sizes = first["bucket_sizes"]["length"]
    for system in first["systems"]:
        for label, found in system["by_bucket"]["length"].items():
            if sizes[label] < 5:
                assert found["f1_interval"] is None
            else:
                assert found["f1_interval"][0] < found["f1"] < found["f1_interval"][1]
    assert max(sizes.values()) >= 5


def test_a_bucket_of_few_sentences_has_no_interval(gold: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["--gold", str(gold), "--json", "-"]) == 0
    for system in json.loads(capsys.readouterr().out)["systems"]:
        assert system["by_bucket"]["length"]["<= 20"]["f1_interval"] is None
    assert main(["--gold", str(gold)]) == 0
    shown = capsys.readouterr().out
    assert "(in the head: sentences; none of fewer than 5)" in shown
    row = next(line for line in shown[shown.index("F1 by length") :].splitlines() if line.startswith("short"))
    assert row.split() == ["short", "0.750", UNDEFINED, UNDEFINED]


def test_the_command_prints_tables(gold: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["--gold", str(gold), "--matcher", "em"]) == 0
    out = capsys.readouterr().out
    assert "long        2  0.00      0.50  1.00" in out
    assert "F1 by length of the sentence" in out and "<= 20 (2)" in out
    assert "matcher:em|" in out and "counted:words" in out


def test_the_command_writes_json(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    mine = tmp_path / "mine.tsv"
    mine.write_text("1\tMara Venn\tis\tOslo\n")
    assert main(["--gold", str(gold), "--system", f"mine={mine}", "--matcher", "em", "--json", "-"]) == 0
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    assert system["name"] == "mine" and system["words"]["mean"] == 4
    assert [bucket["right"] for bucket in system["errors"]["buckets"]] == [list(right) for right in ERROR_BUCKETS]
    assert [bucket["count"] for bucket in system["errors"]["buckets"]] == [0, 0, 0, 0, 0, 1, 1]
    assert main(["--gold", str(gold), "--json", str(tmp_path / "out.json")]) == 0
    assert len(json.loads((tmp_path / "out.json").read_text())["systems"]) == 2


def test_variants_are_profiled_and_signed(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    mine = tmp_path / "mine.tsv"
    mine.write_text("2\tmill\tburned down\tin\tMay\n2\tbarn\tburned\tdown\n")
    given = ["--gold", str(gold), "--system", f"mine={mine}", "--nary", "drop", "--implicit", "drop", "--json", "-"]
    assert main(given) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["systems"][0]["extractions"] == 0
    assert "|facet:default|formulations:all|nary:drop|implicit:drop|language:en|" in result["signature"]
    with pytest.raises(SystemExit) as stopped:
        main([*given, "--facet", "C"])
    assert stopped.value.code == 2


def test_thin_gold_is_profiled_and_signed(capsys: pytest.CaptureFixture[str]):
    right = {}
    for name in ("all", "first"):
        assert main(["--dataset", "sample", "--formulations", name, "--resamples", "20", "--json", "-"]) == 0
        result = json.loads(capsys.readouterr().out)
        assert f"|formulations:{name}|" in result["signature"]
        right[name] = {system["name"]: system["f1"] for system in result["systems"]}
    assert all(right["first"][system] < f1 for system, f1 in right["all"].items())


def test_what_is_english_is_said_and_chinese_is_split(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    gold, mine = tmp_path / "zh.txt", tmp_path / "mine.tsv"
    gold.write_text("sent_id:1\t她 在 奥 斯 陆 工 作 。\n1--> Cluster 1:\n她 --> 在 奥 斯 陆 --> 工 作\n")
    mine.write_text("1\t她\t在奥斯陆\t工作\n")
    given = ["--gold", str(gold), "--system", f"mine={mine}", "--language", "zh", "--json", "-"]
    assert main(given) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["systems"][0]["errors"]["matched"] == 1
    assert "these are English in the matcher rules" in shown.err and "counted by English words" in shown.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dataset", "nowhere"], "no data set or folder is called 'nowhere'"),
        (["--dataset", "sample", "--matcher", "luck"], "no matcher is called 'luck'"),
        (["--dataset", "sample", "--spacy", "no_such_model"], "spaCy"),
    ],
)
def test_mistakes_are_told_in_a_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    from data.command_line import run

    assert run(main, arguments) == 1
    error = capsys.readouterr().err
    assert message in error and "Traceback" not in error and error.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--system", "mine"],
        ["--bucket", "cities"],
        ["--bucket", "cities=my_module"],
        ["--facet", "C"],
        ["--resamples", "0"],
        ["--json", "-", "--report", "-"],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        main(["--dataset", "sample", *arguments])
    assert stopped.value.code == 2 and "usage" in capsys.readouterr().err
