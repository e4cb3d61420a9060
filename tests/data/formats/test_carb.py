"""CaRB's table: tuples with any number of arguments, as clusters and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.formats.benchie import read_gold
from data.formats.carb import LOST, SAME_TEXT, CarbTuple, read_carb, read_carb_benchmark, write_carb
from data.problems import Diagnostics, InputError

TABLE = (
    "Mara Venn moved to Oslo in May .\tmoved\tMara Venn\tto Oslo\tin May\n"
    "Rain fell .\tfell\tRain\n"
    "Mara Venn moved to Oslo in May .\tmoved in\tMara Venn \t May\n"
    "Snow fell .\tfell\tSnow\t\n"
)


def saved(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_tuples_keep_all_arguments(tmp_path: Path) -> None:
    first, second, third = read_carb(saved(tmp_path / "gold.tsv", TABLE))
    assert first.text == "Mara Venn moved to Oslo in May ."
    assert [found.args for found in first.tuples] == [("Mara Venn", "to Oslo", "in May"), ("Mara Venn", "May")]
    assert second.tuples == (CarbTuple("fell", ("Rain",), line=2),)
    assert third.tuples[0].args == ("Snow", "")


def test_sentences_are_numbered_in_order_of_first_appearance(tmp_path: Path) -> None:
    benchmark = read_carb_benchmark(saved(tmp_path / "gold.tsv", TABLE))
    assert [(sentence.id, sentence.text.split()[0]) for sentence in benchmark] == [
        ("1", "Mara"), ("2", "Rain"), ("3", "Snow"),
    ]  # fmt: skip
    assert [str(cluster.formulations[0]) for cluster in benchmark.sentences[0].clusters] == [
        "Mara Venn --> moved --> to Oslo in May",
        "Mara Venn --> moved in --> May",
    ]
    assert str(benchmark.sentences[1].clusters[0].formulations[0]) == "Rain --> fell --> XXX"


def test_sentences_that_differ_in_white_space_only_are_one(tmp_path: Path) -> None:
    path = saved(tmp_path / "gold.tsv", "Rain fell .\tfell\tRain\nRain  fell . \tdid fall\tRain\n")
    (sentence,) = read_carb(path)
    assert [found.relation for found in sentence.tuples] == ["fell", "did fall"]


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    plain = read_carb_benchmark(saved(tmp_path / "gold.tsv", TABLE))
    windows = b"\xef\xbb\xbf" + TABLE.replace("\n", "\r\n").encode() + b"\r\n"
    assert read_carb_benchmark(saved(tmp_path / "gold.tsv", windows)) == plain


def test_brackets_in_arguments_do_not_make_words_optional(tmp_path: Path) -> None:
    benchmark = read_carb_benchmark(saved(tmp_path / "gold.tsv", "She [ sic ] left .\tleft\t[ She ]\t\n"))
    assert str(benchmark.sentences[0].clusters[0].formulations[0]) == "She --> left --> XXX"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("Rain fell .\tfell\n", ":1: 'sentence<TAB>relation<TAB>arg1<TAB>arg2' was expected; there are 2 columns"),
        (TABLE + "no tab here\n", ":5: .* there are 1 columns"),
        ("\tfell\tRain\n", ":1: the first column, the sentence, is blank"),
        ("Rain fell .\t \t\t\n", ":1: a tuple needs at least one word"),
        ("Rain fell .\tfell\tXXX\n", ":1: XXX stands for an empty slot"),
    ],
)
def test_a_malformed_table_gives_one_clear_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_carb_benchmark(saved(tmp_path / "gold.tsv", text))


def test_the_first_formulation_of_each_cluster_is_written(tmp_path: Path) -> None:
    text = "sent_id:a\tThe rain fell .\na--> Cluster 1:\n[The] rain --> fell --> XXX\nrain --> is --> rain\n"
    gold = read_gold(saved(tmp_path / "gold.txt", text), Diagnostics(strict=True))
    path = tmp_path / "carb.tsv"
    write_carb(gold, path, Diagnostics(strict=True))
    assert path.read_text() == "The rain fell .\tfell\tThe rain\t\n"


def test_what_the_table_has_no_place_for_is_told(tmp_path: Path) -> None:
    text = "sent_id:a\tRain .\nsent_id:b\tIt fell .\nb--> Cluster 1:\nb--> Cluster 2:\nIt --> fell --> XXX\n"
    text += "sent_id:c\tIt fell .\nc--> Cluster 1:\nIt --> did --> fall\n"
    gold = read_gold(saved(tmp_path / "gold.txt", text), Diagnostics())
    diagnostics = Diagnostics()
    write_carb(gold, tmp_path / "carb.tsv", diagnostics)
    assert diagnostics.counts() == {LOST: 2, SAME_TEXT: 1}
    with pytest.raises(InputError):
        write_carb(gold, tmp_path / "strict.tsv", Diagnostics(strict=True))
    assert not (tmp_path / "strict.tsv").exists()


@pytest.mark.parametrize(
    ("file", "sentences", "tuples"),
    [("carb/dev.tsv", 638, 2548), ("carb/test.tsv", 634, 2715), ("benchie/gold/carb_explicit.txt", 291, 783)],
)
def test_the_real_counts(real_data: Path, file: str, sentences: int, tuples: int) -> None:
    benchmark = read_carb_benchmark(real_data / file)
    assert (len(benchmark.sentences), benchmark.cluster_count) == (sentences, tuples)
