"""Attacks on a running studio: traversal, cross-site changes, script in every field, large bodies, stolen links."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from data.problems import InputError
from tests.training.studio.served import Served
from training.studio.security import POLICY, checked_address, host_allowed
from training.studio.uploads import LARGEST

SCRIPT = "<script>window.owned = 1</script><img src=x onerror=window.owned=1>"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("attacked") / "mine"
    served = Served(folder, "--twice", "1", "--name", "Ada")
    served.post("texts", {"text": "The old ferry left Tarn."})
    served.post(
        "sentences/1/edit", {"operation": "add", "target": "new", "text": "ferry --> left --> Tarn", "version": 1}
    )
    yield served
    served.stop()


TRAVERSALS = (
    "/static/../store.py",
    "/static/..%2fstore.py",
    "/static/%2e%2e/%2e%2e/store.py",
    "/static//etc/passwd",
    "/static/....//store.py",
    "/api/files/..%2f..%2fstudio.sqlite",
    "/api/files/studio.sqlite",
    "/facts/..%2f..%2fetc",
    "/load?path=/etc/passwd",
    "/load",
    "/save",
    "/stop",
    "/studio.sqlite",
    "/gold/gold.txt",
    "/%00",
    "/static/%00page.css",
    "/api/sentences/..%2f1",
    "/join/..%2f..%2fetc%2fpasswd",
    "/static/C:%5cwindows%5cwin.ini",
)


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_leads_to_a_file(studio: Served, path: str) -> None:
    """Among these are AnnIE's `/load`, `/save` and `/stop`, which read, wrote and ended whatever anybody liked."""
    for method in ("GET", "POST"):
        answer = studio.ask(method, path, {} if method == "POST" else None)
        assert answer.status in (400, 403, 404, 405), answer.content
        assert b"root:" not in answer.content
        assert b"SQLite" not in answer.content
        assert b"import" not in answer.content
    assert studio.process.poll() is None


@pytest.mark.parametrize(
    "name", ["../evil", "..", "a/b", "a\\b", "/etc/cron", "nul", ".hidden", "", "a\0b", "x" * 41, "a..b", "é"]
)
def test_a_systems_name_never_becomes_a_path(studio: Served, name: str) -> None:
    before = {path for path in studio.folder.parent.rglob("*") if path.name != "studio.sqlite-wal"}
    answer = studio.ask("POST", f"/api/files?name={quote(name)}", b"1\tferry\tleft\tTarn\n")
    assert answer.status == 422, answer.content
    assert {path for path in studio.folder.parent.rglob("*") if path.name != "studio.sqlite-wal"} == before


FOREIGN = (
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "https://127.0.0.1"},
    {"Origin": None, "Sec-Fetch-Site": "cross-site"},
    {"Origin": None, "Sec-Fetch-Site": "same-site"},
    {"Origin": None, "Sec-Fetch-Site": "none"},
    {"Origin": None},
    {"Sec-Fetch-Site": "cross-site"},
)


@pytest.mark.parametrize("headers", FOREIGN)
@pytest.mark.parametrize(
    "path", ["texts", "sentences/1/edit", "files?name=x", "people/invite", "learn", "write", "queue"]
)
def test_a_change_from_elsewhere_is_refused(studio: Served, path: str, headers: dict[str, str]) -> None:
    before = studio.get("sentences")
    body = json.dumps({"text": "Evil.", "name": "Eve"}).encode()
    answer = studio.ask("POST", f"/api/{path}", body, {"Content-Type": "text/plain", **headers})
    assert answer.status == 403
    assert studio.get("sentences") == before


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1.evil.example:{port}", "a@127.0.0.1:{port}", ""],
)
def test_a_name_that_points_here_is_refused(studio: Served, host: str) -> None:
    """DNS rebinding: the page of another name may not talk to us, not even to read."""
    named = host.format(port=studio.port)
    assert studio.ask("GET", "/api/sentences", headers={"Host": named}).status in (400, 421)


def test_nobody_else_may_read_answers(studio: Served) -> None:
    answer = studio.ask("GET", "/api/sentences", headers={"Origin": "http://evil.example"})
    names = {name.lower() for name in answer.headers}
    assert not any(name.startswith("access-control") for name in names)
    assert studio.ask("OPTIONS", "/api/texts", headers={"Access-Control-Request-Method": "POST"}).status in (403, 405)


