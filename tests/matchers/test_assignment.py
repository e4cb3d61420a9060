from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.model import Extraction
from data.problems import InputError
from matchers.assignment import CLOSEST, DECODINGS, OPTIMAL, Decoding, assign, decode, one_to_one
from matchers.interface import Candidate, Reason
from tests.matchers.facts import sentence


def extraction(text: str) -> Extraction:
    return Extraction("1", text, "is", "x")


def candidate(
    row: int, cluster: int, score: float = 0.5, exact: bool = False, formulation: str = "", rule: str = "lod"
) -> Candidate:
    return Candidate(row, cluster, score, exact, Reason("em" if exact else rule, formulation=formulation))


def credited(candidates: list[Candidate], names: str = "abcdef", decoding: Decoding = CLOSEST) -> set[tuple[int, int]]:
    chosen = assign(candidates, [extraction(name) for name in names], decoding)
    return {(c.extraction, c.cluster) for c in chosen}


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[Extraction], list[Candidate]]:
    """Extractions with different texts and some candidates among them, whose scores often tie."""
    names = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1, max_size=6))
    cells = st.tuples(st.integers(0, len(names) - 1), st.integers(0, 4))
    found = draw(st.lists(cells, unique=True, max_size=14))
    scores = st.sampled_from([0.25, 0.5, 0.75])
    formulations = st.sampled_from(["", "f", "g"])
    listed = [candidate(row, cluster, draw(scores), draw(st.booleans()), draw(formulations)) for row, cluster in found]
    return [extraction(name) for name in names], listed


@given(problems(), st.randoms(use_true_random=False), st.sampled_from(DECODINGS))
def test_the_order_of_extractions_does_not_matter(
    problem: tuple[list[Extraction], list[Candidate]], source: random.Random, decoding: Decoding
) -> None:
    extractions, candidates = problem
    order = list(range(len(extractions)))
    source.shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    moved = [Candidate(place[c.extraction], c.cluster, c.score, c.exact, c.reason) for c in candidates]
    source.shuffle(moved)
    shuffled = [extractions[old] for old in order]
    before = {(extractions[c.extraction].slots, c.cluster) for c in assign(candidates, extractions, decoding)}
    after = {(shuffled[c.extraction].slots, c.cluster) for c in assign(moved, shuffled, decoding)}
    assert before == after


@given(problems(), st.sampled_from(DECODINGS))
def test_a_cluster_credits_one_and_an_extraction_at_most_two(
    problem: tuple[list[Extraction], list[Candidate]], decoding: Decoding
) -> None:
    extractions, candidates = problem
    chosen = assign(candidates, extractions, decoding)
    assert len({c.cluster for c in chosen}) == len(chosen)
    for row in range(len(extractions)):
        own = [c for c in chosen if c.extraction == row]
        assert len(own) <= 2
        if len(own) == 2:
            assert own[0].exact == own[1].exact
            assert own[0].exact or own[0].reason.formulation == own[1].reason.formulation != ""
    assert chosen == sorted(chosen, key=lambda c: (c.extraction, c.cluster))


@given(problems(), st.sampled_from(DECODINGS))
def test_exact_candidates_come_first(problem: tuple[list[Extraction], list[Candidate]], decoding: Decoding) -> None:
    extractions, candidates = problem
    exact = [c for c in candidates if c.exact]
    chosen = assign(candidates, extractions, decoding)
    assert [c for c in chosen if c.exact] == assign(exact, extractions, decoding)
    taken = {c.cluster for c in chosen if c.exact}
    assert all(c.cluster not in taken for c in chosen if not c.exact)


@given(problems())
def test_nothing_that_could_be_credited_is_left(problem: tuple[list[Extraction], list[Candidate]]) -> None:
    extractions, candidates = problem
    chosen = assign(candidates, extractions, OPTIMAL)
    rows, clusters = {c.extraction for c in chosen}, {c.cluster for c in chosen}
    assert all(c.extraction in rows or c.cluster in clusters for c in candidates)


@given(problems())
def test_who_goes_to_its_closest_cluster_loses_it_only_to_one_that_is_as_close(
    problem: tuple[list[Extraction], list[Candidate]],
) -> None:
    extractions, candidates = problem
    chosen = assign(candidates, extractions, CLOSEST)
    holder = {c.cluster: c for c in chosen}
    for row in {c.extraction for c in candidates} - {c.extraction for c in candidates if c.exact}:
        own = [c for c in candidates if c.extraction == row]
        closest = max(own, key=lambda c: (c.score, -c.cluster))
        by = holder[closest.cluster]
        assert (by.exact, by.score) >= (closest.exact, closest.score)
        if by.extraction != row:
            assert row not in {c.extraction for c in chosen}, "the loser gets nothing"


