"""Folds that are grouped: what is tested on shares no sentence (or no system) with what is trained on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from data.problems import InputError
from training.labels.judged_parts import Judged
from training.labels.protocols import Protocol


@dataclass(frozen=True)
class Fold:
    """What is trained on and what is tested on, as positions in the judged parts."""

    name: str
    train: tuple[int, ...]
    test: tuple[int, ...]


def folds(work: Sequence[Judged], protocol: Protocol, count: int, seed: int) -> list[Fold]:
    """The folds of a protocol; `count` is the number of folds of `sentence`.

    Leave-one-system-out tests on a system that was not trained on, in the same sentences.
    """
    if protocol == "leave-one-system-out":
        return _grouped([part.system for part in work], None, seed)
    first: dict[str, str] = {}  # sentences of one key belong together, whatever their ids
    groups = [first.setdefault(part.key, part.sentence.id) for part in work]
    return _grouped(groups, count if protocol == "sentence" else None, seed)


def _grouped(groups: Sequence[str], count: int | None, seed: int) -> list[Fold]:
    names = list(dict.fromkeys(groups))
    if len(names) < 2:
        raise InputError("cross-validation needs at least two sentences (or systems) with judgments")
    random.Random(seed).shuffle(names)
    size = len(names) if count is None else min(count, len(names))
    number_of = {name: position % size for position, name in enumerate(names)}
    made = []
    for number in range(size):
        test = tuple(i for i, group in enumerate(groups) if number_of[group] == number)
        train = tuple(i for i, group in enumerate(groups) if number_of[group] != number)
        made.append(Fold(names[number] if count is None else f"fold {number + 1}", train, test))
    return made
