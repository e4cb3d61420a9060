"""Hashes of what is learned from, for signatures: other labels, other extractions or another gold have another one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from data.model import Sentence
from training.labels.judged_parts import Judged

DIGITS = 12


def parts_hash(parts: Iterable[Judged], weights: Iterable[float] = ()) -> str:
    """The first digits of the hash of judged parts: their sentences with the gold, extractions, labels, and weights."""
    whole = hashlib.sha256()
    golds: dict[int, str] = {}
    for part in parts:
        if id(part.sentence) not in golds:
            golds[id(part.sentence)] = _gold(part.sentence)
        labels = [",".join(sorted(label)) for label in part.labels]
        slots = ["\t".join(extraction.slots) for extraction in part.extractions]
        told = (golds[id(part.sentence)], part.source, part.system, slots, labels)
        whole.update(repr(told).encode())
    whole.update(repr(list(weights)).encode())
    return whole.hexdigest()[:DIGITS]


def _gold(sentence: Sentence) -> str:
    facts = [[cluster.id, *map(str, cluster.formulations)] for cluster in sentence.clusters]
    return hashlib.sha256(repr((sentence.id, sentence.text, facts)).encode()).hexdigest()
