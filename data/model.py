"""The nouns of a benchmark: what a sentence states, what systems extract, what people judged.

Everything is frozen and validated on construction, so that any object that exists can be written to a file and read
back equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

EMPTY_SLOT = "XXX"
ARROW = "-->"
ENGLISH = "en"
SLOT_NAMES = ("arg1", "relation", "arg2")
_SURROGATE = re.compile("[\ud800-\udfff]")


def one_line(text: str) -> str:
    """White space of any kind folded to single spaces, none at the ends."""
    return " ".join(text.split())


def check_id(value: str, what: str) -> None:
    """An id is a non-empty printable string without the marks of the text formats."""
    if not value or value != one_line(value) or not value.isprintable() or "->" in value:
        raise ValueError(f"{value!r} can't be the id of a {what}")


def check_text(value: str, what: str) -> None:
    """Text that is stored has single spaces only and can be encoded."""
    if value != one_line(value):
        raise ValueError(f"{what} has line breaks, tabs or doubled spaces: {value!r}")
    if not value.isascii() and _SURROGATE.search(value):
        raise ValueError(f"{what} has lone surrogates, which no encoding can write: {value!r}")


@dataclass(frozen=True)
class Group:
    """Consecutive words of a slot that are present together: required ones, or one optional unit."""

    words: tuple[str, ...]
    optional: bool = False

    def __post_init__(self) -> None:
        if not self.words:
            raise ValueError("a group needs at least one word")
        for word in self.words:
            if not word or word.split() != [word] or "[" in word or "]" in word or ARROW in word:
                raise ValueError(f"{word!r} can't be a word of a gold slot")
            check_text(word, "a word")


@dataclass(frozen=True)
class Slot:
    """An argument or relation of a formulation: words, each required or in an optional group.

    >>> slot = Slot((Group(("the",), True), Group(("High", "Court")), Group(("of", "Arden"), True)))
    >>> str(slot), slot.words, slot.required
    ('[the] High Court [of Arden]', ('the', 'High', 'Court', 'of', 'Arden'), ('High', 'Court'))
    """

    groups: tuple[Group, ...] = ()

    def __post_init__(self) -> None:
        merged: list[Group] = []
        for group in self.groups:
            if merged and not group.optional and not merged[-1].optional:
                group = Group(merged.pop().words + group.words)
            merged.append(group)
        object.__setattr__(self, "groups", tuple(merged))
        if len(merged) == 1 and merged[0].words == (EMPTY_SLOT,) and not merged[0].optional:
            raise ValueError(f"{EMPTY_SLOT} stands for an empty slot and can't be a word")

    @classmethod
    def of(cls, text: str) -> Slot:
        """A slot of required words only."""
        words = tuple(text.split())
        return cls((Group(words),) if words else ())

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words, optional ones included, in order."""
        return tuple(word for group in self.groups for word in group.words)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The words that are always there."""
        return tuple(word for group in self.groups if not group.optional for word in group.words)

    def __str__(self) -> str:
        texts = (" ".join(group.words) for group in self.groups)
        marked = (f"[{text}]" if group.optional else text for text, group in zip(texts, self.groups, strict=True))
        return " ".join(marked)


@dataclass(frozen=True)
class Formulation:
    """One wording of a fact: two arguments and a relation; an empty `arg2` is a fact of one argument."""

    arg1: Slot
    relation: Slot
    arg2: Slot

    @property
    def slots(self) -> tuple[Slot, Slot, Slot]:
        """The three slots in reading order."""
        return (self.arg1, self.relation, self.arg2)

    def __str__(self) -> str:
        return f" {ARROW} ".join(str(slot) or EMPTY_SLOT for slot in self.slots)


@dataclass(frozen=True)
class Cluster:
    """A fact: the formulations that all state it."""

    id: str
    formulations: tuple[Formulation, ...]

    def __post_init__(self) -> None:
        check_id(self.id, "cluster")
        if " " in self.id or ":" in self.id:
            raise ValueError(f"{self.id!r} can't be the id of a cluster: no spaces or colons")


@dataclass(frozen=True)
class Sentence:
    """A sentence of the benchmark with the facts that it states."""

    id: str
    text: str
    clusters: tuple[Cluster, ...] = ()

    def __post_init__(self) -> None:
        check_id(self.id, "sentence")
        check_text(self.text, f"sentence {self.id}")
        if not self.text:
            raise ValueError(f"sentence {self.id} has no text")
        ids = [cluster.id for cluster in self.clusters]
        if len(set(ids)) != len(ids):
            raise ValueError(f"sentence {self.id} has two clusters with one id")

    def __hash__(self) -> int:
        return hash((self.id, self.text))  # the clusters are compared, but hashing them all would be slow

    def cluster(self, cluster_id: str) -> Cluster:
        """The cluster with this id."""
        for cluster in self.clusters:
            if cluster.id == cluster_id:
                return cluster
        raise KeyError(f"sentence {self.id} has no cluster {cluster_id}")


@dataclass(frozen=True)
class Extraction:
    """A triple that a system extracted from a sentence; `arg2` may be empty."""

    sentence_id: str
    arg1: str
    relation: str
    arg2: str
    confidence: float | None = None

    def __post_init__(self) -> None:
        check_id(self.sentence_id, "sentence")
        for name, slot in zip(SLOT_NAMES, self.slots, strict=True):
            check_text(slot, name)
        if not any(self.slots):
            raise ValueError("an extraction needs at least one word")
        if self.confidence is not None and not float("-inf") < self.confidence < float("inf"):
            raise ValueError(f"a confidence is a finite number, not {self.confidence}")

    @property
    def slots(self) -> tuple[str, str, str]:
        """The three slots in reading order."""
        return (self.arg1, self.relation, self.arg2)

    def __str__(self) -> str:
        return " - ".join(self.slots)


@dataclass(frozen=True)
class System:
    """An OIE system by name, with all that it extracted."""

    name: str
    extractions: tuple[Extraction, ...] = ()

    def __post_init__(self) -> None:
        check_id(self.name, "system")

    @cached_property
    def by_sentence(self) -> dict[str, tuple[Extraction, ...]]:
        """Its extractions of each sentence, in file order."""
        found: dict[str, list[Extraction]] = {}
        for extraction in self.extractions:
            found.setdefault(extraction.sentence_id, []).append(extraction)
        return {sentence_id: tuple(extractions) for sentence_id, extractions in found.items()}


@dataclass(frozen=True)
class Judgment:
    """A person's word on an extraction of a system: the clusters that it matches, usually one or none."""

    system: str
    extraction: Extraction
    clusters: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_id(self.system, "system")
        for cluster_id in self.clusters:
            check_id(cluster_id, "cluster")
        if len(set(self.clusters)) != len(self.clusters):
            raise ValueError("a judgment names a cluster twice")


