from __future__ import annotations

import csv
import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from data.command_line import run
from matchers.score import main
from matchers.scoring.results import UNDEFINED

COUNTS = {"extractions", "matched", "clusters_covered"}
RATES = {"precision", "recall", "f1"}


def scored(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main([*map(str, arguments), "--json", "-"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def by_name(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {system["name"]: system for system in result["systems"]}


def test_the_table(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--gold", str(gold)]) == 0
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[0] == "2 sentences, 5 clusters, matcher rules"
    assert lines[2].split() == ["system", "P", "R", "F1", "95", "%", "of", "F1", "extractions", "matched", "clusters"]
    assert lines[4].split()[:4] == ["short", "1.0000", "0.6000", "0.7500"]
    assert lines[5].split()[0] == "long"
    assert "matcher:rules|assignment:closest|gold:" in lines[-1]


def test_the_table_marks_what_is_not_significantly_different(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    same = gold.parent / "same.tsv"
    same.write_text("1\tMara Venn\tis\ta chemist\n")
    main(["--gold", str(gold), "--system", f"a={same}", "--system", f"b={same}"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[4].split()[:2] == ["a", "1.0000"]
    assert lines[5].split()[:2] == ["b", "="]
    assert any(line.startswith("= not significantly different") for line in lines)


def test_thin_gold_finds_less_and_is_signed(capsys: pytest.CaptureFixture[str]) -> None:
    covered = {}
    for name in ("all", "3", "2", "first", "random"):
        result = scored(capsys, "--dataset", "sample", "--formulations", name, "--seed", "3", "--resamples", "20")
        signed = "random-3" if name == "random" else name
        assert f"|formulations:{signed}|" in result["signature"]
        covered[name] = sum(system["clusters_covered"] for system in result["systems"])
    assert covered["all"] >= covered["3"] > covered["2"] > covered["first"] > 0 < covered["random"]
    again = scored(capsys, "--dataset", "sample", "--formulations", "random-3", "--seed", "4", "--resamples", "20")
    assert sum(system["clusters_covered"] for system in again["systems"]) == covered["random"]


def test_json_has_the_documented_shape(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--gold", gold)
    assert set(result) == {"signature", "matcher", "gold", "systems"}
    assert result["matcher"] == "rules"
    assert result["gold"] == {
        "path": str(gold),
        "sha256": hashlib.sha256(gold.read_bytes()).hexdigest(),
        "sentences": 2,
        "clusters": 5,
    }
    assert f"gold:{result['gold']['sha256'][:12]}" in result["signature"]
    assert [system["name"] for system in result["systems"]] == ["short", "long"]
    for system in result["systems"]:
        assert set(system) == {"name", *COUNTS, *RATES, "intervals", "p_to_previous"}
        assert system["intervals"] == dict.fromkeys(RATES), "two sentences are too few"
    short = result["systems"][0]
    assert (short["extractions"], short["matched"], short["clusters_covered"]) == (3, 3, 3)
    assert (short["precision"], short["recall"]) == (1.0, 0.6)
    assert result["systems"][0]["p_to_previous"] is None and 0 <= result["systems"][1]["p_to_previous"] <= 1


def test_intervals_and_p_values(capsys: pytest.CaptureFixture[str]) -> None:
    first, *others = scored(capsys, "--dataset", "sample", "--resamples", 200)["systems"]
    assert first["p_to_previous"] is None
    for system in (first, *others):
        assert set(system["intervals"]) == RATES
        for name in RATES:
            low, high = system["intervals"][name]
            assert 0 <= low < system[name] < high <= 1
    assert all(0 < system["p_to_previous"] <= 1 for system in others)


def test_one_sentence_gives_no_interval_and_no_significance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, good, bad = (tmp_path / name for name in ("gold.txt", "good.tsv", "bad.tsv"))
    gold.write_text(GOOD_GOLD)
    good.write_text("1\tRain\tfell\t\n")
    bad.write_text("1\tSnow\tfell\t\n")
    page = tmp_path / "page.html"
    given = ["--gold", str(gold), "--system", f"good={good}", "--system", f"bad={bad}"]
    assert main([*given, "--report", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "no intervals: 1 sentence can't tell how far scores spread; 5 could" in shown and UNDEFINED in shown
    assert "= not significantly different from the system above (swapping the two systems in sentences" in shown
    assert "The lead of good over bad in F1 is not significant (p = 1.000)." in page.read_text()
    assert "no intervals: 1 sentence" in page.read_text()
    result = scored(capsys, *given)
    assert (result["systems"][1]["p_to_previous"], result["systems"][0]["intervals"]["f1"]) == (1.0, None)
    assert main([*given, "--csv", "-"]) == 0
    first = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert (first["f1"], first["f1_low"], first["f1_high"]) == ("1.0", "", "")


def test_the_legend_of_a_mark_stands_only_where_the_mark_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--dataset", "sample"]) == 0
    assert "\n= not significantly" in capsys.readouterr().out
    own = tmp_path / "own.tsv"
    own.write_text("1\ta\tb\tc\n")
    assert main(["--dataset", "sample", "--system", f"own={own}"]) == 0
    assert "= not significantly" not in capsys.readouterr().out


def test_the_same_seed_gives_the_same_json(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = scored(capsys, "--gold", gold, "--seed", 7, "--resamples", 200)
    assert scored(capsys, "--gold", gold, "--seed", 7, "--resamples", 200) == first
    assert "resamples:200|seed:7" in first["signature"]


def test_json_to_a_file_keeps_the_table(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "scores.json"
    assert main(["--gold", str(gold), "--json", str(target)]) == 0
    assert len(json.loads(target.read_text())["systems"]) == 2
    assert "short" in capsys.readouterr().out


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--dataset", "sample")
    assert main(["--dataset", "sample", "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["system"] for row in rows] == [system["name"] for system in result["systems"]]
    for row, system in zip(rows, result["systems"], strict=True):
        assert {name: int(row[name]) for name in COUNTS} == {name: system[name] for name in COUNTS}
        for name in RATES:
            assert float(row[name]) == system[name]
            assert [float(row[f"{name}_low"]), float(row[f"{name}_high"])] == system["intervals"][name]


def test_matches(gold: Path, tmp_path: Path) -> None:
    target = tmp_path / "matches.jsonl"
    assert main(["--gold", str(gold), "--matches", str(target), "--quiet"]) == 0
    lines = [json.loads(line) for line in target.read_text().splitlines()]
    assert len(lines) == 6
    for line in lines:
        assert {"sentence_id", "system", "arg1", "relation", "arg2", "cluster", "score", "rule", "explanation"} <= set(
            line
        )
    found = {(line["system"], line["relation"], line["arg2"]): line for line in lines}
    exact = found["short", "is", "a chemist"]
    assert (exact["sentence_id"], exact["cluster"], exact["clusters"], exact["rule"]) == ("1", "1", ["1"], "em")
    assert found["short", "burned down in", "may ."]["rule"] == "em+punc"
    joined = found["long", "moved to", "Oslo and Bergen"]
    assert (joined["cluster"], joined["rule"]) == ("2", "af")
    missed = found["long", "fell", "in May"]
    assert (missed["cluster"], missed["rule"], missed["score"]) == (None, None, 0.0)


def test_a_repeat_is_explained(gold: Path, tmp_path: Path) -> None:
    twice, target = tmp_path / "twice.tsv", tmp_path / "matches.jsonl"
    twice.write_text("2\tmill\tburned down in\tMay\n2\tThe old mill\tburned down in\tMay\n")
    main(["--gold", str(gold), "--system", f"twice={twice}", "--matches", str(target)])
    repeat, credited = (json.loads(line) for line in target.read_text().splitlines())
    assert (repeat["cluster"], repeat["rule"]) == (None, "repeat")
    assert "cluster 2 is credited to a closer extraction" in repeat["explanation"]
    assert credited["cluster"] == "2"


def test_duplicates(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twice = tmp_path / "twice.tsv"
    twice.write_text("1\tMara Venn\tis\tchemist\n" * 2 + "1\tMara\tis\tkind\n")
    arguments = ("--gold", gold, "--system", f"twice={twice}", "--matcher", "em")
    counted, ignored = (scored(capsys, *arguments, "--duplicates", how) for how in ("count", "ignore"))
    assert counted["systems"][0]["precision"] == pytest.approx(1 / 3)
    assert ignored["systems"][0]["precision"] == pytest.approx(1 / 2)
    assert counted["systems"][0]["recall"] == ignored["systems"][0]["recall"] == pytest.approx(1 / 5)
    assert "duplicates:ignore" in ignored["signature"]


def test_matchers_differ(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    matched = {
        name: by_name(scored(capsys, "--gold", gold, "--matcher", name))["long"]["matched"] for name in ("em", "em+af")
    }
    assert matched == {"em": 1, "em+af": 2}


def test_systems_are_found_beside_the_gold(gold: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert set(by_name(scored(capsys, "--gold", gold))) == {"short", "long"}
    moved = folder / "gold.txt"
    moved.write_bytes(gold.read_bytes())
    assert set(by_name(scored(capsys, "--gold", moved))) == {"short", "long"}


def test_named_systems_replace_those_beside_or_join_them(
    gold: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = f"own={folder / 'extractions' / 'short.tsv'}"
    assert set(by_name(scored(capsys, "--gold", gold, "--system", own))) == {"own"}
    assert set(by_name(scored(capsys, "--gold", gold, "--system", own, "--beside"))) == {"own", "short", "long"}


def test_a_folder_as_a_data_set(gold: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--dataset", folder)
    assert result["systems"] == scored(capsys, "--gold", gold)["systems"]


def test_the_bundled_sample(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(scored(capsys, "--dataset", "sample")["systems"]) == 5


def test_other_formats_of_gold_and_extractions(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exported = tmp_path / "annie.txt"
    exported.write_text(gold.read_text().replace("sent_id:1\t", "").replace("sent_id:2\t", ""))
    own = tmp_path / "own.jsonl"
    own.write_text('{"sentence_id": "1", "arg1": "Mara Venn", "relation": "is", "arg2": "a chemist"}\n')
    for extra in ((), ("--from", "annie-text")):
        result = scored(capsys, "--gold", exported, *extra, "--system", f"own={own}")
        assert result["systems"][0]["matched"] == 1


def test_a_column_of_confidence(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "own.tsv"
    own.write_text("1\tMara Venn\tis\ta chemist\t0.9\n")
    found = scored(capsys, "--gold", gold, "--system", f"own={own}", "--confidence", "last")
    assert found["systems"][0]["matched"] == 1


GOOD_GOLD = "sent_id:1\tRain fell .\n1--> Cluster 1:\nRain --> fell --> XXX\n"


@pytest.mark.parametrize(
    ("gold_text", "system_text", "arguments", "message"),
    [
        (None, None, [], "no such file"),
        ("", None, [], "has no sentence"),
        ("sent_id:1\tRain fell .\n1--> Cluster 1:\nRain --> fell\n", None, [], "gold.txt:3: "),
        (GOOD_GOLD, None, [], "no systems to score"),
        (
            GOOD_GOLD,
            "1\tRain\tfell\t\t0.5\n",
            ["--system", "x={system}"],
            "system.tsv:1: a column after",
        ),
        (GOOD_GOLD, "1\tRain\n", ["--system", "x={system}"], "system.tsv:1: "),
        (
            GOOD_GOLD,
            "1\tRain\tfell\t\n\n99\tRain\tfell\t\n",
            ["--system", "x={system}"],
            "system.tsv:3: sentence id '99'",
        ),
        (GOOD_GOLD, "1\tRain\tfell\t\n", ["--system", "x={system}", "--matcher", "magic"], "no matcher is called"),
        (GOOD_GOLD, "1\tRain\tfell\t\n", ["--system", "x={system}", "--encoding", "klingon"], "unknown encoding"),
        (GOOD_GOLD, "1\tRain\tfell\t\n", ["--system", "x={system}", "--from", "wordperfect"], "no format is called"),
        (GOOD_GOLD, "1\tRain\tfell\t\n", ["--system", "x={system}x"], "no such file"),
        (
            GOOD_GOLD.replace("Rain --> fell", "[The]rain --> fell"),
            "1\tRain\tfell\t\n",
            ["--system", "x={system}", "--strict"],
            "glued bracket",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_one(
    gold_text: str | None,
    system_text: str | None,
    arguments: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    gold_path, system = tmp_path / "in" / "gold.txt", tmp_path / "in" / "system.tsv"
    gold_path.parent.mkdir()
    for path, text in ((gold_path, gold_text), (system, system_text)):
        if text is not None:
            path.write_text(text)
    outputs = [tmp_path / name for name in ("scores.json", "scores.csv", "matches.jsonl")]
    flags = [
        part for flag, path in zip(("--json", "--csv", "--matches"), outputs, strict=True) for part in (flag, str(path))
    ]
    given = [argument.format(system=system) for argument in arguments]
    assert run(main, ["--gold", str(gold_path), *given, *flags]) == 1
    shown = capsys.readouterr()
    assert not shown.out
    assert len(shown.err.splitlines()) == 1 and shown.err.startswith("error: ") and message in shown.err
    assert not any(path.exists() for path in outputs)
    assert {path.name for path in tmp_path.iterdir()} == {"in"}


def test_two_files_for_one_system(gold: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "extractions" / "short.txt").write_text("1\tMara Venn\tis\ta chemist\n")
    assert run(main, ["--gold", str(gold)]) == 1
    assert "two files for the system 'short'" in capsys.readouterr().err


def test_a_system_named_like_one_beside(gold: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = f"short={folder / 'extractions' / 'long.tsv'}"
    assert run(main, ["--gold", str(gold), "--system", own, "--beside"]) == 1
    assert "two systems are called 'short'" in capsys.readouterr().err


def test_an_output_that_can_not_be_written(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").write_text("x")
    assert run(main, ["--gold", str(gold), "--json", str(tmp_path / "taken" / "scores.json")]) == 1
    assert "can't be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--gold", "a.txt", "--dataset", "sample"],
        ["--dataset", "sample", "--duplicates", "some"],
        ["--dataset", "sample", "--resamples", "0"],
        ["--dataset", "sample", "--seed", "-1"],
        ["--all", "--seed", "-1"],
        ["--dataset", "sample", "--data-set"],
        ["--dataset", "sample", "--system", "foo"],
        ["--dataset", "sample", "--system", "=foo.tsv"],
        ["--dataset", "sample", "--system", "x=a.tsv", "--system", "x=b.tsv"],
        ["--all", "--system", "foo="],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_warnings_are_shown_and_can_be_silenced(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold.write_text(gold.read_text().replace("[The] [old] mill", "[The][old] mill"))
    main(["--gold", str(gold)])
    assert "warning: " in capsys.readouterr().err
    main(["--gold", str(gold), "--quiet"])
    assert not capsys.readouterr().err


@pytest.mark.parametrize("module", ["matchers.score", "matchers.explain"])
def test_help_imports_nothing_heavy(module: str) -> None:
    program = (
        "import sys\n"
        f"from {module} import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'scipy', 'torch', 'transformers', 'datasets', 'sklearn', 'simplemma'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "examples:" in done.stdout


def test_the_command_as_users_start_it(gold: Path) -> None:
    command = [sys.executable, "-m", "matchers.score", "--gold", str(gold), "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr
    assert [system["name"] for system in json.loads(done.stdout)["systems"]] == ["short", "long"]
    missing = subprocess.run([*command[:4], "no.txt"], capture_output=True, text=True, check=False)
    assert missing.returncode == 1
    assert missing.stderr == "error: no.txt: no such file\n"


def test_two_outputs_can_not_share_stdout(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--gold", str(gold), "--json", "-", "--report", "-"])
    assert stopped.value.code == 2
    assert "--json and --report can't go to stdout together" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["idle.tsv", "idle.jsonl"])
def test_a_system_without_extractions_scores_zero_and_is_not_refused(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    idle = tmp_path / name
    idle.write_text("")
    result = scored(capsys, "--gold", gold, "--system", f"idle={idle}")
    (system,) = result["systems"]
    assert (system["name"], system["precision"], system["recall"], system["f1"]) == ("idle", 0.0, 0.0, 0.0)
    assert main(["--gold", str(gold), "--system", f"idle={idle}"]) == 0
    assert f"warning: {idle}: has no extractions, which scores 0" in capsys.readouterr().err
