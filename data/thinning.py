"""Thin gold: the same facts with fewer formulations each, as in benchmarks that list one wording a fact.

Every cluster stays, and every formulation that is kept stays as it is, so that what people said of an extraction and a
cluster under the full gold is as true under the thin one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from data.model import Benchmark, Cluster, Sentence

ALL, FIRST, RANDOM = "all", "first", "random"


@dataclass(frozen=True)
class Thinness:
    """How many formulations of a cluster are kept: `all`, `first`, the first N, or `random` (one, by a seed).

    >>> str(Thinness.of("1")), str(Thinness.of("random", seed=3)), Thinness.of("all").is_full
    ('first', 'random-3', True)
    """

    kept: int | None = None  # None: all of them; 0: one at random
    seed: int = 1

    @classmethod
    def of(cls, text: str, seed: int = 1) -> Thinness:
        """The thinness that a text names; the seed is that of the draw, unless the text says it, as `random-3` does."""
        if text == ALL:
            return cls()
        if text == FIRST:
            return cls(1)
        if text == RANDOM:
            return cls(0, seed)
        name, _, draw = text.partition("-")
        if name == RANDOM and draw.isascii() and draw.isdigit():
            return cls(0, int(draw))
        if not (text.isascii() and text.isdigit()) or int(text) < 1:
            raise ValueError(f"{text!r} is no number of formulations; say {ALL}, {FIRST}, {RANDOM}, or a number from 1")
        return cls(int(text))

    @property
    def is_full(self) -> bool:
        """Whether nothing is left out."""
        return self.kept is None

    @property
    def keeps_one(self) -> bool:
        """Whether a fact keeps a single formulation, the first or one at random."""
        return self.kept in (0, 1)

    def __str__(self) -> str:
        if self.kept is None:
            return ALL
        return f"{RANDOM}-{self.seed}" if self.kept == 0 else FIRST if self.kept == 1 else str(self.kept)


FULL = Thinness()


def thin(benchmark: Benchmark, thinness: Thinness) -> Benchmark:
    """The benchmark with thin gold; systems and judgments stay."""
    if thinness.is_full:
        return benchmark
    return replace(benchmark, sentences=tuple(thin_sentence(sentence, thinness) for sentence in benchmark.sentences))


def thin_sentence(sentence: Sentence, thinness: Thinness) -> Sentence:
    """The sentence with thin gold. A draw depends on the seed, the text and the cluster, not on other sentences.

    >>> from data.model import Formulation, Slot
    >>> wordings = tuple(Formulation(Slot.of("Mara"), Slot.of(verb), Slot.of("Oslo")) for verb in ("left", "quit"))
    >>> thin_sentence(Sentence("1", "Mara left Oslo .", (Cluster("1", wordings),)), Thinness(1)).clusters[0]
    Cluster(id=..., formulations=(Formulation(...left...),))
    """
    if thinness.is_full:
        return sentence
    return replace(
        sentence, clusters=tuple(_thin_cluster(sentence, cluster, thinness) for cluster in sentence.clusters)
    )


def _thin_cluster(sentence: Sentence, cluster: Cluster, thinness: Thinness) -> Cluster:
    formulations = cluster.formulations
    if len(formulations) < 2 or (thinness.kept and len(formulations) <= thinness.kept):
        return cluster
    if thinness.kept:
        return Cluster(cluster.id, formulations[: thinness.kept])
    generator = random.Random(f"{thinness.seed}:{sentence.text}:{cluster.id}")
    return Cluster(cluster.id, (generator.choice(formulations),))


def formulation_count(benchmark: Benchmark) -> int:
    """How many formulations a gold has in all: what an annotator has to write."""
    return sum(len(cluster.formulations) for sentence in benchmark.sentences for cluster in sentence.clusters)
