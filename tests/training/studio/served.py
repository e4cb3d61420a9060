"""A studio that runs as people run it: a process of its own on a free port, and a client that speaks to it plainly."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]


@dataclass
class Answer:
    """A status, the headers, and the body."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)


class Served:
    """A running studio."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self.folder = folder
        command = [sys.executable, "-m", "training.studio", str(folder), "--no-browser", "--port", "0", *flags]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ}
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"(https?://[\w.\[\]:-]+?(?::(\d+))?)(/join/\S+)?(?=\s)", line)
        if not found:
            assert self.process.stderr is not None
            raise AssertionError(f"it did not start: {line} {self.process.stderr.read()}")
        listens = re.search(r"listens at \S+:(\d+)", line)
        self.address, self.port, self.link = found[1], int(listens[1] if listens else found[2]), found[3] or ""
        self.cookie = ""

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None, cookie: str | None = None
    ) -> Answer:
        """One request; a change says that it is from the studio's own pages unless `headers` say otherwise."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        given = {"Host": f"127.0.0.1:{self.port}"}
        if method != "GET":
            given["Origin"] = f"http://127.0.0.1:{self.port}"
        secret = self.cookie if cookie is None else cookie
        if secret:
            given["Cookie"] = secret
        given.update(headers or {})
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        try:
            connection.request(method, path, content, {k: v for k, v in given.items() if v is not None})
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())
        finally:
            connection.close()

    def get(self, path: str, cookie: str | None = None) -> Any:
        answer = self.ask("GET", f"/api/{path}", cookie=cookie)
        assert answer.status == 200, answer.content
        return answer.json

    def post(self, path: str, body: Any = None, cookie: str | None = None) -> Any:
        answer = self.ask("POST", f"/api/{path}", {} if body is None else body, cookie=cookie)
        assert answer.status == 200, answer.content
        return answer.json

    def invite(self, name: str) -> str:
        """The cookie of somebody who was invited and came."""
        link = self.post("people/invite", {"name": name})["link"]
        return self.join(link.removeprefix(self.address))

    def join(self, path: str) -> str:
        answer = self.ask("POST", path, b"", cookie="")
        assert answer.status == 303, answer.content
        return answer.headers["set-cookie"].partition(";")[0]

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self._wait()

    def stop(self) -> None:
        """End it as Ctrl+C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self._wait()

    def _wait(self) -> None:
        try:
            self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
