"""Ray on a real local cluster of two nodes: `make test-ray`, or whenever Ray is installed and asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest

import data
from data.command_line import run
from data.formats.benchie import gold_text
from data.formats.extractions import tsv_text
from data.problems import InputError
from matchers import load
from matchers.score import main as score
from matchers.workers.choice import Workers
from matchers.workers.matching import assignments, counts_of
from tests.matchers.workers.test_matching import Deadly

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray = pytest.importorskip("ray", reason="needs Ray: make test-ray")
    from ray.cluster_utils import Cluster

    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path.cwd()), os.environ.get("PYTHONPATH", "")])
    started = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        started.add_node(num_cpus=1)
        started.wait_for_nodes()
        ray.init(started.address, log_to_driver=False, logging_level="ERROR")
        assert len([node for node in ray.nodes() if node["Alive"]]) == 2
        yield
    finally:
        ray.shutdown()
        started.shutdown()


def test_the_same_as_here(cluster: None, tmp_path: Path) -> None:
    sample, rules = data.load("sample"), load("rules")
    here, there = (
        numpy.concatenate(list(counts_of(sample, rules, "count", workers))) for workers in (Workers(1), Workers(0, ""))
    )
    assert (here == there).all()
    assert list(assignments(sample, rules)) == list(assignments(sample, rules, Workers(0, "")))


def test_an_actor_that_dies_is_replaced(cluster: None, tmp_path: Path) -> None:
    sample = data.load("sample")
    deadly = Deadly(sample.sentences[5].id, tmp_path / "log")
    killed = numpy.concatenate(list(counts_of(sample, deadly, "count", Workers(0, ""))))
    assert (tmp_path / "log").exists()
    assert (killed == numpy.concatenate(list(counts_of(sample, load("rules"), "count")))).all()


def test_a_deadly_sentence_is_named(cluster: None, tmp_path: Path) -> None:
    sample = data.load("sample")
    deadly = Deadly(sample.sentences[66].id, tmp_path / "log", always=True)
    with pytest.raises(InputError, match="failed twice, as its process died, on the sentences"):
        list(counts_of(sample, deadly, "count", Workers(0, "")))


def test_files_that_are_read_as_they_are_needed(cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = data.load("sample")
    (tmp_path / "gold.txt").write_text(gold_text(sample))
    (tmp_path / "mine.tsv").write_text(tsv_text(sample.systems[0]))
    written = []
    for workers, large in (("1", 10**9), ("1", 0), ("ray", 0)):
        monkeypatch.setattr("matchers.score.LARGE", large)
        outputs = tmp_path / "out.json", tmp_path / "out.jsonl"
        flags = ["--gold", str(tmp_path / "gold.txt"), "--system", f"mine={tmp_path / 'mine.tsv'}", "--quiet"]
        flags += ["--json", str(outputs[0]), "--matches", str(outputs[1]), "--workers", workers]
        assert run(score, flags) == 0
        written.append([output.read_bytes() for output in outputs])
    assert written[0] == written[1] == written[2]
