"""The cases of a page: extractions beside the facts they were or should have been matched to, ready for its script.

Sentences and texts are stored once and referred to by number, so that thousands of cases make a page of some megabytes.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from data.formats.textfile import sha256
from data.model import Cluster, Extraction, Formulation, Sentence, Slot
from matchers.text.alignment import Alignment, align
from matchers.text.patterns import Groups

KEPT, EXTRA, MISSING = range(3)
Run = tuple[int, str]  # words that are kept, extra or missing


@dataclass
class Casebook:
    """Collects cases; `kinds` are what a case can be of, in the order of the bits of its masks.

    `source` are the arguments with which `matchers.explain` finds the gold again.
    """

    kinds: Sequence[str]
    matchers: Sequence[str]
    systems: Sequence[str]
    source: Sequence[str]
    sentences: list[dict[str, Any]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    cases: list[dict[str, Any]] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)
    _texts: dict[str, int] = field(default_factory=dict)
    _ids: dict[str, int] = field(default_factory=dict)

    def sentence(self, sentence: Sentence) -> int:
        """The number of a sentence, which is stored when it is first met."""
        if sentence.id not in self._places:
            self._places[sentence.id] = len(self.sentences)
            clusters = [
                {"id": cluster.id, "formulations": [[str(slot) for slot in f.slots] for f in cluster.formulations]}
                for cluster in sentence.clusters
            ]
            self.sentences.append({"id": sentence.id, "text": sentence.text, "clusters": clusters})
        return self._places[sentence.id]

    def text(self, text: str) -> int:
        """The number of a text."""
        if text not in self._texts:
            self._texts[text] = len(self.texts)
            self.texts.append(text)
        return self._texts[text]

    def rule(self, rule: str) -> int:
        """The number of a rule."""
        if rule not in self.rules:
            self.rules.append(rule)
        return self.rules.index(rule)

    def new_id(self, *parts: str) -> str:
        """The id of a case: the same on every page that has the case, so that links to it last."""
        digest = sha256("\n".join(parts).encode())[:10]
        self._ids[digest] = self._ids.get(digest, 0) + 1
        return digest if self._ids[digest] == 1 else f"{digest}-{self._ids[digest]}"

    def as_json(self) -> dict[str, Any]:
        """What the page's script reads."""
        return {
            "source": shlex.join(self.source),
            "kinds": list(self.kinds),
            "matchers": list(self.matchers),
            "systems": list(self.systems),
            "rules": self.rules,
            "texts": self.texts,
            "sentences": self.sentences,
            "cases": self.cases,
        }


def nearest(extraction: Extraction, cluster: Cluster) -> tuple[int, list[list[Run]]] | None:
    """The formulation with the fewest differing words, by its number, and the slots with these words marked."""
    aligned = [(_aligned(extraction, formulation), number) for number, formulation in enumerate(cluster.formulations)]
    if not aligned:
        return None
    alignments, number = min(aligned, key=lambda item: sum(alignment.cost for alignment in item[0]))
    return number, [
        marked(slot.split(), alignment) for slot, alignment in zip(extraction.slots, alignments, strict=True)
    ]


def compared(extraction: Extraction, sentence: Sentence, fact: int) -> dict[str, Any]:
    """An extraction beside a fact: the fact (c), its nearest formulation (f), and the slots with words marked (t)."""
    closest = nearest(extraction, sentence.clusters[fact])
    return {"c": fact, "f": closest[0], "t": closest[1]} if closest else {"c": fact}


def likeliest(extraction: Extraction, clusters: Sequence[Cluster]) -> int | None:
    """The position of the cluster that shares the largest part of its words with an extraction; None if none does."""
    own = {word.lower() for slot in extraction.slots for word in slot.split()}
    shares = [max((_share(own, f) for f in cluster.formulations), default=0.0) for cluster in clusters]
    best = max(shares, default=0.0)
    return shares.index(best) if best else None


def _share(own: set[str], formulation: Formulation) -> float:
    words = {word.lower() for slot in formulation.slots for word in slot.words}
    return len(own & words) / len(own | words)


def _aligned(extraction: Extraction, formulation: Formulation) -> list[Alignment]:
    return [
        align(tuple(text.split()), _groups(slot))
        for text, slot in zip(extraction.slots, formulation.slots, strict=True)
    ]


def _groups(slot: Slot) -> Groups:
    return tuple((group.words, group.optional) for group in slot.groups)


def marked(words: Sequence[str], alignment: Alignment) -> list[Run]:
    """The words of a slot with the extra ones marked and the missing ones put in their place.

    >>> marked(("old", "mill", "today"), align(("old", "mill", "today"), ((("old", "water", "mill"), False),)))
    [(0, 'old'), (2, 'water'), (0, 'mill'), (1, 'today')]
    """
    missing: dict[int, list[str]] = {}
    for word, place in zip(alignment.missing, alignment.missing_at, strict=True):
        missing.setdefault(place, []).append(word)
    extra = set(alignment.extra_at)
    pieces: list[Run] = []
    for place in range(len(words) + 1):
        pieces.extend((MISSING, word) for word in missing.get(place, ()))
        if place < len(words):
            pieces.append((EXTRA if place in extra else KEPT, words[place]))
    return joined_runs(pieces)


def joined_runs(pieces: Iterable[Run]) -> list[Run]:
    """Neighbours of one kind, joined."""
    runs: list[Run] = []
    for kind, text in pieces:
        if runs and runs[-1][0] == kind:
            runs[-1] = (kind, f"{runs[-1][1]} {text}")
        else:
            runs.append((kind, text))
    return runs
