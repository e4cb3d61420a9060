from __future__ import annotations

from pathlib import Path

import pytest

from data.catalog import load as load_data
from data.model import Benchmark, Cluster, Extraction, Sentence
from data.problems import Diagnostics
from matchers import load
from matchers.matches import Assignment, Candidate, Reason
from matchers.scoring.outcomes import CREDITED, REPEAT, WRONG, outcomes


@pytest.fixture
def small(folder: Path) -> Benchmark:
    return load_data(folder, diagnostics=Diagnostics())


def test_a_repeat_is_one_for_all(small: Benchmark) -> None:
    twice = load("em").match(small.sentences[1], [*small.systems[1].extractions[2:], *small.systems[1].extractions[2:]])
    assert [found.kind for found in outcomes(twice)] == [WRONG, WRONG]
    rules = load("rules").match(small.sentences[1], list(small.systems[1].extractions[2:]) * 2)
    assert sorted(found.kind for found in outcomes(rules)) == [CREDITED, REPEAT]


def test_ties_between_candidates_of_a_repeat_go_to_the_first_cluster() -> None:
    reason = Reason("em", "states it")
    sentence = Sentence("1", "a b", (Cluster("1", ()), Cluster("2", ())))
    extractions = (Extraction("1", "a", "b", ""), Extraction("1", "b", "a", ""))
    candidates = tuple(Candidate(1, cluster, 0.5, False, reason) for cluster in (1, 0))
    for order in (candidates, candidates[::-1]):
        wrong, repeat = outcomes(Assignment(sentence, extractions, (), order))
        assert (wrong.kind, wrong.clusters, repeat.kind, repeat.facts) == (WRONG, (), REPEAT, (0,))
        assert repeat.explanation == "states it, but cluster 1 is credited to a closer extraction"
        assert repeat.to_json("mine")["rule"] == "repeat" and repeat.to_json("mine")["cluster"] is None
