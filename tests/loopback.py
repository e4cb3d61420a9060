"""A web server of this process on the loopback address, for as long as a test asks it."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class Loopback:
    """Serves while it is entered; what it answers, a handler says."""

    def handler(self) -> type[BaseHTTPRequestHandler]:
        """What answers a request."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.http.daemon_threads = True
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.http.shutdown()
        self.http.server_close()
        self.thread.join(5)

    @property
    def base(self) -> str:
        """The address."""
        return f"http://127.0.0.1:{self.http.server_address[1]}"
