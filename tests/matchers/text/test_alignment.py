from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from matchers.text.alignment import align
from matchers.text.patterns import Groups, Pattern, Text
from tests.matchers.facts import groups

words = st.sampled_from("abcabcdef")  # repeated words leave choices
some_groups = st.lists(st.tuples(st.lists(words, min_size=1, max_size=3).map(tuple), st.booleans()), max_size=4).map(
    tuple
)
some_words = st.lists(words, max_size=6).map(tuple)


def common(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """The length of the longest common subsequence, by its definition."""
    if not first or not second:
        return 0
    if first[0] == second[0]:
        return 1 + common(first[1:], second[1:])
    return max(common(first[1:], second), common(first, second[1:]))


def expansions(found: Groups) -> list[tuple[str, ...]]:
    choices = product(*((group, ()) if optional else (group,) for group, optional in found))
    return [tuple(word for group in choice for word in group) for choice in choices]


@given(some_words, some_groups)
def test_the_fewest_differences_and_then_the_most_kept(text: tuple[str, ...], found: Groups) -> None:
    kept = [(len(text) + len(gold) - 2 * common(text, gold), -common(text, gold)) for gold in expansions(found)]
    alignment = align(text, found)
    assert (alignment.cost, -len(alignment.kept)) == min(kept)


@given(some_words, some_groups)
def test_the_alignment_says_how_to_mend_the_words(text: tuple[str, ...], found: Groups) -> None:
    alignment = align(text, found)
    assert alignment.extra == tuple(text[position] for position in alignment.extra_at)
    assert list(alignment.extra_at) == sorted(set(alignment.extra_at))
    assert list(alignment.missing_at) == sorted(alignment.missing_at)
    assert alignment.kept == tuple(w for position, w in enumerate(text) if position not in alignment.extra_at)
    mended: list[str] = []
    for position in range(len(text) + 1):
        mended.extend(w for w, at in zip(alignment.missing, alignment.missing_at, strict=True) if at == position)
        if position < len(text) and position not in alignment.extra_at:
            mended.append(text[position])
    present = list(found)
    for group in alignment.dropped:
        present.remove((group, True))  # an optional group, and no more often than there are such
    assert sorted(mended) == sorted(word for group, _ in present for word in group)
    assert Pattern(found).accepts(Text(tuple(mended)))


@given(some_words, some_groups)
def test_no_difference_is_an_exact_match(text: tuple[str, ...], found: Groups) -> None:
    assert (align(text, found).cost == 0) == Pattern(found).accepts(Text(text))


def by_a_full_table(text: tuple[str, ...], found: Groups) -> tuple[list[str], list[int], list[tuple[str, ...]]]:
    """Missing words, extra positions and absent groups, by a table of all costs that is traced from its end.

    Of equal costs, going back, an optional group is kept, then a word is, then a word is extra, then one is missing.
    """
    unit = len(text) + 1
    rows = [[column * (unit + 1) for column in range(unit)]]
    gold: list[tuple[str, tuple[str, ...]]] = []
    skips: dict[int, tuple[int, list[bool]]] = {}
    for group, optional in found:
        start = len(rows) - 1
        for word in group:
            row = [rows[-1][0] + unit]
            for column, other in enumerate(text):
                kept = [rows[-1][column]] if word == other else []
                row.append(min(row[-1] + unit + 1, rows[-1][column + 1] + unit, *kept))
            rows.append(row)
            gold.append((word, group))
        if optional:
            skips[len(rows) - 1] = (start, [old < new for old, new in zip(rows[start], rows[-1], strict=True)])
            rows[-1] = list(map(min, rows[start], rows[-1]))
    missing, extra, absent = [], [], []
    row_number, column = len(rows) - 1, len(text)
    while row_number or column:
        cost = rows[row_number][column]
        same = row_number and column and text[column - 1] == gold[row_number - 1][0]
        if row_number in skips and skips[row_number][1][column]:
            absent.append(gold[row_number - 1][1])
            row_number = skips[row_number][0]
        elif same and cost == rows[row_number - 1][column - 1]:
            row_number, column = row_number - 1, column - 1
        elif column and cost == rows[row_number][column - 1] + unit + 1:
            column -= 1
            extra.append(column)
        else:
            row_number -= 1
            missing.append(gold[row_number][0])
    return missing[::-1], extra[::-1], absent[::-1]


@settings(max_examples=500)
@given(some_words, some_groups)
def test_the_same_as_by_a_full_table(text: tuple[str, ...], found: Groups) -> None:
    alignment = align(text, found)
    assert by_a_full_table(text, found) == (list(alignment.missing), list(alignment.extra_at), list(alignment.dropped))


def test_an_example() -> None:
    found = align(("the", "mill", "on", "the", "hill", "burned"), groups("[the] [old] water mill [on the hill]"))
    assert (found.missing, found.missing_at) == (("water",), (1,))
    assert (found.extra, found.extra_at) == (("burned",), (5,))
    assert found.dropped == (("old",),)
    assert found.kept == ("the", "mill", "on", "the", "hill")
    assert found.cost == 2


def test_of_equal_costs_the_one_that_keeps_more() -> None:
    found = align(("of",), groups("[of Arden]"))
    assert (found.missing, found.extra, found.dropped) == (("Arden",), (), ())


def test_runs_are_read_together() -> None:
    found = align(("old", "x", "y", "mill", "z"), groups("the old mill stood on sand"))
    assert found.extra_runs == ("x y", "z")
    assert found.missing_runs == ("the", "stood on sand")


def test_nothing_beside_nothing_and_beside_something() -> None:
    assert align((), ()).cost == 0
    assert align(("a", "b"), ()).extra_at == (0, 1)
    assert align((), groups("a [b] c")).missing == ("a", "c")
    assert align((), groups("[a] [b c]")).dropped == (("a",), ("b", "c"))


def test_many_optional_groups() -> None:
    gold = groups(" ".join(f"[w{number} x{number}]" for number in range(60)))
    text = tuple(word for number in range(0, 60, 2) for word in (f"w{number}", f"x{number}"))
    assert align(text, gold).cost == 0
    assert align((*text, "end"), gold).extra == ("end",)
