from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from data.catalog import load
from data.command_line import run
from data.problems import Diagnostics
from tests.training.sweeping.conftest import SWEEP
from training.labels.folds import folds
from training.labels.judged_parts import judged
from training.recipes import load_recipe
from training.run import main

pytest.importorskip("optuna", reason="needs the extra `sweep`")

JUDGED_ALONE = (
    *("folds=2", "supervision.generated_weight=0", "supervision.silver_weight=0", "supervision.levels=[first]"),
    "classifier.estimator=logistic_regression",
)
CHEAP = (*JUDGED_ALONE, "--resamples", "100")


def swept(file: Path, output: Path, *arguments: str) -> dict[str, Any]:
    assert run(main, ["--sweep", str(file), "--output", str(output), *CHEAP, "--quiet", *arguments]) == 0
    report: dict[str, Any] = json.loads((output / "sweep.json").read_text())
    return report


def test_a_sweep(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = swept(file, tmp_path / "o")
    shown = capsys.readouterr().out
    assert "sentences that no trial has seen" in shown and "difference of the best to the rules" in shown
    assert [trial["number"] for trial in report["trials"]] == [1, 2]
    best = max(report["trials"], key=lambda trial: trial["f1"])
    assert report["best"]["chosen"] == best["chosen"] and report["best"]["f1"] == best["f1"]
    held = report["held_out"]
    assert (report["sentences"], held["sentences"]) == (45, 23)
    assert [figure["name"] for figure in held["matchers"]] == ["rules", "as it was", "best"]
    assert held["difference"]["value"] == pytest.approx(held["matchers"][2]["f1"] - held["matchers"][0]["f1"])
    recipe = load_recipe(str(tmp_path / "o" / "best.yaml"))
    assert recipe == load_recipe("features", [*JUDGED_ALONE, *best["chosen"]])


def leave_running(log: Path) -> None:
    """Begin a trial as a worker that is killed does."""
    import optuna
    from optuna.storages.journal import JournalFileBackend, JournalStorage

    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    trial = optuna.load_study(study_name="sweep", storage=JournalStorage(JournalFileBackend(str(log)))).ask()
    trial.set_user_attr("worker", f"{platform.node()}:{process.pid}")


@pytest.mark.slow
def test_it_goes_on_and_gives_the_same(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from training.sweeping import sweep

    whole = swept(file, tmp_path / "whole")
    calls = []
    measure = sweep.Ground.inner_f1

    def interrupted(*arguments: Any) -> float:
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return measure(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep.Ground, "inner_f1", interrupted)
        assert run(main, ["--sweep", str(file), "--output", str(tmp_path / "o"), *CHEAP, "--quiet"]) == 130
    assert not (tmp_path / "o" / "sweep.json").exists()
    assert swept(file, tmp_path / "o") == whole
    # all trials are there: nothing is tried again, and the report is the same
    capsys.readouterr()
    assert swept(file, tmp_path / "o", "--json", "-") == json.loads(capsys.readouterr().out) == whole
    # more trials are added to those, though a worker that died seems to be at one
    leave_running(tmp_path / "o" / "study.log")
    file.write_text(SWEEP.replace("trials: 2", "trials: 3"))
    more = swept(file, tmp_path / "o")["trials"]
    assert more[:2] == whole["trials"] and [trial["number"] for trial in more] == [1, 2, 3]


def test_trials_never_see_what_is_held_out(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from training.fitting import trainers as train
    from training.sweeping import sweep

    work = judged(load("sample", diagnostics=Diagnostics()))
    split = folds(work, "sentence", 3, seed=1)[0]
    held = {work[position].sentence.text for position in split.test}
    seen: list[set[str]] = []
    call = train.FeatureTrainer.__call__

    def watched(trainer: Any, train: Any) -> Any:
        seen.append({trainer.material.work[position].sentence.text for position in train})
        return call(trainer, train)

    monkeypatch.setattr(train.FeatureTrainer, "__call__", watched)
    monkeypatch.setattr(sweep.Ground, "report", lambda *_: pytest.fail("the trials are done"))
    with pytest.raises(pytest.fail.Exception):
        main(["--sweep", str(file), "--output", str(tmp_path / "o"), *CHEAP, "--quiet"])
    assert len(seen) == 4 and not any(texts & held for texts in seen)


@pytest.mark.slow
def test_two_workers_share_the_trials(file: Path, tmp_path: Path) -> None:
    file.write_text(SWEEP.replace("trials: 2", "trials: 5"))
    command = [sys.executable, "-m", "training.run", "--sweep", str(file), "--output", str(tmp_path / "o"), *CHEAP]
    alone = {**os.environ, "OMP_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    workers = [subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=alone) for _ in range(2)]
    shown = [worker.communicate(timeout=300) for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0], shown
    report = json.loads((tmp_path / "o" / "sweep.json").read_text())
    assert len(report["trials"]) == 5
    assert sum(" of 5 trials: F1 " in line for _, err in shown for line in err.splitlines()) == 5
    assert any("difference of the best to the rules" in out for out, _ in shown)


def test_another_sweep_s_folder_is_refused(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    swept(file, tmp_path / "o")
    capsys.readouterr()
    arguments = ["--sweep", str(file), "--output", str(tmp_path / "o"), *CHEAP, "--quiet", "--seed", "2"]
    assert run(main, arguments) == 1
    assert (
        "is of a sweep with another space, recipe, data set, supervision, protocol or seed" in capsys.readouterr().err
    )


def test_a_damaged_study(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / "study.log").write_text("not a study\nat all\n")
    assert run(main, ["--sweep", str(file), "--output", str(tmp_path / "o"), *CHEAP, "--quiet"]) == 1
    assert "is no study, or damaged" in capsys.readouterr().err


def test_without_optuna(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    assert run(main, ["--sweep", str(file), "--output", str(tmp_path / "o"), "--quiet"]) == 1
    assert capsys.readouterr().err == "error: a sweep needs Optuna: pip install '.[sweep]'\n"
