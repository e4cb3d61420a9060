"""One download: resumed, retried, refused, never half a file in place."""

from __future__ import annotations

import contextlib
import hashlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from data.fetching.download import BASE, VARIABLE, Remote, ServerError, download, remote_from_environment
from data.fetching.manifest import RemoteFile, read_manifest
from data.problems import InputError
from tests.data.file_server import BIG, FILES, FileServer, write_manifest

SIZE = len(FILES[BIG])


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def server() -> Iterator[FileServer]:
    with FileServer() as running:
        yield running


@pytest.fixture
def big(tmp_path: Path) -> RemoteFile:
    return next(file for file in read_manifest(write_manifest(tmp_path / "m.json")) if file.path == BIG)


def remote(server: FileServer, timeout: float = 5.0) -> Remote:
    return Remote(server.base, timeout, pauses=(0.01, 0.01))


def assert_whole(folder: Path) -> None:
    assert (folder / BIG).read_bytes() == FILES[BIG]
    assert [path.name for path in (folder / BIG).parent.iterdir()] == [Path(BIG).name]


def test_progress_is_told(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    sizes: list[int] = []
    download(big, tmp_path, remote(server), sizes.append)
    assert_whole(tmp_path)
    assert sizes == sorted(sizes)
    assert sizes[-1] == SIZE


@pytest.mark.parametrize("announce", [True, False])
def test_cut_connection_is_tried_again(server: FileServer, big: RemoteFile, tmp_path: Path, announce: bool) -> None:
    server.cuts[BIG], server.announce = [1000, 5000], announce
    download(big, tmp_path, remote(server))
    assert_whole(tmp_path)
    assert server.requests == [BIG] * 3


def test_connection_that_is_always_cut(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    server.cuts[BIG] = [10] * 20
    with pytest.raises(ServerError, match=rf"broke off \(after 10 of {SIZE} bytes\)"):
        download(big, tmp_path, remote(server))
    assert server.requests == [BIG] * 3
    assert not [path for path in (tmp_path / "tiny").rglob("*") if path.is_file()]


def test_connection_closed_without_an_answer_is_retried(big: RemoteFile, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        closed: list[int] = []

        def close_all() -> None:
            for number in range(3):
                connection, _ = listening.accept()
                connection.recv(100)
                connection.close()
                closed.append(number)

        thread = threading.Thread(target=close_all, daemon=True)
        thread.start()
        silent = Remote(f"http://127.0.0.1:{listening.getsockname()[1]}", 5.0, (0.01, 0.01))
        with pytest.raises(ServerError, match="broke off"):
            download(big, tmp_path, silent)
        thread.join(5)
    assert len(closed) == 3


@pytest.mark.parametrize("announce", [True, False])
def test_corrupted_download_is_not_kept(server: FileServer, big: RemoteFile, tmp_path: Path, announce: bool) -> None:
    server.content[BIG], server.announce = FILES[BIG][:-1] + b"!", announce
    with pytest.raises(InputError, match=rf"{BIG}.*corrupted and was not kept: expected sha256 {big.sha256}.*got sha"):
        download(big, tmp_path, remote(server))
    assert not [path for path in (tmp_path / "tiny").rglob("*") if path.is_file()]


def test_endless_answer_is_stopped(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    server.content[BIG] = FILES[BIG] * 40
    with pytest.raises(InputError, match=rf"got sha256 \w+ \({SIZE + 1} bytes\)"):
        download(big, tmp_path, remote(server))


def test_empty_file(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    server.content[BIG] = b""
    download(replace(big, size=0, sha256=hashlib.sha256(b"").hexdigest()), tmp_path, remote(server))
    assert (tmp_path / BIG).read_bytes() == b""


@pytest.mark.parametrize(("status", "of_server"), [(404, False), (410, False), (403, True), (500, True), (503, True)])
def test_status_names_the_url(
    server: FileServer, big: RemoteFile, tmp_path: Path, status: int, of_server: bool
) -> None:
    server.statuses[BIG] = status
    with pytest.raises(InputError, match=rf"answered {status} \w+.* for {server.base}/some-one/re\.po/.*%20%281%29"):
        download(big, tmp_path, remote(server))
    server.requests.clear()
    with pytest.raises(InputError) as caught:
        download(big, tmp_path, remote(server))
    assert isinstance(caught.value, ServerError) == of_server
    assert len(server.requests) == 1


def test_redirection_to_a_local_file_is_refused(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(FILES[BIG])
    for scheme in ("file", "ftp"):
        server.redirects[BIG] = f"{scheme}://{secret}"
        with pytest.raises(ServerError):
            download(big, tmp_path, remote(server))
    assert not (tmp_path / BIG).exists()


def test_redirection_loop_ends(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    server.redirects[BIG] = big.url(server.base)
    with pytest.raises(ServerError, match="302"):
        download(big, tmp_path, remote(server))


def test_silent_server_is_given_up_in_time(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    server.silent = True
    start = time.monotonic()
    with pytest.raises(ServerError, match=r"127\.0\.0\.1:\d+ can't be reached \(no answer in time\)"):
        download(big, tmp_path, remote(server, timeout=0.3))
    assert time.monotonic() - start < 15
    assert len(server.requests) == 1


def test_server_that_falls_silent_midway(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    server.stalls[BIG] = 700
    with pytest.raises(ServerError, match="no more bytes came in time"):
        download(big, tmp_path, remote(server, timeout=0.2))
    assert server.requests == [BIG] * 3


@pytest.mark.parametrize("where", ["body", "head"])
def test_server_that_drips_is_given_up(big: RemoteFile, tmp_path: Path, where: str) -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {SIZE}\r\n\r\n".encode()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                connection.recv(1000)
                if where == "body":
                    connection.sendall(head)
                for _ in range(200):
                    connection.sendall(b"X")
                    time.sleep(0.05)

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        slow = Remote(f"http://127.0.0.1:{listening.getsockname()[1]}", 0.5, (0.01,), slowest=SIZE)
        start = time.monotonic()
        with pytest.raises(ServerError, match=rf"is too slow: {SIZE} bytes took more than 2 s"):
            download(big, tmp_path, slow)
        assert time.monotonic() - start < 8
    assert not (tmp_path / BIG).exists()


def test_unknown_host(big: RemoteFile, tmp_path: Path) -> None:
    with pytest.raises(ServerError, match=r"no-such-host\.invalid can't be reached"):
        download(big, tmp_path, Remote("http://no-such-host.invalid"))


def test_proxy_that_is_down(big: RemoteFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{port}")
    with pytest.raises(ServerError, match=r"raw\.githubusercontent\.com can't be reached"):
        download(big, tmp_path, Remote(timeout=5.0))


def test_answer_that_is_not_http(big: RemoteFile, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"\x1b[31mSSH-2.0-hello\r\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        with pytest.raises(ServerError, match="did not answer as a web server does") as caught:
            download(big, tmp_path, Remote(f"http://127.0.0.1:{listening.getsockname()[1]}", 5.0, ()))
        thread.join(5)
    assert "\x1b" not in str(caught.value)


def test_folder_that_cannot_be_written(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    (tmp_path / "tiny").write_bytes(b"a file where a folder should be")
    with pytest.raises(InputError, match="can't be written"):
        download(big, tmp_path, remote(server))
    (tmp_path / "tiny").unlink()
    (tmp_path / BIG).mkdir(parents=True)
    with pytest.raises(InputError, match="can't be written"):
        download(big, tmp_path, remote(server))


def test_base_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert remote_from_environment().base == BASE
    monkeypatch.setenv(VARIABLE, " http://mirror:8080/github/ ")
    assert remote_from_environment().base == "http://mirror:8080/github"
    for bad in (
        "mirror",
        "file:///etc",
        "http://",
        "http://me:secret@mirror",
        "http://m/?q=",
        "http://m:x",
        "http://[m",
    ):
        monkeypatch.setenv(VARIABLE, bad)
        with pytest.raises(InputError, match=VARIABLE) as caught:
            remote_from_environment()
        assert "secret" not in str(caught.value)
