from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy
import pytest

import data
from data.command_line import run
from data.formats.benchie import gold_text
from data.problems import InputError
from data.streaming.files import RawShard
from matchers.score import main as score
from matchers.scoring.finished import SUFFIX, Done, finished_shards
from tests.matchers.invented import MARA

SHARD = RawShard(0, ("1", "2"), b"gold", (b"a", b"b"))
DONE = Done(numpy.arange(16).reshape(2, 2, 4), 1, '{"line": 1}\n')


def test_what_is_kept_is_found_by_those_of_the_same_terms(tmp_path: Path) -> None:
    path = tmp_path / "shards"
    with finished_shards(path, "rules", 2) as finished:
        assert finished.find(SHARD) is None and not finished.others
        finished.keep(0, SHARD.digest, DONE)
    with finished_shards(path, "rules", 2) as finished:
        again = finished.find(SHARD)
        assert again and again.digest == DONE.digest and (again.counts == DONE.counts).all()
        assert finished.find(RawShard(0, ("1", "2"), b"gold", (b"ab", b""))) is None
        assert finished.find(RawShard(1, ("1", "2"), b"gold", (b"a", b"b"))) is None
    with finished_shards(path, "em", 2) as finished:
        assert finished.others and finished.find(SHARD) is None


def test_what_was_spoiled_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "shards"
    with finished_shards(path, "rules", 2) as finished:
        finished.keep(0, SHARD.digest, DONE)
        for change in ("seen = 2", "lines = 'x'", "counts = zeroblob(128)", "counts = x'00'", "counts = zeroblob(64)"):
            finished.database.commit()
            finished.database.execute(f"update shards set {change}")
            assert finished.find(SHARD) is None
            finished.database.rollback()
        assert finished.find(SHARD)


def test_files_that_are_something_else_and_files_in_use(tmp_path: Path) -> None:
    path = tmp_path / "shards"
    path.write_text("something else, longer than the head of a database" * 9)
    with pytest.raises(InputError, match="can't keep finished shards"), finished_shards(path, "rules", 2):
        pass
    assert "something else" in path.read_text()
    new = tmp_path / "new"
    with (
        finished_shards(new, "rules", 2),
        pytest.raises(InputError, match="is in use"),
        finished_shards(new, "rules", 2),
    ):
        pass


@pytest.fixture
def flags(tmp_path: Path) -> list[str]:
    """A run of some seconds: the sample, repeated under other ids."""
    sample = data.load("sample")
    system = sample.systems[0]
    lines = [f"{e.sentence_id}x{n}\t{e.arg1}\t{e.relation}\t{e.arg2}\n" for n in range(25) for e in system.extractions]
    (tmp_path / "mine.tsv").write_text("".join(lines))
    ids = [(s, n) for n in range(25) for s in sample.sentences]
    texts = [gold_text(data.Benchmark("g", (data.Sentence(f"{s.id}x{n}", s.text, s.clusters),))) for s, n in ids]
    (tmp_path / "gold.txt").write_text("\n".join(texts))
    outputs = ["--json", str(tmp_path / "out.json"), "--matches", str(tmp_path / "out.jsonl")]
    systems = ["--system", f"mine={tmp_path / 'mine.tsv'}"]
    return ["--gold", str(tmp_path / "gold.txt"), *systems, *outputs, "--resamples", "50", "--workers", "1"]


def test_a_killed_run_goes_on_to_the_same_bytes(
    tmp_path: Path, flags: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    outputs = tmp_path / "out.json", tmp_path / "out.jsonl"
    assert run(score, flags) == 0
    expected = [output.read_bytes() for output in outputs]
    for output in outputs:
        output.unlink()
    kept = tmp_path / f"out.json{SUFFIX}"
    process = subprocess.Popen([sys.executable, "-m", "matchers.score", *flags, "--resume"], stdout=subprocess.DEVNULL)
    for _ in range(600):
        time.sleep(0.05)
        if (kept.exists() and kept.stat().st_size > 30_000) or process.poll() is not None:
            break
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL and not any(output.exists() for output in outputs)
    capfd.readouterr()
    assert run(score, [*flags, "--resume"]) == 0
    said = capfd.readouterr().err
    assert " parts are finished already" in said and not said.startswith("0 of")
    assert [output.read_bytes() for output in outputs] == expected
    assert not kept.exists()


def test_nothing_is_taken_of_other_settings(
    tmp_path: Path, flags: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    gold, system = tmp_path / "few.txt", tmp_path / "few.tsv"
    gold.write_text(f"sent_id:1\t{MARA}\n1--> Cluster 1:\nMara Venn --> moved to --> Oslo\n")
    system.write_text("1\tMara Venn\tmoved to\tOslo\n1\tMara\tmoved to\tOslo\n")
    few = ["--gold", str(gold), "--system", f"a={system}", "--json", str(tmp_path / "few.json"), "--resume"]
    kept = tmp_path / f"few.json{SUFFIX}"
    with finished_shards(kept, "others", 1) as finished:
        finished.keep(0, SHARD.digest, DONE)
    assert run(score, few) == 0
    assert "of a run with other settings are dropped" in capfd.readouterr().err
    assert json.loads((tmp_path / "few.json").read_text())["systems"][0]["matched"] == 1
    assert not kept.exists()


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--dataset", "sample", "--json", "out.json"], 1, "--resume is for gold in BenchIE's format"),
        (["--dataset", "sample"], 2, "name a file with --json"),
        (["--dataset", "sample", "--json", "-"], 2, "name a file with --json"),
        (["--dataset", "sample", "--json", "o.json", "--report", "o.html"], 2, "can't be resumed"),
        (["--dataset", "sample", "--json", "o.json", "--matcher", "llm:m"], 2, "answers are kept anyway"),
        (["--all", "--json", "o.json"], 2, "can't be used with --all"),
    ],
)
def test_where_it_can_not_be_used(
    more: list[str], code: int, said: str, capfd: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    try:
        found = run(score, [*more, "--resume"])
    except SystemExit as exit:
        found = int(exit.code or 0)
    assert found == code and said in capfd.readouterr().err
    assert not list(tmp_path.iterdir())
