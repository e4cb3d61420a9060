"""The nouns of a gold annotation: what a sentence states, in all its wordings.

Everything is frozen and checked on construction, so that any object that exists can be written to a file and read
back equal. The limits keep a file from being a trap: published gold stays below a tenth of each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from data.brackets import ARROW, EMPTY_SLOT, parse
from data.text import check_id, check_text, checked_items, one_line, shown_type

MOST_CLUSTERS = 500  # of a sentence
MOST_FORMULATIONS = 2_500  # of a sentence
MOST_OPTIONAL_GROUPS = 100  # of a slot


@dataclass(frozen=True)
class Group:
    """Consecutive words of a slot that are present together: required ones, or one optional unit."""

    words: tuple[str, ...]
    optional: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", checked_items(self.words, str, "the words of a group"))
        if not self.words:
            raise ValueError("a group needs at least one word")
        for word in self.words:
            if not word or word.split() != [word] or "[" in word or "]" in word or ARROW in word:
                raise ValueError(f"{word!r} can't be a word of a gold slot")
            check_text(word, "a word")


def _is_optional(group: Group) -> bool:
    return group.optional


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
        for optional, groups in groupby(checked_items(self.groups, Group, "the groups of a slot"), _is_optional):
            own = list(groups)
            if not optional and len(own) > 1:
                own = [Group(tuple(word for group in own for word in group.words))]
            merged += own
        object.__setattr__(self, "groups", tuple(merged))
        if len(merged) == 1 and merged[0].words == (EMPTY_SLOT,) and not merged[0].optional:
            raise ValueError(f"{EMPTY_SLOT} stands for an empty slot and can't be a word")
        if len(merged) > MOST_OPTIONAL_GROUPS and sum(group.optional for group in merged) > MOST_OPTIONAL_GROUPS:
            raise ValueError(f"a slot has more than {MOST_OPTIONAL_GROUPS} optional groups")

    @classmethod
    def of(cls, text: str) -> Slot:
        """A slot from the notation of gold files; a bracket too many or too few is an error.

        >>> str(Slot.of("[the] High Court")), Slot.of("XXX").words
        ('[the] High Court', ())
        """
        if not isinstance(text, str):
            raise ValueError(f"a slot is text such as '[the] court', not {shown_type(text)}")
        parsed = parse(text)
        if parsed.defects:
            raise ValueError(f"{parsed.defects[0]} in {one_line(text)!r}")
        return cls(tuple(Group(words, optional) for words, optional in parsed.groups))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words, optional ones included, in order."""
        return tuple(word for group in self.groups for word in group.words)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The words that are always there."""
        return tuple(word for group in self.groups if not group.optional for word in group.words)

    @cached_property
    def _text(self) -> str:
        texts = (" ".join(group.words) for group in self.groups)
        marked = (f"[{text}]" if group.optional else text for text, group in zip(texts, self.groups, strict=True))
        return " ".join(marked)

    def __str__(self) -> str:
        return self._text


@dataclass(frozen=True)
class Formulation:
    """One wording of a fact: two arguments and a relation; an empty `arg2` is a fact of one argument."""

    arg1: Slot
    relation: Slot
    arg2: Slot

    def __post_init__(self) -> None:
        for slot in self.slots:
            if not isinstance(slot, Slot):
                raise ValueError(f"a formulation has three Slots, not {shown_type(slot)}; Slot.of makes one of text")

    @classmethod
    def of(cls, text: str) -> Formulation:
        """A formulation from the notation of gold files.

        >>> str(Formulation.of("[the] court --> ruled --> XXX"))
        '[the] court --> ruled --> XXX'
        """
        if not isinstance(text, str):
            raise ValueError(f"a formulation is text such as 'Bo --> bakes --> bread', not {shown_type(text)}")
        slots = text.split(ARROW)
        if len(slots) != 3:
            raise ValueError(f"a formulation has three slots, 'arg1 {ARROW} relation {ARROW} arg2': {one_line(text)!r}")
        return cls(*map(Slot.of, slots))

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
        formulations = checked_items(self.formulations, Formulation, f"the formulations of cluster {self.id}")
        object.__setattr__(self, "formulations", formulations)

    @classmethod
    def of(cls, *formulations: str | Formulation, id: str = "1") -> Cluster:
        """A cluster from its formulations, as text or as they are.

        >>> cluster = Cluster.of("[the] court --> ruled --> XXX", "it --> ruled --> XXX", id="4")
        >>> cluster.id, len(cluster.formulations)
        ('4', 2)
        """
        return cls(id, tuple(f if isinstance(f, Formulation) else Formulation.of(f) for f in formulations))


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
        clusters = checked_items(self.clusters, Cluster, f"the clusters of sentence {self.id}")
        object.__setattr__(self, "clusters", clusters)
        ids = [cluster.id for cluster in clusters]
        if len(set(ids)) != len(ids):
            repeated = next(cluster_id for cluster_id, times in Counter(ids).items() if times > 1)
            raise ValueError(f"sentence {self.id} has two clusters with one id, {repeated}")
        if len(clusters) > MOST_CLUSTERS:
            raise ValueError(f"sentence {self.id} has more than {MOST_CLUSTERS} clusters")
        if sum(len(cluster.formulations) for cluster in clusters) > MOST_FORMULATIONS:
            raise ValueError(f"sentence {self.id} has more than {MOST_FORMULATIONS} formulations")

    @classmethod
    def of(cls, text: str, *facts: str | Sequence[str] | Cluster, id: str = "1") -> Sentence:
        """A sentence with its facts: a formulation, a list of formulations, or a cluster that has its own id.

        Facts given as text are numbered by their place.

        >>> sentence = Sentence.of("Bo bakes bread .", "Bo --> bakes --> bread", ["bread --> exists --> XXX"], id="7")
        >>> [cluster.id for cluster in sentence.clusters]
        ['1', '2']
        """
        return cls(id, text, tuple(_cluster(fact, number) for number, fact in enumerate(facts, 1)))

    def __hash__(self) -> int:
        return hash((self.id, self.text))  # the clusters are compared, but hashing them all would be slow

    def cluster(self, cluster_id: str) -> Cluster:
        """The cluster with this id."""
        for cluster in self.clusters:
            if cluster.id == cluster_id:
                return cluster
        raise KeyError(f"sentence {self.id} has no cluster {cluster_id}")


def _cluster(fact: str | Iterable[str] | Cluster, number: int) -> Cluster:
    if isinstance(fact, Cluster):
        return fact
    if isinstance(fact, str):
        return Cluster.of(fact, id=str(number))
    if isinstance(fact, list | tuple):
        return Cluster.of(*fact, id=str(number))
    raise ValueError(f"a fact is a formulation, a list of them, or a Cluster, not {shown_type(fact)}")
