from __future__ import annotations

import pytest

from matchers import load
from matchers.rules.joined_facts import alternatives, rewriting_pairs, tidy
from matchers.text.gold_index import WRITTEN, View
from tests.matchers.facts import clusters_of, sentence, slots, triple

# The paper's example for AF, in our own words.
QUILL = sentence(
    "Ada Quill --> lived in --> Brest",
    "Ada Quill --> lived in --> Turin",
    "Ada Quill --> is --> Welsh",
    ["Ada Quill --> is [a] --> potter", "Ada Quill --> is --> [a] potter"],
)
FARM = sentence("Orchard Farm --> sells --> [the] juice", "Vale Farm --> sells --> [the] juice")


def pairs(seen: View) -> set[frozenset[str]]:
    listed = ((first, second) for first, seconds in rewriting_pairs(seen).seconds.items() for second in seconds)
    return {frozenset((str(seen.patterns[first]), str(seen.patterns[second]))) for first, second in listed}


def test_pairs_are_collected_from_the_formulations() -> None:
    found = pairs(View(QUILL, WRITTEN))
    assert frozenset(("Brest", "Turin")) in found
    assert frozenset(("Welsh", "potter")) in found  # from 'is' and 'is [a]'
    assert frozenset(("Welsh", "[a] potter")) in found
    assert frozenset(("Ada Quill", "Welsh")) in found  # Ada Quill is Welsh
    assert frozenset(("Brest", "Welsh")) not in found


def test_a_shared_second_argument_gives_a_pair_too() -> None:
    assert frozenset(("Orchard Farm", "Vale Farm")) in pairs(View(FARM, WRITTEN))
    assert clusters_of("em+af", FARM, "Orchard Farm and Vale Farm - sells - juice") == [("1",)]


@pytest.mark.parametrize("form", ["is", "are", "was", "were", "is [also]", "[still] are"])
def test_every_form_of_be_makes_a_pair_of_the_arguments(form: str) -> None:
    gold = sentence(f"Mara Venn --> {form} --> [a] chemist", "Mara Venn --> left --> Oslo")
    assert clusters_of("em+af", gold, "chemist Mara Venn - left - Oslo") == [("2",)]
    assert clusters_of("em", gold, "chemist Mara Venn - left - Oslo") == [()]


def test_other_relations_make_no_pair_of_the_arguments() -> None:
    gold = sentence("Mara Venn --> met --> [a] chemist", "Mara Venn --> left --> Oslo")
    assert clusters_of("em+af", gold, "chemist Mara Venn - left - Oslo") == [()]


@pytest.mark.parametrize(
    ("extraction", "cluster"),
    [
        ("Ada Quill - is a - Welsh potter", "4"),
        ("Ada Quill - is - Welsh potter", "3"),
        ("Ada Quill - is - Welsh and a potter", "3"),
        ("Ada Quill - lived in - Brest and Turin", "1"),
        ("Ada Quill - lived in - Turin and Brest", "2"),  # what is named first is kept
        ("Ada Quill - lived in - Brest , Turin", "1"),
        ("Ada Quill - lived in - Brest , and Turin", "1"),
        ("Ada Quill - lived in - both Brest and Turin", "1"),
        ("Ada Quill - lived in - Brest as well as Turin", "1"),
        ("Ada Quill - lived in - Brest ( Turin )", "1"),
        ("Ada Quill - lived in - Brest -LRB- Turin -RRB-", "1"),
        ("Ada Quill - lived in - Brest AND Turin", "1"),
    ],
)
def test_an_argument_that_joins_two_facts_is_credited_with_one(extraction: str, cluster: str) -> None:
    assert clusters_of("em+af", QUILL, extraction) == [(cluster,)]
    assert clusters_of("em", QUILL, extraction) == [()]


@pytest.mark.parametrize(
    "extraction",
    [
        "Ada Quill - lived in - Brest and Rome",  # no pair
        "Ada Quill - lived in - Brest and near Turin",  # 'near' is left over
        "Ada Quill - lived near - Brest and Turin",  # the relation must be exact
        "Quill - lived in - Brest and Turin",  # and so must the other argument
        "Ada Quill - lived in - Bresturin",
    ],
)
def test_no_alternative(extraction: str) -> None:
    assert clusters_of("em+af", QUILL, extraction) == [()]


def test_words_and_never_characters() -> None:
    gold = sentence("Tove --> visited --> Fin", "Tove --> visited --> land")
    assert clusters_of("em+af", gold, "Tove - visited - Finland") == [()]
    gold = sentence("Tove --> visited --> Lapland", "Tove --> visited --> Finl")
    assert clusters_of("em+af", gold, "Tove - visited - Finland and Lapland") == [()]


def test_three_joined_facts_are_too_many() -> None:
    gold = sentence("Tove --> saw --> Oslo", "Tove --> saw --> Rome", "Tove --> saw --> Brest")
    assert clusters_of("em+af", gold, "Tove - saw - Oslo , Rome and Brest") == [()]


def test_halves_that_overlap_are_no_pair() -> None:
    gold = sentence("Tove --> is --> [a] night nurse", "Tove --> is --> [a] nurse")
    assert clusters_of("em+af", gold, "Tove - is - a good night nurse") == [()]


def test_both_facts_can_be_found_if_two_extractions_join_them() -> None:
    joined = ["Ada Quill - lived in - Brest and Turin", "Ada Quill - lived in - Turin and Brest"]
    assert clusters_of("em+af", QUILL, *joined) == [("1",), ("2",)]


def test_the_reason_names_the_pair_and_what_was_dropped() -> None:
    (match,) = load("em+af").match(QUILL, [triple("Ada Quill - lived in - Brest and Turin")]).matches
    assert (match.reason.rule, match.reason.rewriting, match.reason.dropped) == ("af", ("Brest", "Turin"), ("Turin",))
    assert match.reason.formulation == "Ada Quill --> lived in --> Brest"


def test_alternatives_keep_either_half() -> None:
    kept = {
        found.slots[2] for found in alternatives(View(QUILL, WRITTEN), slots("Ada Quill - lived in - Brest and Turin"))
    }
    assert kept == {("Brest",), ("Turin",)}


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("Oslo and", "", "Oslo"),
        ("", "and Oslo", "Oslo"),
        ("Oslo , as well as", "", "Oslo"),
        ("( Oslo ,", ")", "Oslo"),
        ("Oslo", "in May", "Oslo in May"),
        ("Oslo and", ", and Rome", "Oslo Rome"),
        ("and", "or", ""),
    ],
)
def test_tidy(before: str, after: str, kept: str) -> None:
    assert " ".join(tidy(tuple(before.split()), tuple(after.split()))) == kept
