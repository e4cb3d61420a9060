from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy
import pytest

import data
from data.command_line import run
from data.model import Benchmark, Extraction, Sentence
from data.problems import InputError
from matchers import load
from matchers.interface import Candidate, Matcher
from matchers.profile import main as profile
from matchers.rules.matcher import RuleMatcher
from matchers.score import main as score
from matchers.workers.choice import Workers
from matchers.workers.matching import assignments, counts_of, match_parts, shards_of


@pytest.fixture(scope="module")
def sample() -> Benchmark:
    return data.load("sample")


def test_shards_are_all_sentences_in_order(sample: Benchmark) -> None:
    shards = list(shards_of(sample))
    assert [one for shard in shards for one in shard.sentences] == list(sample.sentences)
    assert sum(len(extractions) for shard in shards for _, extractions in shard.work) == sample.extraction_count


@pytest.mark.parametrize("workers", ["1", "2", "3"])
def test_assignments_are_those_of_the_matcher(sample: Benchmark, workers: str) -> None:
    found = list(assignments(sample, load("rules"), Workers.of(workers)))
    assert len(found) == len(sample.sentences) * len(sample.systems)
    for number, system, assignment in found:
        sentence = sample.sentences[number]
        expected = load("rules").match(sentence, system.by_sentence.get(sentence.id, ()))
        assert assignment == expected and assignment.candidates == expected.candidates


def test_counts_are_the_same_with_any_number(sample: Benchmark) -> None:
    one, two = (numpy.concatenate(list(counts_of(sample, load("rules"), "ignore", Workers(n)))) for n in (1, 2))
    assert one.shape == (len(sample.sentences), len(sample.systems), 4)
    assert (one == two).all()


def test_parts_in_any_order(sample: Benchmark) -> None:
    work = [(s, system.by_sentence.get(s.id, ())) for system in sample.systems for s in reversed(sample.sentences)]
    assert match_parts(load("rules"), work, Workers(2)) == load("rules").match_many(work)


@pytest.mark.parametrize("matcher", ["rules", "features", "wire57"])
def test_scores_are_equal_to_the_byte(tmp_path: Path, matcher: str) -> None:
    written = {}
    for workers in ("1", "2", "auto"):
        files = [tmp_path / f"{workers}.{kind}" for kind in ("json", "jsonl", "csv", "plain.json")]
        flags = ["--dataset", "sample", "--matcher", matcher, "--workers", workers, "--quiet", "--resamples", "200"]
        assert run(score, [*flags, "--json", str(files[0]), "--matches", str(files[1]), "--csv", str(files[2])]) == 0
        assert run(score, [*flags, "--json", str(files[3])]) == 0  # counts alone
        written[workers] = [file.read_bytes() for file in files]
    assert written["1"] == written["2"] == written["auto"]
    assert written["1"][0] == written["1"][3]
    assert "workers" not in json.loads(written["1"][0])["signature"]


def test_profiles_are_equal_to_the_byte(tmp_path: Path) -> None:
    for workers in ("1", "2"):
        flags = ["--dataset", "sample", "--workers", workers, "--json", str(tmp_path / workers), "--quiet"]
        assert run(profile, [*flags, "--resamples", "100"]) == 0
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


@dataclass
class Deadly(Matcher):
    """Dies at one sentence, once or always."""

    at: str
    log: Path
    always: bool = False
    name: str = "deadly"

    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        if sentence.id == self.at and (self.always or not self.log.exists()):
            self.log.write_text("died")
            os.kill(os.getpid(), signal.SIGKILL)
        return RuleMatcher().candidates(sentence, extractions)


def test_a_killed_worker_changes_nothing(sample: Benchmark, tmp_path: Path) -> None:
    deadly = Deadly(sample.sentences[30].id, tmp_path / "log")
    killed = numpy.concatenate(list(counts_of(sample, deadly, "count", Workers(2))))
    assert (tmp_path / "log").exists()
    assert (killed == numpy.concatenate(list(counts_of(sample, load("rules"), "count")))).all()


def test_a_deadly_sentence_is_named(sample: Benchmark, tmp_path: Path) -> None:
    deadly = Deadly(sample.sentences[66].id, tmp_path / "log", always=True)
    last = ", ".join(sentence.id for sentence in sample.sentences[64:])
    with pytest.raises(InputError, match=f"on the sentences {last};"):
        list(counts_of(sample, deadly, "count", Workers(2)))
