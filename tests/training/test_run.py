from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import matchers
import training
from data.catalog import load
from data.command_line import run
from data.problems import Diagnostics
from matchers.checkpoints import SHIPPED, open_checkpoint, seen_sentences, sentence_hash, shipped
from matchers.counts import score_systems
from training.run import main

CHEAP = (
    "folds=3", "inner_folds=2", "supervision.generated_weight=0", "supervision.silver_weight=0",
    "supervision.levels=[first]", "classifier.trees=20", "--resamples", "200", "--quiet",
)  # fmt: skip
FIGURES = {"name", "tp", "fp", "fn", "precision", "recall", "f1", "f1_interval", "pearson", "spearman", "kendall"}


def trained(output: Path, *arguments: object) -> dict[str, Any]:
    """Train on the sample and read the report."""
    assert run(main, ["--dataset", "sample", "--output", str(output), *CHEAP, *map(str, arguments)]) == 0
    report: dict[str, Any] = json.loads((output / "report.json").read_text())
    return report


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run on the sample."""
    folder = tmp_path_factory.mktemp("run") / "mine"
    trained(folder)
    return folder


def test_the_report(output: Path) -> None:
    report = json.loads((output / "report.json").read_text())
    assert (report["name"], report["kind"], report["dataset"]) == ("features", "features", "sample")
    assert (report["sentences"], report["protocol"]) == (68, "3-fold by sentence")
    for figure in (report["rules"], report["matcher"]):
        assert figure.keys() >= FIGURES
        assert figure["f1_interval"][0] <= figure["f1"] <= figure["f1_interval"][1]
        assert figure["tp"] + figure["fn"] == report["positives"]
    assert report["matcher"]["f1"] > report["rules"]["f1"]
    difference = report["difference"]
    assert difference["value"] == pytest.approx(report["matcher"]["f1"] - report["rules"]["f1"])
    assert difference["interval"][0] <= difference["value"] <= difference["interval"][1]
    assert set(report["by_system"]) == {"clauser", "magpie", "pithy", "rambler", "sliver"}
    assert len(report["insight"]) == 10
    assert report["recipe"]["folds"] == 3 and report["checkpoint"] == str(output)
    assert "seed:1" in report["signature"] and "protocol:3-fold by sentence" in report["signature"]
    assert report["training_data"].startswith("The judgments of sample; all of it also under thinner gold (")


def test_thin_gold_is_trained_on_and_signed(small: Path, tmp_path: Path) -> None:
    reports = []
    for name in ("all", "first"):
        output = tmp_path / name
        flags = ["--dataset", str(small), "--no-checkpoint", "--formulations", name, "--output", str(output), *CHEAP]
        assert run(main, flags) == 0
        reports.append(json.loads(output.with_name(f"{name}.report.json").read_text()))
        assert f"|formulations:{name}|" in reports[-1]["signature"]
    full, thin = reports
    assert thin["positives"] == full["positives"] and thin["pairs"] == full["pairs"]  # people say what they said
    assert thin["rules"]["tp"] < full["rules"]["tp"]


def test_the_checkpoint_works(output: Path) -> None:
    sample = load("sample", diagnostics=Diagnostics())
    matcher = matchers.load(str(output))
    assert seen_sentences(matcher, sample) == 68
    score = score_systems(sample, matcher)[0]
    assert 0 < score.score.f1 < 1
    assert "how to make it again" in (output / "README.md").read_text().lower()


def test_nothing_is_left_beside_it(output: Path) -> None:
    assert [path.name for path in output.parent.iterdir()] == ["mine"]
    assert {path.name for path in output.iterdir()} == {"config.json", "weights.json", "README.md", "report.json"}


def test_one_seed_gives_the_same_bytes(
    output: Path, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        assert main(["--dataset", str(small), "--output", "mine", *CHEAP]) == 0
    for path in (tmp_path / "a" / "mine").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / "mine" / path.name).read_bytes(), path.name
    assert main(["--dataset", str(small), "--output", "other", *CHEAP, "--seed", "2"]) == 0
    assert open_checkpoint("other").hash != open_checkpoint("mine").hash


def test_json_to_stdout(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dataset", str(small), "--output", str(tmp_path / "o"), *CHEAP, "--json", "-"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == json.loads((tmp_path / "o" / "report.json").read_text())


def test_the_text(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--dataset", str(small), "--output", str(tmp_path / "o"), *CHEAP, "--no-checkpoint"]
    assert main([*arguments, "--protocol", "leave-one-system-out"]) == 0
    shown = capsys.readouterr()
    assert "leave-one-system-out, out of fold" in shown.out and "difference to the rules in F1" in shown.out
    assert shown.err == ""  # --quiet
    assert not (tmp_path / "o").exists() and (tmp_path / "o.report.json").is_file()


def test_resume_gives_what_an_uninterrupted_run_gives(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from training.evaluation.crossval import FoldStore

    arguments = ["--dataset", str(small), "--output", "mine", *CHEAP]
    (tmp_path / "whole").mkdir()
    (tmp_path / "parts").mkdir()
    monkeypatch.chdir(tmp_path / "whole")
    assert main(arguments) == 0
    monkeypatch.chdir(tmp_path / "parts")
    put = FoldStore.put

    def interrupted(store: FoldStore, *found: Any) -> None:
        put(store, *found)
        raise KeyboardInterrupt

    monkeypatch.setattr(FoldStore, "put", interrupted)
    assert run(main, arguments) == 130
    monkeypatch.setattr(FoldStore, "put", put)
    stored = json.loads(Path("mine.folds.json").read_text())
    assert list(stored["folds"]) == ["fold 1"]
    assert run(main, [*arguments, "folds=4", "--resume"]) == 1  # another recipe
    assert main([*arguments, "--resume"]) == 0
    for name in ("config.json", "weights.json"):
        assert Path("mine", name).read_bytes() == Path(tmp_path / "whole" / "mine", name).read_bytes()
    ours, theirs = (
        json.loads(path.read_text()) for path in (Path("mine/report.json"), tmp_path / "whole/mine/report.json")
    )
    assert ours.pop("command") == theirs.pop("command") + " --resume"
    assert ours == theirs
    assert not Path("mine.folds.json").exists()


def test_what_it_says_of_the_data_it_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FACTMATCH_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    loud = [argument for argument in CHEAP if argument != "--quiet"]
    assert main([*loud, "--output", str(tmp_path / "o"), "--no-checkpoint"]) == 0
    assert "recipe features on sample (the default)" in capsys.readouterr().err


def test_silver_and_generated_sentences_count_as_seen(small: Path, tmp_path: Path) -> None:
    output = tmp_path / "o"
    extra = ["supervision.silver_dataset=sample", "supervision.silver_weight=0.3"]
    assert main(["--dataset", str(small), "--output", str(output), *CHEAP, *extra]) == 0
    sample = load("sample", diagnostics=Diagnostics())
    assert set(open_checkpoint(str(output)).config["trained_on"]) == {sentence_hash(s.text) for s in sample.sentences}
    assert "the rules' matches in sentences without judgments of sample" in (output / "README.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--config", "moon"], "no recipe is called 'moon'"),
        (["fold=3"], "did you mean 'folds'?"),
        (["folds=1"], "folds must be at least 2"),
        (["--seed", "-1"], "seed must be at least 0"),
        (["--dataset", "moon"], "no data set or folder is called 'moon'"),
        (["classifier.groups_without=[edit]"], "did you mean 'edits'?"),
        (["classifier.features_without=[rankk]"], "did you mean 'rank'?"),
        (["supervision.silver_dataset=moon"], "supervision.silver_dataset is a folder, null, or one of"),
        (["--sweep", "moon"], "no sweep is called 'moon'"),
        (["--output", "taken"], "choose another --output"),
    ],
)
def test_mistakes_give_one_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken").write_text("a file")
    assert run(main, ["--dataset", "sample", "--output", "o", *CHEAP, *arguments]) == 1
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.startswith("error: ") and shown.err.count("\n") == 1
    assert message in shown.err
    assert not Path("o").exists()


def test_data_without_judgments_or_positives(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = small / "judgments" / "judgments.jsonl"
    none = [json.dumps({**json.loads(line), "clusters": []}) + "\n" for line in path.read_text().splitlines()]
    path.write_text("".join(none))
    arguments = ["--dataset", str(small), "--output", str(tmp_path / "o"), *CHEAP]
    assert run(main, arguments) == 1
    assert "there is no pair that matches to train on" in capsys.readouterr().err
    shutil.rmtree(path.parent)
    assert run(main, arguments) == 1
    assert "has no judgments" in capsys.readouterr().err


def test_the_current_folder_as_output(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert main(["--dataset", str(small), "--output", ".", *CHEAP]) == 0
    assert matchers.load(str(tmp_path / "here")).name == "features"


def test_wrong_usage() -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--resamples", "0"])
    assert stopped.value.code == 2


def test_help_is_quick() -> None:
    code = (
        "import sys, training.run\n"
        "try: training.run.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('numpy', 'scipy', 'sklearn', 'torch', 'optuna', 'yaml') if name in sys.modules])\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "examples:" in shown and shown.splitlines()[-1] == "[]"


@pytest.mark.skipif("features" not in shipped(), reason="checkpoints/features does not ship yet")
def test_the_shipped_checkpoint(real_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from matchers.score import main as score
    from training.benchmark import main as benchmark

    arguments = ["--data", str(real_data), "--quiet", "--dataset"]
    assert score([*arguments, "benchie_fl", "--matcher", "features", "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert len(result["systems"]) == 7 and all(0.05 < system["f1"] < 0.6 for system in result["systems"])
    matcher = matchers.load("features")
    judged = load("benchie_fl_match", real_data, Diagnostics())
    assert seen_sentences(matcher, judged) == 50
    assert run(benchmark, [*arguments, "benchie_fl_match", "--matchers", "rules,checkpoints/features"]) == 1
    assert "was trained on 50 of the 50 sentences" in capsys.readouterr().err


@pytest.fixture(scope="module")
def adapted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that adapts the shipped features to judgments of the sample."""
    folder = tmp_path_factory.mktemp("adapted")
    whole = load("sample", diagnostics=Diagnostics())
    part = whole.restricted([sentence.id for sentence in whole.sentences[:8]])
    training.train(part, start="features", overrides=["folds=2", "inner_folds=2"], resamples=50, output=folder / "mine")
    return folder / "mine"


