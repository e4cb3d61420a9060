from __future__ import annotations

from pathlib import Path

import pytest

from data.command_line import run
from matchers.score import main
from tests.matchers.commanded import RATES, by_name, scored


def test_chinese_scores_however_it_is_spaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, own = tmp_path / "zh.txt", tmp_path / "own.tsv"
    gold.write_text("sent_id:1\t她 在 奥 斯 陆 工 作 。\n1--> Cluster 1:\n她 --> 在 奥 斯 陆 --> [一 直] 工 作\n")
    own.write_text("1\t她\t在奥斯陆\t工作\n")
    arguments = ("--gold", gold, "--system", f"own={own}", "--matcher", "em")
    assert scored(capsys, *arguments)["systems"][0]["f1"] == 0
    result = scored(capsys, *arguments, "--language", "zh-Hans")
    assert result["systems"][0]["f1"] == 1 and "|language:zh|" in result["signature"]


def test_what_is_english_in_a_matcher_is_said_once(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for matcher, count in (("em", 0), ("rules", 1), ("features", 1), ("carb", 1), ("wire57", 0)):
        assert main(["--gold", str(gold), "--language", "de", "--matcher", matcher, "--resamples", "20"]) == 0
        assert capsys.readouterr().err.count("these are English") == count
    assert run(main, ["--gold", str(gold), "--language", "german"]) == 1
    assert "is no language" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "system", "row"),
    [("benchie_de", "m2oie_de", (0.09, 0.03, 0.04)), ("benchie_zh", "m2oie_zh", (0.18, 0.10, 0.13))],
)
def test_the_other_languages_of_benchies_table_5(
    real_data: Path, name: str, system: str, row: tuple[float, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--dataset", name, "--data", real_data, "--matcher", "em", "--duplicates", "ignore")
    found = by_name(scored(capsys, *arguments)["systems"])[system]
    assert tuple(round(found[rate], 2) for rate in RATES) == row
