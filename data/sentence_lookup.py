"""Sentences found by their text: for gold and extractions that know a sentence by its words and not by an id."""

from __future__ import annotations

from dataclasses import dataclass, replace

from data.model import Benchmark, Extraction, System
from data.problems import InputError


def text_key(text: str) -> str:
    """What two copies of a sentence have in common: spaces and case don't matter.

    >>> text_key("The mill burned .") == text_key("the mill burned.")
    True
    """
    return "".join(text.split()).casefold()


def ids_by_text(benchmark: Benchmark) -> dict[str, str]:
    """The ids of a benchmark's sentences by their text's key; the first of sentences of one text."""
    found: dict[str, str] = {}
    for sentence in benchmark.sentences:
        found.setdefault(text_key(sentence.text), sentence.id)
    return found


def with_gold_of(benchmark: Benchmark, gold: Benchmark) -> Benchmark:
    """A benchmark's sentences and systems with the clusters that another has for the same texts, else with none."""
    ids = ids_by_text(benchmark)
    path = gold.source.path if gold.source else None
    clusters = {}
    for sentence in gold.sentences:
        own = ids.get(text_key(sentence.text))
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
    """The extractions that belong to a benchmark, whose sentence ids are texts of its sentences or ids of them."""
    ids = ids_by_text(benchmark)
    found, originals = [], []
    for extraction in system.extractions:
        own = ids.get(text_key(extraction.sentence_id))
        if own is None and extraction.sentence_id in benchmark.by_id:
            own = extraction.sentence_id
        if own is not None:
            found.append(replace(extraction, sentence_id=own))
            originals.append(extraction)
    known = len({extraction.sentence_id for extraction in found})
    return Placed(System(system.name, tuple(found)), tuple(originals), known)
