from __future__ import annotations

from itertools import product
from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from matchers.text.patterns import Groups, Pattern, Text
from tests.matchers.facts import groups

# Few different words, so that groups repeat and overlap.
words = st.sampled_from("abc")
some_groups = st.lists(st.tuples(st.lists(words, min_size=1, max_size=3).map(tuple), st.booleans()), max_size=5).map(
    tuple
)
some_words = st.lists(words, max_size=7).map(tuple)


def resolutions(found: Groups) -> list[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]]:
    """All word sequences that the groups stand for, listed, each with the groups that are absent."""
    listed = []
    for choice in product(*((True, False) if optional else (True,) for _, optional in found)):
        present = [word for (group, _), here in zip(found, choice, strict=True) if here for word in group]
        listed.append((tuple(present), tuple(g for (g, _), here in zip(found, choice, strict=True) if not here)))
    return listed


@given(some_groups, some_words)
def test_accepts_what_the_expansion_lists(found: Groups, text: tuple[str, ...]) -> None:
    assert Pattern(found).accepts(Text(text)) == (text in {sequence for sequence, _ in resolutions(found)})


@given(some_groups)
def test_accepts_every_expansion(found: Groups) -> None:
    pattern = Pattern(found)
    for sequence, _ in resolutions(found):
        assert pattern.accepts(Text(sequence))


@given(some_groups, some_words)
def test_spans_are_where_expansions_stand(found: Groups, text: tuple[str, ...]) -> None:
    sequences = {sequence for sequence, _ in resolutions(found) if sequence}
    expected = [
        (start, end)
        for start in range(len(text))
        for end in range(start + 1, len(text) + 1)
        if text[start:end] in sequences
    ]
    pattern = Pattern(found)
    assert pattern.spans(Text(text)) == expected
    assert pattern.stands_in(Text(text)) == bool(expected)


@given(some_groups, some_words)
def test_resolution_is_one_of_the_expansion(found: Groups, text: tuple[str, ...]) -> None:
    possible = [absent for sequence, absent in resolutions(found) if sequence == text]
    resolution = Pattern(found).resolution(text)
    assert resolution in possible if possible else resolution is None


@given(some_groups, some_groups, some_words)
def test_joined_patterns_read_one_after_the_other(first: Groups, second: Groups, text: tuple[str, ...]) -> None:
    joined = Pattern.joined([Pattern(first), Pattern(second)])
    heads = {sequence for sequence, _ in resolutions(first)}
    tails = {sequence for sequence, _ in resolutions(second)}
    parted = any(text[:cut] in heads and text[cut:] in tails for cut in range(len(text) + 1))
    assert joined.accepts(Text(text)) == parted


def test_forty_optional_groups() -> None:
    names = [f"w{number}" for number in range(40)]
    pattern = Pattern(groups(" ".join(f"[{name} and]" for name in names) + " end"))
    present = [word for name in names[::2] for word in (name, "and")]
    assert pattern.accepts(Text((*present, "end")))
    assert pattern.accepts(Text(("end",)))
    assert pattern.accepts(Text((*(word for name in names for word in (name, "and")), "end")))
    assert not pattern.accepts(Text((*present[:-1], "end")))
    assert not pattern.accepts(Text((*reversed(names[:3]), "end")))
    assert pattern.resolution(("w39", "and", "end")) == tuple((name, "and") for name in names[:39])


def test_forty_equal_optional_groups() -> None:
    pattern = Pattern(groups("[a] " * 40 + "b"))
    for count in range(41):
        assert pattern.accepts(Text(("a",) * count + ("b",)))
    assert not pattern.accepts(Text(("a",) * 41 + ("b",)))
    assert pattern.spans(Text(("c", "a", "a", "b"))) == [(1, 4), (2, 4), (3, 4)]


def test_an_empty_slot_stands_for_nothing_only() -> None:
    assert Pattern(()).accepts(Text(()))
    assert not Pattern(()).accepts(Text(("a",)))
    assert not Pattern(()).stands_in(Text(("a",)))


def test_a_pattern_is_written_in_the_golds_notation() -> None:
    assert str(Pattern(groups("[the] High Court [of Arden]"))) == "[the] High Court [of Arden]"


def listed_resolution(found: Groups, text: tuple[str, ...]) -> tuple[tuple[str, ...], ...] | None:
    """The resolution by the definition: of those that read the words, the one whose last groups are there."""
    fitting = list(product(*((1, 0) if optional else (1,) for _, optional in found)))
    read = [
        choice
        for choice in fitting
        if text == tuple(word for (group, _), here in zip(found, choice, strict=True) if here for word in group)
    ]
    if not read:
        return None
    best = max(read, key=lambda choice: choice[::-1])
    return tuple(group for (group, _), here in zip(found, best, strict=True) if not here)


@given(some_groups, some_words)
def test_of_several_resolutions_the_one_whose_last_groups_are_there(found: Groups, text: tuple[str, ...]) -> None:
    assert Pattern(found).resolution(text) == listed_resolution(found, text)


def test_a_thousand_optional_groups_are_read_at_once() -> None:
    many = Pattern(tuple((("a",), True) for _ in range(2000)))
    started = process_time()
    assert many.resolution(("a",) * 1000) == (("a",),) * 1000
    assert many.accepts(Text(("a",) * 1000)) and many.spans(Text(("a",) * 100))
    assert process_time() - started < 2
