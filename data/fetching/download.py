"""Downloading one file over HTTP: resumed where it stopped, retried when cut, renamed into place when verified."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from data.manifest import PART, RemoteFile, check, place
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
    """The server that files come from, how long it may be silent, and the pauses before further tries (seconds)."""

    base: str = BASE
    timeout: float = 10.0
    pauses: tuple[float, ...] = (0.5, 1.0, 2.0)

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
    """Bring one file into the folder, whole and verified, or raise; `seen` is told how many bytes there are so far.

    An unfinished `.part` of an earlier run is continued. If the result is wrong, its beginning may have been, so
    the file is downloaded once more from the start before it is called corrupted.
    """
    path = place(file, folder)
    part = path.with_name(path.name + PART)
    resumed = _complete(file, part, remote, seen)
    result = check(file, part)
    if resumed and not result.verified:
        _remove(part)
        _complete(file, part, remote, seen)
        result = check(file, part)
    if not result.verified:
        _remove(part)
        raise InputError(f"the download from {file.url(remote.base)} is corrupted and was deleted: {result}", path)
    try:
        part.replace(path)
    except OSError as error:
        raise InputError(f"can't be written: {error.strerror}", path) from None


def _complete(file: RemoteFile, part: Path, remote: Remote, seen: Callable[[int], None]) -> bool:
    """Download what the part lacks, over several connections if need be; whether the first continued an old part."""
    resumed = False
    for number, pause in enumerate((*remote.pauses, None)):
        start = part.stat().st_size if part.is_file() else 0
        if start > file.size:
            _remove(part)
            start = 0
        resumed = resumed or (number == 0 and start > 0)
        if start and start == file.size:
            break
        try:
            _receive(file, part, start, remote, seen)
            break
        except _CutError as cut:
            if pause is None:
                message = f"the connection to {remote.host} broke off ({cut}); the same command continues it"
                raise ServerError(message, file.path) from None
            time.sleep(pause)
    return resumed


def _receive(file: RemoteFile, part: Path, start: int, remote: Remote, seen: Callable[[int], None]) -> None:
    """One request: append to the part where the server continues it, else write it anew."""
    with _open(file, part, start, remote) as response:
        continued = start > 0 and response.status == 206
        if continued and not re.match(rf"bytes {start}-\d+/({file.size}|\*)$", response.headers["Content-Range"] or ""):
            _remove(part)
            raise _CutError("the server sent another range than was asked for")
        have, announced = start if continued else 0, response.length
        received = 0
        # Unbuffered, so that a killed run leaves everything it received.
        with _writing(part, "ab" if continued else "wb") as stream:
            # One byte more than expected shows that the file is wrong; a server can't fill the disk.
            while have <= file.size and (chunk := _read(response, min(CHUNK, file.size + 1 - have))):
                _write(stream, chunk, part)
                have, received = have + len(chunk), received + len(chunk)
                seen(have)
    if have < file.size and (announced is None or received < announced):
        raise _CutError(f"after {have} of {file.size} bytes")


def _open(file: RemoteFile, part: Path, start: int, remote: Remote) -> Any:
    from http.client import HTTPException, responses
    from urllib.error import HTTPError, URLError
    from urllib.request import Request

    url = file.url(remote.base)
    headers = {"User-Agent": "factmatch", "Accept-Encoding": "identity"}
    try:
        request = Request(url, headers=headers | ({"Range": f"bytes={start}-"} if start else {}))
        return _opener().open(request, timeout=remote.timeout)
    except HTTPError as error:
        error.close()
        if error.code == 416:  # the part is not the beginning of what the server has
            _remove(part)
            raise _CutError("the server refused to continue") from None
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


def _writing(part: Path, mode: str) -> Any:
    try:
        return part.open(mode, buffering=0)
    except OSError as error:
        raise InputError(f"can't be written: {error.strerror}", part) from None


def _write(stream: Any, chunk: bytes, part: Path) -> None:
    try:
        while chunk:  # an unbuffered write may take a part of it
            chunk = chunk[stream.write(chunk) :]
    except OSError as error:
        raise InputError(f"can't be written: {error.strerror}", part) from None


def _remove(part: Path) -> None:
    try:
        part.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"can't be deleted: {error.strerror}", part) from None
