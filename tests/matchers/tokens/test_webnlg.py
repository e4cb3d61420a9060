from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.model import Extraction
from data.problems import InputError
from matchers.tokens.registry import load_scorer
from matchers.tokens.webnlg import Measure, WebnlgScorer, credit
from tests.matchers.facts import sentence, triple

GOLD = sentence(
    ["Mara Venn --> is --> [a] chemist", "Mara Venn --> works as --> chemist"], "Mara Venn --> sleeps --> XXX"
)
WORDS = st.lists(st.sampled_from("mara oslo lives in".split()), max_size=3).map(tuple)
TRIPLES = st.tuples(WORDS, WORDS, WORDS)


@pytest.mark.parametrize(
    ("said", "exact", "strict", "partial", "type_"),
    [
        ("Mara Venn - is - a chemist", 3, 3, 3, 3),
        ("mara venn - is - chemist .", 3, 3, 3, 3),  # optional words, punctuation and case
        ("a chemist - is - Mara Venn", 3, 1, 3, 1),  # SemEval's case IV: the right words in the wrong place
        ("Mara - is - a chemist", 2, 2, 2.5, 3),  # case V: a part of the words in the right place
        ("chemist Mara - is - Oslo", 1, 1, 1.5, 2),
        ("the sun - shines - today", 0, 0, 0, 0),
    ],
)
def test_semevals_cases(said: str, exact: float, strict: float, partial: float, type_: float) -> None:
    gold = sentence("Mara Venn --> is --> [a] chemist")
    for measure, right in (("exact", exact), ("strict", strict), ("partial", partial), ("type", type_)):
        row = load_scorer(f"webnlg_{measure}").row(gold, [triple(said)])
        assert row == (right, 3.0, right, 3.0), measure


def test_missing_and_spurious_elements_count() -> None:
    scorer = WebnlgScorer("exact")
    assert scorer.row(GOLD, []) == (0.0, 0.0, 0.0, 5.0)
    assert scorer.row(GOLD, [triple("Mara Venn - sleeps"), triple("x - y - z")]) == (2.0, 5.0, 2.0, 5.0)
    assert scorer.row(sentence(), [triple("x - y - z")]) == (0.0, 3.0, 0.0, 0.0)


def test_triples_are_paired_so_that_most_is_right() -> None:
    gold = sentence("Mara --> likes --> Tove", "Mara --> likes --> Ilse")
    said = [triple("Mara - likes - Ilse"), triple("Mara - likes - Tove")]
    assert WebnlgScorer("strict").row(gold, said) == (6.0, 6.0, 6.0, 6.0)


def test_one_fact_credits_one_triple() -> None:
    gold = sentence("Mara --> likes --> Tove")
    assert WebnlgScorer("strict").row(gold, [triple("Mara - likes - Tove")] * 2) == (3.0, 6.0, 3.0, 3.0)


@given(TRIPLES, TRIPLES)
def test_measures_are_ordered(said: tuple[tuple[str, ...], ...], gold: tuple[tuple[str, ...], ...]) -> None:
    def measured(measure: Measure) -> float:
        return credit(said, gold, measure)

    assert 0 <= measured("strict") <= measured("exact") <= measured("partial") <= 3
    assert measured("strict") <= measured("type") <= 3


def test_readings() -> None:
    assert load_scorer("webnlg_exact:first").name == "webnlg_exact:first"
    first = load_scorer("webnlg_exact:first").row(GOLD, [Extraction("1", "Mara Venn", "works as", "chemist")])
    assert (
        first[0] == 2.0 and load_scorer("webnlg_exact").row(GOLD, [triple("Mara Venn - works as - chemist")])[0] == 3.0
    )
    with pytest.raises(InputError, match="of clusters, best or first"):
        load_scorer("webnlg_exact:every")
