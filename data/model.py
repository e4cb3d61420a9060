"""The nouns of a benchmark: what a sentence states, what systems extract, what people judged.

Everything is frozen and checked on construction, so that any object that exists can be written to a file and read
back equal. The gold's own nouns stand in `data.gold`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from data.brackets import ARROW, EMPTY_SLOT
from data.gold import Cluster, Formulation, Group, Sentence, Slot
from data.text import check_id, check_text, checked_items, one_line, shown_type

__all__ = [
    "ARROW",
    "EMPTY_SLOT",
    "ENGLISH",
    "SLOT_NAMES",
    "Benchmark",
    "Cluster",
    "Extraction",
    "Formulation",
    "Group",
    "Judgment",
    "Sentence",
    "Slot",
    "Source",
    "System",
]

ENGLISH = "en"
SLOT_NAMES = ("arg1", "relation", "arg2")


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
        if self.confidence is not None:
            if isinstance(self.confidence, bool) or not isinstance(self.confidence, int | float):
                raise ValueError(f"a confidence is a number, not {shown_type(self.confidence)}")
            if not float("-inf") < self.confidence < float("inf"):
                raise ValueError(f"a confidence is a finite number, not {self.confidence}")

    @classmethod
    def of(cls, value: Extraction | Sequence[str | float | None]) -> Extraction:
        """An extraction from a tuple: sentence id, arg1, relation, arg2 and perhaps a confidence.

        >>> Extraction.of(("1", "Anna", "paints", "houses"))
        Extraction(sentence_id='1', arg1='Anna', relation='paints', arg2='houses', confidence=None)
        """
        if isinstance(value, Extraction):
            return value
        if not isinstance(value, list | tuple) or len(value) not in (4, 5):
            message = "an extraction is a tuple (sentence id, arg1, relation, arg2[, confidence])"
            raise ValueError(f"{message}, not {shown_type(value)}")
        for name, text in zip(("the sentence id", *SLOT_NAMES), value[:4], strict=True):
            if not isinstance(text, str):
                raise ValueError(f"{name} of an extraction is text, not {shown_type(text)}")
        sentence_id, arg1, relation, arg2 = (one_line(str(text)) for text in value[:4])
        return cls(sentence_id, arg1, relation, arg2, value[4] if len(value) == 5 else None)  # type: ignore[arg-type]

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
        extractions = checked_items(self.extractions, Extraction, f"the extractions of {self.name}")
        object.__setattr__(self, "extractions", extractions)

    @classmethod
    def of(cls, name: str, extractions: Iterable[Extraction | Sequence[str | float | None]]) -> System:
        """A system from its name and its extractions, which may be tuples.

        >>> System.of("mine", [("1", "Anna", "paints", "houses"), ("1", "Anna", "paints", "")]).extractions[1].arg1
        'Anna'
        """
        return cls(name, tuple(map(Extraction.of, extractions)))

    @cached_property
    def by_sentence(self) -> dict[str, tuple[Extraction, ...]]:
        """Its extractions of each sentence, in file order."""
        grouped: dict[str, list[Extraction]] = {}
        for extraction in self.extractions:
            grouped.setdefault(extraction.sentence_id, []).append(extraction)
        return {sentence_id: tuple(extractions) for sentence_id, extractions in grouped.items()}


@dataclass(frozen=True)
class Judgment:
    """A person's word on an extraction of a system: the clusters that it matches, usually one or none."""

    system: str
    extraction: Extraction
    clusters: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_id(self.system, "system")
        if not isinstance(self.extraction, Extraction):
            raise ValueError(f"a judgment is of an Extraction, not of {shown_type(self.extraction)}")
        object.__setattr__(self, "clusters", checked_items(self.clusters, str, "the clusters of a judgment"))
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
        if not isinstance(self.name, str):
            raise ValueError(f"the name of a benchmark is text, not {shown_type(self.name)}")
        for name, kind in (("sentences", Sentence), ("systems", System), ("judgments", Judgment)):
            values = checked_items(getattr(self, name), kind, f"the {name} of a benchmark")
            object.__setattr__(self, name, values)
        for what, keys in (
            ("sentences", [sentence.id for sentence in self.sentences]),
            ("systems", [system.name for system in self.systems]),
        ):
            if len(set(keys)) != len(keys):
                repeated = next(key for key, times in Counter(keys).items() if times > 1)
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
