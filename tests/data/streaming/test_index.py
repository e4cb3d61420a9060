from __future__ import annotations

import resource

import pytest

from data.problems import InputError
from data.streaming.index import Place, Range, Run, new_index


def test_sentences_and_runs_are_found_by_shard() -> None:
    with new_index(2) as index:
        assert index.add_sentences([Place("a", 0, 1), Place("b", 10, 3), Place("c", 25, 5)]) is None
        index.gold_end = 40
        runs = [Run("b", 0, 5, 1, 1), Run("a", 5, 9, 2, 2), Run("c", 9, 12, 4, 1), Run("a", 12, 20, 5, 1)]
        assert list(index.add_runs(1, runs)) == []
        assert index.shard_count == 2 and index.first_ids() == ["a", "b", "c"]
        assert [index.gold_range(shard) for shard in (0, 1)] == [Range(0, 25), Range(25, 40)]
        assert [index.ids(shard) for shard in (0, 1)] == [("a", "b"), ("c",)]
        assert index.system_ranges(0, 2) == [[], [Range(0, 9), Range(12, 20)]]  # side by side they are one
        assert index.system_ranges(1, 2) == [[], [Range(9, 12)]]


def test_what_the_gold_lacks_is_given_back() -> None:
    with new_index(2) as index:
        index.add_sentences([Place("a", 0, 1)])
        strange = [Run("x", 0, 5, 1, 1), Run("a", 5, 9, 2, 1), Run("y", 9, 12, 4, 0)]
        assert [run.sentence_id for run in index.add_runs(0, strange)] == ["x", "y"]


def test_a_second_sentence_of_an_id_is_given_back() -> None:
    with new_index(2) as index:
        index.add_sentences([Place("a", 0, 1), Place("b", 4, 2)])
        assert index.add_sentences([Place("c", 9, 4), Place("b", 12, 7)]) == Place("b", 12, 7)


def test_memory_does_not_grow_with_it() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with new_index(64) as index:
        for start in range(0, 300_000, 1000):
            index.add_sentences([Place(f"a long id of a sentence {n}", n, n) for n in range(start, start + 1000)])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000  # KB


def test_a_full_disk_is_an_error_of_one_line() -> None:
    with pytest.raises(InputError, match="temporary folder"), new_index(1) as index:
        index.database.execute("pragma max_page_count = 8")
        index.add_sentences([Place(f"a long id of a sentence {number}", number, 1) for number in range(100_000)])
