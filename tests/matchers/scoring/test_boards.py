from __future__ import annotations

from pathlib import Path

from data.catalog import load
from data.model import Benchmark, System
from data.problems import Diagnostics
from matchers.scoring.boards import WAYS, board_of, one_name, systems_of


def test_a_system_has_one_name_on_all_benchmarks() -> None:
    assert [s.name for s in one_name(Benchmark("b", (), (System("m2oie_en"), System("own")))).systems] == [
        "m2oie",
        "own",
    ]


def test_each_benchmark_is_scored_as_its_authors_do(sets: Path) -> None:
    boards = [board_of(way, one_name(load(way.dataset, sets, Diagnostics())), {}, sets, 20, 1) for way in WAYS]
    signatures = {board.name: board.scores.signature for board in boards}
    assert "duplicates:count" in signatures["benchie_fl"] and "duplicates:ignore" in signatures["benchie_en"]
    assert [board.scores.by_words for board in boards] == [False, False, True, True]
    assert all(board.sentences == len(load(board.name, sets, Diagnostics()).sentences) for board in boards)
    names = systems_of(boards)
    counts = [sum(name in board.scores.names for board in boards) for name in names]
    assert counts == sorted(counts, reverse=True) and names[:2] == ["clausie", "minie"]
