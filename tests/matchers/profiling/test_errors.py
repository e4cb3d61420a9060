from __future__ import annotations

from dataclasses import replace

import pytest

from data.model import Benchmark, Sentence
from matchers import load
from matchers.profiling.errors import ERROR_BUCKETS, Errors
from matchers.profiling.profiles import Profile, profile
from matchers.scoring.evaluation import ScoringSettings
from tests.matchers.profiling.conftest import errors_of, with_extractions


def counted(errors: Errors) -> dict[tuple[int, int, int], int]:
    """The error buckets that are not empty."""
    return {bucket: count for bucket, count in errors.buckets.items() if count}


def test_wrong_extractions_are_counted_by_the_slots_that_are_right(small: Benchmark):
    found = profile(small, load("em"))
    assert counted(errors_of(found, "short")) == {(1, 1, 0): 1}  # 'may .' for 'May'
    long = errors_of(found, "long")
    assert counted(long) == {(1, 1, 0): 1, (1, 0, 0): 1}  # 'Oslo and Bergen'; 'fell' and 'in May'
    assert (long.matched, long.wrong) == (1, 2)
    assert long.share((1, 0, 0)) == 0.5
    assert long.slots == {"arg1": 0.0, "relation": 0.5, "arg2": 1.0}


def test_ties_are_counted_in_all_buckets(small: Benchmark):
    # 'is a chemist' shares its argument and relation, 'moved to Oslo' both arguments.
    found = errors_of(profile(with_extractions(small, "1|Mara Venn|is|Oslo"), load("em")), "mine")
    assert counted(found) == {(1, 0, 1): 1, (1, 1, 0): 1}
    assert (found.wrong, found.share((1, 1, 0))) == (1, 0.5)
    assert found.slots == {"arg1": 0.0, "relation": 0.5, "arg2": 0.5}


def test_slots_are_compared_as_the_matcher_compares_words(small: Benchmark):
    mine = with_extractions(small, "2|the MILL|fell in|may .")
    assert counted(errors_of(profile(mine, load("em")), "mine")) == {(0, 0, 0): 1}
    assert counted(errors_of(profile(mine, load("rules")), "mine")) == {(1, 0, 1): 1}


def test_repeats_and_sentences_without_gold_are_no_slot_errors(small: Benchmark):
    silent = replace(small, sentences=(*small.sentences, Sentence("3", "Rain fell .")))
    mine = with_extractions(silent, "2|mill|burned down|", "2|The mill|burned down|", "3|Rain|fell|")
    found = errors_of(profile(mine, load("em")), "mine")
    assert (found.matched, found.repeats, found.without_gold, found.wrong) == (1, 1, 1, 0)
    assert counted(found) == {} and found.slots == {"arg1": 0.0, "relation": 0.0, "arg2": 0.0}


@pytest.fixture(scope="module")
def english(benchie_en: Benchmark) -> Profile:
    return profile(benchie_en, load("em"), settings=ScoringSettings("ignore"))


def test_benchies_figure_2_comes_out(english: Profile):
    for name, shares in FIGURE_2.items():
        errors = errors_of(english, name)
        assert tuple(round(errors.share(bucket), 2) for bucket in ERROR_BUCKETS) == shares, name


def test_what_benchie_says_of_figure_1_holds(english: Profile):
    slots = {name: errors_of(english, name).slots for name in FIGURE_2}
    # Most errors are in objects; MinIE and ROIE have the higher shares of wrong predicates.
    others = [name for name in slots if name not in ("naive", "minie", "roie_n")]
    assert all(slots[name]["arg2"] > max(slots[name]["arg1"], slots[name]["relation"]) for name in others)
    assert min(slots[name]["relation"] for name in ("minie", "roie_n")) > max(slots[n]["relation"] for n in others)


# BenchIE's Figure 2: shares of the buckets (0,0,0), (0,0,1), ... (1,1,0).
FIGURE_2 = {
    "naive": (0.30, 0.07, 0.33, 0.16, 0.02, 0.00, 0.12),
    "clausie": (0.08, 0.03, 0.06, 0.08, 0.13, 0.05, 0.57),
    "minie": (0.06, 0.08, 0.04, 0.10, 0.23, 0.23, 0.26),
    "stanford": (0.05, 0.05, 0.19, 0.07, 0.16, 0.09, 0.39),
    "roie_n": (0.09, 0.07, 0.07, 0.06, 0.25, 0.17, 0.29),
    "openie6": (0.09, 0.04, 0.10, 0.07, 0.15, 0.06, 0.50),
    "m2oie_en": (0.06, 0.03, 0.12, 0.08, 0.11, 0.06, 0.54),
}
