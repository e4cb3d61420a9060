"""What all commands share: exit codes, one-line errors, and outputs that can fail."""

from __future__ import annotations

import argparse
import importlib
import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from data.command_line import add_reading_flags, check_outputs, diagnostics_of, run, table, write_json, write_output
from data.problems import InputError

ROOT = Path(__file__).parents[2]
GOLD = "sent_id:1\tRain\x1b]0;owned\x07 fell on Köln .\n1--> Cluster 1:\n[Rain\x1b[2J --> fell --> on Köln\n"


def refusing(error: BaseException) -> int:
    def main(_: Sequence[str] | None) -> int:
        raise error

    return run(main)


def test_a_users_mistake_is_one_line_and_exit_code_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert refusing(InputError("is odd", "gold.txt", 3)) == 1
    assert capsys.readouterr() == ("", "error: gold.txt:3: is odd\n")


def test_an_interruption_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert refusing(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_a_mistake_of_ours_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        refusing(ZeroDivisionError())
    with pytest.raises(PermissionError):
        refusing(PermissionError(13, "Permission denied"))


def lint(path: Path, **streams: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "data.lint", str(path), "--show", "all"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | dict(streams.pop("environment", {}))  # type: ignore[call-overload]
    return subprocess.Popen(command, cwd=path.parent, env=environment, **streams)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.txt"
    path.write_text(GOLD, encoding="utf-8")
    return path


def on_a_terminal(gold: Path, encoding: str) -> tuple[int, bytes]:
    """The exit code of a command, and what its terminal got."""
    ours, theirs = pty.openpty()
    process = lint(gold, stdout=theirs, stderr=theirs, environment={"PYTHONIOENCODING": encoding})
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 65536):
            shown += chunk
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return process.wait(60), shown


def test_escape_sequences_of_a_file_do_not_reach_the_terminal(gold: Path) -> None:
    code, shown = on_a_terminal(gold, "utf-8")
    assert code == 0 and b"\x1b" not in shown and b"\x07" not in shown
    assert rb"Rain\x1b[2J --> fell" in shown and "Köln".encode() in shown


def test_a_terminal_that_cannot_show_a_text_gets_it_spelled(gold: Path) -> None:
    code, shown = on_a_terminal(gold, "ascii")
    assert code == 0 and rb"K\xf6ln" in shown


def test_a_pipe_that_cannot_take_a_text_is_an_error(gold: Path) -> None:
    process = lint(gold, stdout=subprocess.PIPE, stderr=subprocess.PIPE, environment={"PYTHONIOENCODING": "ascii"})
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert err.decode() == "error: stdout is ascii and can't take '\\xf6'; set PYTHONIOENCODING=utf-8\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_an_error(gold: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        process = lint(gold, stdout=full, stderr=subprocess.PIPE)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert err.decode() == "error: the output can't be written: No space left on device\n"


def test_a_reader_that_has_gone_is_no_error(gold: Path) -> None:
    process = lint(gold, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout and process.stderr
    process.stdout.close()
    assert process.wait(60) == 0 and process.stderr.read() == b""
    process.stderr.close()


def test_a_table_cannot_steer_a_terminal() -> None:
    assert table([["system", "f1"], ["pi\x1b[2Jthy", "0.5"]]).splitlines()[2] == r"pi\x1b[2Jthy  0.5"


def test_strict_and_lenient_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    command = argparse.ArgumentParser()
    add_reading_flags(command)
    diagnostics = diagnostics_of(command.parse_args(["--lenient"]))
    assert diagnostics.lenient and not diagnostics.strict
    with pytest.raises(SystemExit) as caught:
        command.parse_args(["--lenient", "--strict"])
    assert caught.value.code == 2 and "not allowed with" in capsys.readouterr().err


def checked(**targets: str | None) -> None:
    check_outputs(argparse.ArgumentParser(), argparse.Namespace(**targets), *targets)


def test_outputs_are_checked_before_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checked(json="-", csv=str(tmp_path / "a.csv"), report=None)
    with pytest.raises(SystemExit):
        checked(json="-", csv="-")
    assert "--json and --csv can't go to stdout together" in capsys.readouterr().err
    with pytest.raises(InputError, match=r"x\.html: can't be written: there is no folder .*none; make it first"):
        checked(report=str(tmp_path / "none" / "x.html"))
    assert not (tmp_path / "none").exists()


def test_outputs_go_to_stdout_or_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_json({"a": "é"}, "-")
    assert capsys.readouterr().out == '{\n  "a": "é"\n}\n'
    write_output("text", str(tmp_path / "a.txt"))
    assert (tmp_path / "a.txt").read_text() == "text"
    with pytest.raises(InputError, match="there is no folder"):
        write_output("text", str(tmp_path / "none" / "a.txt"))
    write_output("text", str(tmp_path / "new" / "a.txt"), make_folders=True)
    assert (tmp_path / "new" / "a.txt").read_text() == "text"


@pytest.mark.parametrize(
    "name", ["x" * 300, "a\x00b", "\udcff\udcfe", "x/" * 3000], ids=["long", "nul", "bytes", "deep"]
)
@pytest.mark.parametrize(
    "arguments",
    [
        ["data.lint", "{}"],
        ["data.lint", "--dataset", "{}"],
        ["data.lint", "--dataset", "sample", "--against", "{}"],
        ["data.lint", "--dataset", "sample", "--data", "{}", "--json", "{}"],
        ["data.convert", "{}", "out", "--to", "carb"],
        ["data.convert", "gold.txt", "none/{}", "--to", "carb"],
        ["data.attack", "{}", "--kind", "naive"],
        ["data.attack", "sample", "--kind", "naive", "--output", "none/{}"],
        ["data.fetch", "--from", "{}"],
        ["data.fetch", "{}"],
    ],
)
def test_names_that_no_file_can_have_are_told_in_a_line(
    gold: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], name: str
) -> None:
    monkeypatch.chdir(gold.parent)
    monkeypatch.setenv("XDG_CACHE_HOME", str(gold.parent / "cache"))
    module, *given = (argument.replace("{}", name) for argument in arguments)
    if module == "data.lint" and "--json" in given and name == "\udcff\udcfe":
        pytest.skip("a file may have such a name, and is written")
    assert run(importlib.import_module(module).main, given) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("error: ") and "\x00" not in error
