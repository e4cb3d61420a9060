"""Sentences found by their text: for gold and extractions that know a sentence by its words and not by an id."""

from __future__ import annotations

from dataclasses import dataclass, replace

from data.model import Benchmark, Extraction, System
from data.problems import InputError
from data.text import sentence_key


def ids_by_text(benchmark: Benchmark) -> dict[str, str]:
    """The ids of a benchmark's sentences by their text's key; the first of sentences of one text."""
    ids: dict[str, str] = {}
    for sentence in benchmark.sentences:
        ids.setdefault(sentence_key(sentence.text), sentence.id)
    return ids


def with_gold_of(benchmark: Benchmark, gold: Benchmark) -> Benchmark:
    """A benchmark's sentences and systems with the clusters that another has for the same texts, else with none."""
    ids = ids_by_text(benchmark)
    path = gold.source.path if gold.source else None
    clusters = {}
    for sentence in gold.sentences:
        own = ids.get(sentence_key(sentence.text))
        if own is None:
            raise InputError(f"sentence {sentence.id} is not among the {len(ids)} sentences that have ids", path)
        clusters[own] = sentence.clusters
    sentences = (replace(sentence, clusters=clusters.get(sentence.id, ())) for sentence in benchmark.sentences)
    return replace(benchmark, sentences=tuple(sentences), source=gold.source)


@dataclass(frozen=True)
class Placed:
    """A system's extractions of one benchmark's sentences, as they were given, and how many sentences they are of."""

    system: System
    originals: tuple[Extraction, ...]
    sentences: int


def placed(system: System, benchmark: Benchmark) -> Placed:
    """The extractions that belong to a benchmark, whose sentence ids are ids of its sentences or texts of them."""
    ids = ids_by_text(benchmark)
    own, originals = [], []
    for extraction in system.extractions:
        known = extraction.sentence_id in benchmark.by_id
        sentence_id = extraction.sentence_id if known else ids.get(sentence_key(extraction.sentence_id))
        if sentence_id is not None:
            own.append(replace(extraction, sentence_id=sentence_id))
            originals.append(extraction)
    sentences = len({extraction.sentence_id for extraction in own})
    return Placed(System(system.name, tuple(own)), tuple(originals), sentences)
