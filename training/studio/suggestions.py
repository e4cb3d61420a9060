"""Formulations that a person may want to add: other wordings of what is there, and what systems extracted.

They are offered, never filled in. Each says what was done; whether it means the same is for people to decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data.formats.slots import plain_words
from data.model import ARROW, EMPTY_SLOT, Cluster, Formulation, Group, Sentence, Slot, System
from matchers.text.word_lists import DETERMINERS, PREPOSITIONS, lemma

MOST = 12
ARTICLE = "article optional"
BE = frozenset("is are was were am be been being".split())
_PARTICIPLES = {
    "wrote": "written", "took": "taken", "gave": "given", "won": "won", "made": "made", "led": "led", "built": "built",
    "bought": "bought", "sold": "sold", "held": "held", "began": "begun", "broke": "broken", "chose": "chosen",
    "drew": "drawn", "drove": "driven", "saw": "seen", "found": "found", "taught": "taught", "sang": "sung",
    "spoke": "spoken", "stole": "stolen", "threw": "thrown", "kept": "kept", "left": "left", "met": "met",
    "paid": "paid", "ran": "run", "sent": "sent", "shot": "shot", "told": "told", "beat": "beaten", "fought": "fought",
    "caught": "caught", "brought": "brought", "knew": "known", "hid": "hidden", "did": "done", "ate": "eaten",
}  # fmt: skip
_PASTS = {participle: past for past, participle in _PARTICIPLES.items()}


@dataclass(frozen=True)
class Suggestion:
    """A formulation in text, what was done to get it, and the cluster that it is another wording of, if any."""

    text: str
    why: str
    cluster: str = ""


def rewordings(clusters: Sequence[Cluster], language: str = "en") -> list[Suggestion]:
    """Formulations that may mean the same as those of a cluster, none of which is there already."""
    there = {_plain(formulation) for cluster in clusters for formulation in cluster.formulations}
    exactly = {str(formulation) for cluster in clusters for formulation in cluster.formulations}
    found: dict[str, Suggestion] = {}
    for cluster in clusters:
        for formulation in cluster.formulations:
            for why, new in _reworded(formulation, language):
                is_new = str(new) not in exactly if why == ARTICLE else _plain(new) not in there
                if is_new and str(new) not in found:
                    found[str(new)] = Suggestion(str(new), why, cluster.id)
    return list(found.values())


def _plain(formulation: Formulation) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(word.lower() for word in slot.words) for slot in formulation.slots)


def _reworded(formulation: Formulation, language: str) -> Iterator[tuple[str, Formulation]]:
    arg1, relation, arg2 = formulation.slots
    if language != "en" or not arg1.words or not relation.words:
        return
    yield from _other_border(formulation)
    words = [word.lower() for word in relation.required]
    is_noun = len(arg2.words) > 1 and arg2.words[0].lower() not in PREPOSITIONS  # one word is as often an adjective
    if is_noun and len(words) == 1 and words[0] in BE:
        yield "the other way round", Formulation(_article_optional(arg2), Slot.of(relation.required[0]), arg1)
    yield from _other_voice(formulation, words)
    for position, slot in ((0, arg1), (2, arg2)):
        marked = _article_optional(slot)
        if marked != slot:
            slots = [*formulation.slots]
            slots[position] = marked
            yield ARTICLE, Formulation(*slots)


def _other_border(formulation: Formulation) -> Iterator[tuple[str, Formulation]]:
    """A preposition or article at the border of relation and second argument, moved over it."""
    arg1, relation, arg2 = formulation.slots
    moving = PREPOSITIONS | DETERMINERS
    last = relation.groups[-1]
    if len(relation.required) > 1 and last.words[-1].lower() in moving and (len(last.words) == 1 or not last.optional):
        taken = Group(last.words[-1:], last.optional)
        rest = (*relation.groups[:-1], *((Group(last.words[:-1]),) if len(last.words) > 1 else ()))
        yield "another border", Formulation(arg1, Slot(rest), Slot((taken, *arg2.groups)))
    if not arg2.groups:
        return
    first = arg2.groups[0]
    if len(arg2.words) > 1 and first.words[0].lower() in moving and (len(first.words) == 1 or not first.optional):
        taken = Group(first.words[:1], first.optional)
        rest = (*((Group(first.words[1:]),) if len(first.words) > 1 else ()), *arg2.groups[1:])
        yield "another border", Formulation(arg1, Slot((*relation.groups, taken)), Slot(rest))


def _other_voice(formulation: Formulation, words: Sequence[str]) -> Iterator[tuple[str, Formulation]]:
    arg1, _, arg2 = formulation.slots
    if not arg2.words or arg2.words[0].lower() in PREPOSITIONS:
        return
    if len(words) == 1 and (participle := _participle(words[0])):
        be = (
            "were"
            if arg2.words[-1].endswith("s") and lemma(arg2.words[-1].lower()) != arg2.words[-1].lower()
            else "was"
        )
        yield "passive", Formulation(arg2, Slot.of(f"{be} {participle} by"), arg1)
    if len(words) == 3 and words[0] in BE and words[2] == "by":
        yield "active", Formulation(arg2, Slot.of(_PASTS.get(words[1], words[1])), arg1)


def _participle(word: str) -> str | None:
    if word in _PARTICIPLES:
        return _PARTICIPLES[word]
    return word if word.endswith("ed") and len(word) > 4 else None


def _article_optional(slot: Slot) -> Slot:
    if not slot.groups or slot.groups[0].optional or len(slot.words) < 2:
        return slot
    first = slot.groups[0]
    if first.words[0].lower() not in ("a", "an", "the"):
        return slot
    rest = (Group(first.words[1:]),) if len(first.words) > 1 else ()
    return Slot((Group(first.words[:1], True), *rest, *slot.groups[1:]))


def from_systems(sentence: Sentence, systems: Sequence[System], matched: frozenset[str]) -> list[Suggestion]:
    """What systems extracted from a sentence and no cluster has yet, those of most systems first."""
    by_text: dict[str, list[str]] = {}
    there = {str(formulation) for cluster in sentence.clusters for formulation in cluster.formulations}
    for system in systems:
        for extraction in system.by_sentence.get(sentence.id, ()):
            slots = [" ".join(plain_words(slot)) for slot in extraction.slots]
            if not slots[0] or not slots[1] or str(extraction) in matched:
                continue
            text = f" {ARROW} ".join(slot or EMPTY_SLOT for slot in slots)
            if text not in there and system.name not in by_text.setdefault(text, []):
                by_text[text].append(system.name)
    ordered = sorted(by_text.items(), key=lambda item: -len(item[1]))
    return [Suggestion(text, f"extracted by {', '.join(names)}") for text, names in ordered][:MOST]
