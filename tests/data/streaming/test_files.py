from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from data.formats.reading import ReadOptions
from data.problems import Diagnostics, InputError
from data.streaming.files import BenchmarkFiles, Checked, OpenFiles, opened
from data.streaming.pieces import Piece
from tests.matchers.invented import BENCHIE


@pytest.fixture
def files(tmp_path: Path) -> BenchmarkFiles:
    (tmp_path / "gold.txt").write_text(BENCHIE)
    (tmp_path / "mine.tsv").write_text("2\tmill\tburned down in\tMay\n1\tMara Venn\tmoved to\tOslo\n2\tit\tburned\t\n")
    (tmp_path / "empty.jsonl").write_text("")
    systems = (("mine", tmp_path / "mine.tsv"), ("empty", tmp_path / "empty.jsonl"))
    return BenchmarkFiles(tmp_path / "gold.txt", systems, ReadOptions())


def checked(some: OpenFiles) -> OpenFiles:
    def work(pieces: Iterable[Piece]) -> Iterator[Checked]:
        return map(some.files.check, pieces)

    some.check(work, Diagnostics())
    return some


def test_shards_have_their_sentences_and_extractions(files: BenchmarkFiles) -> None:
    with opened(files, 1) as some:
        shards = list(checked(some).shards())
        assert [shard.names for shard in shards] == [("1",), ("2",)]
        second = shards[1].benchmark(files)
        assert [str(extraction) for extraction in second.systems[0].extractions] == [
            "mill - burned down in - May",
            "it - burned - ",
        ]
        assert second.sentences[0].clusters[0].id == "1" and second.systems[1].extractions == ()
        assert some.extractions == (3, 0)
        assert shards[0].digest != shards[1].digest


def test_a_file_that_is_written_to_meanwhile(files: BenchmarkFiles) -> None:
    with opened(files, 1) as some:
        checked(some)
        os.utime(files.gold, (1, 1))
        with pytest.raises(InputError, match=r"gold\.txt: was changed while it was being read"):
            next(some.shards())


@pytest.mark.parametrize(
    ("gold", "why"),
    [
        ("1 Mara left .\n1--> Cluster 1:\n", "AnnIE's text"),
        ('{"textFile": {}}', "JSON"),
        ("", "nothing"),
    ],
)
def test_other_golds_are_read_whole(files: BenchmarkFiles, gold: str, why: str) -> None:
    assert files.can_be_streamed()
    files.gold.write_text(gold)
    assert not files.can_be_streamed(), why


@pytest.mark.parametrize(
    "systems", [(), (("mine", "mine.tsv"), ("mine", "mine.tsv")), (("a->b", "mine.tsv"),), (("x", "none.tsv"),)]
)
def test_what_is_wrong_with_systems_is_told_by_reading_whole(
    files: BenchmarkFiles, systems: tuple[tuple[str, str], ...]
) -> None:
    named = tuple((name, files.gold.parent / path) for name, path in systems)
    assert not BenchmarkFiles(files.gold, named, ReadOptions()).can_be_streamed()
    assert not BenchmarkFiles(files.gold, files.systems, ReadOptions("utf-16")).can_be_streamed()