@dataclass(frozen=True)
class Source:
    """The file a benchmark's gold came from and the hash of its bytes."""

    path: Path
    sha256: str


@dataclass(frozen=True)
class Benchmark:
    """Sentences with their clusters; optionally systems with their extractions, and people's judgments of them."""

    name: str
    sentences: tuple[Sentence, ...]
    systems: tuple[System, ...] = ()
    judgments: tuple[Judgment, ...] = ()
    source: Source | None = field(default=None, compare=False)
    language: str = field(default=ENGLISH, compare=False)

    def __post_init__(self) -> None:
        for what, keys in (
            ("sentences", [sentence.id for sentence in self.sentences]),
            ("systems", [system.name for system in self.systems]),
        ):
            if len(set(keys)) != len(keys):
                repeated = next(key for key in keys if keys.count(key) > 1)
                raise ValueError(f"two {what} are called {repeated!r}")

    @cached_property
    def by_id(self) -> dict[str, Sentence]:
        """The sentences by their id."""
        return {sentence.id: sentence for sentence in self.sentences}

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    @property
    def cluster_count(self) -> int:
        """How many facts there are in all."""
        return sum(len(sentence.clusters) for sentence in self.sentences)

    @property
    def extraction_count(self) -> int:
        """How many extractions the systems made in all."""
        return sum(len(system.extractions) for system in self.systems)

    def restricted(self, sentence_ids: Iterable[str]) -> Benchmark:
        """The same benchmark with only these sentences, and what belongs to them."""
        wanted = set(sentence_ids)
        return Benchmark(
            self.name,
            tuple(sentence for sentence in self.sentences if sentence.id in wanted),
            tuple(
                System(system.name, tuple(e for e in system.extractions if e.sentence_id in wanted))
                for system in self.systems
            ),
            tuple(j for j in self.judgments if j.extraction.sentence_id in wanted),
            self.source,
            self.language,
        )
