"""A chat server on the loopback address that answers by what it is told to, and misbehaves as told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.loopback import Loopback

Body = dict[str, Any]
Handler = BaseHTTPRequestHandler
Fault = Callable[[Handler], None]


def reply(text: str | None) -> bytes:
    """A reply of the protocol."""
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 30, "completion_tokens": 4}
    return json.dumps({"choices": [{"index": 0, "message": message}], "usage": usage}).encode()


def send(handler: Handler, status: int, content: bytes, **headers: str) -> None:
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(content)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


def status(code: int, content: bytes = b"", **headers: str) -> Fault:
    """Answers with a status."""
    return lambda handler: send(handler, code, content, **headers)


def cut(handler: Handler) -> None:
    """Announces more than it sends, then hangs up."""
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


def drop(handler: Handler) -> None:
    """Hangs up without a word."""
    handler.close_connection = True


def slow(seconds: float) -> Fault:
    """Waits before it answers; the client may be gone by then."""

    def wait(handler: Handler) -> None:
        time.sleep(seconds)
        try:
            send(handler, 200, reply('{"fact": 0}'))
        except OSError:
            handler.close_connection = True

    return wait


@dataclass
class ChatServer(Loopback):
    """What is answered, what goes wrong first, and what was asked."""

    answer: Callable[[Body], str | None] = lambda _: '{"fact": 0}'
    faults: list[Fault] = field(default_factory=list)  # one a request, until none is left
    always: Fault | None = None
    bodies: list[Body] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    pause: float = 0.0
    most_at_once: int = 0
    _at_once: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def handler(self) -> type[Handler]:
        return _handler(self)

    @property
    def base(self) -> str:
        return f"{super().base}/v1"

    def take(self, handler: Handler, body: Body) -> Fault | None:
        with self._lock:
            self.bodies.append(body)
            self.keys.append(handler.headers.get("Authorization"))
            self.times.append(time.monotonic())
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            return self.always or (self.faults.pop(0) if self.faults else None)

    def leave(self) -> None:
        with self._lock:
            self._at_once -= 1


def _handler(server: ChatServer) -> type[Handler]:
    class ChatHandler(Handler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:  # noqa: N802
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            fault = server.take(self, body)
            try:
                time.sleep(server.pause)
                if self.path != "/v1/chat/completions":
                    send(self, 404, b"no such page")
                elif fault:
                    fault(self)
                else:
                    send(self, 200, reply(server.answer(body)))
            except OSError:  # the client has gone
                self.close_connection = True
            finally:
                server.leave()

    return ChatHandler
