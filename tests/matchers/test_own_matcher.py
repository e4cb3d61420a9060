"""Matchers of the user's own, by name and as objects."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import matchers
from data.problems import InputError
from matchers import score
from tests.matchers.conftest import GOLD, SHORT

OWN = '''
from matchers import Candidate, Matcher, Reason


class First(Matcher):
    """Every extraction states its sentence's first fact."""

    def candidates(self, sentence, extractions):
        return [Candidate(n, 0, 1.0, False, Reason("first")) for n in range(len(extractions))]


ready = First()
number = 7


def broken():
    raise RuntimeError("out of luck")


class Beyond(Matcher):
    def candidates(self, sentence, extractions):
        return [Candidate(0, 99, 1.0, False, Reason("beyond"))]
'''


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my_first_matcher.py").write_text(OWN)
    (tmp_path / "gold.txt").write_text(GOLD)
    (tmp_path / "short.tsv").write_text(SHORT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "my_first_matcher", raising=False)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def score_by(name: str) -> int:
    return score.main(["--gold", "gold.txt", "--system", "short=short.tsv", "--matcher", name])


def test_a_class_is_named_on_the_command_line(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert score_by("my_first_matcher:First") == 0
    printed = capsys.readouterr().out
    assert "matcher:my_first_matcher:First|code:" in printed
    assert "short" in printed


def test_the_signature_follows_the_code(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score_by("my_first_matcher:First")
    before = capsys.readouterr().out
    (own / "my_first_matcher.py").write_text(OWN + "\n# changed\n")
    del sys.modules["my_first_matcher"]
    score_by("my_first_matcher:First")
    assert before.splitlines()[-1] != capsys.readouterr().out.splitlines()[-1]


def test_an_object_is_taken_as_it_is(own: Path) -> None:
    made = matchers.load("my_first_matcher:ready")
    assert matchers.load(made) is made


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("my_first_matcher:Missing", "has no Missing"),
        ("my_first_matcher:number", "is no Matcher"),
        ("my_first_matcher:broken", "out of luck"),
        ("no_such_module:First", "can't be imported"),
    ],
)
def test_what_is_wrong_is_said(own: Path, name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        matchers.load(name)


def test_a_candidate_that_is_not_there_is_named(own: Path) -> None:
    with pytest.raises(InputError, match="cluster 99"):
        score_by("my_first_matcher:Beyond")
