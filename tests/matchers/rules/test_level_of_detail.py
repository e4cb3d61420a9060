from __future__ import annotations

import pytest

from matchers import load
from matchers.rules.level_of_detail import centres, detailed_triples
from matchers.text.gold_index import WRITTEN, View
from tests.matchers.facts import clusters_of, sentence, slots, triple

# The guidelines' example for the level of detail, in our own words.
RADIO = sentence(
    "Tove --> hosts --> [a] quiz show",
    "Tove --> hosts --> Lanterns",
    "Tove --> hosts Lanterns on --> [a] pirate station",
)


def test_a_detail_of_a_second_cluster_is_credited_to_the_centre() -> None:
    extraction = "Tove - hosts - Lanterns on a pirate station"
    assert clusters_of("em+lod", RADIO, extraction) == [("2",)]
    assert clusters_of("em", RADIO, extraction) == [()]


@pytest.mark.parametrize(
    "extraction",
    [
        "Tove - hosts - a quiz show Lanterns on a pirate station",  # three clusters
        "Tove - hosts Lanterns - on a pirate station",  # the relation is nobody's: a preposition moved out of it
        "Tove - hosts - Lanterns on a ship",  # the words in a row are nobody's
        "Tove - hosted - Lanterns on a pirate station",
        "Mara - hosts - Lanterns on a pirate station",
    ],
)
def test_no_detail(extraction: str) -> None:
    assert clusters_of("em+lod", RADIO, extraction) == [()]


def test_a_detail_may_stand_in_the_first_argument() -> None:
    gold = sentence("[the] news --> reached --> Oslo", "[the] news of [the] flood --> reached Oslo --> XXX")
    assert clusters_of("em+lod", gold, "news of the flood - reached - Oslo") == [("1",)]


def test_the_centre_that_comes_first_is_preferred() -> None:
    gold = sentence(
        "Ida Brandt --> was --> mayor",
        "Ida Brandt --> was --> reappointed",
        "Ida Brandt --> was reappointed --> mayor",
    )
    assert clusters_of("em+lod", gold, "Ida Brandt - was - reappointed mayor") == [("2",)]


def test_a_border_that_moved_within_a_cluster() -> None:
    gold = sentence(["Tove --> walked home --> alone", "Tove --> walked --> home"])
    assert clusters_of("em+lod", gold, "Tove - walked - home alone") == [("1",)]


def test_relation_and_argument_must_come_from_one_formulation() -> None:
    gold = sentence(["Tove --> kept --> bees", "Ida --> has --> hives"], "Tove --> has hives near --> [the] river")
    assert clusters_of("em+lod", gold, "Tove - has - hives near the river") == [()]


def test_optional_words_may_be_dropped_anywhere() -> None:
    gold = sentence("[the] [old] guild --> built --> [a] hall", "[the] guild --> built [a] hall for --> [its] members")
    assert clusters_of("em+lod", gold, "guild - built - hall for members") == [("1",)]


def test_the_reason_names_centre_and_second_cluster() -> None:
    (match,) = load("em+lod").match(RADIO, [triple("Tove - hosts - Lanterns on a pirate station")]).matches
    assert (match.reason.rule, match.reason.second_cluster) == ("lod", "3")
    assert match.reason.formulation == "Tove --> hosts --> Lanterns"


def test_closeness_is_higher_where_the_centre_comes_first_and_covers_more() -> None:
    seen = View(RADIO, WRITTEN)
    (found,) = detailed_triples(seen, slots("Tove - hosts - Lanterns on a pirate station"))
    assert found.closeness == pytest.approx((1 + 1 / 5) / 2)
    assert [centre.triple.cluster for centre in centres(seen, slots("Tove - hosts - Lanterns on a quiz show"))] == [
        0,
        1,
    ]
