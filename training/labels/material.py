"""What a recipe trains on: people's judgments, and parts with other labels beside them with weights.

A source is a kind of labels in a data set, `generated:sample` for one. A recipe takes what it gives weight to and what
is at hand, or what it is told to take and nothing else; the material says which sources those were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import get_args

from data.catalog import DATASETS, NAMES, find, load
from data.model import Benchmark
from data.problems import Diagnostics, InputError
from data.text import counted
from training.labels.formulations import formulations
from training.labels.generated import generated
from training.labels.hashes import parts_hash
from training.labels.held_out import HeldOut
from training.labels.judged_parts import (
    FORMULATIONS,
    GENERATED,
    PEOPLE,
    SILVER,
    Judged,
    Source,
    judged,
    key_of,
    keys,
)
from training.labels.shapes import SourceJson
from training.labels.unjudged import silver
from training.recipes import Recipe
from training.yaml_files import shown

NONE = "none"


@dataclass(frozen=True)
class Weighted:
    """A judged part, and how much one of its pairs counts beside one that people judged."""

    part: Judged
    weight: float


@dataclass(frozen=True)
class Used:
    """A source that is trained on beside people's judgments: its labels, the data set, how much of it, its hash."""

    source: Source
    dataset: str
    parts: int
    sentences: int
    hash: str

    @property
    def name(self) -> str:
        """What `--supervision` calls it."""
        return f"{self.source}:{self.dataset}"

    def to_json(self) -> SourceJson:
        """The source as JSON."""
        return {"name": self.name, "parts": self.parts, "sentences": self.sentences, "hash": self.hash}


@dataclass(frozen=True)
class Material:
    """What there is to train on: the parts that people judged, those beside them, and where those are from."""

    work: tuple[Judged, ...]
    beside: tuple[Weighted, ...] = ()
    used: tuple[Used, ...] = ()
    absent: str = ""  # the data set that the recipe asks for and that is not at hand

    @cached_property
    def judgments(self) -> str:
        """The hash of what people said."""
        return parts_hash(self.work)

    @property
    def supervision(self) -> str:
        """The sources beside people's judgments with their hashes, in one line for signatures."""
        return ",".join(f"{used.name}@{used.hash}" for used in self.used) or NONE

    @property
    def keys(self) -> frozenset[str]:
        """What stands for all sentences that anything is learned from, silver and generated ones too."""
        return keys(self.work) | keys(item.part for item in self.beside)

    def allowed(self, train: Sequence[int]) -> list[int]:
        """The positions of what may be trained on beside the judged parts at these positions."""
        held_out = HeldOut.of(self.work, [self.work[position] for position in train])
        return [position for position, item in enumerate(self.beside) if held_out.allows(item.part)]

    def __str__(self) -> str:
        sources = ", ".join(f"{used.name} ({counted(used.sentences, 'sentence')})" for used in self.used) or "nothing"
        absent = f"; {self.absent} is not at hand" if self.absent else ""
        return f"trained on beside the judgments: {sources}{absent}"


def gather(
    recipe: Recipe, benchmark: Benchmark, data: Path | None = None, supervision: Sequence[str] | None = None
) -> Material:
    """What a recipe asks for and the data allow, or of that only the named sources, all of which must be there.

    A source's name is a kind of labels, `generated`, or one of a data set, `generated:sample`.
    """
    names = _checked(supervision)
    work = tuple(judged(benchmark))
    own = keys(work)
    benchmarks = [benchmark]
    dataset = silver_dataset(recipe, data)
    if dataset and names != ():
        other = load(dataset, data, Diagnostics())
        benchmarks.append(other.restricted(sentence.id for sentence in other.sentences if key_of(sentence) not in own))
    beside: list[Weighted] = []
    used: list[Used] = []
    for source, weight in _weights(recipe).items():
        for of in benchmarks:
            if not (names is None or {source, f"{source}:{of.name}"} & set(names)):
                continue
            parts = _parts(source, of, recipe, own)
            if parts:
                beside += [Weighted(part, weight) for part in parts]
                sentences = len({part.sentence.id for part in parts})
                used.append(Used(source, of.name, len(parts), sentences, parts_hash(parts, [weight])))
    for name in names or ():
        if not any(name in (one.source, one.name) for one in used):
            at_hand = ", ".join(one.name for one in gather(recipe, benchmark, data).used) or NONE
            raise InputError(
                f"--supervision {shown(name)[1:-1]}: the recipe does not ask for it or finds none; it finds {at_hand}"
            )
    asked = recipe.supervision.silver_dataset
    absent = asked if asked and not dataset and names is None and _weights(recipe) else ""
    return Material(work, tuple(beside), tuple(used), absent)


def _checked(supervision: Sequence[str] | None) -> tuple[str, ...] | None:
    """The names of the sources to take; none at all for `none`, and None for all there are."""
    if supervision is None:
        return None
    names = tuple(name for name in supervision if name)
    if names == (NONE,):
        return ()
    known = [source for source in get_args(Source) if source != PEOPLE]
    for name in names:
        if name.partition(":")[0] not in known:
            kinds = ", ".join(known)
            raise InputError(
                f"--supervision takes none, or names among {kinds}, such as {known[-1]}:sample, not {shown(name)}"
            )
    return names


def _weights(recipe: Recipe) -> dict[Source, float]:
    """How much a pair of each source counts that a recipe asks for; of several weights of one the first."""
    asked = recipe.supervision
    weights: dict[Source, tuple[float, ...]] = {
        SILVER: (asked.silver_weight,), FORMULATIONS: (asked.formulations_weight,), GENERATED: asked.generated_weight,
    }  # fmt: skip
    return {source: own[0] for source, own in weights.items() if max(own) > 0}


def _parts(source: Source, benchmark: Benchmark, recipe: Recipe, own: frozenset[str]) -> list[Judged]:
    """Silver parts are of sentences without judgments, the others of all sentences."""
    if source == SILVER:
        return silver(benchmark, own)
    if source == FORMULATIONS:
        return formulations(benchmark, recipe.supervision.formulations_rounds, recipe.seed)
    return generated(benchmark, recipe.supervision.generated_per_sentence, recipe.seed)


def silver_dataset(recipe: Recipe, data: Path | None) -> str | None:
    """The data set beside the judged one that a recipe asks for; None if it asks for none or it is not at hand."""
    name = recipe.supervision.silver_dataset
    if name in DATASETS:
        return name if find(name, data) else None
    if name is not None and name != "sample" and not Path(name).is_dir():
        raise InputError(f"supervision.silver_dataset is a folder, null, or one of {', '.join(NAMES)}, not {name!r}")
    return name
