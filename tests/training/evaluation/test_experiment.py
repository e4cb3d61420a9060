from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import matchers
from data.command_line import run
from matchers.checkpoints import open_checkpoint
from training.run import main

CHEAP = ("folds=3", "inner_folds=2", "--resamples", "50")
QUIET = (*CHEAP, "supervision.silver_dataset=null", "--quiet")


def test_the_run_says_what_it_is_trained_on(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--dataset", str(small), "--output", str(tmp_path / "o"), "--no-checkpoint", *CHEAP]
    assert main(["--data", str(tmp_path), *arguments]) == 0
    shown = capsys.readouterr().err
    assert "trained on beside the judgments: generated:small (12 sentences); benchie_fl is not at hand" in shown
    assert main([*arguments, "--supervision", "none", "--json", "-"]) == 0
    shown = capsys.readouterr()
    assert "trained on beside the judgments: nothing\n" in shown.err
    report = json.loads(shown.out)
    assert report["supervision"] == [] and "|supervision:none|" in report["signature"]
    assert run(main, ["--data", str(tmp_path), *arguments, "--quiet", "--supervision", "silver"]) == 1
    assert "--supervision silver: the recipe does not ask for it or finds none" in capsys.readouterr().err


def test_the_checkpoint_and_its_card_say_it_too(small: Path, tmp_path: Path) -> None:
    output = tmp_path / "o"
    assert main(["--dataset", str(small), "--output", str(output), *QUIET]) == 0
    told = open_checkpoint(str(output)).config["training"]
    assert [source["name"] for source in told["supervision"]] == ["generated:small"]
    assert told["judgments"] in told["signature"] and told["supervision"][0]["hash"] in told["signature"]
    assert told["signature"] in (output / "README.md").read_text()
    assert matchers.load(str(output)).name == "features"


@pytest.mark.parametrize(
    "change",
    [
        ["--supervision", "none"],
        ["supervision.generated_per_sentence=3"],
        ["inner_folds=3"],
        ["--seed", "2"],
        ["--protocol", "leave-one-system-out"],
        ["a judgment"],
        ["a formulation"],
    ],
    ids=" ".join,
)
def test_resume_refuses_what_was_begun_otherwise(
    change: list[str], small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from training.evaluation.crossval import FoldStore

    arguments = ["--dataset", str(small), "--output", str(tmp_path / "o"), "--no-checkpoint", *QUIET]
    put = FoldStore.put

    def interrupted(store: FoldStore, *found: Any) -> None:
        put(store, *found)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(FoldStore, "put", interrupted)
        assert run(main, arguments) == 130
    if change == ["a judgment"]:
        path = small / "judgments" / "judgments.jsonl"
        first, *rest = path.read_text().splitlines()
        path.write_text("\n".join([json.dumps({**json.loads(first), "clusters": []}), *rest]) + "\n")
    elif change == ["a formulation"]:
        path = small / "gold" / "gold.txt"
        path.write_text(path.read_text().replace("[", "", 1).replace("]", "", 1))
    asked = [] if change[0].startswith("a ") else change
    capsys.readouterr()
    assert run(main, [*arguments, *asked, "--resume"]) == 1
    assert "belongs to a run with another recipe" in capsys.readouterr().err
    assert (tmp_path / "o.folds.json").is_file()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"identity": "x"}', "\x00\xff", "[" * 5000])
def test_damaged_folds_are_refused(text: str, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "o.folds.json").write_bytes(text.encode("latin-1"))
    arguments = ["--dataset", str(small), "--output", str(tmp_path / "o"), "--no-checkpoint", *QUIET, "--resume"]
    assert run(main, arguments) == 1
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1 and "o.folds.json: is not a file of finished folds" in shown


def test_two_runs_into_one_folder_are_kept_apart(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    holding = (
        "import sys, time\nfrom pathlib import Path\nfrom training.fitting.processes import alone_in\n"
        "with alone_in(Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", holding, str(tmp_path / "o")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        arguments = ["--dataset", str(small), "--output", str(tmp_path / "o"), "--no-checkpoint", *QUIET]
        assert run(main, arguments) == 1
        shown = capsys.readouterr().err
        assert f"another run (process {other.pid}) is writing here" in shown and shown.count("\n") == 1
        os.kill(other.pid, signal.SIGKILL)  # however it ends, the folder is free then
    assert run(main, arguments) == 0
    assert not list(tmp_path.glob(".*.lock"))


def test_the_root_is_no_output(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(main, ["--dataset", str(small), *QUIET, "--output", "/"]) == 1
    assert (
        capsys.readouterr().err
        == "error: /: has no name, so that nothing can stand beside it; choose another --output\n"
    )


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_names_that_no_folder_can_have(
    name: str, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for flags in (["--output", str(tmp_path / name)], ["--config", name], ["--dataset", name], ["--sweep", name]):
        assert run(main, ["--dataset", str(small), "--output", str(tmp_path / "o"), *QUIET, *flags]) == 1
        shown = capsys.readouterr().err
        assert shown.startswith("error: ") and shown.count("\n") == 1
    assert not (tmp_path / "o").exists()


def test_json_alone_goes_to_stdout_when_somebody_watches(small: Path, tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")
    import pty

    tiny = ["cross_encoder.base_model=tiny", "cross_encoder.method=full", "cross_encoder.bf16=false", "folds=2"]
    tiny += ["cross_encoder.epochs=1", "cross_encoder.threshold_folds=0", "supervision.generated_weight=0"]
    tiny += ["cross_encoder.judged=true", "--resamples", "20", "--json", "-", "--no-checkpoint"]
    command = [sys.executable, "-m", "training.run", "--config", "cross_encoder", "--dataset", str(small), *tiny]
    parent, child = pty.openpty()
    try:
        started = time.monotonic()
        done = subprocess.run(
            [*command, "--output", str(tmp_path / "o")],
            stdout=subprocess.PIPE, stderr=child, stdin=subprocess.DEVNULL, check=False, timeout=240,
            cwd=Path(__file__).parents[3],
        )  # fmt: skip
        assert time.monotonic() - started < 240
    finally:
        os.close(child)
        shown = os.read(parent, 100_000).decode(errors="replace")
        os.close(parent)
    assert done.returncode == 0, shown
    assert json.loads(done.stdout)["kind"] == "cross_encoder"
    assert "this takes long: 2 cross-encoders are trained" in shown and "Traceback" not in shown
    assert sorted(path.name for path in tmp_path.iterdir()) == ["o.report.json", "small"]
