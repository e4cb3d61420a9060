"""The console command, also in a folder that has packages of our names."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from data.command_line import COMMANDS, own_process
from matchers.signature import VERSION
from training import console

ROOT = Path(__file__).parents[2]


def test_every_command_is_listed_with_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert console.main(["--help"]) == 0
    printed = capsys.readouterr().out
    for name in COMMANDS:
        assert f"\n  {name} " in printed


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert console.main(["--version"]) == 0
    assert capsys.readouterr().out == f"factmatch {VERSION}\n"


def test_no_such_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert console.main(["scor"]) == 2
    assert "no command is called 'scor'" in capsys.readouterr().err


def test_nothing_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert console.main([]) == 2


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """A folder with a `data.py` and a `training` of its own."""
    (tmp_path / "data.py").write_text("raise RuntimeError('not yours')\n")
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "__init__.py").write_text("raise RuntimeError('nor this')\n")
    return tmp_path


def test_it_works_beside_packages_of_our_names(crowded: Path) -> None:
    installed = Path(sys.executable).with_name("factmatch")
    if not installed.exists():
        pytest.skip("factmatch is not installed in this environment: make setup")
    done = subprocess.run(
        [str(installed), "score", "--dataset", "sample", "--resamples", "10", "--quiet"],
        cwd=crowded, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "pithy" in done.stdout
    helped = subprocess.run([str(installed), "lint", "--help"], cwd=crowded, capture_output=True, text=True, check=True)
    assert "usage: factmatch lint" in helped.stdout and "python -m" not in helped.stdout.split("options:")[0]


def test_its_processes_work_there_too(crowded: Path) -> None:
    """Speed is measured in processes of their own; they take the project's packages, not the folder's."""
    for module in ("matchers.score", "training.comparison.speed"):
        done = subprocess.run(own_process(module, ["--help"]), cwd=crowded, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and "usage: " in done.stdout, done.stderr


@pytest.mark.parametrize("command", ["matchers.score", "matchers.explain", "training.run", "training.benchmark"])
def test_python_m_says_what_is_in_the_way(command: str, crowded: Path) -> None:
    shutil.rmtree(crowded / "training")
    done = subprocess.run(
        [sys.executable, "-m", command, "--dataset", "sample"],
        cwd=crowded, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "data.py stands in the way" in done.stderr and "factmatch" in done.stderr
