"""The command: what it says, where it listens, what it refuses."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from data.problems import InputError
from tests.training.studio.served import ROOT, Served
from training.studio.command import bound, copy_sample, main, own_names


def test_help_starts_at_once_and_names_everything(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    for flag in ("--port", "--no-browser", "--demo", "--twice", "--suggest", "--highlight", "--host", "--language"):
        assert flag in shown


@pytest.mark.parametrize("arguments", [[], ["x", "--twice", "2"], ["x", "--port", "99999"]])
def test_what_makes_no_sense_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


def test_a_taken_port_is_a_clear_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match=r"can't listen at 127.0.0.1 port"):
            bound("127.0.0.1", taken.getsockname()[1])


def test_the_usual_port_may_be_taken() -> None:
    first, second = bound("127.0.0.1", None), bound("127.0.0.1", None)
    assert first.getsockname()[1] != second.getsockname()[1]
    first.close()
    second.close()


def test_names_of_this_machine() -> None:
    assert own_names("192.0.2.7") == ("192.0.2.7",)
    assert own_names("Box.Local") == ("box.local",)
    assert socket.gethostname().lower() in own_names("0.0.0.0")


def test_the_demo_is_a_copy_of_the_sample_and_goes_on(tmp_path: Path, serve: Callable[..., Served]) -> None:
    studio = serve(tmp_path / "demo", "--demo", "--suggest")
    assert len(studio.get("sentences")["sentences"]) == 68
    item = studio.post("queue", {"order": "sentence"})["item"]
    assert item["said"]["matcher"] == "features"  # --suggest shows it before
    studio.stop()
    copy_sample(tmp_path / "demo")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    with pytest.raises(InputError, match="not empty"):
        copy_sample(tmp_path / "full")


def test_a_second_studio_on_a_folder_ends_in_one_line(tmp_path: Path, serve: Callable[..., Served]) -> None:
    serve(tmp_path / "mine")
    command = [sys.executable, "-m", "training.studio", str(tmp_path / "mine"), "--no-browser", "--port", "0"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1
    assert "open in another studio" in found.stderr


def test_blind_first_and_only_ones_own_until_both_have_judged(tmp_path: Path, serve: Callable[..., Served]) -> None:
    studio = serve(tmp_path / "mine", "--twice", "1", "--name", "Ada")
    studio.post("texts", {"text": "The ferry left Tarn."})
    edit = {"operation": "add", "target": "new", "text": "The ferry --> left --> Tarn", "version": 1}
    studio.post("sentences/1/edit", edit)
    assert studio.ask("POST", "/api/files?name=pithy", b"1\tferry\tleft\tTarn\n").status == 200
    bo = studio.invite("Bo")
    item = studio.post("queue")["item"]
    assert item["said"] is None
    opinion = {"clusters": ["1"], "version": item["version"], "reason": "a secret of Ada's"}
    judged = studio.post(f"cases/{item['id']}/judge", opinion)["judged"]
    assert judged["said"]["matcher"] == "features"  # shown after
    before = studio.ask("GET", "/api/disagreements", cookie=bo)
    assert b"secret" not in before.content
    assert b"secret" not in studio.ask("POST", "/api/queue", {}, cookie=bo).content
    for file in ("judgments", "match-csv"):
        assert b"ferry" in studio.ask("GET", f"/api/files/{file}").content
        assert b"ferry" not in studio.ask("GET", f"/api/files/{file}", cookie=bo).content
    studio.post(f"cases/{item['id']}/judge", {"clusters": [], "version": item["version"]}, cookie=bo)
    (case,) = studio.get("disagreements", cookie=bo)["cases"]
    assert {opinion["person"] for opinion in case["opinions"]} == {"Ada", "Bo"}
    again = {"clusters": [], "version": item["version"], "again": True}
    studio.post(f"cases/{item['id']}/judge", again)
    assert studio.get("disagreements")["cases"] == []
    assert studio.get("agreement")["changed"] == 1
