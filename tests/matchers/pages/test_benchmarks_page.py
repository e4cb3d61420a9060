from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from matchers.score import main
from matchers.scoring.results import UNDEFINED


def page_of(sets: Path, tmp_path: Path, *arguments: object) -> str:
    target = tmp_path / "all.html"
    given = ["--all", "--data", str(sets), "--resamples", "50", "--quiet", "--report", str(target)]
    assert main([*given, *map(str, arguments)]) == 0
    return target.read_text()


def rows_of(text: str, table: str) -> list[list[str]]:
    """The texts of a table's cells, without their smaller notes."""
    body = text[text.index(f'<table class="sortable" id="{table}"') :]
    body = body[body.index("<tbody>") : body.index("</tbody>")]
    rows = re.findall(r"<tr.*?</tr>", body, re.S)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in rows]
    return [[re.sub(r"<small>.*?</small>", "", cell).strip() for cell in row] for row in cells]


def test_the_page_has_every_benchmark_with_scores_and_ranks(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = page_of(sets, tmp_path, "--json", tmp_path / "all.json")
    assert "F1 [95 %]" in capsys.readouterr().out, "the table is printed beside the page"
    result = json.loads((tmp_path / "all.json").read_text())
    rows = {row[0]: row[1:] for row in rows_of(text, "scores-table")}
    for number, benchmark in enumerate(result["benchmarks"]):
        assert benchmark["signature"] in text
        for system in benchmark["systems"]:
            shown = rows[system["name"]][4 * number : 4 * number + 4]
            values = [f"{system[name]:.3f}" for name in ("precision", "recall", "f1")]
            assert shown == [str(system["rank"]), *values]
    assert rows["stanford"][:4] == [UNDEFINED] * 4


def test_the_page_says_where_benchmarks_disagree(sets: Path, tmp_path: Path) -> None:
    text = page_of(sets, tmp_path, "--json", tmp_path / "all.json")
    result = json.loads((tmp_path / "all.json").read_text())
    found, compared = result["disagreements"], result["pairs_compared"]
    sure = sum(pair["significant"] for pair in found) or "none"
    assert (
        f"<h1>The benchmarks rank {len(found)} of {compared} pairs of systems differently, {sure} significantly</h1>"
        in text
    )
    rows = {row[0]: row[1:] for row in rows_of(text, "disagreements-table")}
    assert set(rows) == {f"{pair['first']}, {pair['second']}" for pair in found}
    assert rows["clausie, minie"][1].startswith("minie +") and rows["clausie, minie"][2].startswith("clausie +")
    assert [row[0] for row in rows_of(text, "agreements-table")] == [
        f"{two['first']} and {two['second']}" for two in result["agreements"]
    ]
    assert text.count('class="system"') == 11 and "<path class=" in text


def test_a_users_system_alone(sets: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.tsv"
    own.write_text("2\tThe old mill\tburned down in\tMay\n")
    text = page_of(sets, tmp_path, "--system", f"<b>own</b>={own}")
    assert "<h1>&lt;b&gt;own&lt;/b&gt; on 4 benchmarks</h1>" in text and "<b>own" not in text
    assert "No system names a sentence of this benchmark." in text, "WiRe57 has other ids"
    assert "names 1 of the 2 sentences of benchie_fl" in text
    assert 'id="ranks"' not in text and 'id="disagreements"' not in text


def test_only_one_benchmark_is_found(sets: Path, tmp_path: Path) -> None:
    for path in (sets / "benchie" / "gold").iterdir():
        path.unlink()
    for path in (sets / "wire57").iterdir():
        path.unlink()
    text = page_of(sets, tmp_path)
    assert "<h1>7 systems on 1 benchmark</h1>" in text and 'id="ranks"' not in text
    assert "not found: benchie_en, wire57, benchie_carb" in text


def test_the_page_on_stdout_is_the_page_alone(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--all", "--data", str(sets), "--resamples", "20", "--quiet", "--report", "-"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("<!doctype html>") and out.rstrip().endswith("</html>")


def test_a_signature_is_that_of_the_benchmark_scored_alone(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page_of(sets, tmp_path, "--json", tmp_path / "all.json")
    signatures = {b["name"]: b["signature"] for b in json.loads((tmp_path / "all.json").read_text())["benchmarks"]}
    for name, flags in (
        ("benchie_fl", []),
        ("benchie_en", ["--matcher", "em", "--duplicates", "ignore"]),
        ("wire57", []),
        ("benchie_carb", []),
    ):
        capsys.readouterr()
        given = ["--dataset", name, "--data", str(sets), "--resamples", "50", "--quiet", "--json", "-"]
        assert main([*given, *flags]) == 0
        assert json.loads(capsys.readouterr().out)["signature"] == signatures[name]


def test_what_the_real_benchmarks_say_of_each_other(real_data: Path, tmp_path: Path) -> None:
    text = page_of(real_data, tmp_path, "--resamples", "1000")
    assert "<h1>The benchmarks rank 13 of 30 pairs of systems differently, 7 significantly</h1>" in text
    assert "Of these disagreements, 7 are significant on both sides." in text
    rows = {row[0]: row[1:] for row in rows_of(text, "agreements-table")}
    # Of the four systems that both have, BenchIE^FL and CaRB rank no pair alike.
    assert rows["benchie_fl and benchie_carb"] == ["4", "6", "0", "6", "5", "-1.00"]
    assert rows["benchie_fl and benchie_en"] == ["4", "6", "5", "1", "0", "+0.67"]
