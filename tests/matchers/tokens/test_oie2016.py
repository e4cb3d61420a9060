from __future__ import annotations

import pytest

from data.formats.slots import parse_slot
from data.model import Benchmark, Cluster, Extraction, Formulation, Sentence, System
from data.problems import InputError
from matchers.counts import score_systems
from matchers.tokens.oie2016 import Oie2016Matcher
from matchers.tokens.registry import load_scorer
from matchers.tokens.token_gold import Reading

TEXT = "Mara Venn , a chemist from Oslo , sold the old mill to Tove in May ."


def cluster(cluster_id: str, *lines: str) -> Cluster:
    parts = [[parse_slot(text)[0] for text in line.split(" --> ")] for line in lines]
    return Cluster(cluster_id, tuple(Formulation(*slots) for slots in parts))


def sentence(*clusters: Cluster) -> Sentence:
    return Sentence("1", TEXT, clusters)


def matches(matcher: Oie2016Matcher, gold: Sentence, *lines: str) -> list[tuple[int, str]]:
    found = [Extraction("1", *line.split(" - ")) for line in lines]
    return [(match.index, match.cluster) for match in matcher.match(gold, found).matches]


SOLD = sentence(cluster("1", "Mara Venn --> sold --> mill"))


def test_more_than_half_of_the_golds_words_are_needed():
    assert matches(Oie2016Matcher(), SOLD, "Mara - sold - it") == []  # 2 of 4
    assert matches(Oie2016Matcher(), SOLD, "Mara - sold - mill") == [(0, "1")]  # 3 of 4


def test_the_share_that_is_needed_can_be_set():
    assert matches(Oie2016Matcher(threshold=0.25), SOLD, "Mara - sold - it") == [(0, "1")]
    assert Oie2016Matcher(threshold=0.25).settings == {"assignment": "greedy", "threshold": "0.25"}


def test_slots_and_length_do_not_matter():
    assert matches(Oie2016Matcher(), SOLD, "mill - Mara - Venn") == [(0, "1")]
    assert matches(Oie2016Matcher(), SOLD, f"{TEXT} - x - y") == [(0, "1")]


def test_matches_are_one_to_one_the_highest_share_first():
    gold = sentence(cluster("1", "Mara --> sold --> old mill"), cluster("2", "Mara --> sold --> mill"))
    # The first extraction has all of 2 and 3 of 4 words of 1, the second 3 of 4 of 1 and 2 of 3 of 2.
    assert matches(Oie2016Matcher(), gold, "Mara - sold - mill", "Mara - sold - old") == [(0, "2"), (1, "1")]
    assert matches(Oie2016Matcher(), gold, "Mara - sold - old", "Mara - sold - mill") == [(0, "1"), (1, "2")]
    assert len(matches(Oie2016Matcher(), SOLD, "Mara Venn - sold - mill", "Mara Venn - sold - the mill")) == 1


def test_optional_words_are_not_asked_for():
    gold = sentence(cluster("1", "Mara --> sold --> [the old brick] mill"))
    assert matches(Oie2016Matcher(), gold, "Mara - sold - it") == [(0, "1")]  # 2 of 3
    assert matches(Oie2016Matcher(Reading.of("kept")), gold, "Mara - sold - it") == []  # 2 of 6


def test_a_cluster_is_matched_by_its_best_formulation_and_the_reason_names_it():
    gold = sentence(cluster("1", "Oslo --> has --> chemists", "Mara --> sold --> mill"))
    assert matches(Oie2016Matcher(Reading.of("first")), gold, "Mara - sold - it") == []
    match = Oie2016Matcher().match(gold, [Extraction("1", "Mara", "sold", "it")]).matches[0]
    assert str(match.reason) == "has 67% of the words of 'Mara --> sold --> mill'"


def test_clusters_without_words_match_nothing():
    assert matches(Oie2016Matcher(), sentence(Cluster("1", ()), cluster("2", "XXX --> XXX --> XXX")), "a - b - c") == []


def test_the_scorer_counts_what_the_matcher_matches():
    gold = sentence(cluster("1", "Mara --> sold --> mill"), cluster("2", "Tove --> has --> mill"))
    system = System("mine", (Extraction("1", "Mara", "sold", "the mill"), Extraction("1", "x", "y", "z")))
    benchmark = Benchmark("invented", (gold,), (system,))
    (scored,) = load_scorer("oie2016").score_systems(benchmark)
    assert scored.score == score_systems(benchmark, Oie2016Matcher())[0].score
    assert scored.counts.tolist() == [[1, 2, 1, 2]]


@pytest.mark.parametrize("name", ["oie2016:every", "oie2016:tokens"])
def test_readings_that_give_no_matches_of_clusters_are_refused(name: str):
    with pytest.raises(InputError, match="lexical match"):
        load_scorer(name)
