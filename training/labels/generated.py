"""Extractions made from gold clusters by edits whose effect the guidelines decide, as judged parts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from data.model import Benchmark, Cluster, Extraction, Formulation, Sentence, Slot
from matchers.text.word_lists import CONJUNCTIONS, NEGATIONS, PREPOSITIONS
from training.labels.judged_parts import GENERATED, Judged, key_of

Slots = tuple[str, str, str]

_BE = {"is": "was", "was": "is", "are": "were", "were": "are"}
_DETERMINERS = {"a": "the", "an": "the", "the": "a"}
_ADVERBS = ("also", "now", "then", "later", "still", "already")


def generated(
    benchmark: Benchmark, per_sentence: int, seed: int, without: frozenset[str] = frozenset()
) -> list[Judged]:
    """At most so many made extractions of each sentence, each a part of its own, but for sentences of these keys."""
    parts = []
    for sentence in benchmark.sentences:
        if key_of(sentence) in without or not sentence.clusters:
            continue
        generator = random.Random(f"{seed}:{sentence.text}")
        made = list(_made(sentence, generator))
        generator.shuffle(made)
        for kind, slots, target in made[:per_sentence]:
            label = frozenset() if target is None else frozenset({sentence.clusters[target].id})
            extraction = Extraction(sentence.id, *slots)
            parts.append(Judged(sentence, kind, (extraction,), (label,), source=GENERATED))
    return parts


def _made(sentence: Sentence, generator: random.Random) -> Iterator[tuple[str, Slots, int | None]]:
    for position, cluster in enumerate(sentence.clusters):
        if not cluster.formulations:
            continue
        slots = _resolved(generator.choice(cluster.formulations), generator)
        for kind, edit in EDITS.items():
            new = edit(slots, generator)
            if new and new != slots and all(new[:2]):
                yield kind, new, position if kind in KEEPING else None
    yield from _joined(sentence, generator)
    yield from _detailed(sentence, generator)


def _resolved(formulation: Formulation, generator: random.Random) -> Slots:
    def words(slot: Slot) -> str:
        kept = (group.words for group in slot.groups if not group.optional or generator.random() < 0.5)
        return " ".join(word for group in kept for word in group)

    return (words(formulation.arg1), words(formulation.relation), words(formulation.arg2))


def _trailing_adverb(slots: Slots, generator: random.Random) -> Slots:
    return (slots[0], slots[1], f"{slots[2]} {generator.choice(_ADVERBS)}".strip())


def _other_determiner(slots: Slots, generator: random.Random) -> Slots | None:
    return _swapped(slots, _DETERMINERS, generator)


def _other_tense(slots: Slots, generator: random.Random) -> Slots | None:
    words = slots[1].split()
    places = [place for place, word in enumerate(words) if word in _BE]
    if not places:
        return None
    place = generator.choice(places)
    words[place] = _BE[words[place]]
    return (slots[0], " ".join(words), slots[2])


def _swapped(slots: Slots, others: dict[str, str], generator: random.Random) -> Slots | None:
    places = [(slot, place) for slot in (0, 2) for place, word in enumerate(slots[slot].split()) if word in others]
    if not places:
        return None
    slot, place = generator.choice(places)
    words = slots[slot].split()
    words[place] = others[words[place]]
    changed = list(slots)
    changed[slot] = " ".join(words)
    return (changed[0], changed[1], changed[2])


def _preposition_out(slots: Slots, _: random.Random) -> Slots | None:
    words = slots[1].split()
    if len(words) < 2 or words[-1] not in PREPOSITIONS or not slots[2]:
        return None
    return (slots[0], " ".join(words[:-1]), f"{words[-1]} {slots[2]}")


def _truncated(slots: Slots, _: random.Random) -> Slots | None:
    words = slots[2].split()
    return (slots[0], slots[1], " ".join(words[:-1])) if len(words) >= 3 else None


def _dangling(slots: Slots, generator: random.Random) -> Slots | None:
    return (slots[0], slots[1], f"{slots[2]} {generator.choice(('and', 'or', 'but'))}") if slots[2] else None


def _affirmed(slots: Slots, _: random.Random) -> Slots | None:
    words = slots[1].split()
    kept = [word for word in words if word.lower() not in NEGATIONS and word != "n't"]
    return (slots[0], " ".join(kept), slots[2]) if kept and len(kept) < len(words) else None


def _exchanged(slots: Slots, _: random.Random) -> Slots | None:
    return (slots[2], slots[1], slots[0]) if slots[2] else None


Edit = Callable[[Slots, random.Random], Slots | None]
EDITS: dict[str, Edit] = {
    "trailing adverb": _trailing_adverb,
    "other determiner": _other_determiner,
    "other tense of be": _other_tense,
    "preposition out of the relation": _preposition_out,
    "truncated argument": _truncated,
    "dangling conjunction": _dangling,
    "negation lost": _affirmed,
    "arguments exchanged": _exchanged,
}
KEEPING = frozenset({"trailing adverb", "other determiner", "other tense of be"})


def _joined(sentence: Sentence, generator: random.Random) -> Iterator[tuple[str, Slots, int | None]]:
    """Facts that share an argument and the relation, joined: two are a match with the first, three are none."""
    by_rest: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for position, cluster in enumerate(sentence.clusters):
        slots = _plain_first(cluster)
        if slots and slots[2] and not set(slots[2].split()) & CONJUNCTIONS:
            by_rest.setdefault((slots[0], slots[1]), []).append((slots[2], position))
    for (arg1, relation), ends in by_rest.items():
        if len(ends) >= 2:
            (first, position), (second, _) = generator.sample(ends, 2)
            yield "two joined", (arg1, relation, f"{first} and {second}"), position
        if len(ends) >= 3:
            first, second, third = (text for text, _ in generator.sample(ends, 3))
            yield "three joined", (arg1, relation, f"{first} , {second} and {third}"), None


def _detailed(sentence: Sentence, generator: random.Random) -> Iterator[tuple[str, Slots, int | None]]:
    """A fact that goes on with another one's detail, `X makes bread` with `X makes bread in - Oslo`: a match.

    The fact is taken in any of its wordings, so that words come in which the other cluster does not have.
    """
    lines = []
    for position, cluster in enumerate(sentence.clusters):
        for formulation in cluster.formulations:
            lines.append((position, [word for slot in formulation.slots for word in slot.required]))
    for position, cluster in enumerate(sentence.clusters):
        endings = set()
        for formulation in cluster.formulations:
            start = [word for slot in formulation.slots for word in slot.required]
            for other, line in lines:
                if other != position and len(line) > len(start) >= 3 and line[: len(start)] == start:
                    endings.add(" ".join(line[len(start) :]))
        if endings:
            ending = generator.choice(sorted(endings))
            slots = _resolved(generator.choice(cluster.formulations), generator)
            if all(slots):
                yield "detail joined", (slots[0], slots[1], f"{slots[2]} {ending}"), position
                adverb = generator.choice(_ADVERBS)
                yield "detail and adverb", (slots[0], slots[1], f"{slots[2]} {ending} {adverb}"), position
                cut = ending.split()[:-1]
                if cut:
                    yield "detail truncated", (slots[0], slots[1], f"{slots[2]} {' '.join(cut)}"), None


def _plain_first(cluster: Cluster) -> Slots | None:
    if not cluster.formulations:
        return None
    arg1, relation, arg2 = (" ".join(slot.required) for slot in cluster.formulations[0].slots)
    return (arg1, relation, arg2) if arg1 and relation else None
