"""docs/own-data.md, done as it says: its files written, its commands run, in an empty folder."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "own-data.md"
BLOCK = re.compile(r"^```(file|command)(?: ([^\n]*))?\n(.*?)^```$", re.M | re.S)


def test_the_page_holds(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="needs the extra `train`")
    blocks = BLOCK.findall(PAGE.read_text())
    shown: list[str] = []
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path), "FACTMATCH_DATA": ""}
    for kind, argument, text in blocks:
        if kind == "file":
            path = tmp_path / argument
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            continue
        expected = {int(code) for code in argument.split()} or {0}
        for line in text.splitlines():
            words = shlex.split(line)
            assert words[:2] == ["python", "-m"]
            command = [sys.executable, *words[1:]]
            done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode in expected, f"{line}\n{done.stderr}"
            assert "Traceback" not in done.stderr
            shown.append(done.stdout + done.stderr)
    everything = "\n".join(shown)
    assert "out of fold, 6-fold by sentence" in everything or "6-fold by sentence, out of fold" in everything
    assert "trained on beside the judgments: generated:mine (6 sentences)\n" in everything
    assert "was trained on 6 of the 6 sentences" in shown[-1]
    assert (tmp_path / "runs" / "mine" / "README.md").is_file()
    assert "is for its owner to say" in (tmp_path / "runs" / "mine" / "README.md").read_text()
