from __future__ import annotations

from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.catalog import load
from data.model import Benchmark, Cluster, Extraction, Formulation, Group, Sentence, Slot, System
from data.problems import Diagnostics, InputError
from data.slots import parse_slot
from data.wire57 import (
    Wire57Extraction,
    Wire57Part,
    Wire57Sentence,
    Wire57Tuple,
    Wire57Word,
    read_wire57_extractions,
    read_wire57_gold,
)
from matchers.scoring import score_systems
from matchers.token_gold import GoldPart, Reading
from matchers.token_scorers import load_scorer
from matchers.wire57 import Wire57Matcher, Wire57Result, Wire57Scorer, overlap, wire57_results

TEXT = "Mara Venn , a chemist from Oslo , sold the old mill to Tove in May ."


def part(text: str) -> Wire57Part:
    """A part in which [words] in brackets are inferred."""
    words = []
    for group in parse_slot(text)[0].groups:
        words.extend(Wire57Word(word, inferred=group.optional) for word in group.words)
    return Wire57Part(tuple(words), tuple(words))


def gold(arg1: str, relation: str, arg2: str, *further: str) -> Wire57Tuple:
    return Wire57Tuple(part(arg1), part(relation), part(arg2), tuple(map(part, further)))


def results(tuples: list[Wire57Tuple], *extractions: tuple[str, ...]) -> Wire57Result:
    sentence = Wire57Sentence("A 1", TEXT, tuple(TEXT.split()), tuple(tuples))
    found = [Wire57Extraction("A 1", "mine", *texts[:3], further=texts[3:]) for texts in extractions]
    return wire57_results([sentence], found)["mine"]


def cluster(cluster_id: str, *lines: str) -> Cluster:
    parts = [[parse_slot(text)[0] for text in line.split(" --> ")] for line in lines]
    return Cluster(cluster_id, tuple(Formulation(*slots) for slots in parts))


def triples(*lines: str) -> list[Extraction]:
    return [Extraction("1", *line.split(" - ")) for line in lines]


SOLD = gold("Mara Venn", "sold", "the old mill", "to Tove")


def test_precision_and_recall_of_a_match_are_shares_of_words():
    # "Mara", "sold", "the", "mill" are shared: 4 of the extraction's 5 words and 4 of the gold's 8.
    found = results([SOLD], ("Mara", "sold", "the grand mill"))
    assert (found.matches, found.exact) == (1, 0)
    assert found.score.precision == pytest.approx(4 / 5)
    assert found.score.recall == pytest.approx(4 / 8)
    assert found.score.f1 == pytest.approx(2 * 0.8 * 0.5 / 1.3)


@pytest.mark.parametrize(
    "extraction",
    [("Tove", "sold", "the old mill"), ("Mara Venn", "bought", "the old mill"), ("Mara Venn", "sold", "a house")],
)
def test_a_match_shares_a_word_in_each_of_the_first_three_parts(extraction: tuple[str, str, str]):
    assert results([SOLD], extraction).matches == 0


def test_case_counts():
    assert results([SOLD], ("mara venn", "sold", "the old mill")).matches == 0


def test_a_part_that_is_wholly_inferred_asks_for_no_word():
    chemist = gold("Mara Venn", "[is]", "[a] chemist")
    # "Mara Venn" and "a chemist" are shared; "[is]" and "[a]" are not asked for: 4 of 5 words, and 4 over 3.
    found = results([chemist], ("Mara Venn", "was", "a chemist"))
    assert (found.matches, found.exact) == (1, 0)
    assert found.score.precision == pytest.approx(4 / 5)
    assert found.score.recall == pytest.approx(4 / 3)


def test_an_exact_match_needs_the_inferred_words_too():
    chemist = gold("Mara Venn", "[is]", "[a] chemist")
    assert results([chemist], ("Mara Venn", "is", "a chemist")).exact == 1
    assert results([chemist], ("Mara Venn", "is", "chemist")).exact == 0


def test_a_repeated_word_is_shared_each_time_that_the_extraction_has_it():
    # Membership and not a bag: all three words "mill" are found in the gold's one.
    assert results([SOLD], ("Mara", "sold", "mill mill mill")).score.precision == 1.0


