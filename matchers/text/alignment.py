"""How the words of an extraction's slot differ from a gold slot: the words it lacks and the words it has too many.

Of all resolutions of the gold slot's optional groups the nearest one counts: the one with the fewest differing words,
and among those the one that keeps the most. Where the words' order leaves a choice, it is found by one table of the
words against the gold words: the cost is the product of their numbers and not 2 to the power of the optional groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import lt

from matchers.text.patterns import Groups

Words = tuple[str, ...]
Differences = tuple[list[tuple[str, int]], list[int], list[int]]
Skip = tuple[int, int, list[bool]]  # an optional group, the row before it, and where it is better absent
Row = tuple[str, list[int], int, Skip | None]


@dataclass(frozen=True)
class Alignment:
    """Words beside a gold slot.

    `extra_at` are the positions of the extra words; `missing_at` says for each missing word before which position it
    would have to be put; `dropped` are the optional groups that are absent, which costs nothing.
    """

    missing: Words
    extra: Words
    kept: Words
    dropped: tuple[Words, ...]
    missing_at: tuple[int, ...]
    extra_at: tuple[int, ...]

    @property
    def cost(self) -> int:
        """How many words differ."""
        return len(self.missing) + len(self.extra)

    @property
    def missing_runs(self) -> tuple[str, ...]:
        """The missing words, those that belong at one place together."""
        return _runs(self.missing, self.missing_at, 0)

    @property
    def extra_runs(self) -> tuple[str, ...]:
        """The extra words, consecutive ones together."""
        return _runs(self.extra, self.extra_at, 1)


def align(words: Words, slot_groups: Groups) -> Alignment:
    """The nearest alignment of words with a gold slot.

    >>> found = align(("old", "mill", "today"), ((("the",), True), (("old", "water", "mill"), False)))
    >>> found.missing, found.missing_at, found.extra, found.extra_at, found.dropped
    (('water',), (1,), ('today',), (2,), (('the',),))
    """
    missing, extra, absent = differences(words, slot_groups)
    left_over = set(extra)
    return Alignment(
        tuple(word for word, _ in missing),
        tuple(words[position] for position in extra),
        tuple(word for position, word in enumerate(words) if position not in left_over),
        tuple(slot_groups[number][0] for number in sorted(absent)),
        tuple(position for _, position in missing),
        tuple(extra),
    )


def differences(words: Words, groups: Groups) -> Differences:
    """The nearest alignment in short: missing words with their places, positions of extra words, absent groups.

    An optional group none of whose words is there is absent. If then the words in common stand in the same order, all
    of them are kept and there is nothing to choose; otherwise a table of costs decides.
    """
    have = set(words)
    present: list[str] = []
    absent: list[int] = []
    in_part = False
    for number, (group, optional) in enumerate(groups):
        if optional and have.isdisjoint(group):
            absent.append(number)
        else:
            present += group
            in_part = in_part or (optional and not have.issuperset(group))
    common = [word for word in present if word in have]
    shared = set(common)
    if in_part or common != [word for word in words if word in shared]:
        return _traced(words, _table(words, groups, absent), absent)
    extra = [position for position, word in enumerate(words) if word not in shared]
    if len(common) == len(present):
        return [], extra, absent
    missing = []
    place, places = 0, (position + 1 for position, word in enumerate(words) if word in shared)
    for word in present:
        if word in shared:
            place = next(places)
        else:
            missing.append((word, place))
    return missing, extra, absent


def _table(words: Words, groups: Groups, absent: Sequence[int]) -> list[Row]:
    """The costs of all beginnings of the gold words (rows) and of the words (columns).

    A differing word costs `unit`; an extra one costs 1 more, so that of equal costs the one that keeps more words is
    less. Costs are above the row's base: a gold word that the words lack moves the base, and its row is the one before.
    Others change it from where they stand. Absent groups have no rows.
    """
    size = len(words)
    unit = size + 1
    positions: dict[str, list[int]] = {}
    for position, word in enumerate(words):
        positions.setdefault(word, []).append(position)
    costs, base = [column * (unit + 1) for column in range(size + 1)], 0
    rows: list[Row] = [("", costs, base, None)]
    for number, (group, optional) in enumerate(groups):
        if number in absent:
            continue
        start, before, before_base = len(rows) - 1, costs, base
        for gold_word in group:
            base += unit
            if gold_word in positions:
                above, costs = costs, costs.copy()
                for position in positions[gold_word]:
                    cost, column = above[position] - unit, position + 1
                    while column <= size and cost < costs[column]:
                        costs[column] = cost
                        cost += unit + 1
                        column += 1
            rows.append((gold_word, costs, base, None))
        if optional:
            costs = [cost + base - before_base for cost in costs]
            skips = list(map(lt, before, costs))
            costs, base = list(map(min, before, costs)), before_base
            rows[-1] = (group[-1], costs, base, (number, start, skips))
    return rows


def _traced(words: Words, rows: Sequence[Row], absent: Sequence[int]) -> Differences:
    """The alignment that a table of costs ends in, traced from the end."""
    missing: list[tuple[str, int]] = []
    extra: list[int] = []
    dropped = list(absent)
    step = len(words) + 2
    number, column = len(rows) - 1, len(words)
    while number or column:
        word, costs, base, skip = rows[number]
        if skip is not None and skip[2][column]:
            dropped.append(skip[0])
            number = skip[1]
            continue
        cost = costs[column]
        if number and column and words[column - 1] == word:
            _, above, above_base, _ = rows[number - 1]
            if cost + base == above[column - 1] + above_base:
                number, column = number - 1, column - 1
                continue
        if column and cost == costs[column - 1] + step:
            column -= 1
            extra.append(column)
        else:
            number -= 1
            missing.append((word, column))
    extra.reverse()
    missing.reverse()
    return missing, extra, dropped


def _runs(words: Sequence[str], positions: Sequence[int], step: int) -> tuple[str, ...]:
    """Words whose positions follow each other by a step, joined."""
    runs: list[list[str]] = []
    for number, word in enumerate(words):
        if number and positions[number] == positions[number - 1] + step:
            runs[-1].append(word)
        else:
            runs.append([word])
    return tuple(" ".join(run) for run in runs)
