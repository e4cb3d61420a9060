"""Who may talk to the studio: checks of every request before anything else sees it, and the headers of every answer.

The Host must be an address of ours, so that no name elsewhere can be made to point here. A change must come from one of
our pages: its Origin is ours or, where a browser sends none, Sec-Fetch-Site says so. Nothing else is accepted.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from data.problems import InputError
from training.studio.uploads import LARGEST

SAFE_METHODS = ("GET", "HEAD")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def is_loopback(host: str) -> bool:
    """Whether an address can only be reached from this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def checked_address(text: str) -> str:
    """The address that people type, where a proxy stands before the studio: a scheme, a name, perhaps a port.

    >>> checked_address("https://Facts.Example.org/")
    'https://facts.example.org'
    """
    try:
        parts = urlsplit(text.lower())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    name = parts.hostname or ""
    rest = (parts.username, parts.password, parts.query, parts.fragment, parts.path.strip("/"))
    if parts.scheme not in ("http", "https") or not re.fullmatch(r"[a-z0-9.-]+", name) or any(rest):
        raise InputError(f"--address is like https://facts.example.org, and {text!r} is not")
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{name}" + (f":{port}" if port not in (None, usual) else "")


def host_allowed(header: str, port: int, names: Iterable[str]) -> bool:
    """Whether a Host header names us: loopback, the address we were told to bind to, each with our port.

    >>> host_allowed("127.0.0.1:8137", 8137, ()), host_allowed("evil.example:8137", 8137, ())
    (True, False)
    """
    try:
        parts = urlsplit(f"//{header}")
        host, given = parts.hostname, parts.port
    except ValueError:
        return False
    return bool(host) and (given or 80) == port and host in (*LOOPBACK, *names) and "@" not in header


class Guard:
    """Refuses requests that are not ours, and bodies that are too large."""

    def __init__(self, app: ASGIApp, port: int, names: tuple[str, ...] = (), public: str = "") -> None:
        self.app, self.port, self.names, self.public = app, port, names, public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer why not."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self.refusal(scope["method"], Headers(scope=scope))
        if refusal:
            await PlainTextResponse(refusal[1], refusal[0])(scope, receive, with_headers)
            return
        await self.app(scope, _limited(receive), with_headers)

    def refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        """Why a request is refused, with a status; None if it is not."""
        if len(headers.getlist("host")) != 1 or not self._is_ours(headers["host"]):
            return 421, "This address is not the studio's."
        if headers.get("content-length", "0").isdecimal() and int(headers.get("content-length", "0")) > LARGEST:
            return 413, f"More than {LARGEST // 1024 // 1024} MB at once are not taken."
        if method in SAFE_METHODS:
            return None
        if method != "POST":
            return 405, "The studio knows GET and POST."
        if not self._is_own(headers):
            return 403, "A change must come from the studio's own pages."
        return None

    def _is_ours(self, host: str) -> bool:
        if self.public and host.lower() == self.public.partition("://")[2]:
            return True
        return host_allowed(host, self.port, self.names)

    def _is_own(self, headers: Headers) -> bool:
        site = headers.get("sec-fetch-site")
        if site is not None and site != "same-origin":
            return False
        origin = headers.get("origin")
        if origin is None:
            return site == "same-origin"
        if self.public and self._is_ours(headers["host"]) and origin == self.public:
            return True
        return origin == f"http://{headers['host']}"


class TooLargeError(Exception):
    """A body that was longer than it may be."""


def _limited(receive: Receive) -> Receive:
    """A body that ends with an error when it is too long, whatever its length was said to be."""
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > LARGEST:
            raise TooLargeError
        return message

    return limited
