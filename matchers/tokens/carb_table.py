"""CaRB's table: systems on its own gold tuples, at the threshold of the best F1, with the area under the curve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy

from data.formats.carb import CarbSentence
from data.model import Benchmark, Extraction, System
from data.problems import InputError
from data.text import sentence_key
from matchers.counts import Figure, Score, SystemScore
from matchers.tokens.carb import ENGLISH, NAME, CarbGold, gold_of, row_of, table_of
from matchers.tokens.scorer import Row, as_sums

NOTHING: Row = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class CarbTable:
    """The scores of systems on CaRB's gold; extractions of sentences without gold are left out."""

    gold: Sequence[CarbSentence]
    name: str = NAME
    english: str = ENGLISH

    def score_systems(self, benchmark: Benchmark) -> list[SystemScore]:
        """The score of each of the benchmark's systems, in their order."""
        golds = golds_by_id(self.gold, {sentence.id: sentence.text for sentence in benchmark.sentences})
        return [_system_score(carb_result(golds, system), system, benchmark) for system in benchmark.systems]


def _system_score(result: CarbResult, system: System, benchmark: Benchmark) -> SystemScore:
    figures = (
        Figure("auc", result.auc, "AUC"),
        Figure("threshold", result.threshold, "threshold"),
        Figure("left_out", result.left_out, "left out"),
    )
    sums = as_sums(result.rows.get(sentence.id, NOTHING) for sentence in benchmark.sentences)
    return SystemScore(system.name, result.extractions, sums, figures)


@dataclass(frozen=True)
class CarbResult:
    """A system's score at the threshold of the best F1; the curve's points run from the highest threshold down.

    Without confidences there is one point, that of all extractions, and no area. `left_out` are the extractions of
    sentences without gold, and `rows` the sums of each sentence at the threshold.
    """

    extractions: int
    left_out: int
    score: Score
    threshold: float | None
    auc: float | None
    curve: tuple[tuple[float | None, Score], ...]
    rows: Mapping[str, Row]


Golds = Mapping[str, Sequence[CarbGold]]


def golds_by_id(sentences: Iterable[CarbSentence], texts: Mapping[str, str]) -> dict[str, list[CarbGold]]:
    """CaRB's gold by the ids of the sentences with these texts, however these are written."""
    ids = {sentence_key(text): sentence_id for sentence_id, text in texts.items()}
    golds = {}
    for sentence in sentences:
        sentence_id = ids.get(sentence_key(sentence.text))
        if sentence_id is None:
            line = sentence.tuples[0].line
            raise InputError(f"CaRB's gold has a sentence without an id, in line {line}: {sentence.text[:60]!r}")
        golds[sentence_id] = [gold_of(gold_tuple) for gold_tuple in sentence.tuples]
    return golds


def carb_result(golds: Golds, system: System) -> CarbResult:
    """A system's result against CaRB's gold, by sentence id; extractions of other sentences don't count."""
    counted = [extraction for extraction in system.extractions if extraction.sentence_id in golds]
    scored = bool(counted) and all(extraction.confidence is not None for extraction in counted)
    thresholds = sorted({_level(extraction, scored) for extraction in counted} or {0.0}, reverse=True)
    place = {threshold: number for number, threshold in enumerate(thresholds)}
    sums = numpy.zeros((len(thresholds), 4))
    by_level: dict[str, dict[float, Row]] = {}
    for sentence_id, facts in golds.items():
        extractions = system.by_sentence.get(sentence_id, ())
        table = table_of(extractions, [[gold] for gold in facts])
        levels = [_level(extraction, scored) for extraction in extractions]
        before = numpy.zeros(4)
        by_level[sentence_id] = {}
        for level in sorted(set(levels), reverse=True):  # a sentence's sums change at its own confidences only
            row = row_of(table, [number for number, own in enumerate(levels) if own >= level])
            by_level[sentence_id][level] = row
            sums[place[level]] += numpy.array(row) - before
            before = numpy.array(row)
    sums = numpy.cumsum(sums, axis=0)
    sums[:, 3] = sum(len(facts) for facts in golds.values())
    scores = [Score.of(row) for row in sums]
    best = max(range(len(scores)), key=lambda number: scores[number].f1)
    rows = {
        sentence_id: next(
            (row for level, row in reversed(own.items()) if level >= thresholds[best]),
            (0.0, 0.0, 0.0, float(len(golds[sentence_id]))),
        )
        for sentence_id, own in by_level.items()
    }
    curve = tuple(zip(thresholds if scored else [None], scores, strict=True))
    auc = area(scores) if scored else None
    left_out = len(system.extractions) - len(counted)
    return CarbResult(len(counted), left_out, scores[best], curve[best][0], auc, curve, rows)


def _level(extraction: Extraction, scored: bool) -> float:
    return extraction.confidence if scored and extraction.confidence is not None else 0.0


def area(scores: Sequence[Score]) -> float:
    """The area under the curve of precision over recall, which begins level at recall 0.

    >>> area([Score(1.0, 0.5, 0.0), Score(0.5, 1.0, 0.0)])
    0.875
    """
    points = [(0.0, scores[0].precision), *((score.recall, score.precision) for score in scores)]
    return sum((right - left) * (low + high) / 2 for (left, low), (right, high) in pairwise(points))
