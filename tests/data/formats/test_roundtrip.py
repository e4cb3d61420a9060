"""Whatever the model can express is read back equal after every writer that has a place for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from data.formats.annie import RENUMBERED, read_annie_json, read_annie_text, write_annie_json, write_annie_text
from data.formats.benchie import EMPTY_CLUSTER, NO_CLUSTER, cluster_header, is_sentence_line, read_gold, write_gold
from data.formats.carb import read_carb_benchmark, write_carb
from data.formats.extractions import read_extractions, write_extractions
from data.formats.judgments import read_judgments, write_judgments
from data.formats.reading import ReadOptions
from data.formats.wire57 import read_wire57_systems, write_wire57_systems
from data.model import ARROW, Benchmark, Cluster, Formulation, Sentence, Slot, System
from data.problems import Diagnostics, InputError
from tests.strategies import benchmarks, golds, systems

moderate = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
UNANNOTATED = {EMPTY_CLUSTER, NO_CLUSTER}


def lookalike(sentence_id: str, text: str, *slots: str) -> Benchmark:
    """Gold with one formulation whose line looks like something else."""
    cluster = Cluster("1", (Formulation(*map(Slot.of, slots)),))
    return Benchmark("gold", (Sentence(sentence_id, text, (cluster,)),))


HEADER_LIKE = lookalike("1", "A cluster .", "A", "Cluster", ":")
SENTENCE_LIKE = lookalike("1", "A cluster .", "sent_id:2", "is", "A")
DASHED_ID = lookalike("a--", "A cluster .", "A", "is", "cluster")
BYTE_ORDER_MARK = lookalike("1", "\ufeffA cluster .", "\ufeffA", "is", "cluster")


@given(golds())
@example(HEADER_LIKE)
@example(SENTENCE_LIKE)
@example(DASHED_ID)
@example(BYTE_ORDER_MARK)
@moderate
def test_benchie_text(tmp_path: Path, gold: Benchmark) -> None:
    path, diagnostics = tmp_path / "gold.txt", Diagnostics()
    write_gold(gold, path)
    assert read_gold(path, diagnostics) == gold
    assert set(diagnostics.counts()) <= UNANNOTATED


@given(golds(numbered=True))
@moderate
def test_annie_json(tmp_path: Path, gold: Benchmark) -> None:
    path, diagnostics = tmp_path / "gold.json", Diagnostics()
    write_annie_json(gold, path, Diagnostics())
    assert read_annie_json(path, diagnostics) == gold
    assert set(diagnostics.counts()) <= UNANNOTATED


@given(golds())
@moderate
def test_annie_json_changes_nothing_but_ids(tmp_path: Path, gold: Benchmark) -> None:
    path, diagnostics = tmp_path / "gold.json", Diagnostics()
    write_annie_json(gold, path, diagnostics)
    read = read_annie_json(path, Diagnostics())
    assert [(s.text, s.clusters) for s in read] == [(s.text, s.clusters) for s in gold]
    assert (RENUMBERED in diagnostics.counts()) == (read != gold)


@given(golds(numbered=True))
@example(HEADER_LIKE)
@example(SENTENCE_LIKE)
@example(BYTE_ORDER_MARK)
@moderate
def test_annie_text(tmp_path: Path, gold: Benchmark) -> None:
    path, diagnostics = tmp_path / "gold.txt", Diagnostics()
    texts = [sentence.text for sentence in gold]
    if any(ARROW in text or is_sentence_line(text) or cluster_header(text) for text in texts):
        with pytest.raises(InputError, match="can't be told from a cluster"):
            write_annie_text(gold, path, diagnostics)
        return
    write_annie_text(gold, path, diagnostics)
    assert read_annie_text(path, diagnostics) == gold
    assert set(diagnostics.counts()) <= UNANNOTATED


@given(golds(numbered=True))
@example(BYTE_ORDER_MARK)
@moderate
def test_carb(tmp_path: Path, gold: Benchmark) -> None:
    plain = _plain(gold)
    assume(plain is not None and len({sentence.text for sentence in plain}) == len(plain.sentences))
    assert plain is not None
    path, diagnostics = tmp_path / "gold.tsv", Diagnostics(strict=True)
    write_carb(plain, path, diagnostics)
    assert read_carb_benchmark(path) == plain


def _plain(gold: Benchmark) -> Benchmark | None:
    """The gold with what CaRB can express only: one formulation of required words a cluster, clusters numbered."""
    kept: list[Sentence] = []
    for sentence in gold:
        try:
            required = [
                Formulation(*(Slot.of(" ".join(slot.words)) for slot in formulation.slots))
                for cluster in sentence.clusters
                for formulation in cluster.formulations
            ]
        except ValueError:  # an optional XXX can't become a required one
            return None
        worded = [formulation for formulation in required if any(slot.words for slot in formulation.slots)]
        if worded:  # `XXX` alone becomes an empty slot
            numbered = tuple(Cluster(str(number), (formulation,)) for number, formulation in enumerate(worded, 1))
            kept.append(Sentence(str(len(kept) + 1), sentence.text, numbered))
    return replace(gold, sentences=tuple(kept)) if kept else None


@given(systems(scored=False))
@moderate
def test_extractions_tsv_without_confidence(tmp_path: Path, system: System) -> None:
    path = tmp_path / "system.tsv"
    write_extractions(system, path)
    assert read_extractions(path, Diagnostics(strict=True), system.name) == system


@given(systems(scored=True))
@moderate
def test_extractions_tsv_with_confidence(tmp_path: Path, system: System) -> None:
    path = tmp_path / "system.tsv"
    write_extractions(system, path)
    assert read_extractions(path, Diagnostics(strict=True), system.name, ReadOptions(confidence="last")) == system


@given(systems())
@moderate
def test_extractions_jsonl(tmp_path: Path, system: System) -> None:
    path = tmp_path / "system.jsonl"
    write_extractions(system, path)
    assert read_extractions(path, Diagnostics(strict=True), system.name) == system


@given(st.lists(systems(), min_size=1, max_size=3, unique_by=lambda system: system.name))
@moderate
def test_wire57_extractions(tmp_path: Path, found: list[System]) -> None:
    assume(not any(system.name == "openie" for system in found))
    path = tmp_path / "systems.json"
    write_wire57_systems(found, path)
    read = {system.name: system.by_sentence for system in read_wire57_systems(path)}
    assert read == {system.name: system.by_sentence for system in found}


@given(benchmarks())
@moderate
def test_judgments_jsonl(tmp_path: Path, benchmark: Benchmark) -> None:
    path = tmp_path / "judgments.jsonl"
    write_judgments(benchmark.judgments, path)
    read = read_judgments(path, replace(benchmark, judgments=()), Diagnostics(strict=True))
    assert read == benchmark


@given(golds(), st.sampled_from(["utf-16", "utf-8-sig", "gb18030"]))
@moderate
def test_other_encodings(tmp_path: Path, gold: Benchmark, encoding: str) -> None:
    path = tmp_path / "gold.txt"
    write_gold(gold, path, encoding)
    assert read_gold(path, Diagnostics(), encoding) == gold
