from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.command_line import run
from data.model import Sentence
from matchers.profile import main
from matchers.profiling.buckets import (
    CONJUNCTIONS,
    Steps,
    case_count,
    conjunction_count,
    default_buckets,
    word_count,
)

MODULE = """
def cities(sentence):
    return "some" if "Oslo" in sentence.text else "none"

def broken(sentence):
    return sentence.nothing

number = 3
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module of the user's in the folder where the command runs."""
    name = f"own_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    (tmp_path / f"{name}_bad.py").write_text("import nothing_of_this_name")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *__import__("sys").path])
    return name


def test_f1_by_a_function_of_the_users(
    gold: Path, module: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    given = ["--gold", str(gold), "--matcher", "em", "--bucket", f"cities={module}:cities"]
    assert main([*given, "--json", "-", "--report", str(page)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result["bucket_sizes"]) == ["length", "conjunctions", "case markers", "cities"]
    assert result["bucket_sizes"]["cities"] == {"none": 1, "some": 1}
    short = next(system for system in result["systems"] if system["name"] == "short")
    assert short["by_bucket"]["cities"]["some"]["f1"] == pytest.approx(0.8)
    assert "<b>F1 by cities</b>" in page.read_text()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("cities=nowhere_at_all:cities", "no module is called 'nowhere_at_all'"),
        ("cities={}:towns", "has no 'towns'"),
        ("cities={}:number", "'number' is no function"),
        ("cities={}_bad:cities", "no module is called 'nothing_of_this_name'"),
        ("cities={}:broken", "broken fails on sentence '1': AttributeError"),
    ],
)
def test_mistakes_are_told_in_a_line(
    gold: Path, module: str, given: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(main, ["--gold", str(gold), "--bucket", given.format(module)]) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_hyphens_between_letters_are_words():
    def words(text: str) -> int:
        return word_count(Sentence("1", text))

    assert words("The old mill .") == 4
    assert words("A well-known mill") == 5
    assert words("in mid-May") == 2  # a small beginning before a name
    assert words("the Arden-Oslo line - 1-0 , T-34") == 9


def test_conjunctions_and_case_markers_are_counted_by_words():
    sentence = Sentence("1", "Mara 's mill in Arden and the barn near Oslo burned but nobody cared .")
    assert conjunction_count(sentence) == 2
    assert case_count(sentence) == 3


def test_steps_name_their_buckets():
    steps = Steps(word_count, (1, 2, 4))
    assert steps.labels == ("<= 1", "2", "3-4", "> 4")
    assert [steps(Sentence("1", " ".join("abcdef"[:size]))) for size in (1, 2, 3, 4, 5)] == [
        "<= 1", "2", "3-4", "3-4", "> 4",
    ]  # fmt: skip
    assert default_buckets()[CONJUNCTIONS](Sentence("1", "Rain and snow fell .")) == "> 0"
