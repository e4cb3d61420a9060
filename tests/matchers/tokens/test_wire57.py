from __future__ import annotations

from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.catalog import load
from data.formats.slots import parse_slot
from data.model import Benchmark, Cluster, Extraction, Formulation, Group, Sentence, Slot, System
from data.problems import Diagnostics, InputError
from matchers.counts import score_systems
from matchers.tokens.registry import load_scorer
from matchers.tokens.token_gold import GoldPart, Reading
from matchers.tokens.wire57 import Wire57Matcher, Wire57Scorer, overlap

TEXT = "Mara Venn , a chemist from Oslo , sold the old mill to Tove in May ."


def cluster(cluster_id: str, *lines: str) -> Cluster:
    parts = [[parse_slot(text)[0] for text in line.split(" --> ")] for line in lines]
    return Cluster(cluster_id, tuple(Formulation(*slots) for slots in parts))


def triples(*lines: str) -> list[Extraction]:
    return [Extraction("1", *line.split(" - ")) for line in lines]


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
    mine, no = load_scorer("wire57").score_systems(benchmark)
    assert mine.counts.tolist() == [[3 / 4, 1, 1, 1], [0, 0, 0, 1]]
    assert (mine.score.precision, mine.score.recall, mine.score.f1) == (0.75, 0.5, pytest.approx(0.6))
    assert (no.name, no.score.f1) == ("no", 0.0)


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
    "oie2016": 0.308,
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
        found[name] = correlation(benchmark, {system.name: system.score.f1 for system in scores})
    assert found == BY_FRACTIONS


def test_table_13_correlations_when_matches_are_counted(real_data: Path):
    benchmark = load("benchie_fl_match", real_data, Diagnostics())
    found = {}
    for reading in BY_MATCHES:
        scores = score_systems(benchmark, Wire57Matcher(Reading.of(reading)))
        found[reading] = correlation(benchmark, {system.name: system.score.f1 for system in scores})
    assert found == BY_MATCHES
