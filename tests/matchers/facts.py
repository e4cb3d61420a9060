"""Small golds and extractions for the matchers' tests, written in the gold's own notation."""

from __future__ import annotations

from collections.abc import Sequence

from data.formats.slots import parse_slot
from data.model import Cluster, Extraction, Formulation, Sentence
from matchers import load
from matchers.text.gold_index import WRITTEN, Slots, View
from matchers.text.patterns import Groups


def formulation(text: str) -> Formulation:
    """`Mara Venn --> is --> [a] chemist`."""
    arg1, relation, arg2 = (parse_slot(slot)[0] for slot in text.split(" --> "))
    return Formulation(arg1, relation, arg2)


def sentence(*clusters: str | Sequence[str], text: str = "An invented sentence .", name: str = "1") -> Sentence:
    """A sentence whose clusters, numbered from 1, are one formulation or several each."""
    listed = [[cluster] if isinstance(cluster, str) else list(cluster) for cluster in clusters]
    made = (Cluster(str(number), tuple(map(formulation, texts))) for number, texts in enumerate(listed, 1))
    return Sentence(name, text, tuple(made))


def triple(text: str, name: str = "1") -> Extraction:
    """`Mara Venn - is - a chemist`; the first two ` - ` part the slots."""
    arg1, relation, arg2 = (*text.split(" - ", 2), "")[:3]
    return Extraction(name, arg1, relation, arg2)


def slots(text: str, kind: str = WRITTEN) -> Slots:
    """The words of an extraction's slots."""
    return View(sentence(), kind).slots(triple(text))


def groups(text: str) -> Groups:
    """The groups of a slot in the gold's notation."""
    return tuple((group.words, group.optional) for group in parse_slot(text)[0].groups)


def clusters_of(rules: str, gold: Sentence, *extractions: str) -> list[tuple[str, ...]]:
    """The clusters with which each of a system's extractions is credited."""
    assignment = load(rules).match(gold, [triple(text) for text in extractions])
    return [tuple(match.cluster for match in assignment.of(index)) for index in range(len(extractions))]


def rules_of(rules: str, gold: Sentence, *extractions: str) -> list[tuple[str, ...]]:
    """The rules by which each of a system's extractions is credited."""
    assignment = load(rules).match(gold, [triple(text) for text in extractions])
    return [tuple(match.reason.rule for match in assignment.of(index)) for index in range(len(extractions))]