@given(problems())
def test_the_total_is_the_best_of_all_assignments(problem: tuple[list[Extraction], list[Candidate]]) -> None:
    extractions, candidates = problem
    by_row: dict[int, list[Candidate | None]] = {}
    for item in candidates:
        by_row.setdefault(item.extraction, [None]).append(item)

    def best(rows: list[int], taken: frozenset[int]) -> tuple[int, float]:
        if not rows:
            return (0, 0.0)
        found = []
        for item in by_row[rows[0]]:
            if item is None:
                found.append(best(rows[1:], taken))
            elif item.cluster not in taken:
                count, total = best(rows[1:], taken | {item.cluster})
                found.append((count + 1, total + item.score))
        return max(found)

    chosen = one_to_one(candidates, extractions)
    assert (len(chosen), sum(c.score for c in chosen)) == best(sorted(by_row), frozenset())


def test_a_loser_takes_another_cluster_in_the_optimal_assignment_only() -> None:
    found = [candidate(0, 0, 0.9), candidate(1, 0, 0.8), candidate(1, 1, 0.2)]
    assert credited(found, decoding=OPTIMAL) == {(0, 0), (1, 1)}
    assert credited(found, decoding=CLOSEST) == {(0, 0)}


def test_optimal_and_not_greedy() -> None:
    # The best pair alone, (0, 0), would leave extraction 1 with nothing.
    found = [candidate(0, 0, 0.9), candidate(0, 1, 0.8), candidate(1, 0, 0.1)]
    assert credited(found, decoding=OPTIMAL) == {(0, 1), (1, 0)}
    assert credited(found, decoding=CLOSEST) == {(0, 0)}
    # Of two complete assignments the one with the higher total.
    tied = [candidate(0, 0, 0.9), candidate(0, 1, 0.8), candidate(1, 0, 0.8), candidate(1, 1, 0.1)]
    assert credited(tied, decoding=OPTIMAL) == {(0, 1), (1, 0)}


def test_of_equally_close_clusters_the_first_one_of_the_gold() -> None:
    assert credited([candidate(0, 2), candidate(0, 1)]) == {(0, 1)}


def test_an_exact_match_is_not_given_up_for_a_higher_score() -> None:
    assert credited([candidate(0, 0, 0.2, exact=True), candidate(1, 0, 0.9)]) == {(0, 0)}
    assert credited([candidate(0, 0, 0.2, exact=True), candidate(0, 1, 0.9)]) == {(0, 0)}


def test_doubles() -> None:
    assert credited([candidate(0, 0, exact=True), candidate(0, 1, exact=True)]) == {(0, 0), (0, 1)}
    assert credited([candidate(0, 0, formulation="f"), candidate(0, 1, formulation="f")]) == {(0, 0), (0, 1)}
    assert len(credited([candidate(0, 0, formulation="f"), candidate(0, 1, formulation="g")])) == 1
    assert len(credited([candidate(0, 0), candidate(0, 1)])) == 1
    assert len(credited([candidate(0, cluster, exact=True) for cluster in range(3)])) == 2


def test_somebody_elses_exact_match_is_no_double() -> None:
    """A loose extraction can't take, as its second cluster, one that an exact extraction was credited with."""
    found = [candidate(0, 0, exact=True), candidate(1, 0, 0.6, formulation="f"), candidate(1, 1, 0.7, formulation="f")]
    assert credited(found) == {(0, 0), (1, 1)}


def test_ties_go_to_the_alphabet() -> None:
    for names in permutations("abc"):
        ((row, _),) = credited([candidate(row, 0) for row in range(3)], "".join(names))
        assert names[row] == "a"


def test_of_two_candidates_of_one_pair_the_surer_counts() -> None:
    (only,) = assign([candidate(0, 0, 0.9), candidate(0, 0, 0.1, exact=True)], [extraction("a")])
    assert only.exact


def test_no_candidates() -> None:
    assert assign([], []) == []


@pytest.mark.parametrize(("row", "cluster"), [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_candidates_that_are_not_there_are_refused(row: int, cluster: int) -> None:
    gold = sentence("a --> is --> x")
    decode(gold, [extraction("a")], [candidate(0, 0)])
    with pytest.raises(InputError, match="a matcher proposes extraction"):
        decode(gold, [extraction("a")], [candidate(row, cluster)])
