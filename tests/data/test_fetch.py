"""The fetch command against a server on the loopback address: what it brings, says and returns."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import data
from data.command_line import run
from data.fetch import main
from data.fetching.bring import LOCK
from data.fetching.manifest import MANIFEST
from tests.data.file_server import BIG, DATASETS, FILES, FileServer, write_copy, write_manifest

ROOT = MANIFEST.parent.parent
Fetch = Callable[..., int]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    if "real_data" not in request.fixturenames:
        monkeypatch.delenv("FACTMATCH_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    with FileServer() as running:
        monkeypatch.setenv("FACTMATCH_FETCH_BASE", running.base)
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "factmatch" / "data"


@pytest.fixture
def fetch(tmp_path: Path) -> Fetch:
    manifest = write_manifest(tmp_path / "manifest.json")

    def command(*arguments: str) -> int:
        return run(lambda given: main(given, manifest, DATASETS), arguments)

    return command


def files_in(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != LOCK)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def closed_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return f"http://127.0.0.1:{listening.getsockname()[1]}"


def test_everything_is_fetched_once(
    server: FileServer, fetch: Fetch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch() == 0
    assert files_in(folder) == FILES
    assert sorted(server.requests) == sorted(FILES)  # shared files once
    out, err = capsys.readouterr()
    assert out == f"4 of 4 files were downloaded to {folder}\n"
    total = sum(map(len, FILES.values()))
    assert f"files go to {folder}\n" in err
    assert f"4/4 files, {total}/{total} bytes: carb/dev.tsv\n" in err

    server.requests.clear()
    assert fetch() == 0
    assert not server.requests
    assert capsys.readouterr().out == f"nothing to be downloaded to {folder}\n"


def test_named_sets_only_and_quietly(
    server: FileServer, fetch: Fetch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch("other", "--data", str(tmp_path / "mine"), "--quiet") == 0
    assert set(files_in(tmp_path / "mine")) == {"shared/b.txt", BIG}
    assert capsys.readouterr().err == ""


def test_unknown_name(fetch: Fetch, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fetch("tny") == 1
    assert capsys.readouterr().err == "error: no data set is called 'tny'; the names are tiny, other, carb\n"
    assert not folder.exists()


def test_the_cache_is_the_target_even_if_the_variable_is_set(
    server: FileServer,
    fetch: Fetch,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FACTMATCH_DATA", str(tmp_path / "elsewhere"))
    assert fetch("carb") == 0
    assert set(files_in(folder)) == {"carb/dev.tsv"}
    assert f"files go to {folder}; FACTMATCH_DATA is set and is searched first" in capsys.readouterr().err


def test_spoilt_file_is_brought_anew(
    server: FileServer, fetch: Fetch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_copy(folder)
    (folder / "tiny/gold.txt").write_bytes(b"spoilt")
    assert fetch() == 0
    assert files_in(folder) == FILES
    assert server.requests == ["tiny/gold.txt"]
    assert f"warning: {folder}/tiny/gold.txt is not the published file" in capsys.readouterr().err


def test_corrupted_download_leaves_the_others(
    server: FileServer, fetch: Fetch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.content["tiny/gold.txt"] = b"spoilt"
    assert fetch() == 1
    assert set(files_in(folder)) == set(FILES) - {"tiny/gold.txt"}
    out, err = capsys.readouterr()
    assert "3 of 4 files" in out
    (line,) = [line for line in err.splitlines() if line.startswith("error: ")]
    assert f"{folder}/tiny/gold.txt: " in line
    assert f"expected sha256 {hashlib.sha256(FILES['tiny/gold.txt']).hexdigest()}" in line
    assert f"got sha256 {hashlib.sha256(b'spoilt').hexdigest()} (6 bytes)" in line


def test_cut_connection_is_tried_again(server: FileServer, fetch: Fetch, folder: Path) -> None:
    server.cuts[BIG] = [100_000]
    assert fetch("tiny") == 0
    assert server.requests.count(BIG) == 2
    assert files_in(folder)[BIG] == FILES[BIG]


def test_killed_run_leaves_whole_files_only(server: FileServer, fetch: Fetch, folder: Path, tmp_path: Path) -> None:
    server.stalls[BIG] = 200_000
    code = (
        "import sys; from pathlib import Path; from file_server import DATASETS; from data.fetch import main;"
        "main(['tiny'], Path(sys.argv[1]), DATASETS)"
    )
    paths = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
    command = [sys.executable, "-c", code, str(tmp_path / "manifest.json")]
    process = subprocess.Popen(command, env=os.environ | {"PYTHONPATH": paths}, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and BIG not in server.requests:
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait(10)
    assert files_in(folder) == {"tiny/gold.txt": FILES["tiny/gold.txt"]}
    server.stalls.clear()
    server.go_on.set()
    server.requests.clear()
    assert fetch("tiny") == 0
    assert server.requests == [BIG]
    assert files_in(folder) == {path: FILES[path] for path in ("tiny/gold.txt", BIG)}


def test_missing_on_the_server(
    server: FileServer, fetch: Fetch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.statuses[BIG] = 404
    assert fetch() == 1
    assert set(files_in(folder)) == set(FILES) - {BIG}
    assert f"error: {BIG}: the server answered 404 Not Found for {server.base}/some-one" in capsys.readouterr().err


def test_refusing_server_ends_the_run(server: FileServer, fetch: Fetch, capsys: pytest.CaptureFixture[str]) -> None:
    server.statuses = dict.fromkeys(FILES, 503)
    assert fetch("--quiet") == 1
    assert len(server.requests) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"503 Service Unavailable for {server.base}" in err


def test_refused_connection_is_one_clear_sentence(
    fetch: Fetch, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    base = closed_port()
    monkeypatch.setenv("FACTMATCH_FETCH_BASE", base)
    start = time.monotonic()
    assert fetch("--quiet") == 1
    assert time.monotonic() - start < 20
    host = base.removeprefix("http://")
    how = f"import a local copy with --from DIR, or copy the files to {folder}"
    assert capsys.readouterr().err == f"error: {host} can't be reached (Connection refused); {how}\n"
    assert files_in(folder) == {}


def test_offline_never_asks_the_server(
    server: FileServer, fetch: Fetch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch("--offline") == 1
    assert (
        "--offline was given, so nothing is downloaded, and 4 of the files asked for are lacking"
        in capsys.readouterr().err
    )
    write_copy(folder)
    assert fetch("--offline") == 0
    assert not server.requests


def test_two_runs_do_not_mix(
    server: FileServer, fetch: Fetch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fcntl = pytest.importorskip("fcntl", reason="needs file locks")
    folder.mkdir(parents=True)
    with (folder / LOCK).open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        assert fetch("tiny") == 1
        assert "another run is bringing files to this folder" in capsys.readouterr().err
    assert fetch("tiny") == 0


def test_a_lock_that_is_a_link_is_not_followed(
    server: FileServer, fetch: Fetch, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir(parents=True)
    (folder / LOCK).symlink_to(tmp_path / "victim")
    assert fetch("tiny") == 1
    assert f"error: {folder / LOCK}: is a link" in capsys.readouterr().err
    assert not (tmp_path / "victim").exists() and not server.requests


def test_target_that_is_a_file(
    server: FileServer, fetch: Fetch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_bytes(b"")
    assert fetch("--data", str(tmp_path / "taken")) == 1
    assert "can't be written" in capsys.readouterr().err
    assert not server.requests


def test_hostile_manifest_writes_nothing(server: FileServer, tmp_path: Path) -> None:
    manifest = write_manifest(tmp_path / "hostile.json", path="../../outside.txt")
    assert run(lambda given: main(given, manifest, DATASETS), ["--data", str(tmp_path / "deep/er")]) == 1
    assert not server.requests
    assert not (tmp_path / "deep").exists()


def test_import_of_a_local_copy(
    server: FileServer, fetch: Fetch, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = write_copy(tmp_path / "copy")
    assert fetch("--from", str(copy)) == 0
    assert files_in(folder) == FILES
    assert not server.requests
    assert capsys.readouterr().out == f"4 of 4 files were imported to {folder}\n"
    assert fetch("--from", str(copy)) == 0


def test_import_refuses_a_corrupted_file(
    fetch: Fetch, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = write_copy(tmp_path / "copy")
    (copy / BIG).write_bytes(FILES[BIG][:-1])
    assert fetch("--from", str(copy), "--quiet") == 1
    assert set(files_in(folder)) == set(FILES) - {BIG}
    err = capsys.readouterr().err
    assert err.startswith(f"error: {copy / BIG}: is corrupted and was not imported: expected sha256")
    assert f"({len(FILES[BIG]) - 1} bytes)" in err


def test_import_of_a_partial_copy(
    fetch: Fetch, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = write_copy(tmp_path / "copy", "tiny/gold.txt")
    assert fetch("--from", str(copy)) == 0
    assert set(files_in(folder)) == {"tiny/gold.txt"}
    assert "this copy lacks 3 of 4 files" in capsys.readouterr().err
    assert fetch("tiny", "--from", str(copy)) == 1
    assert f"error: {copy}: this copy lacks 1 of 1 files, the first is {BIG}" in capsys.readouterr().err
    assert fetch("--from", str(tmp_path / "nowhere")) == 1
    assert "no such folder" in capsys.readouterr().err


def test_verify_says_what_is_wrong(
    fetch: Fetch, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch("--verify") == 0  # nothing is there, nothing was named
    assert fetch("--verify", "tiny") == 1
    write_copy(folder, "tiny/gold.txt", BIG)
    assert fetch("--verify", "tiny") == 0
    capsys.readouterr()
    assert fetch("--verify") == 0
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert lines[2:] == [["tiny", "complete"], ["other", "missing 1 of 2 files"], ["carb", "missing 1 of 1 files"]]

    (folder / BIG).write_bytes(b"spoilt")
    target = tmp_path / "verdict.json"
    assert fetch("--verify", "--json", str(target)) == 1
    out, err = capsys.readouterr()
    assert "corrupted 1 of 2 files, missing 1 of 2 files" in out
    assert err.count("error: ") == 1  # one file, though two sets share it
    verdict = json.loads(target.read_text())
    assert verdict["folder"] == str(folder)
    assert [one["state"] for one in verdict["sets"]] == ["corrupted", "corrupted", "missing"]
    assert verdict["sets"][1]["missing"] == ["shared/b.txt"]
    assert verdict["sets"][1]["corrupted"][0]["path"] == BIG
    assert verdict["sets"][1]["corrupted"][0]["expected"]["bytes"] == len(FILES[BIG])
    assert verdict["sets"][1]["corrupted"][0]["got"]["bytes"] == 6


def test_list_shows_sets_and_places(fetch: Fetch, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_copy(folder, "carb/dev.tsv")
    assert fetch("--list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["data", "set", "files", "size", "licence", "where"]
    assert lines[2].split() == ["tiny", "2", "0.51", "MB", "CC", "BY", "4.0", "not", "fetched"]
    assert lines[3] == "  Nobody: tiny (1901)"
    assert lines[6].split() == ["carb", "1", "0.00", "MB", "MIT", str(folder)]


def test_list_as_json(fetch: Fetch, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_copy(folder, "carb/dev.tsv")
    assert fetch("--list", "tiny", "carb", "--json", "-") == 0
    listed = json.loads(capsys.readouterr().out)["sets"]
    assert [one["folder"] for one in listed] == [None, str(folder)]
    assert listed[0] == {
        "name": "tiny",
        "summary": "a tiny set",
        "files": 2,
        "bytes": len(FILES["tiny/gold.txt"]) + len(FILES[BIG]),
        "licences": ["CC BY 4.0"],
        "folder": None,
        "citation": "Nobody: tiny (1901)",
    }


@pytest.mark.parametrize("arguments", [["--json", "-"], ["--list", "--verify"], ["--from", "x", "--list"]])
def test_wrong_usage(fetch: Fetch, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        fetch(*arguments)
    assert caught.value.code == 2


def test_help_is_quick_and_loads_no_http() -> None:
    code = (
        "import sys; from data.fetch import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "assert not {'http.client', 'ssl', 'tqdm', 'numpy', 'urllib.request'} & set(sys.modules)"
    )
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert "examples:" in result.stdout


def test_real_set_is_imported_and_loads(real_data: Path, tmp_path: Path) -> None:
    target = tmp_path / "imported"
    command = ["benchie_fl_match", "--from", str(real_data), "--data", str(target), "--quiet"]
    assert run(main, command) == 0
    benchmark = data.load("benchie_fl_match", data=target, diagnostics=data.Diagnostics())
    assert len(benchmark.sentences) == 50
    assert run(main, ["benchie_fl_match", "--verify", "--data", str(target)]) == 0
