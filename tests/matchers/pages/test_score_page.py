from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from matchers.pages.score_page import MATCHED, NOT_FOUND, REPEATED, UNMATCHED
from matchers.score import main

SAMPLE = Path(__file__).parents[3] / "data" / "sample" / "extractions"


def page_of(*arguments: object) -> tuple[str, Any]:
    target = Path(str(arguments[-1]))
    assert main([*map(str, arguments[:-1]), "--report", str(target), "--quiet"]) == 0
    text = target.read_text()
    found = re.search(r'id="cases-data">(.*?)</script>', text, re.S)
    assert found
    return text, json.loads(found.group(1))


def test_the_page_beside_the_table(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, data = page_of("--gold", gold, tmp_path / "page.html")
    assert capsys.readouterr().out.startswith("2 sentences, 5 clusters")
    assert "<h1>short and long score about equally</h1>" in text
    assert "matcher:rules|assignment:closest|gold:" in text and f"--gold {gold}" in text
    assert data["systems"] == ["long", "short"] and data["matchers"] == ["rules"]
    assert data["source"] == f"--gold {gold} --matcher rules"


def test_every_extraction_and_every_missed_cluster_is_a_case(gold: Path, tmp_path: Path) -> None:
    _, data = page_of("--gold", gold, tmp_path / "page.html")
    kinds = [case["k"][0] for case in data["cases"]]
    assert (kinds.count(MATCHED), kinds.count(REPEATED), kinds.count(UNMATCHED)) == (5, 0, 1)
    assert kinds.count(NOT_FOUND) == 2 * 5 - 5
    assert kinds[0] == UNMATCHED and kinds[-1] == MATCHED, "the page opens on misses"
    unmatched = next(case for case in data["cases"] if case["k"] == [UNMATCHED])
    assert unmatched["e"] == ["mill", "fell", "in May"] and unmatched["d"][0]["t"]
    missed = next(case for case in data["cases"] if case["k"] == [NOT_FOUND])
    assert "e" not in missed and len(missed["d"]) == 1


def test_a_repeat(gold: Path, tmp_path: Path) -> None:
    twice = tmp_path / "twice.tsv"
    twice.write_text("2\tmill\tburned down in\tMay\n2\tThe old mill\tburned down in\tMay\n")
    text, data = page_of("--gold", gold, "--system", f"twice={twice}", tmp_path / "page.html")
    repeat = next(case for case in data["cases"] if case["k"] == [REPEATED])
    assert "credited to a closer extraction" in data["texts"][repeat["v"][0]["w"][0]]
    assert "<h1>twice and its matches</h1>" in text


def test_the_headline_claims_no_more_than_the_test(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert main(["--dataset", "sample", "--resamples", "200", "--report", str(target), "--quiet"]) == 0
    text = target.read_text()
    assert "<h1>pithy and sliver score about equally</h1>" in text
    assert "The lead of pithy over sliver in F1 is not significant (p = ." in text
    given = [f"--system={name}={SAMPLE / name}.txt" for name in ("pithy", "magpie")]
    assert main(["--dataset", "sample", *given, "--report", str(target), "--quiet"]) == 0
    assert "<h1>pithy scores best</h1>" in target.read_text()


def test_a_page_on_stdout(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--gold", str(gold), "--report", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")


def test_hostile_texts(gold: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.tsv"
    bad.write_text("1\t</script><script>alert(1)</script>\tis\t<img src=x onerror=alert(1)>\n")
    text, data = page_of("--gold", gold, "--system", f"<b>={bad}", tmp_path / "page.html")
    assert text.count("</script>") == 2 and "<img" not in text and "<b>=" not in text
    assert data["systems"] == ["<b>"]
