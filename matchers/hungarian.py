"""The best one-to-one assignment of rows to columns, in plain Python, for the small tables of a sentence.

It gives what `scipy.optimize.linear_sum_assignment` gives, ties included, by the same shortest augmenting paths (Crouse
2016). Few sentences leave a choice at all, most of those among two candidates, and to import scipy for them takes a
third of a second and 40 MB. Large tables are handed to it.
"""

from __future__ import annotations

from collections.abc import Sequence

LARGE = 100  # cells, from which on scipy is worth its import

Table = Sequence[Sequence[float]]


def best_assignment(gains: Table) -> list[tuple[int, int]]:
    """The cells, a row and a column each, whose gains add up to most.

    >>> best_assignment([[4.0, 1.0], [5.0, 3.0], [0.0, 2.5]])
    [(1, 0), (2, 1)]
    """
    rows, columns = len(gains), len(gains[0])
    if rows * columns > LARGE:
        from scipy.optimize import linear_sum_assignment

        return [
            (int(row), int(column)) for row, column in zip(*linear_sum_assignment(gains, maximize=True), strict=True)
        ]
    if columns < rows:
        turned = [[-gain for gain in column] for column in zip(*gains, strict=True)]
        return sorted((row, column) for column, row in enumerate(_columns_of_rows(turned)))
    return list(enumerate(_columns_of_rows([[-gain for gain in row] for row in gains])))


def _columns_of_rows(costs: Table) -> list[int]:
    """The column of each row that is cheapest in all; there are at least as many columns as rows."""
    width = len(costs[0])
    row_price, column_price = [0.0] * len(costs), [0.0] * width
    column_of, row_of = [-1] * len(costs), [-1] * width
    for start in range(len(costs)):
        reached: dict[int, float] = {}  # columns that the path search has settled, and at what cost
        nearest, before = [float("inf")] * width, [-1] * width
        open_columns = list(range(width - 1, -1, -1))
        row, cost = start, 0.0
        while True:
            lowest, place = float("inf"), -1
            for position, column in enumerate(open_columns):
                through = cost + costs[row][column] - row_price[row] - column_price[column]
                if through < nearest[column]:
                    nearest[column], before[column] = through, row
                if nearest[column] < lowest or (nearest[column] == lowest and row_of[column] < 0):
                    lowest, place = nearest[column], position
            cost, column = lowest, open_columns[place]
            reached[column] = cost
            if row_of[column] < 0:
                break
            row = row_of[column]
            open_columns[place] = open_columns[-1]
            open_columns.pop()
        row_price[start] += cost
        for settled, at in reached.items():
            if row_of[settled] >= 0:
                row_price[row_of[settled]] += cost - at
            column_price[settled] -= cost - at
        while True:
            row = before[column]
            row_of[column] = row
            column_of[row], column = column, column_of[row]
            if row == start:
                break
    return column_of
