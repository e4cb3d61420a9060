"""Converting files, as a program does it."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.conversion import Conversion, convert, source_format, targets
from data.formats.registry import FORMATS
from data.problems import Diagnostics, InputError

GOLD = "sent_id:1\tRain fell on Oslo .\n1--> Cluster 1:\n[The] rain --> fell --> on Oslo\n"


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.txt"
    path.write_text(GOLD)
    return path


def test_formats_become_others_of_their_kind_that_can_be_written() -> None:
    assert "wire57" not in targets(FORMATS["benchie"]) and "carb" in targets(FORMATS["wire57"])
    assert targets(FORMATS["judgments-jsonl"]) == ("judgments-jsonl",)


def test_gold_becomes_a_table(gold: Path, tmp_path: Path) -> None:
    told = convert(Conversion(gold, tmp_path / "out.tsv", FORMATS["benchie"], FORMATS["carb"]), Diagnostics())
    assert told == "1 sentence, 1 cluster"
    assert (tmp_path / "out.tsv").read_text() == "Rain fell on Oslo .\tfell\tThe rain\ton Oslo\n"


@pytest.mark.parametrize("way", ["itself", "a link", "another spelling"])
def test_a_file_is_written_over_only_by_force(gold: Path, tmp_path: Path, way: str) -> None:
    output = gold
    if way == "a link":
        output = tmp_path / "link"
        output.symlink_to(gold)
    elif way == "another spelling":
        (tmp_path / "x").mkdir()
        output = tmp_path / "x" / ".." / "gold.txt"
    conversion = Conversion(gold, output, FORMATS["benchie"], FORMATS["annie-text"])
    with pytest.raises(InputError, match="is the input itself; name another OUT, or write over it with --force"):
        convert(conversion, Diagnostics())
    assert gold.read_text() == GOLD
    convert(conversion, Diagnostics(), force=True)
    assert output.read_text().startswith("Rain fell on Oslo .")


def test_another_file_may_be_replaced(gold: Path, tmp_path: Path) -> None:
    (tmp_path / "old.tsv").write_text("old")
    convert(Conversion(gold, tmp_path / "old.tsv", FORMATS["benchie"], FORMATS["carb"]), Diagnostics())
    assert (tmp_path / "old.tsv").read_text().startswith("Rain")


def test_a_guess_is_noted(gold: Path, tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    assert source_format(gold, None, diagnostics, "utf-8").name == "benchie" and not diagnostics.notes
    table = tmp_path / "gold.tsv"
    table.write_text("Rain fell on Oslo .\tfell\tRain\ton Oslo\n")
    assert source_format(table, None, diagnostics, "utf-8").name == "carb"
    assert str(diagnostics.notes[0]) == f"{table}: read as carb; --from names another format"


def test_judgments_need_gold(tmp_path: Path) -> None:
    judgments = FORMATS["judgments-jsonl"]
    with pytest.raises(InputError, match="judgments refer to a gold file"):
        convert(Conversion(tmp_path / "a.jsonl", tmp_path / "b.jsonl", judgments, judgments), Diagnostics())
