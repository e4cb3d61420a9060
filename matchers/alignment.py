"""How the words of an extraction's slot differ from a gold slot: the words it lacks and the words it has too many.

Of all resolutions of the gold slot's optional groups the nearest one counts: the one with the fewest differing words,
and among those the one that keeps the most. It is found by one table of the words against the gold words, so the cost
is the product of their numbers and not 2 to the power of the optional groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matchers.patterns import Groups

Words = tuple[str, ...]


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
    gold = [(word, number) for number, (group, _) in enumerate(slot_groups) for word in group]
    rows, skips = _table(words, slot_groups)
    return _traced(words, slot_groups, gold, rows, skips)


def _table(words: Words, groups: Groups) -> tuple[list[list[int]], dict[int, tuple[int, list[bool]]]]:
    """The costs of all beginnings of the gold words (rows) and of the words (columns), and where groups are absent.

    A differing word costs `unit`; an extra one costs 1 more, so that of equal costs the one that keeps more words is
    less. Where an optional group ends, the absent choices are noted with the row before the group.
    """
    size = len(words)
    unit = size + 1
    rows = [[column * (unit + 1) for column in range(size + 1)]]
    skips: dict[int, tuple[int, list[bool]]] = {}
    for group, optional in groups:
        start = len(rows) - 1
        for gold_word in group:
            above = rows[-1]
            cost = above[0] + unit
            row = [cost]
            for column, word in enumerate(words):
                cost = min(cost + unit + 1, above[column + 1] + unit)
                if word == gold_word and above[column] < cost:
                    cost = above[column]
                row.append(cost)
            rows.append(row)
        if optional:
            before, present = rows[start], rows[-1]
            skips[len(rows) - 1] = (start, [old < new for old, new in zip(before, present, strict=True)])
            rows[-1] = list(map(min, before, present))
    return rows, skips


def _traced(
    words: Words,
    groups: Groups,
    gold: Sequence[tuple[str, int]],
    rows: Sequence[Sequence[int]],
    skips: dict[int, tuple[int, list[bool]]],
) -> Alignment:
    """The alignment that a table of costs ends in, traced from the end."""
    unit = len(words) + 1
    missing: list[tuple[str, int]] = []
    extra: list[int] = []
    dropped: list[Words] = []
    row, column = len(rows) - 1, len(words)
    while row or column:
        cost = rows[row][column]
        same = row > 0 and column > 0 and words[column - 1] == gold[row - 1][0]
        if row in skips and skips[row][1][column]:
            dropped.append(groups[gold[row - 1][1]][0])
            row = skips[row][0]
        elif same and cost == rows[row - 1][column - 1]:
            row, column = row - 1, column - 1
        elif column and cost == rows[row][column - 1] + unit + 1:
            column -= 1
            extra.append(column)
        else:
            row -= 1
            missing.append((gold[row][0], column))
    extra.reverse()
    missing.reverse()
    left_over = set(extra)
    return Alignment(
        tuple(word for word, _ in missing),
        tuple(words[position] for position in extra),
        tuple(word for position, word in enumerate(words) if position not in left_over),
        tuple(reversed(dropped)),
        tuple(position for _, position in missing),
        tuple(extra),
    )


def _runs(words: Sequence[str], positions: Sequence[int], step: int) -> tuple[str, ...]:
    """Words whose positions follow each other by a step, joined."""
    runs: list[list[str]] = []
    for number, word in enumerate(words):
        if number and positions[number] == positions[number - 1] + step:
            runs[-1].append(word)
        else:
            runs.append([word])
    return tuple(" ".join(run) for run in runs)
