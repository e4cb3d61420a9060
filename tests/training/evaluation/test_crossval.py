from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from data.problems import InputError
from matchers.interface import Matcher
from matchers.rules.matcher import RuleMatcher
from tests.matchers.facts import sentence, triple
from training.evaluation.crossval import FoldStore, OutOfFold, cross_validate
from training.labels.folds import folds
from training.labels.judged_parts import Judged, assign_all


def part(number: int, system: str) -> Judged:
    gold = sentence(
        "Mara Venn --> moved to --> Oslo", "Mara Venn --> moved to --> Bergen", "Mara Venn --> is --> [a] chemist",
        text=f"Sentence {number} .", name=str(number),
    )  # fmt: skip
    extractions = tuple(
        triple(text, str(number)) for text in ("Mara Venn - moved to - Oslo and Bergen", "Mara Venn - is - a chemist")
    )
    return Judged(gold, system, extractions, (frozenset({"1"}), frozenset({"3"})))


WORK = [part(number, system) for number in range(6) for system in "xy"]


class Trainer:
    """Trains nothing and remembers what it was asked for."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.asked: list[tuple[int, ...]] = []
        self.stop_after = stop_after

    def __call__(self, train: Sequence[int]) -> Matcher:
        if len(self.asked) == self.stop_after:
            raise KeyboardInterrupt
        self.asked.append(tuple(train))
        return RuleMatcher()


def validated(store: FoldStore | None = None, trainer: Trainer | None = None) -> OutOfFold:
    return cross_validate(WORK, trainer or Trainer(), "sentence", 3, 1, quiet=True, store=store)


def test_results_are_in_the_order_of_the_parts() -> None:
    found = validated()
    assert found.protocol == "3-fold by sentence"
    assert found.assignments == assign_all(RuleMatcher(), WORK)
    assert len(found.scores) == len(WORK) and all(found.scores)


def test_a_fold_is_trained_on_what_it_does_not_test() -> None:
    trainer = Trainer()
    validated(trainer=trainer)
    assert trainer.asked == [fold.train for fold in folds(WORK, "sentence", 3, 1)]


def test_protocols_are_named() -> None:
    assert cross_validate(WORK, Trainer(), "leave-one-system-out", 3, 1, True).protocol == "leave-one-system-out"


def test_an_interrupted_run_goes_on_and_gives_the_same(tmp_path: Path) -> None:
    path = tmp_path / "folds.json"
    with pytest.raises(KeyboardInterrupt):
        validated(FoldStore(path, "run", resume=False), Trainer(stop_after=2))
    assert len(json.loads(path.read_text())["folds"]) == 2
    rest = Trainer()
    resumed = validated(FoldStore(path, "run", resume=True), rest)
    assert len(rest.asked) == 1
    whole = validated()
    assert resumed == whole
    for ours, theirs in zip(resumed.assignments, whole.assignments, strict=True):
        assert ours.candidates == theirs.candidates and ours.repeats == theirs.repeats
        assert [m.reason for m in ours.matches] == [m.reason for m in theirs.matches]


def test_without_resume_all_folds_are_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "folds.json"
    validated(FoldStore(path, "run", resume=False))
    again = Trainer()
    validated(FoldStore(path, "run", resume=False), again)
    assert len(again.asked) == 3


def test_nothing_to_resume_is_no_error(tmp_path: Path) -> None:
    assert validated(FoldStore(tmp_path / "folds.json", "run", resume=True)) == validated()


def test_another_run_s_folds_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "folds.json"
    validated(FoldStore(path, "run", resume=False))
    with pytest.raises(InputError, match="belongs to a run with another recipe"):
        FoldStore(path, "other", resume=True)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", '{"identity": "run"}', '{"identity": "run", "folds": 3}', '{"identity": "run", "folds": [1]}'],
)
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "folds.json").write_text(text)
    with pytest.raises(InputError, match="is not a file of finished folds; run without --resume"):
        FoldStore(tmp_path / "folds.json", "run", resume=True)


@pytest.mark.parametrize("value", [[], 7, [7] * 4, [{}] * 4, [{"matches": [[9, "1", 1, {}]], "candidates": []}] * 4])
def test_a_damaged_fold_is_refused(tmp_path: Path, value: object) -> None:
    path = tmp_path / "folds.json"
    validated(FoldStore(path, "run", resume=False))
    stored = json.loads(path.read_text())
    stored["folds"]["fold 2"] = value
    path.write_text(json.dumps(stored))
    with pytest.raises(InputError, match="is not a file of finished folds"):
        validated(FoldStore(path, "run", resume=True))
