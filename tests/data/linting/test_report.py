"""The report on a gold file, as a program has it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import data
from data.linting.report import as_json, as_text, lint
from data.model import Benchmark, Cluster, Formulation, Sentence
from data.problems import Diagnostics, InputError

GOLD = Benchmark("mine", (Sentence.of("Mara sold it .", "Mara --> sold --> it", "Mara --> sold --> [all of] it"),))


def test_gold_in_memory_can_be_checked() -> None:
    report = lint(GOLD)
    assert report.warned and report.statistics.clusters == 2
    (double,) = [finding for finding in report.findings if finding.check.name == "double annotation"]
    assert [hit.clusters for hit in double.hits] == [("1", "2")]
    assert as_json(report)["gold"] == {"name": "mine", "path": None, "sha256": None}


def test_defects_of_the_file_have_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "gold.txt"
    path.write_text("sent_id:1\tMara sold it .\n1--> Cluster 1:\nMara --> sold --> [all]it\n")
    diagnostics = Diagnostics()
    report = lint(data.read_gold(path, diagnostics=diagnostics), diagnostics)
    assert "sentence 1 cluster 1 line 3: Mara --> sold --> [all]it" in as_text(report)


def test_another_annotation_is_of_the_same_sentences() -> None:
    other = Benchmark("other", (Sentence.of("MARA sold it.", "Mara --> sold --> it", id="7"),))
    assert lint(GOLD, against=other).unpaired == ()
    with pytest.raises(InputError, match="no sentence of other has the text or the id of one of mine"):
        lint(GOLD, against=Benchmark("other", (Sentence.of("Rain fell .", id="7"),)))


def test_no_escape_sequence_is_printed() -> None:
    fact = "Mara --> sold\x1bc --> XXX"
    text = as_text(lint(Benchmark("mine", (Sentence.of("Mara sold .", fact, fact),))))
    assert "\x1b" not in text and r"sold\x1bc" in text


def test_as_many_formulations_as_may_be_take_seconds() -> None:
    facts = (Cluster(str(n), tuple(Formulation.of(f"a{n} [b] --> c{k} --> e") for k in range(5))) for n in range(500))
    started = time.process_time()
    lint(Benchmark("mine", (Sentence("1", "a c e", tuple(facts)),)))
    assert time.process_time() - started < 20
