"""BenchIE's gold text: what is recovered from, what is refused, and how fast."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest

from data.brackets import GLUED, STRAY
from data.formats import benchie
from data.formats.benchie import gold_text, read_gold
from data.problems import Diagnostics, InputError

GOLD = "sent_id:1\tMara Venn moved to Oslo .\n1--> Cluster 1:\nMara Venn --> moved to --> [old] Oslo\n"


def read(tmp_path: Path, text: str | bytes, strict: bool = False, encoding: str = "utf-8"):
    path = tmp_path / "gold.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    diagnostics = Diagnostics(strict)
    return read_gold(path, diagnostics, encoding), diagnostics


def test_a_clean_file_reads_without_warnings_and_writes_back(tmp_path: Path) -> None:
    benchmark, diagnostics = read(tmp_path, GOLD)
    assert not diagnostics.problems
    assert gold_text(benchmark) == GOLD


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (GOLD.replace("--> Cluster", "-->Cluster"), benchie.HEADER_SPACE),
        (GOLD.replace("1--> Cluster 1:\n", ""), benchie.HEADLESS),
        ("sent_id:1\tRain fell .\n", benchie.NO_CLUSTER),
        (GOLD.replace("[old] Oslo", "Oslo --> today"), benchie.FOUR_SLOTS),
        (GOLD.replace("[old] Oslo", "[old]Oslo"), GLUED),
        (GOLD.replace("[old] Oslo", "old] Oslo"), STRAY),
        (GOLD + "2 0 6 :\n", benchie.STRAY_LINE),
        (GOLD + "1--> Cluster 1:\nRain --> fell --> XXX\n", benchie.HEADER_NUMBER),
        (GOLD.replace("1--> C", "9--> C"), benchie.HEADER_SENTENCE),
    ],
)
def test_defects_are_recovered_from_with_a_warning_that_names_the_line(tmp_path: Path, text: str, kind: str) -> None:
    benchmark, diagnostics = read(tmp_path, text)
    assert len(benchmark.sentences) == 1
    assert [problem.kind for problem in diagnostics.problems] == [kind]
    assert diagnostics.problems[0].line > 0
    with pytest.raises(InputError):
        read(tmp_path, text, strict=True)


def test_what_is_recovered(tmp_path: Path) -> None:
    headless, _ = read(tmp_path, GOLD.replace("1--> Cluster 1:\n", ""))
    assert [cluster.id for cluster in headless.sentences[0].clusters] == ["1"]
    four, _ = read(tmp_path, GOLD.replace("[old] Oslo", "Oslo --> today"))
    assert str(four.sentences[0].clusters[0].formulations[0].arg2) == "Oslo today"
    stray, _ = read(tmp_path, GOLD.replace("[old] Oslo", "old] Oslo"))
    assert stray.sentences[0].clusters[0].formulations[0].arg2.required == ("old", "Oslo")


@pytest.mark.parametrize(
    "change", [lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t, lambda t: t.rstrip("\n")]
)
def test_line_ends_marks_and_missing_newline_make_no_difference(tmp_path: Path, change) -> None:
    assert read(tmp_path, change(GOLD))[0] == read(tmp_path, GOLD)[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no sentence"),
        ("1--> Cluster 1:\n", "annie-text"),
        ("A sentence .\n1--> Cluster 1: \n", "annie-text"),
        (GOLD.replace("Mara Venn --> moved to --> [old] Oslo", "Mara Venn --> moved"), "three slots"),
        (GOLD + GOLD, "second sentence"),
        (b"sent_id:1\t\xff\n", "0xff"),
    ],
)
def test_what_cannot_be_recovered_is_an_error(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)


def test_other_encodings(tmp_path: Path) -> None:
    content = GOLD.replace("Oslo", "Malmö").encode("latin-1")
    assert read(tmp_path, content, encoding="latin-1")[0].sentences[0].text == "Mara Venn moved to Malmö ."


def test_an_empty_second_argument(tmp_path: Path) -> None:
    benchmark, _ = read(tmp_path, "sent_id:1\tRain fell .\n1--> Cluster 1:\nRain --> fell --> XXX\n")
    assert benchmark.sentences[0].clusters[0].formulations[0].arg2.words == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{GOLD}2\tRain fell .\n2--> Cluster 1:\nRain --> fell --> XXX\n", 4),
        (f"{GOLD}Rain fell .\n2--> Cluster 1:\nRain --> fell --> XXX\n", 4),
        (f"{GOLD}\nRain fell .\n\n2--> Cluster 1:\nRain --> fell --> XXX\n", 5),
        (f"{GOLD}2\tRain fell .\nsent_id:3\tSnow fell .\n", 4),
        (f"1\tRain fell .\n1--> Cluster 1:\nRain --> fell --> XXX\n{GOLD.replace('1', '2')}", 1),
    ],
)
def test_a_sentence_that_lost_its_prefix_is_an_error(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(InputError, match=rf"gold\.txt:{line}: '.*Rain fell \.' looks like a sentence without its"):
        read(tmp_path, text)


def test_a_comment_before_a_header_of_its_sentence_is_left_out(tmp_path: Path) -> None:
    benchmark, diagnostics = read(tmp_path, f"{GOLD}checked by Mara\n1--> Cluster 2:\nRain --> fell --> XXX\n")
    assert len(benchmark.sentences[0].clusters) == 2 and diagnostics.counts() == {benchie.STRAY_LINE: 1}


@pytest.mark.parametrize(
    "line",
    [
        "a" + " " * 50_000 + "b",
        "a" + "\t " * 50_000 + "-> b",
        "a" + " -" * 50_000 + "> b",
        "a --> b -->" + " " * 50_000 + "c",
        "1-->" + " " * 50_000 + "Cluster 2",
        "1--> Cluster " + "1" * 50_000 + " x:",
        "[" * 50_000 + " --> b --> c",
    ],
)
def test_long_lines_take_no_time(tmp_path: Path, line: str) -> None:
    started = time.process_time()
    with contextlib.suppress(InputError):
        read(tmp_path, f"{GOLD}{line}\n")
    assert time.process_time() - started < 2  # a quadratic pattern takes half a minute


def test_thousands_of_clusters_of_one_number_take_no_time(tmp_path: Path) -> None:
    cluster = "1--> Cluster 1:\nRain --> fell --> XXX\n"
    started = time.process_time()
    with pytest.raises(InputError, match=r"gold\.txt:1: sentence 1 has more than 500 clusters"):
        read(tmp_path, GOLD + cluster * 20_000)
    assert time.process_time() - started < 10
    assert len(read(tmp_path, GOLD + cluster * 499)[0].sentences[0].clusters) == 500