def test_arguments_that_the_gold_has_no_counterpart_for_are_not_held_against_an_extraction():
    plain = gold("Mara Venn", "sold", "the old mill")
    found = results([plain], ("Mara Venn", "sold", "the old mill", "in May"))
    assert (found.score.precision, found.score.recall, found.exact) == (1.0, 1.0, 1)


def test_further_arguments_are_compared_in_their_order():
    found = results([SOLD], ("Mara Venn", "sold", "the old mill", "to Tove"))
    assert (found.score.precision, found.score.recall, found.exact) == (1.0, 1.0, 1)
    swapped = results([SOLD], ("Mara Venn", "sold", "the old mill", "in May", "to Tove"))
    assert swapped.score.precision == pytest.approx(6 / 8)
    assert swapped.score.recall == pytest.approx(6 / 8)


def test_pairs_are_matched_one_to_one_by_f1():
    specific = gold("Mara Venn", "sold", "the old mill")
    generic = gold("Mara Venn", "sold", "[a] mill")
    # The first extraction fits both and takes the specific tuple; the second is left with the generic one.
    found = results([generic, specific], ("Mara Venn", "sold", "the old mill"), ("Venn", "sold", "mill"))
    assert found.matches == 2
    assert found.score.precision == pytest.approx((1 + 1) / 2)
    assert found.score.recall == pytest.approx((6 / 6 + 3 / 4) / 2)


def test_extractions_without_a_match_lower_precision_and_tuples_without_one_recall():
    found = results([SOLD, gold("Tove", "[has]", "[a] mill")], ("Mara Venn", "sold", "the old mill"), ("a", "b", "c"))
    assert (found.extractions, found.matches) == (2, 1)
    assert found.score.precision == pytest.approx(1 / 2)
    assert found.score.recall == pytest.approx(6 / 8 / 2)
    assert (found.precision_of_matches, found.recall_of_matches) == (pytest.approx(1), pytest.approx(6 / 8))


def test_every_exact_extraction_is_counted_even_if_its_tuple_is_taken():
    plain = gold("Mara Venn", "sold", "the old mill")
    found = results([plain], ("Mara Venn", "sold", "the old mill"), ("Mara Venn", "sold", "the old mill", "in May"))
    assert (found.matches, found.exact) == (1, 2)


def test_an_extraction_of_an_unknown_sentence_is_an_error():
    with pytest.raises(InputError, match="'B 7', which is not in the gold"):
        wire57_results([], [Wire57Extraction("B 7", "mine", "a", "b", "c")])


def test_on_clusters_the_best_formulation_counts_and_optional_words_are_free():
    sentence = Sentence("1", TEXT, (cluster("1", "Mara --> left --> Oslo", "[the] Mara --> sold --> [the] old mill"),))
    found = triples("Mara - sold - the old mill", "Tove - sold - mill")
    # Shared: Mara, sold, the, old, mill, which are all 5 words, over the 4 that are required.
    assert Wire57Scorer().row(sentence, found) == pytest.approx((1.0, 2.0, 5 / 4, 1.0))
    assert Wire57Scorer(Reading.of("kept")).row(sentence, found) == pytest.approx((1.0, 2.0, 5 / 6, 1.0))
    assert Wire57Scorer(Reading.of("dropped")).row(sentence, found) == pytest.approx((4 / 5, 2.0, 1.0, 1.0))
    assert Wire57Scorer(Reading.of("first")).row(sentence, found) == (0.0, 2.0, 0.0, 1.0)
    # "Tove" shares no first argument with any formulation, so the second tuple stays unfound.
    assert Wire57Scorer(Reading.of("every")).row(sentence, found) == pytest.approx((1.0, 2.0, 5 / 4, 2.0))


def test_weighed_by_tokens_long_extractions_weigh_more():
    sentence = Sentence("1", TEXT, (cluster("1", "Mara --> sold --> mill"), cluster("2", "Tove --> has --> [a] mill")))
    found = triples("Mara - sold - the old mill", "Oslo - is - x")
    # 3 shared words of the 5 + 3 extracted, and of the 3 + 3 that are required.
    assert Wire57Scorer(Reading.of("tokens")).row(sentence, found) == (3.0, 8.0, 3.0, 6.0)


