from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from data.catalog import load as load_data
from data.model import Benchmark
from data.problems import Diagnostics, InputError
from matchers import load
from matchers.matches import Assignment
from matchers.scoring.evaluation import ScoringSettings, evaluate
from matchers.scoring.outcomes import CREDITED, WRONG
from matchers.scoring.variants import Variant
from matchers.tokens.registry import load_scorer


@pytest.fixture
def small(folder: Path) -> Benchmark:
    return load_data(folder, diagnostics=Diagnostics())


def test_a_program_gets_what_the_command_prints(small: Benchmark) -> None:
    scores = evaluate(small, load("rules"))
    assert scores.names == ("short", "long") and len(scores) == 2
    assert scores["short"].f1 == pytest.approx(0.75)
    assert str(scores).startswith("2 sentences, 5 clusters, matcher rules\n")
    assert scores.to_json()["systems"][0]["f1"] == scores["short"].f1
    assert scores.p("short", "long") == scores.p("long", "short") == scores["long"].p
    with pytest.raises(KeyError, match="no system is called 'other'; there are short, long"):
        scores["other"]


def test_matches_say_what_became_of_each_extraction(small: Benchmark) -> None:
    scores = evaluate(small, load("rules"))
    became = [(found.extraction.arg2, found.kind, found.rule) for found in scores.matches("long")]
    assert became == [("Oslo and Bergen", CREDITED, "af"), ("Bergen", CREDITED, "em"), ("in May", WRONG, None)]
    with pytest.raises(KeyError, match="no system is called 'other'"):
        scores.matches("other")


def test_a_token_scorer_gives_the_same_kind_of_result(small: Benchmark) -> None:
    scores = evaluate(small, load_scorer("carb"))
    assert scores.by_words and scores.to_json()["matcher"] == "carb"
    assert scores["short"].f1 > scores["long"].f1 > 0
    with pytest.raises(InputError, match="no matches"):
        scores.matches("short")


def test_the_variant_and_the_settings_are_signed(small: Benchmark) -> None:
    notes = Diagnostics()
    settings = ScoringSettings("ignore", 50, 3, Variant("M", implicit="drop", language="de"))
    scores = evaluate(small, load("rules"), settings, notes)
    assert (
        "|duplicates:ignore|facet:M|formulations:all|nary:join|implicit:drop|language:de|resamples:50|seed:3|"
        in scores.signature
    )
    assert scores.facet == "M" and notes.counts()["language"] == 1


def test_work_is_watched_step_by_step(small: Benchmark) -> None:
    told: list[object] = []

    def watch(steps: Iterable[Any], total: int) -> Iterable[Any]:
        told.append(total)
        for step in steps:
            assert isinstance(step[2], Assignment)
            told.append(step[1].name)
            yield step

    evaluate(small, load("em"), ready=lambda: told.append("ready"), watch=watch)
    assert told == ["ready", 4, "long", "short", "long", "short"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"resamples": 0}, "at least one"), ({"seed": -1}, "seed"), ({"duplicates": "some"}, "'count' or 'ignore'")],
)
def test_settings_that_can_not_be(settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ScoringSettings(**settings)  # type: ignore[arg-type]