def test_every_answer_has_a_strict_policy(studio: Served) -> None:
    for path in ("/texts", "/matches", "/api/sentences", "/static/facts.js", "/nothing"):
        headers = {name.lower(): value for name, value in studio.ask("GET", path).headers.items()}
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
    assert "unsafe" not in POLICY
    assert "http" not in POLICY  # nothing comes from elsewhere


def test_pages_have_no_script_of_their_own_and_ask_nobody_else(studio: Served) -> None:
    for page in ("texts", "facts/1", "matches", "agreement", "learn", "people", "guide"):
        text = studio.ask("GET", f"/{page}").content.decode()
        assert "<script>" not in text
        assert " on" + "click=" not in text
        assert "style=" not in text
        assert "://" not in text.replace("http://www.w3.org/2000/svg", "")


def test_what_is_too_large_is_refused(studio: Served) -> None:
    answer = studio.ask("POST", "/api/files?name=big", b"x" * (LARGEST + 1))
    assert answer.status == 413
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=30)
    own = f"127.0.0.1:{studio.port}"
    chunks = (b"x" * 65536 for _ in range(LARGEST // 65536 + 2))  # without saying how long it will be
    try:
        connection.request(
            "POST", "/api/files?name=big", chunks, {"Host": own, "Origin": f"http://{own}"}, encode_chunked=True
        )
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # it hung up on us, which is as good
    finally:
        connection.close()
    assert studio.get("sentences")["sentences"]


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"text": 1}',
        b'{"text": null}',
        b"[" * 100_000,
        b'{"version": "1"}',
        b'{"text": "\\ud800"}',
        b'{"version": 1e999}',
    ],
)
@pytest.mark.parametrize(
    "path", ["texts", "sentences/1/edit", "people/invite", "cases/x/judge", "cases/x/settle", "queue"]
)
def test_nonsense_is_answered_in_a_sentence(studio: Served, path: str, body: bytes) -> None:
    answer = studio.ask("POST", f"/api/{path}", body)
    assert answer.status in (200, 400, 409, 422), answer.content
    if answer.status != 200:
        assert answer.json["error"]


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00",
        b"{" * 10_000,
        b'{"textFile": 1}',
        b'{"arg1": 1, "sentence_id": 9}\n',
        b"9,a - b - c,1,s\n",
        b"\x00" * 100,
        b'{"text": "a", "facts": [{"id": "1", "formulations": ["no arrows"]}], "sentence_id": "1"}\n',
        b"sent_id:1\tx\n1--> Cluster 1:\na --> b\n",
    ],
)
def test_a_hostile_file_is_an_error_and_changes_nothing(studio: Served, content: bytes) -> None:
    before = studio.get("sentences")
    answer = studio.ask("POST", "/api/files?name=hostile", content)
    assert answer.status == 422, answer.content
    assert "/tmp" not in answer.json["error"]  # nor does it tell where things are
    assert studio.get("sentences") == before


def test_links_work_once_are_kept_hashed_and_end_when_revoked(studio: Served) -> None:
    link = studio.post("people/invite", {"name": "Bo"})["link"].removeprefix(studio.address)
    assert studio.ask("GET", link, cookie="").status == 200
    cookie = studio.join(link)
    assert studio.get("matchers", cookie=cookie)
    assert studio.ask("GET", link, cookie="").status == 403  # stolen from the history, and used up
    assert studio.ask("POST", link, b"", cookie="").status == 403
    stored = b"".join(path.read_bytes() for path in studio.folder.glob("studio.sqlite*"))
    for secret in (link.rpartition("/")[2], cookie.partition("=")[2]):
        assert secret.encode() not in stored
    waiting = studio.post("people/invite", {"name": "Cy"})["link"].removeprefix(studio.address)
    studio.post("people/revoke", {"name": "Cy"})
    assert studio.ask("POST", waiting, b"", cookie="").status == 403
    studio.post("people/revoke", {"name": "Bo"})
    assert studio.ask("GET", "/api/matchers", cookie=cookie).status == 401
    assert studio.ask("GET", "/matches", cookie=cookie).status == 401


