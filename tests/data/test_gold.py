"""The nouns of a gold annotation: what they take, and what they say of what they don't."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from data.gold import (
    MOST_CLUSTERS,
    MOST_FORMULATIONS,
    MOST_OPTIONAL_GROUPS,
    Cluster,
    Formulation,
    Group,
    Sentence,
    Slot,
)
from tests import strategies


def test_a_slot_of_text_has_its_groups() -> None:
    slot = Slot.of(" [the]  old port [of Arden] ")
    assert slot.groups == (Group(("the",), True), Group(("old", "port")), Group(("of", "Arden"), True))
    assert slot.required == ("old", "port") and str(slot) == "[the] old port [of Arden]"


@given(strategies.formulations)
def test_a_formulation_is_its_text(formulation: Formulation) -> None:
    assert Formulation.of(str(formulation)) == formulation


def test_a_sentence_from_texts_numbers_its_facts() -> None:
    sentence = Sentence.of("Bo bakes .", "Bo --> bakes --> XXX", ["Bo --> is --> a baker", "Bo --> is a --> baker"])
    assert [(c.id, len(c.formulations)) for c in sentence.clusters] == [("1", 1), ("2", 2)]
    assert sentence.id == "1" and sentence.cluster("1").formulations[0].arg2 == Slot()


def test_clusters_keep_their_ids() -> None:
    sentence = Sentence.of("Bo bakes .", Cluster.of("Bo --> bakes --> XXX", id="9"), "Bo --> is --> there", id="x")
    assert [cluster.id for cluster in sentence.clusters] == ["9", "2"] and sentence.id == "x"


def test_lists_become_tuples() -> None:
    clusters: Any = [Cluster.of("a --> b --> c")]
    sentence = Sentence("1", "a b c", clusters)
    assert sentence.clusters == tuple(clusters) and hash(sentence) == hash(Sentence("1", "a b c", tuple(clusters)))


COURT: Any = Slot.of("court")
NUMBER: Any = 3
TEXT: Any = "court"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Group(TEXT), "the words of a group are a tuple of str, not the str 'court'"),
        (lambda: Group(("a", NUMBER)), "the words of a group are a tuple of str; it has the int 3"),
        (lambda: Group(()), "at least one word"),
        (lambda: Group(("a b",)), "can't be a word of a gold slot"),
        (lambda: Group(("a]",)), "can't be a word of a gold slot"),
        (lambda: Group(("-->",)), "can't be a word of a gold slot"),
        (lambda: Slot(TEXT), "the groups of a slot are a tuple of Group, not the str 'court'"),
        (lambda: Slot.of(NUMBER), "a slot is text such as '.the. court', not the int 3"),
        (lambda: Slot.of("[the court"), "stray bracket in '.the court'"),
        (lambda: Formulation(COURT, TEXT, COURT), "three Slots, not the str 'court'; Slot.of"),
        (lambda: Formulation.of("a --> b"), "a formulation has three slots, .*: 'a --> b'"),
        (lambda: Formulation.of("a --> b --> c --> d"), "a formulation has three slots"),
        (lambda: Formulation.of(NUMBER), "a formulation is text such as .*, not the int 3"),
        (lambda: Cluster(NUMBER, ()), "the id of a cluster is text, not the int 3"),
        (lambda: Cluster("a b", ()), "no spaces or colons"),
        (lambda: Cluster("1", TEXT), "the formulations of cluster 1 are a tuple of Formulation, not the str 'court'"),
        (lambda: Cluster.of(NUMBER), "not the int 3"),
        (lambda: Sentence("1", NUMBER), "sentence 1 is text, not the int 3"),
        (lambda: Sentence("1", ""), "sentence 1 has no text"),
        (lambda: Sentence("1", "a\nb"), "line breaks"),
        (lambda: Sentence("1", "a", TEXT), "the clusters of sentence 1 are a tuple of Cluster, not the str 'court'"),
        (lambda: Sentence("1", "a", (Cluster("5", ()), Cluster("5", ()))), "two clusters with one id, 5"),
        (lambda: Sentence.of("a", NUMBER), "a fact is a formulation, a list of them, or a Cluster, not the int 3"),
    ],
)
def test_what_is_wrong_is_said(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_an_unknown_cluster_is_named() -> None:
    with pytest.raises(KeyError, match="sentence 1 has no cluster 9"):
        Sentence.of("a").cluster("9")


def test_limits_are_stated() -> None:
    with pytest.raises(ValueError, match="sentence 1 has more than 500 clusters"):
        Sentence("1", "a", tuple(Cluster(str(n), ()) for n in range(MOST_CLUSTERS + 1)))
    one = Formulation.of("a --> b --> c")
    with pytest.raises(ValueError, match="sentence 1 has more than 2500 formulations"):
        Sentence("1", "a", (Cluster("1", (one,) * (MOST_FORMULATIONS + 1)),))
    with pytest.raises(ValueError, match="more than 100 optional groups"):
        Slot((Group(("a",), True),) * (MOST_OPTIONAL_GROUPS + 1))
    assert len(Slot((Group(("a",), True),) * MOST_OPTIONAL_GROUPS).words) == MOST_OPTIONAL_GROUPS
