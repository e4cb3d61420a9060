"""Learning in the background: a process of its own, its progress, and its end."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from data.formats.benchie import write_gold
from data.formats.textfile import write_bytes
from data.model import Benchmark
from training.studio.exports import Credited, judgment_lines
from training.studio.facts import RefusedError
from training.studio.machine import CHECKPOINTS

PATIENCE = 5.0  # seconds that a cancelled process gets to end by itself


@dataclass(frozen=True)
class Progress:
    """How far learning is: running, done, cancelled, failed, or idle when it was never begun."""

    state: str = "idle"
    doing: str = ""
    step: int = 0
    steps: int = 0
    points: tuple[dict[str, float], ...] = ()
    difference: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    checkpoint: str = ""
    judgments: int = 0


class Learner:
    """Runs one process at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / CHECKPOINTS
        self.progress = self._last()
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def _last(self) -> Progress:
        """What the last run found, which stands beside the checkpoints."""
        try:
            value = json.loads((self.folder / "learning.json").read_bytes())
            return Progress(**{**value, "points": tuple(value["points"])})
        except (OSError, ValueError, TypeError, KeyError):
            return Progress()

    def start(self, benchmark: Benchmark, judged: list[Credited], base: str = "") -> None:
        """Begin to learn from these judgments, from scratch or from a shipped checkpoint."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                raise RefusedError("The studio is learning already; cancel that first.")
            if not judged:
                raise RefusedError("Nothing is judged yet.")
            copy = Path(tempfile.mkdtemp(prefix="factmatch-learn-"))
            for name in ("gold", "judgments"):
                (copy / name).mkdir()
            write_gold(benchmark, copy / "gold" / "gold.txt")
            write_bytes(copy / "judgments" / "judgments.jsonl", judgment_lines(judged))
            name = self._fresh_name()
            self.folder.mkdir(parents=True, exist_ok=True)
            command = [
                sys.executable,
                "-m",
                "training.studio.learner",
                str(copy),
                str(self.folder / name),
                "--base",
                base,
            ]
            root = str(Path(__file__).resolve().parents[2])
            self._process = subprocess.Popen(
                command,
                cwd=root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            self.progress = Progress("running", "starting", judgments=len(judged))
            threading.Thread(target=self._follow, args=(self._process, copy, name), daemon=True).start()

    def _fresh_name(self) -> str:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        names = (stamp, *(f"{stamp}-{number}" for number in range(2, 100)))
        return next(f"learned-{name}" for name in names if not (self.folder / f"learned-{name}").exists())

    def _follow(self, process: subprocess.Popen[str], copy: Path, name: str) -> None:
        """Read what the process says until it ends."""
        assert process.stdout is not None
        assert process.stderr is not None
        judgments = self.progress.judgments
        said: dict[str, Any] = {"points": []}
        for line in process.stdout:
            with contextlib.suppress(ValueError):
                said = json.loads(line)
                self.progress = Progress(
                    "running", said.get("doing", ""), said.get("step", 0), said.get("steps", 0),
                    tuple(said.get("points", ())), judgments=judgments,
                )  # fmt: skip
        complaint = process.stderr.read().strip().splitlines()
        process.wait()
        shutil.rmtree(copy, ignore_errors=True)
        if said.get("done") and process.returncode == 0:
            found = Progress(
                "done", "", said["step"], said["steps"], tuple(said["points"]), said["difference"], "", name, judgments
            )
            with contextlib.suppress(OSError):
                write_bytes(self.folder / "learning.json", json.dumps(vars(found)).encode())
            self.progress = found
        elif self.progress.state != "cancelled":
            reason = said.get("error") or (complaint[-1] if complaint else f"it ended with {process.returncode}")
            self.progress = Progress("failed", error=str(reason), judgments=judgments)

    def cancel(self) -> None:
        """End the process that is learning; what it had is dropped."""
        process = self._process
        if process is None or process.poll() is not None:
            raise RefusedError("The studio is not learning.")
        self.progress = Progress("cancelled")
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()

    def close(self) -> None:
        """End with the studio."""
        with contextlib.suppress(RefusedError):
            self.cancel()