def test_whoever_leaves_is_forgotten_by_the_browser_and_no_page_elsewhere_can_make_them(studio: Served) -> None:
    cookie = studio.invite("Gil")
    assert studio.ask("POST", "/leave", b"", {"Origin": "http://evil.example"}, cookie=cookie).status == 403
    answer = studio.ask("POST", "/leave", b"", cookie=cookie)
    assert answer.status == 303
    assert "max-age=0" in answer.headers["set-cookie"].lower()
    assert b'"/leave"' in studio.ask("GET", "/guide", cookie=cookie).content
    assert b'"/leave"' not in studio.ask("GET", "/guide").content  # the owner has nowhere to go


def test_an_invited_person_is_no_owner(studio: Served) -> None:
    cookie = studio.invite("Dee")
    for path in ("learn", "learn/cancel", "people/invite", "people/revoke"):
        assert studio.ask("POST", f"/api/{path}", {"name": "Eve"}, cookie=cookie).status == 403
    for path in ("/api/people", "/people"):
        assert studio.ask("GET", path, cookie=cookie).status == 403
    assert studio.ask("GET", "/api/files/opinions-csv", cookie=cookie).status == 400


def test_a_cookie_can_not_be_read_or_sent_by_others(studio: Served) -> None:
    link = studio.post("people/invite", {"name": "Flo"})["link"].removeprefix(studio.address)
    flags = studio.ask("POST", link, b"", cookie="").headers["set-cookie"].lower()
    assert "httponly" in flags
    assert "samesite=strict" in flags


def test_elsewhere_than_on_loopback_only_links_let_in(tmp_path: Path, serve: Callable[..., Served]) -> None:
    open_to_all = serve(tmp_path / "shared", "--host", "0.0.0.0", "--name", "Ada")
    assert open_to_all.link.startswith("/join/")
    assert open_to_all.ask("GET", "/api/sentences").status == 401
    assert open_to_all.ask("POST", "/api/texts", {"text": "Evil."}).status == 401
    assert open_to_all.ask("GET", "/texts").status == 401
    open_to_all.cookie = open_to_all.join(open_to_all.link)
    open_to_all.post("texts", {"text": "The ferry left."})
    assert len(open_to_all.get("sentences")["sentences"]) == 1
    assert open_to_all.get("people")["me"] == "Ada"


def test_behind_a_proxy_only_links_let_in_and_only_its_address_may_change(
    tmp_path: Path, serve: Callable[..., Served]
) -> None:
    """What a proxy passes on comes from this machine: nobody must be the owner for that."""
    studio = serve(tmp_path / "mine", "--address", "https://facts.example.org", "--name", "Ada")
    assert studio.address == "https://facts.example.org"
    assert studio.ask("GET", "/api/sentences").status == 401
    passed_on = {"Host": "facts.example.org", "Origin": "https://facts.example.org"}
    joined = studio.ask("POST", studio.link, b"", passed_on)
    assert joined.status == 303
    assert "secure" in joined.headers["set-cookie"].lower()
    studio.cookie = joined.headers["set-cookie"].partition(";")[0]
    assert studio.ask("POST", "/api/texts", {"text": "One left."}, passed_on).status == 200
    for origin in ("https://evil.example", "http://facts.example.org.evil.example", "null"):
        headers = {**passed_on, "Origin": origin}
        assert studio.ask("POST", "/api/texts", {"text": "Evil."}, headers).status == 403
    assert studio.ask("GET", "/api/sentences", headers={"Host": "other.example.org"}).status == 421
    assert studio.post("people/invite", {"name": "Bo"})["link"].startswith("https://facts.example.org/join/")


@pytest.mark.parametrize(
    "text", ["facts.example.org", "ftp://x", "https://", "https://a@b", "https://x/y", "https://x:y"]
)
def test_an_address_is_one(text: str) -> None:
    with pytest.raises(InputError, match="--address is like"):
        checked_address(text)


def test_hosts_are_compared_whole() -> None:
    assert host_allowed("localhost:80", 80, ())
    assert host_allowed("[::1]:8137", 8137, ())
    assert host_allowed("box.local:8137", 8137, ("box.local",))
    assert not host_allowed("box.local.evil.example:8137", 8137, ("box.local",))
    assert not host_allowed("127.0.0.1:99999999", 8137, ())
