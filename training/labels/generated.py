"""More supervision than the judgments give: reviews, silver labels by the rules, extractions made from gold clusters.

All come as judged parts. None takes anything from sentences that are held out: the caller says which those are.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from data.model import Benchmark, Cluster, Extraction, Formulation, Sentence, Slot
from data.reviews import Reviews, extraction_key, sentence_key
from matchers.interface import Assignment
from matchers.masks import masks
from matchers.rules import RuleMatcher
from matchers.words import CONJUNCTIONS, NEGATIONS, PREPOSITIONS
from training.judged import Judged

Slots = tuple[str, str, str]

SILVER, REVIEWED, GENERATED = "silver", "reviewed", "generated"
AMBIGUOUS_COST = 1.2  # edits of a reading that is nearly a rule's

_BE = {"is": "was", "was": "is", "are": "were", "were": "are"}
_DETERMINERS = {"a": "the", "an": "the", "the": "a"}
_ADVERBS = ("also", "now", "then", "later", "still", "already")


def silver(benchmark: Benchmark, without: frozenset[str] = frozenset()) -> list[Judged]:
    """The rules' matches of a benchmark's systems as labels, but for sentences of these texts."""
    return [
        Judged(sentence, f"{SILVER}:{name}", assignment.extractions, _labels(assignment))
        for sentence, name, assignment in _by_rules(benchmark, without)
    ]


def reviewed(benchmark: Benchmark, reviews: Reviews, without: frozenset[str] = frozenset()) -> list[Judged]:
    """The reviewed sentences of a benchmark: what both passes say, exact matches beside it, nothing for the rest.

    Labels are of pairs and not assignments: two extractions of a system may both match a cluster. Where a rule fires,
    what both passes confirm is a match and the rest is unclear, since people hardly ever contradict the rules. Where
    none does, it is unclear if the passes differ, match without being sure, or match what people would hardly match.
    """
    found = []
    for sentence, name, assignment in _by_rules(benchmark, without):
        said = reviews.get(sentence_key(sentence))
        if said is None:
            continue
        fired: dict[int, set[str]] = {}
        for candidate in assignment.candidates:
            fired.setdefault(candidate.extraction, set()).add(sentence.clusters[candidate.cluster].id)
        labels, unclear = [], set()
        for index, extraction in enumerate(assignment.extractions):
            by_rules, review = fired.get(index, set()), said.get(extraction_key(extraction))
            agreed = frozenset(by_rules) if review is None else review.first & review.second
            labels.append(agreed)
            if review is None:
                continue
            if by_rules:
                clear = bool(agreed) and review.first == review.second and agreed <= by_rules
            else:
                clear = review.clear and all(_strict(sentence, extraction, cluster) for cluster in agreed)
            if not clear:
                unclear.add(index)
        part = Judged(sentence, f"{REVIEWED}:{name}", assignment.extractions, tuple(labels), frozenset(unclear))
        found.append(part)
    return found


def _strict(sentence: Sentence, extraction: Extraction, cluster_id: str) -> bool:
    """Whether a match is of the kind that people accept: all required words are there, the relation is as specific.

    The passes read the guidelines more leniently than the judge of BenchIE^FL_match, who hardly ever accepts an
    extraction that lacks a required word, or one whose relation has further content words or lacks a preposition.
    """
    bits = masks(sentence)
    said = bits.extraction(extraction)
    position = [cluster.id for cluster in sentence.clusters].index(cluster_id)
    return any(
        not gold.needs & ~said.says
        and not gold.required[1] & bits.preposition & ~said.slots[1]
        and not said.slots[1] & ~gold.allows & ~bits.function & ~bits.adverb
        for gold in bits.clusters[position]
    )


def _by_rules(benchmark: Benchmark, without: frozenset[str]) -> Iterator[tuple[Sentence, str, Assignment]]:
    """What the rules say of each system and sentence, but for sentences of these texts."""
    rules = RuleMatcher()
    for sentence in benchmark.sentences:
        if sentence.text in without or not sentence.clusters:
            continue
        for system in benchmark.systems:
            if extractions := system.by_sentence.get(sentence.id, ()):
                yield sentence, system.name, rules.match(sentence, extractions)


def _labels(assignment: Assignment) -> tuple[frozenset[str], ...]:
    return tuple(
        frozenset(match.cluster for match in assignment.of(index)) for index in range(len(assignment.extractions))
    )


def generated(
    benchmark: Benchmark, per_sentence: int, seed: int, without: frozenset[str] = frozenset()
) -> list[Judged]:
    """Extractions made from gold clusters by edits whose effect the guidelines decide, each a part of its own."""
    found = []
    for sentence in benchmark.sentences:
        if sentence.text in without or not sentence.clusters:
            continue
        generator = random.Random(f"{seed}:{sentence.text}")
        made = list(_made(sentence, generator))
        generator.shuffle(made)
        for kind, slots, target in made[:per_sentence]:
            label = frozenset() if target is None else frozenset({sentence.clusters[target].id})
            extraction = Extraction(sentence.id, *slots)
            found.append(Judged(sentence, f"{GENERATED}:{kind}", (extraction,), (label,)))
    return found


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


def source_of(part: Judged) -> str:
    """Where a part's labels are from: `SILVER`, `REVIEWED`, `GENERATED`, or nothing if people judged it."""
    kind, colon, _ = part.system.partition(":")
    return kind if colon and kind in (SILVER, REVIEWED, GENERATED) else ""


def is_doubtful(part: Judged, index: int, cluster_id: str, fires: bool, cost: float) -> bool:
    """Whether a pair without a label may be a match all the same, so that it is not trained on.

    People's labels are assignments: a system's second extraction of a fact has none. Such a pair, on which a rule fires
    while the cluster is credited to another extraction, is doubtful. Of silver and generated parts, so is every pair on
    which a rule fires; of silver ones also what takes hardly any edits. `cost` is that of the pair's reading.
    """
    source = source_of(part)
    if source == REVIEWED:
        return False
    if not fires:
        return source == SILVER and cost <= AMBIGUOUS_COST
    if source in (SILVER, GENERATED):
        return True
    return any(cluster_id in label for other, label in enumerate(part.labels) if other != index)


def texts(work: Sequence[Judged]) -> frozenset[str]:
    """The texts of the judged sentences."""
    return frozenset(part.sentence.text for part in work)


def allowed_beside(part: Judged, train: Sequence[Judged], own: frozenset[str], systems: frozenset[str]) -> bool:
    """Whether an extra part may be trained on beside judged ones, that is: shares nothing with what is held out.

    Held out are the judged sentences (`own` texts) and judged systems that are not among those trained on.
    """
    text = part.sentence.text
    if text in own and not any(other.sentence.text == text for other in train):
        return False
    kind, _, name = part.system.partition(":")
    return kind == GENERATED or name not in systems or any(other.system == name for other in train)
