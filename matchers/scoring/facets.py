"""BenchIE's facets: other views of one gold, each of them a benchmark that any matcher can score.

- `C` (concatenation): only the words of the three slots in a row count, not where one slot ends. All words go into the
  relation, on both sides, and the arguments are empty. A formulation's optional words stay optional.
- `M` (minimality): only the words that are not optional are left of a formulation. An extraction with any other word
  matches no more. A formulation that had optional words only is left out; its cluster still counts.
- `E` (entities): arguments must be whole concepts. The authors made this gold by hand; it can be given as a file. Else
  it is derived by a rule and called `E-derived`: formulations whose first or second argument begins or ends with a
  preposition or verb particle are dropped. Optional groups that would make it so are dropped alone. A preposition of
  quantity before a number (`over 20 years`) is no preposition here.

Of the rules, AF and LoD look at borders of slots, of which facet C has none: there `rules` comes down to EM and Punc.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from data.model import Benchmark, Cluster, Extraction, Formulation, Group, Sentence, Slot, System
from data.problems import InputError
from matchers.text.word_lists import PREPOSITIONS

Facet = Literal["default", "C", "M", "E"]
FACETS: tuple[Facet, ...] = ("default", "C", "M", "E")
DERIVED = "E-derived"

PARTICLES = frozenset("away back apart aside ahead forth forward".split())
QUANTITIES = frozenset("about above around below over under near".split())
NUMBERS = frozenset(
    """one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty
    ninety hundred thousand million billion half a an""".split()
)


def facet_label(facet: Facet, from_file: bool) -> str:
    """What a facet is called in results: a derived one says so.

    >>> facet_label("E", from_file=False), facet_label("E", from_file=True), facet_label("C", from_file=False)
    ('E-derived', 'E', 'C')
    """
    return DERIVED if facet == "E" and not from_file else facet


def faceted(benchmark: Benchmark, facet: Facet, gold: Benchmark | None = None) -> Benchmark:
    """The benchmark in a facet; `gold` is the hand-made one of facet E. Judgments, which know the default, are left."""
    if facet == "default":
        return benchmark
    if facet == "E" and gold is not None:
        return replace(with_clusters_of(benchmark, gold), judgments=())
    change = _CHANGES[facet]
    sentences = tuple(_changed(sentence, change) for sentence in benchmark.sentences)
    systems = benchmark.systems
    if facet == "C":
        systems = tuple(System(system.name, tuple(map(concatenated, system.extractions))) for system in systems)
    return replace(benchmark, sentences=sentences, systems=systems, judgments=())


def with_clusters_of(benchmark: Benchmark, gold: Benchmark) -> Benchmark:
    """The benchmark with the clusters of another gold of the same sentences."""
    path = gold.source.path if gold.source else None
    own, other = benchmark.by_id, gold.by_id
    strange = next((sentence_id for sentence_id in other if sentence_id not in own), None)
    missing = next((sentence_id for sentence_id in own if sentence_id not in other), None)
    if strange is not None:
        raise InputError(f"sentence {strange!r} is not in the default gold; a facet has the same sentences", path)
    if missing is not None:
        raise InputError(f"sentence {missing!r} of the default gold is missing; a facet has the same sentences", path)
    sentences = tuple(replace(sentence, clusters=other[sentence.id].clusters) for sentence in benchmark.sentences)
    return replace(benchmark, sentences=sentences, source=gold.source)


def _changed(sentence: Sentence, change: Callable[[Formulation], Formulation | None]) -> Sentence:
    clusters = []
    for cluster in sentence.clusters:
        changed = (change(formulation) for formulation in cluster.formulations)
        clusters.append(Cluster(cluster.id, tuple(dict.fromkeys(f for f in changed if f is not None))))
    return replace(sentence, clusters=tuple(clusters))


def concatenated(extraction: Extraction) -> Extraction:
    """An extraction with all its words in the relation."""
    return replace(extraction, arg1="", relation=" ".join(slot for slot in extraction.slots if slot), arg2="")


def _concatenated(formulation: Formulation) -> Formulation:
    return Formulation(Slot(), Slot(tuple(group for slot in formulation.slots for group in slot.groups)), Slot())


def _minimal(formulation: Formulation) -> Formulation | None:
    arg1, relation, arg2 = map(_required, formulation.slots)
    return Formulation(arg1, relation, arg2) if arg1.words or relation.words or arg2.words else None


@lru_cache(maxsize=65536)
def _required(slot: Slot) -> Slot:
    return Slot(tuple(group for group in slot.groups if not group.optional))


def _entity(formulation: Formulation) -> Formulation | None:
    arg1, arg2 = whole(formulation.arg1), whole(formulation.arg2)
    return None if arg1 is None or arg2 is None else Formulation(arg1, formulation.relation, arg2)


@lru_cache(maxsize=65536)
def whole(slot: Slot) -> Slot | None:
    """What is left of an argument if it may not begin or end with a preposition or particle, or None.

    >>> from data.formats.slots import parse_slot
    >>> str(whole(parse_slot("[in] May [of]")[0])), whole(parse_slot("[only] in May")[0])
    ('May', None)
    """
    first = next((number for number, group in enumerate(slot.groups) if not group.optional), len(slot.groups))
    last = max((number for number, group in enumerate(slot.groups) if not group.optional), default=-1)
    kept: list[Group] = []
    for number, group in enumerate(slot.groups):
        after = slot.groups[number + 1].words if number + 1 < len(slot.groups) else ()
        begins = number <= first and _is_border((*group.words, *after))
        ends = number >= last and _is_border(group.words[-1:])
        if not begins and not ends:
            kept.append(group)
        elif not group.optional:
            return None
    return Slot(tuple(kept))


def _is_border(words: Sequence[str]) -> bool:
    """Whether the first of these words is a preposition or particle."""
    word, following = words[0].lower(), words[1].lower() if len(words) > 1 else ""
    if word in QUANTITIES and (following[:1].isdigit() or following in NUMBERS):
        return False
    return word in PREPOSITIONS or word in PARTICLES


_CHANGES: dict[str, Callable[[Formulation], Formulation | None]] = {
    "C": _concatenated,
    "M": _minimal,
    "E": _entity,
}
