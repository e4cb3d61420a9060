from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from data.model import Extraction
from matchers.features.differences import Differences
from matchers.features.edits import extra, missing
from matchers.features.readings import Near, Reader
from matchers.features.word_bits import Masks
from matchers.text.alignment import align
from matchers.text.gold_index import SOFT, View
from tests.matchers.facts import sentence

GOLD = sentence(
    ["Mara Venn --> is --> [a] chemist of [the] town", "Mara Venn --> is [a] --> chemist of [the] town"],
    ["the [old] mill --> burned down --> XXX", "[the] mill --> burned --> down in [the] town"],
    "Mara Venn --> sold [the] --> old mill [of the town]",
)
some_words = st.lists(st.sampled_from("mara venn be a chemist of town old mill burn down harbour".split()), max_size=8)


@given(some_words.map(tuple), st.integers(0, 4))
def test_a_slot_differs_as_its_alignment_says(words: tuple[str, ...], number: int) -> None:
    seen = View(GOLD, SOFT)
    by = Differences(seen)
    for pattern in seen.triples[number].slots:
        alignment = align(words, seen.patterns[pattern].groups)
        found = by.slot(words, pattern)
        assert found.missing == sum(map(missing, alignment.missing))
        assert found.extra == sum(map(extra, alignment.extra))
        assert found.kept == frozenset(alignment.kept)
        assert by.known(words)[pattern] is found


@given(some_words.map(tuple), st.integers(0, 4))
def test_a_line_differs_as_its_alignment_says(words: tuple[str, ...], number: int) -> None:
    seen = View(GOLD, SOFT)
    by = Differences(seen)
    slots = seen.triples[number].slots
    alignment = align(words, tuple(group for slot in slots for group in seen.patterns[slot].groups))
    found = by.line(words, by.line_groups(number))
    assert (found.missing, found.words) == (sum(map(missing, alignment.missing)), alignment.extra)
    assert found.extra == sum(map(extra, alignment.extra))


def test_lines_that_differ_in_a_border_only_are_the_same() -> None:
    by = Differences(View(GOLD, SOFT))
    assert by.line_groups(0) is by.line_groups(1)
    assert by.line_groups(2) is not by.line_groups(3)


def nearest(reader: Reader, says: int) -> Near:
    """What is nearest by the definition: content words weigh three if missing and two if extra, others one."""
    content, function = ~reader.bits.function, reader.bits.function
    clusters, lines = [], []
    for cluster, formulations in enumerate(reader.bits.clusters):
        costs = []
        for gold in formulations:
            lacking, added = gold.needs & ~says, says & ~gold.allows
            cost = 3 * (lacking & content).bit_count() + (lacking & function).bit_count()
            cost += 2 * (added & content).bit_count()
            lines.append((cost + (added & function).bit_count(), len(lines)))
            if (lacking & content).bit_count() <= 1 and gold.allows & says & content:
                costs.append(cost)
        if costs:
            clusters.append((min(costs), cluster))
    return Near([cluster for _, cluster in sorted(clusters)[:4]], [line for _, line in sorted(lines)[:3]])


@given(some_words, some_words, some_words)
def test_what_is_near_by_its_definition(arg1: list[str], relation: list[str], arg2: list[str]) -> None:
    bits = Masks(GOLD)
    said = bits.extraction(Extraction("1", " ".join(arg1) or "x", " ".join(relation), " ".join(arg2)))
    reader = Reader(GOLD, bits)
    assert reader.near(said) == nearest(reader, said.says)
