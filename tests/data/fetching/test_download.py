"""One download: resumed, retried, refused, never half a file in place."""

from __future__ import annotations

import hashlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from file_server import BIG, FILES, FileServer, write_manifest

from data.download import BASE, VARIABLE, Remote, ServerError, download, remote_from_environment
from data.manifest import RemoteFile, read_manifest
from data.problems import InputError

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


def part_of(folder: Path, content: bytes) -> Path:
    part = folder / f"{BIG}.part"
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_bytes(content)
    return part


def ranges(server: FileServer) -> list[str | None]:
    return [asked for _, asked in server.requests]


def assert_whole(folder: Path) -> None:
    assert (folder / BIG).read_bytes() == FILES[BIG]
    assert not list(folder.rglob("*.part"))


def test_progress_is_told(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    sizes: list[int] = []
    download(big, tmp_path, remote(server), sizes.append)
    assert_whole(tmp_path)
    assert sizes == sorted(sizes)
    assert sizes[-1] == SIZE


@pytest.mark.parametrize("announce", [True, False])
def test_cut_connection_is_continued(server: FileServer, big: RemoteFile, tmp_path: Path, announce: bool) -> None:
    server.cuts[BIG], server.announce = [1000, 5000], announce
    download(big, tmp_path, remote(server))
    assert_whole(tmp_path)
    assert ranges(server) == [None, "bytes=1000-", "bytes=6000-"]


def test_server_without_ranges_starts_anew(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    server.ranges, server.cuts[BIG] = False, [1000]
    download(big, tmp_path, remote(server))
    assert_whole(tmp_path)
    assert ranges(server) == [None, "bytes=1000-"]


def test_connection_that_is_always_cut(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    server.cuts[BIG] = [10] * 20
    with pytest.raises(ServerError, match=rf"broke off \(after 30 of {SIZE} bytes\)"):
        download(big, tmp_path, remote(server))
    assert (tmp_path / f"{BIG}.part").read_bytes() == FILES[BIG][:30]
    server.cuts.clear()
    download(big, tmp_path, remote(server))
    assert_whole(tmp_path)
    assert ranges(server)[-1] == "bytes=30-"


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


def test_stale_part_is_not_trusted(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    part_of(tmp_path, b"of another version" * 10)
    download(big, tmp_path, remote(server))
    assert_whole(tmp_path)
    assert ranges(server) == ["bytes=180-", None]


@pytest.mark.parametrize("extra", [0, 1, 500])
def test_part_that_is_as_long_or_longer(server: FileServer, big: RemoteFile, tmp_path: Path, extra: int) -> None:
    part_of(tmp_path, b"x" * (SIZE + extra))
    download(big, tmp_path, remote(server))
    assert_whole(tmp_path)
    assert ranges(server) == [None]


def test_finished_part_needs_no_request(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    part_of(tmp_path, FILES[BIG])
    download(big, tmp_path, remote(server))
    assert_whole(tmp_path)
    assert not server.requests


def test_wrong_range_and_refused_range_start_anew(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    part_of(tmp_path, FILES[BIG][:1000])
    server.content_range = f"bytes 0-{SIZE - 1}/{SIZE}"
    download(big, tmp_path, remote(server))
    assert_whole(tmp_path)
    (tmp_path / BIG).unlink()
    part_of(tmp_path, FILES[BIG][:1000])
    server.content[BIG] = FILES[BIG][:900]  # answers 416, and then a file that is too short
    with pytest.raises(InputError, match="corrupted and was deleted"):
        download(big, tmp_path, remote(server))
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("announce", [True, False])
def test_corrupted_download_is_deleted(server: FileServer, big: RemoteFile, tmp_path: Path, announce: bool) -> None:
    server.content[BIG], server.announce = FILES[BIG][:-1] + b"!", announce
    with pytest.raises(InputError, match=rf"{BIG}.*corrupted and was deleted: expected sha256 {big.sha256}.*got sha"):
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
    assert time.monotonic() - start < 3
    assert len(server.requests) == 1


def test_server_that_falls_silent_midway(server: FileServer, big: RemoteFile, tmp_path: Path) -> None:
    server.stalls[BIG] = 700
    with pytest.raises(ServerError, match="no more bytes came in time"):
        download(big, tmp_path, remote(server, timeout=0.2))
    assert ranges(server) == [None, "bytes=700-", "bytes=1400-"]


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
