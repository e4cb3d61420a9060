from __future__ import annotations

from matchers.pages.rank_chart import RankChart, RankColumn, RankLine, rank_chart


def chart(*columns: dict[str, int]) -> RankChart:
    names = list(dict.fromkeys(name for column in columns for name in column))
    made = [RankColumn(f"c{number}", "", column) for number, column in enumerate(columns)]
    return rank_chart(names, made, 100.0, lambda *_: False, lambda name, left, right: name == "a")


def line_of(found: RankChart, name: str) -> RankLine:
    return next(line for line in found.lines if line.name == name)


def test_a_line_goes_through_its_ranks() -> None:
    found = chart({"a": 1, "b": 2}, {"b": 1, "a": 2})
    first, second = line_of(found, "a").nodes
    assert (first.rank, second.rank) == (1, 2) and first.y < second.y and second.x - first.x == 100
    assert line_of(found, "a").text == "a: c0 1, c1 2"
    assert line_of(found, "b").nodes[0].y == second.y
    assert [piece.off for line in found.lines for piece in line.pieces] == [True, False]


def test_a_line_passes_a_column_without_its_system() -> None:
    found = chart({"a": 1, "b": 2}, {"b": 1}, {"a": 1, "b": 2})
    assert [piece.skips for piece in line_of(found, "a").pieces] == [True]
    assert [piece.skips for piece in line_of(found, "b").pieces] == [False, False]
    assert found.lines[0].name == "a", "what passes others is drawn below them"


def test_a_line_that_passes_a_column_goes_between_its_nodes() -> None:
    found = chart({"a": 2, "b": 1, "c": 3}, {"b": 1, "c": 2, "d": 3}, {"c": 1, "a": 2, "b": 3})
    (piece,), middle = line_of(found, "a").pieces, line_of(found, "c").nodes[1]
    corners = [number.split() for number in piece.path.replace("C", " ").removeprefix("M").split("  ")]
    passed = [float(y) for x, y in zip(corners[0][::2], corners[0][1::2], strict=True) if float(x) == middle.x]
    nodes = [node.y for line in found.lines for node in line.nodes if node.x == middle.x]
    assert passed and len(nodes) == 3
    assert min(abs(y - node) for y in passed for node in nodes) >= 15


def test_tied_systems_have_one_rank_and_two_places() -> None:
    found = chart({"a": 1, "b": 1, "c": 3})
    assert [line.nodes[0].rank for line in found.lines] == [1, 1, 3]
    assert len({line.nodes[0].y for line in found.lines}) == 3
    assert max(line.nodes[0].y for line in found.lines) < found.height


def test_a_system_of_one_column_is_a_node_without_a_line() -> None:
    assert line_of(chart({"a": 1}, {"b": 1}), "b").pieces == ()