def test_a_cluster_without_formulations_still_counts():
    sentence = Sentence("1", TEXT, (Cluster("1", ()), cluster("2", "Mara --> sold --> mill")))
    assert Wire57Scorer().row(sentence, triples("Mara - sold - mill")) == (1.0, 1.0, 1.0, 2.0)
    assert Wire57Scorer(Reading.of("tokens")).row(sentence, triples("Mara - sold - mill")) == (3.0, 3.0, 3.0, 3.0)


def test_a_fact_of_one_argument_asks_for_no_second():
    sentence = Sentence("1", TEXT, (cluster("1", "Mara --> left --> XXX"),))
    assert Wire57Scorer().row(sentence, triples("Mara - left - Oslo")) == pytest.approx((2 / 3, 1.0, 1.0, 1.0))


def test_the_rows_of_sentences_add_up_to_the_score():
    sentences = (
        Sentence("1", TEXT, (cluster("1", "Mara --> sold --> mill"),)),
        Sentence("2", TEXT, (cluster("1", "Tove --> has --> mill"),)),
    )
    benchmark = Benchmark("invented", sentences, (System("mine", tuple(triples("Mara - sold - a mill"))), System("no")))
    rows = load_scorer("wire57").statistics(benchmark)
    assert rows["mine"].tolist() == [[3 / 4, 1, 1, 1], [0, 0, 0, 1]]
    scores = load_scorer("wire57").score_systems(benchmark)
    assert (scores["mine"].precision, scores["mine"].recall, scores["mine"].f1) == (0.75, 0.5, pytest.approx(0.6))
    assert scores["no"].f1 == 0.0


def test_as_a_matcher_it_credits_each_cluster_once_and_says_why():
    sentence = Sentence("1", TEXT, (cluster("1", "Mara --> sold --> mill"), cluster("2", "Mara --> sold --> old mill")))
    assignment = Wire57Matcher().match(sentence, triples("Mara - sold - old mill", "Mara - sold - the mill"))
    assert [(match.index, match.cluster) for match in assignment.matches] == [(0, "2"), (1, "1")]
    assert assignment.matches[0].score == 1.0
    assert str(assignment.matches[0].reason) == "shares 4 of 4 words with the 4 of 'Mara --> sold --> old mill'"
    assert {candidate.exact for candidate in assignment.candidates if candidate.score < 1} == {False}


def test_names_carry_the_reading_and_wrong_ones_are_refused():
    assert load_scorer("wire57:tokens+every").name == "wire57:every+tokens"
    for name, message in (
        ("wire57:last", "no reading"),
        ("wire57:first+every", "no reading"),
        ("bleu", "wire57, carb"),
    ):
        with pytest.raises(InputError, match=message):
            load_scorer(name)
    with pytest.raises(InputError, match="no matches"):
        Wire57Matcher(Reading.of("every"))


WORDS = st.lists(st.sampled_from("abc"), max_size=3)
SLOTS = st.lists(st.builds(Group, st.lists(st.sampled_from("abc"), min_size=1, max_size=2).map(tuple), st.booleans()))
FORMULATIONS = st.tuples(*[SLOTS.map(lambda groups: Slot(tuple(groups)))] * 3).map(lambda slots: Formulation(*slots))
CLUSTERS = st.lists(st.lists(FORMULATIONS, max_size=3), max_size=3)
EXTRACTIONS = st.lists(
    st.tuples(WORDS, WORDS, WORDS).filter(any).map(lambda slots: Extraction("1", *map(" ".join, slots))), max_size=4
)


@settings(max_examples=200, deadline=None)
@given(CLUSTERS, EXTRACTIONS)
def test_the_scorer_scores_the_matches_of_the_matcher(clusters: list[list[Formulation]], found: list[Extraction]):
    numbered = tuple(Cluster(str(number), tuple(formulations)) for number, formulations in enumerate(clusters, 1))
    sentence = Sentence("1", TEXT, numbered)
    assignment = Wire57Matcher().match(sentence, found)
    assert len(assignment.matched) == len(assignment.covered) == len(assignment.matches)
    precision, extractions, _, facts = Wire57Scorer().row(sentence, found)
    assert (extractions, facts) == (len(found), len(clusters))
    assert 0 <= precision <= len(assignment.matches)


def test_an_overlap_needs_a_word():
    inferred = (GoldPart(("is",), ()), GoldPart(("is",), ()), GoldPart((), ()))
    assert overlap((("a",), ("b",), ()), inferred) is None


