"""Hypothesis strategies for everything that the model of a benchmark can express."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from data.model import (
    ARROW,
    EMPTY_SLOT,
    Benchmark,
    Cluster,
    Extraction,
    Formulation,
    Group,
    Judgment,
    Sentence,
    Slot,
    System,
)
from data.text import one_line

# Words that look like the marks of some format: each has its place in a file where it must not be taken for one.
HOSTILE = (
    EMPTY_SLOT, "sent_id:1", "sent_id:", "Cluster", "Cluster:", ":", "1:", "1", "-", "--", "->", ">", "->>", "a-", "-a",
    '"', "'", ",", "\\", "\\n", "{", "}", "\ufeff", "\x00", "\u2028x", "é", "e\u0301", "北京", "😀", "0.5", "null",
)  # fmt: skip

characters = st.characters(exclude_categories=("Cs",))
_letters = st.text(characters, min_size=1, max_size=6).map(one_line).map(lambda text: text.replace(" ", ""))


def _is_word(text: str) -> bool:
    return text.split() == [text] and not any(mark in text for mark in ("[", "]", ARROW))


words = st.one_of(st.sampled_from(HOSTILE), st.text("ab.", min_size=1, max_size=3), _letters).filter(_is_word)
texts = st.one_of(
    st.lists(words, max_size=5).map(" ".join),
    st.text(characters, max_size=12).map(one_line),
    st.sampled_from(("[a] b", "a --> b", "1--> Cluster 1:", "1-> Cluster 1:", "a - b - c", "sent_id:2 c", "x ] y [")),
)
groups = st.builds(Group, st.lists(words, min_size=1, max_size=3).map(tuple), st.booleans())


def _slot(found: list[Group]) -> Slot:
    try:
        return Slot(tuple(found))
    except ValueError:  # the lone word XXX
        return Slot()


slots = st.lists(groups, max_size=4).map(_slot)
formulations = st.builds(Formulation, slots, slots, slots)


def _is_id(text: str) -> bool:
    return bool(text) and text == one_line(text) and text.isprintable() and "->" not in text


def _is_cluster_id(text: str) -> bool:
    return _is_id(text) and " " not in text and ":" not in text


_id_texts = st.one_of(
    st.integers(1, 99).map(str),
    st.sampled_from(("TO 1", "a-", "--", "1--", "sent_id:1", "Cluster", "0", "007", "x>", "é", '"', "1: Cluster 2:")),
    st.text(characters, min_size=1, max_size=6).map(one_line),
)
ids = _id_texts.filter(_is_id)
cluster_ids = _id_texts.filter(_is_cluster_id)
confidences = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False))


@st.composite
def clusters(draw: st.DrawFn) -> tuple[Cluster, ...]:
    names = draw(st.lists(cluster_ids, unique=True, max_size=4))
    return tuple(Cluster(name, tuple(draw(st.lists(formulations, max_size=3)))) for name in names)


@st.composite
def golds(draw: st.DrawFn, numbered: bool = False) -> Benchmark:
    """Sentences with clusters; `numbered` ones have the ids 1, 2, ... that AnnIE and CaRB give."""
    if numbered:
        names = [str(number) for number in range(1, draw(st.integers(1, 4)) + 1)]
    else:
        names = draw(st.lists(ids, unique=True, min_size=1, max_size=4))
    return Benchmark("gold", tuple(Sentence(name, draw(texts.filter(bool)), draw(clusters())) for name in names))


@st.composite
def extractions(draw: st.DrawFn, sentence_ids: st.SearchStrategy[str] = ids) -> Extraction:
    found = draw(st.tuples(texts, texts, texts).filter(any))
    return Extraction(draw(sentence_ids), *found, draw(confidences))


@st.composite
def systems(draw: st.DrawFn, scored: bool | None = None) -> System:
    """A system; if `scored` is given, all of its extractions have a confidence or none has."""
    found = draw(st.lists(extractions(), min_size=1, max_size=5))
    if scored is not None:
        number = st.floats(allow_nan=False, allow_infinity=False)
        found = [replace(extraction, confidence=draw(number) if scored else None) for extraction in found]
    return System(draw(ids), tuple(found))


@st.composite
def benchmarks(draw: st.DrawFn) -> Benchmark:
    """Gold, systems and at least one judgment."""
    gold = draw(golds())
    known = st.sampled_from([sentence.id for sentence in gold.sentences])
    judgments = []
    for _ in range(draw(st.integers(1, 4))):
        extraction = draw(extractions(known))
        of_sentence = [cluster.id for cluster in gold.by_id[extraction.sentence_id].clusters]
        matched = draw(st.lists(st.sampled_from(of_sentence), unique=True, max_size=2)) if of_sentence else []
        judgments.append(Judgment(draw(ids), extraction, tuple(matched)))
    names = dict.fromkeys(judgment.system for judgment in judgments)
    found = tuple(System(name, tuple(j.extraction for j in judgments if j.system == name)) for name in names)
    return replace(gold, systems=found, judgments=tuple(judgments))
