"""A web server on the loopback address that serves invented files and misbehaves as told."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import unquote

from data.catalog import Dataset
from data.fetching.manifest import MANIFEST
from tests.loopback import Loopback

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILES = {
    "tiny/gold.txt": b"sent_id:1\tThe kettle sings .\n" * 40,
    "tiny/out/a.txt": bytes(range(256)) * 2000,
    "shared/b.txt": "Käse und Brötchen\n".encode() * 30,
    "carb/dev.tsv": b"The lamp hums .\thums\tThe lamp\n",
}
DATASETS = {
    "tiny": Dataset("tiny", "a tiny set", "tiny/gold.txt", {"a": "tiny/out/a.txt"}, citation="Nobody: tiny (1901)"),
    "other": Dataset("other", "shares a file", "shared/b.txt", {"a": "tiny/out/a.txt"}, citation="Somebody"),
}
BIG = "tiny/out/a.txt"


def upstream(path: str) -> str:
    """Another name than the local one, with characters that URLs quote."""
    return f"up/{path.replace('.', ' (1).')}"


def entry(path: str, content: bytes) -> dict[str, object]:
    return {
        "path": path,
        "repository": "some-one/re.po",
        "commit": COMMIT,
        "upstream_path": upstream(path),
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "licence": "MIT" if path.startswith("carb") else "CC BY 4.0",
    }


def write_manifest(target: Path, /, **changes: object) -> Path:
    """The manifest of the invented files; changes go to its first entry."""
    entries = [entry(name, content) for name, content in FILES.items()]
    entries[0] |= changes
    target.write_text(json.dumps(entries), encoding="utf-8")
    return target


def write_copy(folder: Path, *paths: str) -> Path:
    """A local copy of the invented files, or of some of them."""
    for path in paths or FILES:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(FILES[path])
    return folder


@dataclass
class FileServer(Loopback):
    """What is served, how it goes wrong, and what was asked for."""

    content: dict[str, bytes] = field(default_factory=lambda: dict(FILES))
    cuts: dict[str, list[int]] = field(default_factory=dict)  # send so many bytes, then close; one a request
    stalls: dict[str, int] = field(default_factory=dict)  # send so many bytes, then wait for `go_on`
    statuses: dict[str, int] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    announce: bool = True
    silent: bool = False
    requests: list[str] = field(default_factory=list)
    go_on: threading.Event = field(default_factory=threading.Event)

    def handler(self) -> type[BaseHTTPRequestHandler]:
        return _handler(self)

    def __exit__(self, *_: object) -> None:
        self.go_on.set()
        super().__exit__()


def _handler(server: FileServer) -> type[BaseHTTPRequestHandler]:
    names = {f"/some-one/re.po/{COMMIT}/{upstream(path)}": path for path in FILES}

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            path = names.get(unquote(self.path), self.path)
            server.requests.append(path)
            if server.silent:
                server.go_on.wait(20)
                return
            if path in server.redirects:
                self.send_response(302)
                self.send_header("Location", server.redirects[path])
                self.end_headers()
                return
            content = server.content.get(path)
            if path in server.statuses or content is None:
                self.send_error(server.statuses.get(path, 404))
                return
            self.send_body(path, content)

        def send_body(self, path: str, body: bytes) -> None:
            self.send_response(200)
            if server.announce:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            cuts = server.cuts.get(path)
            cut = cuts.pop(0) if cuts else server.stalls.get(path, len(body))
            try:
                self.wfile.write(body[:cut])
                if path in server.stalls:
                    self.wfile.flush()
                    server.go_on.wait(20)
            except OSError:  # the client has enough
                pass

    return Handler


def packaged_entries() -> list[dict[str, object]]:
    """The entries of the manifest that the package ships."""
    loaded: list[dict[str, object]] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return loaded
