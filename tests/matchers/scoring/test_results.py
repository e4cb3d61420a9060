from __future__ import annotations

import csv
import io

import numpy

from data.model import Benchmark
from matchers.counts import Figure, SystemScore
from matchers.scoring.results import UNDEFINED, GoldInfo, Scores, SystemResult, as_csv, legends
from matchers.scoring.spread import Spread


def scores(sentences: int, by_words: bool = False, **right: int) -> Scores:
    """Scores of systems that are right in so many of the first sentences."""
    scored = []
    for name, count in right.items():
        counts = numpy.tile([0, 1, 0, 1], (sentences, 1))
        counts[:count, [0, 2]] = 1
        scored.append(SystemScore(name, sentences, counts, (Figure("auc", None, "AUC"), Figure("exact", 3, "exact"))))
    spread = Spread.of([system.counts for system in scored], 100, 1)
    systems = tuple(
        SystemResult(system, spread.intervals(place), spread.p(place - 1, place) if place else None)
        for place, system in enumerate(scored)
    )
    gold = GoldInfo("gold.txt", "ab", sentences, sentences, seen=2)
    return Scores("signed", "carb", gold, systems, spread, Benchmark("test", ()), by_words=by_words)


def test_the_table_of_a_token_scorer_ends_with_the_rates_and_that_of_a_matcher_begins_with_them() -> None:
    head = str(scores(40, by_words=True, a=20)).splitlines()
    assert head[0] == "40 sentences, 40 facts, scored by words: carb (2 sentences seen in training)"
    assert head[2].split() == ["system", "extractions", "AUC", "exact", "P", "R", "F1", "95", "%", "of", "F1"]
    assert head[4].split()[:4] == ["a", "40", UNDEFINED, "3"]
    head = str(scores(40, a=20)).splitlines()
    assert head[2].split()[:4] == ["system", "P", "R", "F1"]


def test_legends_stand_only_where_they_are_needed() -> None:
    assert legends(scores(40, a=30, b=2)) == []
    assert [line[0] for line in legends(scores(40, a=20, b=20))] == ["="]
    assert [line.split(":")[0] for line in legends(scores(3, a=3))] == ["no intervals"]


def test_what_is_undefined_is_empty_in_csv_and_null_in_json() -> None:
    (row,) = csv.DictReader(io.StringIO(as_csv(scores(3, a=2))))
    assert (row["auc"], row["exact"], row["f1_low"]) == ("", "3", "")
    system = scores(3, a=2).to_json()["systems"][0]
    assert system["auc"] is None and system["intervals"]["f1"] is None
    assert scores(3, a=2).to_json()["gold"]["seen_in_training"] == 2
