from __future__ import annotations

from data.model import Cluster, Extraction, Sentence
from matchers.pages.cases import EXTRA, KEPT, MISSING, Casebook, compared, likeliest, nearest
from tests.matchers.facts import sentence

GOLD = sentence("[The] old mill --> burned down in --> May", "Ada --> saw --> [the city of] Rome")


def test_differing_words_are_marked() -> None:
    found = nearest(Extraction("1", "old mill", "burned in", "late May"), GOLD.clusters[0])
    assert found == (
        0,
        [[(KEPT, "old mill")], [(KEPT, "burned"), (MISSING, "down"), (KEPT, "in")], [(EXTRA, "late"), (KEPT, "May")]],
    )


def test_optional_words_cost_nothing() -> None:
    found = nearest(Extraction("1", "Ada", "saw", "Rome"), GOLD.clusters[1])
    assert found == (0, [[(KEPT, "Ada")], [(KEPT, "saw")], [(KEPT, "Rome")]])


def test_a_cluster_without_formulations() -> None:
    empty = Sentence("1", "Rain fell .", (Cluster("1", ()),))
    assert nearest(Extraction("1", "a", "b", "c"), empty.clusters[0]) is None
    assert compared(Extraction("1", "a", "b", "c"), empty, 0) == {"c": 0}


def test_the_likeliest_cluster_shares_most() -> None:
    assert likeliest(Extraction("1", "ada", "visited", "Rome"), GOLD.clusters) == 1
    assert likeliest(Extraction("1", "x", "y", "z"), GOLD.clusters) is None
    assert likeliest(Extraction("1", "x", "y", "z"), ()) is None


def test_sentences_texts_and_rules_are_stored_once() -> None:
    book = Casebook(("missed",), ("em",), ("a",), ("--dataset", "my folder"))
    assert [book.sentence(GOLD), book.sentence(GOLD)] == [0, 0] and len(book.sentences) == 1
    assert [book.text("x"), book.text("y"), book.text("x")] == [0, 1, 0]
    assert [book.rule("em"), book.rule("af"), book.rule("em")] == [0, 1, 0]
    assert book.as_json()["source"] == "--dataset 'my folder'"


def test_ids_last_and_repeats_have_their_own() -> None:
    first, second = (Casebook((), (), (), ()) for _ in range(2))
    assert first.new_id("a", "1", "x") == second.new_id("a", "1", "x")
    assert first.new_id("a", "1", "x") == second.new_id("a", "1", "x") != second.new_id("a", "1", "y")
    assert first.new_id("a", "1", "x").endswith("-3")
