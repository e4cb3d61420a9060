from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import training
from data.catalog import SAMPLE
from data.command_line import run
from data.formats.benchie import write_gold
from data.formats.extractions import write_extractions
from data.formats.judgments import write_judgments
from data.problems import InputError
from tests.training.compared import hostile
from training.benchmark import main

FAST = ("--resamples", "200", "--quiet")
TOP = {"dataset", "sentences", "pairs", "positives", "signature", "matchers", "manual", "timings"}
MATCHER = {
    *("name", "signature", "protocol", "seen", "precision", "recall", "f1", "tp", "fp", "fn", "f1_interval"),
    *("difference_to_rules", "correlation", "systems"),
}
CORRELATION = {"pearson", "spearman", "kendall", "pairwise_accuracy", "pearson_interval", "mae"}
RATES = {"precision", "recall", "f1"}


def benchmarked(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main([*map(str, arguments), *FAST, "--json", "-"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def by_name(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {matcher["name"]: matcher for matcher in result["matchers"]}


def test_json_has_the_documented_shape(capsys: pytest.CaptureFixture[str]) -> None:
    result = benchmarked(capsys, "--dataset", "sample", "--matchers", "em,carb")
    assert set(result) == TOP
    assert {name: set(taken) for name, taken in result["timings"].items()} == {
        name: {"seconds", "pairs_per_second"} for name in ("em", "carb", "rules")
    }
    assert (result["dataset"], result["sentences"], result["pairs"], result["positives"]) == ("sample", 68, 8740, 810)
    assert [matcher["name"] for matcher in result["matchers"]] == ["em", "carb", "rules"]
    for matcher in result["matchers"]:
        assert set(matcher) == MATCHER
        assert set(matcher["correlation"]) == RATES
        for agreement in matcher["correlation"].values():
            assert set(agreement) == CORRELATION
        assert set(matcher["systems"]) == set(result["manual"])
        assert all(set(score) == RATES for score in matcher["systems"].values())
        assert matcher["seen"] is False
    assert all(set(score) == RATES for score in result["manual"].values())
    em, carb, rules = result["matchers"]
    assert set(em["difference_to_rules"]) == {"f1", "interval", "p"}
    assert em["difference_to_rules"]["f1"] == pytest.approx(em["f1"] - rules["f1"])
    assert em["f1_interval"][0] < em["f1"] < em["f1_interval"][1]
    assert (em["tp"], em["fp"], em["fn"]) == (440, 1, 370)
    assert rules["difference_to_rules"] is None
    for name in ("precision", "recall", "f1", "tp", "fp", "fn", "f1_interval", "difference_to_rules"):
        assert carb[name] is None


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dataset", "sample", "--matchers", "em,carb", *FAST]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("sample: 68 sentences, 5 systems, 1361 judged extractions, 8740 pairs, 810 of them")
    head = lines[2].split()
    assert head[:4] == ["matcher", "P", "R", "F1"] and "Kendall" in head and "paper" not in lines[2]
    assert lines[4].split()[0] == "em" and lines[4].split()[6:9] == ["440", "1", "370"]
    assert "carb: gives fractions of words and no matches" in "\n".join(lines)
    assert "|resamples:200|seed:1|version:" in lines[-1]


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dataset", "sample", "--matchers", "em,carb", *FAST, "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["matcher"] for row in rows] == ["em", "carb", "rules"]
    assert rows[1]["f1"] == "" and float(rows[1]["f1_pearson"]) < 1
    assert 0 < float(rows[0]["accuracy"]) < 1
    assert 0 < float(rows[0]["f1_pearson_difference_p"]) <= 1
    assert float(rows[0]["f1_difference_low"]) < float(rows[0]["f1_difference"]) < 0


def test_files_are_written_beside_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    targets = {name: tmp_path / f"result.{name}" for name in ("json", "csv", "html")}
    flags = ["--json", targets["json"], "--csv", targets["csv"], "--report", targets["html"]]
    assert main([*map(str, flags), "--dataset", "sample", "--matchers", "em", *FAST]) == 0
    assert capsys.readouterr().out.startswith("sample: ")
    assert len(json.loads(targets["json"].read_text())["matchers"]) == 2
    assert targets["html"].read_text().startswith("<!doctype html>")


def test_without_timings_two_runs_write_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = tmp_path / "quick.yaml"
    recipe.write_text("folds: 2\ninner_folds: 2\n")
    flags = ["--json", "a.json", "--csv", "a.csv", "--report", "a.html", "--no-timings", "--seed", "5", *FAST]
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        assert main(["--dataset", "sample", "--matchers", f"em,wire57,{recipe}", *flags]) == 0
    for file in ("a.json", "a.csv", "a.html"):
        written = (tmp_path / "first" / file).read_bytes()
        assert written == (tmp_path / "second" / file).read_bytes()
    assert set(json.loads((tmp_path / "first" / "a.json").read_text())) == TOP - {"timings"}


def test_thin_gold_two_runs_write_the_same_bytes(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = tmp_path / "quick.yaml"
    recipe.write_text("folds: 2\ninner_folds: 2\n")
    flags = ["--thinness", "--seeds", "2", "--json", "a.json", "--csv", "a.csv", "--report", "a.html", "--no-timings"]
    flags += ["--dataset", str(small), "--matchers", f"em,{recipe}", *FAST]
    shown = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        assert main(flags) == 0
        shown.append(capsys.readouterr().out)
    for file in ("a.json", "a.csv", "a.html"):
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()
    assert shown[0] == shown[1] and "thin gold: " in shown[0]
    result = json.loads((tmp_path / "first" / "a.json").read_text())
    assert set(result) == (TOP - {"timings"}) | {"thinness"}
    quick = {one["name"]: one for one in result["thinness"]["matchers"]}["quick"]
    assert {run["seed"] for level in quick["levels"] for run in level["runs"]} == {1, 2}
    assert "|levels:all+3+2+first+random-1+" in result["signature"] and "|seeds:2|" in result["signature"]
    for matcher in result["matchers"]:
        assert "|seeds:2|" in matcher["signature"]


def test_thin_gold_of_the_real_set(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--dataset", "benchie_fl_match", "--data", str(real_data), "--matchers", "rules", "--thinness"]
    [rules] = benchmarked(capsys, *flags)["thinness"]["matchers"]
    levels = {level["level"]: level for level in rules["levels"]}
    f1 = {name: round(level["f1"], 4) for name, level in levels.items()}
    assert (f1["all"], f1["3"], f1["2"], f1["first"]) == (0.9708, 0.9343, 0.9058, 0.8324)
    assert tuple(levels["first"][name] for name in ("tp", "fp", "fn")) == (216, 5, 82)
    assert 0.70 < f1["random"] < 0.76


def test_thin_gold_from_python_is_that_of_the_command(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = training.benchmark(small, ["em"], resamples=200, thinness=True).thinness
    assert found is not None
    assert found.to_json() == benchmarked(capsys, "--dataset", small, "--matchers", "em", "--thinness")["thinness"]
    with pytest.raises(InputError, match="seeds"):
        training.benchmark(small, ["em"], seeds=2)


def test_a_gold_that_was_thinned_by_hand_is_the_level_of_that_name(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("--dataset", "sample", "--matchers", "em")
    levels = by_name(benchmarked(capsys, *flags, "--thinness")["thinness"])["em"]["levels"]
    for place, name in ((1, "3"), (3, "first"), (4, "random")):
        alone = by_name(benchmarked(capsys, *flags, "--formulations", name))["em"]
        level = levels[place]["runs"][0]
        assert (alone["tp"], alone["fp"], alone["fn"]) == (level["tp"], level["fp"], level["fn"])
        assert alone["correlation"]["f1"]["mae"] == level["mae"]


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """A folder of one's own, made from the sample."""
    folder = tmp_path / "mine"
    for name in ("gold", "extractions", "judgments"):
        shutil.copytree(SAMPLE / name, folder / name)
    return folder


def test_a_labelled_folder(labelled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = benchmarked(capsys, "--dataset", labelled, "--matchers", "em")
    assert own["dataset"] == "mine"
    bundled = benchmarked(capsys, "--dataset", "sample", "--matchers", "em")
    assert own["manual"] == bundled["manual"]
    assert by_name(own)["em"]["f1"] == by_name(bundled)["em"]["f1"]


def test_too_few_sentences_for_intervals_are_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judgment = {"system": "a", "sentence_id": "1", "arg1": "Rain", "relation": "fell", "arg2": "", "clusters": ["1"]}
    files = {
        "gold/gold.txt": "sent_id:1\tRain fell .\n1--> Cluster 1:\nRain --> fell --> XXX\n",
        "extractions/a.tsv": "1\tRain\tfell\t\n",
        "judgments/a.jsonl": json.dumps(judgment) + "\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    assert main(["--dataset", str(tmp_path), "--matchers", "em", *FAST]) == 0
    assert "\nno intervals: 1 sentence can't tell" in capsys.readouterr().out


def test_a_labelled_folder_with_the_papers_csv(labelled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = benchmarked(capsys, "--dataset", labelled, "--matchers", "em")["manual"]
    order = {sentence.id: number for number, sentence in enumerate(_sample().sentences)}
    lines = [
        [order[j.extraction.sentence_id], " - ".join(j.extraction.slots), ".".join(j.clusters) or "0", j.system]
        for j in _sample().judgments
    ]
    shutil.rmtree(labelled / "judgments")
    (labelled / "match").mkdir()
    with (labelled / "match" / "matches.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows(lines)
    assert benchmarked(capsys, "--dataset", labelled, "--matchers", "em")["manual"] == expected


def _sample() -> Any:
    from tests.training.compared import sample

    return sample().benchmark


def test_hostile_texts_go_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark = hostile()
    for room in ("gold", "extractions", "judgments"):
        (tmp_path / room).mkdir()
    write_gold(benchmark, tmp_path / "gold" / "gold.txt")
    for number, system in enumerate(benchmark.systems):
        write_extractions(system, tmp_path / "extractions" / f"s{number}.jsonl")
    write_judgments(
        [type(j)(f"s{benchmark.systems[0].name != j.system:d}", j.extraction, j.clusters) for j in benchmark.judgments],
        tmp_path / "judgments" / "j.jsonl",
    )
    assert benchmarked(capsys, "--dataset", tmp_path, "--matchers", "em,carb,oie2016")["sentences"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dataset", "nowhere"], "no data set or folder is called 'nowhere'"),
        (["--dataset", "sample", "--matchers", "em,magic"], "is called 'magic'"),
        (["--dataset", "sample", "--matchers", "configs/absent.yaml"], "no recipe is called"),
        (["--dataset", "sample", "--matchers", "wire57:every"], "gives scores but no matches"),
        (["--dataset", "{folder}"], "has no judgments"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "bare"
    shutil.copytree(SAMPLE / "gold", folder / "gold")
    outputs = ["--json", str(tmp_path / "a.json"), "--report", str(tmp_path / "a.html")]
    assert run(main, [*(text.format(folder=folder) for text in arguments), *outputs, *FAST]) == 1
    shown = capsys.readouterr()
    assert not shown.out and len(shown.err.splitlines()) == 1
    assert shown.err.startswith("error: ") and message in shown.err
    assert {path.name for path in tmp_path.iterdir()} == {"bare"}


@pytest.mark.parametrize(
    "extra",
    [
        ["--resamples", "0"],
        ["--protocol", "none"],
        ["--speed-limit", "0"],
        ["--seed", "-1"],
        ["--thinness", "--formulations", "first"],
        ["--thinness", "--seeds", "0"],
        ["--seeds", "2"],
    ],
)
def test_wrong_usage(extra: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--dataset", "sample", *extra])
    assert stopped.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\nfrom training.benchmark import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'scipy', 'torch', 'sklearn', 'jinja2', 'simplemma'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "examples:" in done.stdout


def test_the_published_rows(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = "em,em+af,em+lod,em+af+lod,rules,wire57,wire57:dropped,wire57:fractions+every+tokens"
    flags = ["--dataset", "benchie_fl_match", "--data", str(real_data), "--matchers", names, *FAST]
    assert main(flags) == 0
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[2].endswith("paper F1  code F1  paper r")
    rows = {line.split()[0]: line.split() for line in lines[4:12]}
    assert rows["em"][-3:] == [".83", ".8268", ".961"]
    assert rows["em+af"][-2:] == [".87", ".8712"]
    assert rows["em+lod"][-2:] == [".87", ".9225"]
    assert rows["em+af+lod"][-2:] == [".96", ".9582"]
    assert rows["rules"][-3:] == [".97", ".9654", ".997"]
    assert rows["wire57"][-1] == ".219"
    assert "docs/reproduction.md" in shown
    found = by_name(benchmarked(capsys, *flags[:-3]))
    assert {name: round(found[name]["f1"], 2) for name in ("em", "em+af", "em+af+lod", "rules")} == {
        "em": 0.83, "em+af": 0.87, "em+af+lod": 0.96, "rules": 0.97,
    }  # fmt: skip
    pearson = {name: matcher["correlation"]["f1"]["pearson"] for name, matcher in found.items()}
    assert pearson["em"] == pytest.approx(0.961, abs=0.001)
    assert pearson["rules"] >= 0.997
    assert pearson["wire57"] == pytest.approx(0.219, abs=0.015)
    assert pearson["wire57:dropped"] == pytest.approx(0.219, abs=0.002)
    assert pearson["wire57:fractions+every+tokens"] == pytest.approx(0.219, abs=0.005)


def test_what_was_published_is_shown_for_the_published_gold_only(labelled: Path, real_data: Path) -> None:
    from data.catalog import load
    from data.problems import Diagnostics
    from training.comparison.published import published

    assert published(load("benchie_fl_match", real_data, Diagnostics()))["rules"].f1 == ".97"
    assert published(load("benchie_fl", real_data, Diagnostics())) == {}
    assert published(load(labelled, diagnostics=Diagnostics())) == {}
