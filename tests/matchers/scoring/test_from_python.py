"""What the commands do, from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import data
import matchers
from data import Benchmark, Extraction, InputError, Sentence
from matchers import score
from matchers.scoring.from_python import as_benchmark
from tests.matchers.conftest import GOLD, LONG, SHORT

ANNA = Benchmark("mine", (Sentence.of("Anna paints houses .", "Anna --> paints --> houses"),))
RIGHT = ("1", "Anna", "paints", "houses")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "gold.txt").write_text(GOLD)
    (tmp_path / "short.tsv").write_text(SHORT)
    (tmp_path / "long.tsv").write_text(LONG)
    return tmp_path


def test_it_gives_what_the_command_prints(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = {"short": str(files / "short.tsv"), "long": files / "long.tsv"}
    scores = matchers.evaluate(str(files / "gold.txt"), named)
    flags = [word for name, path in named.items() for word in ("--system", f"{name}={path}")]
    assert score.main(["--gold", str(files / "gold.txt"), *flags, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == scores.to_json()
    score.main(["--gold", str(files / "gold.txt"), *flags])
    assert capsys.readouterr().out == f"{scores}\n"


@pytest.mark.parametrize("given", [[RIGHT], [Extraction(*RIGHT)], data.System("x", (Extraction(*RIGHT),))])
def test_extractions_in_memory(given: object) -> None:
    scores = matchers.evaluate(ANNA, {"mine": given})  # type: ignore[dict-item]
    assert scores["mine"].f1 == 1.0
    assert [(outcome.kind, outcome.clusters) for outcome in scores.matches("mine")] == [("credited", ("1",))]


def test_systems_that_come_with_the_gold() -> None:
    assert len(matchers.evaluate("sample").systems) == 5


def test_a_token_scorer_is_named_like_a_matcher() -> None:
    scores = matchers.evaluate("sample", matcher="carb")
    assert scores.by_words and 0 < scores["pithy"].f1 < 1


def test_a_matcher_of_one_s_own() -> None:
    class Nothing(matchers.Matcher):
        def candidates(self, sentence: Sentence, extractions: object) -> list[matchers.Candidate]:
            return []

    scores = matchers.evaluate(ANNA, {"mine": [RIGHT]}, matcher=Nothing())
    assert scores["mine"].f1 == 0 and scores.matcher == "Nothing"


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        ({"mine": [("2", "Anna", "paints", "houses")]}, "'2' is not in the gold, whose ids are 1"),
        ({"mine": [("1", "Anna")]}, "'mine': an extraction is a tuple"),
        ({"mine": 7}, "'mine'"),
        ({}, "no systems to score"),
    ],
)
def test_what_is_wrong_is_said(systems: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        matchers.evaluate(ANNA, systems)  # type: ignore[arg-type]


def test_gold_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a int"):
        as_benchmark(7, data.Diagnostics())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no data set"):
        matchers.evaluate(str(tmp_path / "nothing.txt"))


def test_warnings_of_the_reader_are_warnings(tmp_path: Path) -> None:
    (tmp_path / "gold.txt").write_text(GOLD.replace("[a] chemist", "[a]chemist", 1))
    with pytest.warns(UserWarning, match=r"gold\.txt:3"):
        matchers.evaluate(tmp_path / "gold.txt", {"mine": [("1", "Mara Venn", "is", "chemist")]})


def test_benchmarks_side_by_side(sets: Path) -> None:
    both = matchers.compare(data=sets)
    assert len(both.boards) == 4 and str(both).count("\n") > 4
