"""Downloading one file over HTTP: retried when cut, given up when slow, put into its place when verified."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from data.fetching.manifest import Check, Content, RemoteFile, place
from data.formats.textfile import sha256, write_bytes
from data.problems import InputError

if TYPE_CHECKING:
    from urllib.request import OpenerDirector

BASE = "https://raw.githubusercontent.com"
VARIABLE = "FACTMATCH_FETCH_BASE"
CHUNK = 1 << 16


class ServerError(InputError):
    """A failure that the next file would meet as well: the server can't be reached, or refuses."""


class _CutError(Exception):
    """The connection ended before the file did; worth another try."""


@dataclass(frozen=True)
class Remote:
    """The server that files come from, how long it may be silent, and the pauses before further tries (seconds).

    `slowest` is how many bytes a second it must send in the mean.
    """

    base: str = BASE
    timeout: float = 10.0
    pauses: tuple[float, ...] = (0.5, 1.0, 2.0)
    slowest: float = 5_000.0

    @property
    def host(self) -> str:
        """The server's name, for messages."""
        return urlsplit(self.base).netloc


def remote_from_environment() -> Remote:
    """GitHub, or the mirror that FACTMATCH_FETCH_BASE names."""
    base = os.environ.get(VARIABLE, "").strip().rstrip("/")
    if not base:
        return Remote()
    try:
        parts = urlsplit(base)
        usable = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
        _ = parts.port  # raises when it is no number
    except ValueError:
        usable = False
    # A password would end up in messages and logs, so the value is not repeated here.
    if not usable or "@" in parts.netloc or re.search(r"[\s\x00-\x1f]", base):
        raise InputError(f"{VARIABLE} must look like https://host/path, without a user, a query or spaces")
    return Remote(base)


def download(file: RemoteFile, folder: Path, remote: Remote, seen: Callable[[int], None] = lambda _: None) -> None:
    """Bring one file into the folder, whole and verified, or raise; `seen` is told how many bytes there are so far."""
    path = place(file, folder)
    content = _received(file, remote, seen)
    result = Check(file, Content(sha256(content), len(content)))
    if not result.verified:
        raise InputError(f"the download from {file.url(remote.base)} is corrupted and was not kept: {result}", path)
    write_bytes(path, content, make_folders=True)


def _received(file: RemoteFile, remote: Remote, seen: Callable[[int], None]) -> bytes:
    """The file's bytes, over several tries if connections are cut."""
    for pause in (*remote.pauses, None):
        try:
            return _in_time(lambda: _receive(file, remote, seen), remote, file)
        except _CutError as cut:
            if pause is None:
                message = f"the connection to {remote.host} broke off ({cut}); try again later"
                raise ServerError(message, file.path) from None
            time.sleep(pause)
    raise AssertionError("the last try returns or raises")


def _in_time(receive: Callable[[], bytes], remote: Remote, file: RemoteFile) -> bytes:
    """What a try receives; one that takes too long in all is given up, however busily the server drips."""
    result: list[bytes | BaseException] = []

    def work() -> None:
        try:
            result.append(receive())
        except BaseException as error:
            result.append(error)

    patience = remote.timeout + file.size / remote.slowest
    thread = threading.Thread(target=work, daemon=True)  # it only receives, so it may be left alone
    thread.start()
    thread.join(patience)
    if not result:
        raise ServerError(f"{remote.host} is too slow: {file.size} bytes took more than {patience:.0f} s", file.path)
    if isinstance(result[0], BaseException):
        raise result[0]
    return result[0]


def _receive(file: RemoteFile, remote: Remote, seen: Callable[[int], None]) -> bytes:
    """The answer to one request."""
    content = bytearray()
    with _open(file, remote) as response:
        announced = response.length
        # One byte more than expected shows that the file is wrong; a server can't fill the memory.
        while len(content) <= file.size and (chunk := _read(response, min(CHUNK, file.size + 1 - len(content)))):
            content += chunk
            seen(len(content))
    if len(content) < file.size and (announced is None or len(content) < announced):
        raise _CutError(f"after {len(content)} of {file.size} bytes")
    return bytes(content)


def _open(file: RemoteFile, remote: Remote) -> Any:
    from http.client import HTTPException, responses
    from urllib.error import HTTPError, URLError
    from urllib.request import Request

    url = file.url(remote.base)
    try:
        request = Request(url, headers={"User-Agent": "factmatch", "Accept-Encoding": "identity"})
        return _opener().open(request, timeout=remote.timeout)
    except HTTPError as error:
        error.close()
        kind = InputError if error.code in (404, 410) else ServerError
        phrase = f"{error.code} {responses.get(error.code, '')}".rstrip()
        raise kind(f"the server answered {phrase} for {url}", file.path) from None
    except URLError as error:
        if isinstance(error.reason, ConnectionResetError | BrokenPipeError):
            raise _CutError(_reason(error.reason)) from None
        raise _unreachable(remote, error.reason) from None
    except TimeoutError as error:
        raise _unreachable(remote, error) from None
    except OSError as error:
        raise _CutError(_reason(error)) from None
    except (HTTPException, ValueError) as error:
        raise ServerError(f"{remote.host} did not answer as a web server does ({_reason(error)})") from None


def _opener() -> OpenerDirector:
    """HTTP and proxies only: no redirection to a local file or FTP."""
    from urllib import request

    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler, request.HTTPHandler, request.HTTPSHandler, request.HTTPRedirectHandler,
        request.HTTPDefaultErrorHandler, request.HTTPErrorProcessor, request.UnknownHandler,
    ):  # fmt: skip
        opener.add_handler(handler())
    return opener


def _unreachable(remote: Remote, reason: object) -> ServerError:
    why = "no answer in time" if isinstance(reason, TimeoutError) else _reason(reason)
    return ServerError(f"{remote.host} can't be reached ({why})")


def _reason(reason: object) -> str:
    text = (reason.strerror if isinstance(reason, OSError) else None) or str(reason) or type(reason).__name__
    # What a server sends must not steer the terminal.
    return "".join(character if character.isprintable() else "?" for character in text[:200])


def _read(response: Any, most: int) -> bytes:
    from http.client import HTTPException

    try:
        return bytes(response.read1(most))
    except (OSError, HTTPException, ValueError) as error:
        why = "no more bytes came in time" if isinstance(error, TimeoutError) else _reason(error)
        raise _CutError(why) from None