# Table 3: extractions, matches, exact matches, precision and recall of matches, precision, recall, F1.
TABLE_3 = {
    "reverb": (79, 54, 13, 0.83, 0.77, 0.569, 0.121, 0.200),
    "ollie": (145, 74, 8, 0.73, 0.81, 0.374, 0.175, 0.239),  # precision is misprinted as .347: 74 x .73 / 145 = .37
    "clausie": (223, 121, 24, 0.74, 0.84, 0.401, 0.298, 0.342),
    "stanford": (371, 99, 2, 0.79, 0.65, 0.210, 0.188, 0.198),
    "openie4": (101, 74, 5, 0.68, 0.84, 0.501, 0.182, 0.267),
    "props": (184, 69, 0, 0.59, 0.80, 0.222, 0.162, 0.187),
    "minie": (252, 134, 10, 0.75, 0.83, 0.400, 0.323, 0.358),
}


def test_table_3_comes_out_to_the_printed_digit(real_data: Path):
    folder = real_data / "wire57"
    found = wire57_results(
        read_wire57_gold(folder / "WiRe57_343-manual-oie.json"),
        read_wire57_extractions(next(folder.glob("WiRe57_extractions_by_*.json"))),
    )
    printed = {}
    for name, row in found.items():
        of_matches = (round(row.precision_of_matches, 2), round(row.recall_of_matches, 2))
        score = (round(value, 3) for value in (row.score.precision, row.score.recall, row.score.f1))
        printed[name] = (row.extractions, row.matches, row.exact, *of_matches, *score)
    assert printed == TABLE_3


def manual_f1(benchmark: Benchmark) -> dict[str, float]:
    found = {}
    for system in benchmark.systems:
        own = [judgment for judgment in benchmark.judgments if judgment.system == system.name]
        precision = sum(bool(judgment.clusters) for judgment in own) / len(own)
        covered = {(judgment.extraction.sentence_id, number) for judgment in own for number in judgment.clusters}
        recall = len(covered) / benchmark.cluster_count
        found[system.name] = 2 * precision * recall / (precision + recall)
    return found


def correlation(benchmark: Benchmark, f1: dict[str, float]) -> float:
    manual = manual_f1(benchmark)
    return round(float(numpy.corrcoef([f1[system] for system in manual], list(manual.values()))[0, 1]), 3)


# Table 13 gives 0.219 for WiRe57's function; docs/reproduction.md says what these are.
BY_FRACTIONS = {
    "wire57": 0.335,
    "wire57:tokens": 0.193,
    "wire57:kept": 0.346,
    "wire57:kept+tokens": 0.184,
    "wire57:dropped": 0.497,
    "wire57:dropped+tokens": 0.399,
    "wire57:first": 0.262,
    "wire57:first+tokens": 0.122,
    "wire57:first+kept": 0.294,
    "wire57:first+kept+tokens": 0.122,
    "wire57:first+dropped": 0.465,
    "wire57:first+dropped+tokens": 0.337,
    "wire57:every": 0.310,
    "wire57:every+tokens": 0.215,
    "wire57:every+kept": 0.322,
    "wire57:every+kept+tokens": 0.211,
    "wire57:every+dropped": 0.431,
    "wire57:every+dropped+tokens": 0.354,
    "carb": 0.445,
    "oie2016": 0.304,
}
BY_MATCHES = {
    "": 0.207,
    "kept": 0.207,
    "dropped": 0.220,
    "first": 0.171,
    "first+kept": 0.171,
    "first+dropped": 0.184,
}


def test_table_13_correlations_of_the_fractions_with_the_manual_scores(real_data: Path):
    benchmark = load("benchie_fl_match", real_data, Diagnostics())
    found = {}
    for name in BY_FRACTIONS:
        scores = load_scorer(name).score_systems(benchmark)
        found[name] = correlation(benchmark, {system: score.f1 for system, score in scores.items()})
    assert found == BY_FRACTIONS


def test_table_13_correlations_when_matches_are_counted(real_data: Path):
    benchmark = load("benchie_fl_match", real_data, Diagnostics())
    found = {}
    for reading in BY_MATCHES:
        scores = score_systems(benchmark, Wire57Matcher(Reading.of(reading)))
        found[reading] = correlation(benchmark, {system.name: system.score.f1 for system in scores})
    assert found == BY_MATCHES
