"""Killed at any moment: nothing that was acknowledged is lost, and the studio opens again."""

from __future__ import annotations

import contextlib
import http.client
import json
import multiprocessing
import os
import random
import re
import signal
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from training.studio.command import main
from training.studio.studio import Studio

KILLS = 50
NURSERY = multiprocessing.get_context(
    "forkserver"
)  # a process that has the imports behind it and is forked for each life


def _life(folder: str, line: Connection) -> None:
    """What the command does, with what it prints sent to the test."""
    os.dup2(line.fileno(), 1)
    main([folder, "--no-browser", "--port", "0"])


@pytest.mark.slow
def test_killed_fifty_times_at_random_moments(tmp_path: Path) -> None:
    """Every edit that was answered with 200 is in the log; the one that was on its way may or may not be."""
    folder, chance = tmp_path / "mine", random.Random(7)
    studio = Studio(folder)
    studio.take("Ada", studio.incoming(b"The ferry left.", ""))
    studio.close()
    NURSERY.set_forkserver_preload([__name__, "training.studio.app", "uvicorn"])
    acknowledged: list[str] = []
    for number in range(KILLS):
        live(folder, chance.uniform(0.0, 0.12), number, acknowledged)
    studio = Studio(folder)
    pictures = [*studio.draft(1).past, studio.draft(1).now]
    there = {str(f) for picture in pictures for c in picture.clusters for f in c.formulations}
    assert [text for text in acknowledged if text not in there] == []
    assert len(acknowledged) > KILLS  # it did work in between
    studio.close()


def live(folder: Path, seconds: float, number: int, acknowledged: list[str]) -> None:
    """One life of a studio: edits as fast as they are answered, until it is killed."""
    ours, theirs = NURSERY.Pipe(duplex=False)
    process = NURSERY.Process(target=_life, args=(str(folder), theirs))
    process.start()
    theirs.close()
    with os.fdopen(os.dup(ours.fileno())) as said:
        found = re.search(r":(\d+)", said.readline())
    assert found, "it did not start"
    timer = threading.Timer(seconds, process.kill)
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):  # until the line is dead
        edits(int(found[1]), number, acknowledged, timer)
    timer.join()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def edits(port: int, number: int, acknowledged: list[str], timer: threading.Timer) -> None:
    """Add a cluster, and another in its place, and so on; the first one is answered before the end begins."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    own = f"127.0.0.1:{port}"

    def ask(method: str, path: str, body: dict[str, object] | None = None) -> dict[str, Any]:
        connection.request(
            method, f"/api/sentences/1{path}", json.dumps(body), {"Host": own, "Origin": f"http://{own}"}
        )
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == 200, content
        return dict(json.loads(content))

    draft = ask("GET", "")
    for count in range(100_000):
        text = f"ferry{number} --> left --> pier{count}"
        old = {"operation": "replace", "cluster": draft["clusters"][0]["id"]} if draft["clusters"] else {}
        edit = {"operation": "add", "target": "new", **old, "text": text, "version": draft["version"]}
        draft = ask("POST", "/edit", edit)
        acknowledged.append(text)
        if not count:
            timer.start()