def test_what_is_adapted_says_what_it_started_from(adapted: Path) -> None:
    report, checkpoint = json.loads((adapted / "report.json").read_text()), open_checkpoint(str(adapted))
    origin = open_checkpoint("features")
    assert report["start"] == checkpoint.config["training"]["start"]
    assert report["start"]["hash"] == origin.hash and f"|start:{origin.hash[:12]}|" in report["signature"]
    assert "started from the checkpoint features" in (adapted / "README.md").read_text()
    own = {sentence_hash(sentence.text) for sentence in load("sample", diagnostics=Diagnostics()).sentences[:8]}
    assert set(checkpoint.config["trained_on"]) == own | set(origin.config["trained_on"])
    assert seen_sentences(matchers.load(str(adapted)), load("sample", diagnostics=Diagnostics())) == 8
    assert report["name"] == "features-adapted" and report["supervision"] == []


def test_what_cannot_be_adapted(adapted: Path, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rest = ["--dataset", str(small), "--quiet"]
    for arguments, message in (
        (["--from", str(adapted)], "was trained on 8 of these sentences"),
        (["--from", str(tmp_path)], "is no checkpoint: it has no config.json"),
        (["--from", "nowhere"], "no checkpoint is called 'nowhere'"),
        (["--from", "hybrid"], "only checkpoints of features can be adapted"),
        (["--from", "features", "--config", "cross_encoder"], "the recipe cross_encoder is of kind"),
        (["--from", "features", "classifier.trees=9"], "classifier.trees has no effect"),
        (["--from", str(adapted), "--output", str(adapted)], "is the checkpoint to start from"),
    ):
        assert run(main, [*arguments, *rest]) == 1
        assert message in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--from", "features", "--supervision", "generated", *rest])
    assert "--from learns from the judgments alone" in capsys.readouterr().err


def test_resume_of_another_start_is_refused(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from training.evaluation.crossval import FoldStore

    put = FoldStore.put

    def interrupted(store: FoldStore, *found: Any) -> None:
        put(store, *found)
        raise KeyboardInterrupt

    arguments = ["--dataset", str(small), "folds=2", "inner_folds=2", "--resamples", "50", "--quiet", "--output"]
    output = str(tmp_path / "mine")
    monkeypatch.setattr(FoldStore, "put", interrupted)
    assert run(main, ["--from", "features", *arguments, output]) == 130
    monkeypatch.undo()
    other = tmp_path / "other"
    shutil.copytree(SHIPPED / "features", other)
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps({**config, "threshold": 0.6}))
    assert run(main, ["--from", str(other), *arguments, output, "--resume"]) == 1
    assert "belongs to a run with another recipe, start" in capsys.readouterr().err
    assert run(main, ["--from", "features", *arguments, output, "--resume"]) == 0
