from __future__ import annotations

from pathlib import Path

import pytest

from data.formats.growing import growing
from data.problems import InputError


def test_a_file_is_there_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text("before")
    with growing(str(path)) as stream:
        stream.write("one\n")
        stream.flush()
        assert path.read_text() == "before"
    assert path.read_bytes() == b"one\n" and list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), growing(str(tmp_path / "lines.jsonl")) as stream:
        stream.write("one\n")
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())


def test_stdout_gets_all_or_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="wrong"), growing("-") as stream:
        stream.write("one\n")
        raise ValueError("wrong")
    assert capsys.readouterr().out == ""
    with growing("-") as stream:
        stream.write("one\n")
    assert capsys.readouterr().out == "one\n"


def test_what_can_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not written"), growing(str(tmp_path / "lines.gz")):
        pass
    with pytest.raises(InputError, match="can't be written"), growing(str(tmp_path / "no folder" / "lines")):
        pass
