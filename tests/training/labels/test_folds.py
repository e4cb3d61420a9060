from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.model import Sentence
from data.problems import InputError
from data.text import one_line
from tests.data.test_text import WAYS
from training.labels.folds import folds
from training.labels.judged_parts import Judged
from training.labels.protocols import PROTOCOLS, Protocol


def parts(pairs: list[tuple[int, str]]) -> list[Judged]:
    return [Judged(Sentence(str(number), f"Text {number} ."), system, (), ()) for number, system in pairs]


pairs = st.lists(st.tuples(st.integers(1, 9), st.sampled_from("xyz")), min_size=2, max_size=25, unique=True)
several = pairs.filter(lambda found: len({number for number, _ in found}) > 1 and len({s for _, s in found}) > 1)


@given(several, st.sampled_from(PROTOCOLS), st.integers(2, 12), st.integers(0, 5))
def test_every_part_is_tested_once_and_never_beside_its_group(
    found: list[tuple[int, str]], protocol: Protocol, count: int, seed: int
) -> None:
    work = parts(found)
    made = folds(work, protocol, count, seed)
    assert sorted(position for fold in made for position in fold.test) == list(range(len(work)))
    for fold in made:
        assert sorted(fold.train + fold.test) == list(range(len(work)))
        assert fold.train and fold.test
        if protocol == "leave-one-system-out":
            assert not {work[i].system for i in fold.train} & {work[i].system for i in fold.test}
        else:
            assert not {work[i].sentence.id for i in fold.train} & {work[i].sentence.id for i in fold.test}
    assert len({fold.name for fold in made}) == len(made)
    assert made == folds(work, protocol, count, seed)


def test_leave_one_system_out_tests_each_system() -> None:
    made = folds(parts([(1, "x"), (1, "y"), (2, "z"), (2, "x")]), "leave-one-system-out", 10, seed=1)
    assert {fold.name: fold.test for fold in made} == {"x": (0, 3), "y": (1,), "z": (2,)}


def test_leave_one_sentence_out_tests_each_sentence() -> None:
    made = folds(parts([(1, "x"), (2, "x"), (1, "y")]), "leave-one-sentence-out", 10, seed=1)
    assert {fold.name: fold.test for fold in made} == {"1": (0, 2), "2": (1,)}


def test_sizes_are_even_and_the_seed_decides() -> None:
    work = parts([(number, "x") for number in range(20)])
    made = folds(work, "sentence", 3, seed=1)
    assert [(fold.name, len(fold.test)) for fold in made] == [("fold 1", 7), ("fold 2", 7), ("fold 3", 6)]
    assert folds(work, "sentence", 3, seed=1) != folds(work, "sentence", 3, seed=2)


def test_sentences_of_one_text_stay_together() -> None:
    work = [Judged(Sentence(str(n), f"Text {n % 3} ."), "x", (), ()) for n in range(9)]
    for protocol in ("sentence", "leave-one-sentence-out"):
        for fold in folds(work, protocol, 3, seed=1):
            assert not {work[i].sentence.text for i in fold.train} & {work[i].sentence.text for i in fold.test}


def test_a_sentence_in_several_spellings_stays_on_one_side() -> None:
    ways = [one_line(way.strip("\ufeff")) for way in WAYS.values()]
    work = [Judged(Sentence(str(n), way), "x", (), ()) for n, way in enumerate([*ways, "Another .", "A third ."])]
    for protocol in ("sentence", "leave-one-sentence-out"):
        made = folds(work, protocol, 3, seed=1)
        assert sorted(len(fold.test) for fold in made) == [1, 1, len(ways)]


def test_one_group_is_not_enough() -> None:
    with pytest.raises(InputError, match="at least two sentences"):
        folds(parts([(1, "x"), (1, "y")]), "sentence", 5, seed=1)
