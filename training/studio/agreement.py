"""How far people agree: Cohen's kappa and Krippendorff's alpha, with intervals from resampled sentences.

Two questions are asked: whether an extraction matches at all, and which cluster it matches (none is an answer too).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy
from numpy.typing import NDArray

from matchers.scoring.bootstrap import Interval
from training.evaluation.significance import defined_interval
from training.studio.state import Case

RESAMPLES = 1000
SEED = 1


@dataclass(frozen=True)
class Figure:
    """A coefficient, None where chance alone would agree on everything, and its interval, None of too few sentences."""

    value: float | None
    interval: Interval | None


@dataclass(frozen=True)
class Agreement:
    """How far a group of opinions agrees on one question."""

    question: str
    people: tuple[str, ...]
    principle: str
    cases: int
    same: int
    kappa: Figure | None
    alpha: Figure


def cohen_kappa(table: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """Kappa of confusion tables in the last two axes; not a number where chance agrees on everything.

    >>> round(float(cohen_kappa(numpy.array([[20.0, 5.0], [10.0, 15.0]]))), 3)
    0.4
    """
    total = table.sum((-1, -2))
    with numpy.errstate(divide="ignore", invalid="ignore"):
        observed = numpy.trace(table, axis1=-2, axis2=-1) / total
        expected = (table.sum(-1) * table.sum(-2)).sum(-1) / total**2
        found: NDArray[numpy.float64] = (observed - expected) / (1 - expected)
    return numpy.where(expected > 1 - 1e-12, numpy.nan, found)


def krippendorff_alpha(coincidences: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """Alpha (nominal) of coincidence matrices in the last two axes."""
    totals = coincidences.sum(-1)
    count = totals.sum(-1)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        observed = count - numpy.trace(coincidences, axis1=-2, axis2=-1)
        expected = (count**2 - (totals**2).sum(-1)) / (count - 1)
        found: NDArray[numpy.float64] = 1 - observed / expected
    return numpy.where(expected > 1e-12, found, numpy.nan)


Answers = Sequence[tuple[str, Mapping[str, Hashable]]]  # the sentence, and each person's answer


def _figure(value: float, resampled: NDArray[numpy.float64], sentences: int) -> Figure:
    if numpy.isnan(value):
        return Figure(None, None)
    return Figure(float(value), defined_interval(resampled[~numpy.isnan(resampled)], sentences))


def _per_sentence(
    answers: Answers, values: Mapping[Hashable, int], pair: tuple[str, str] | None
) -> NDArray[numpy.float64]:
    """Confusion tables (of a pair) or coincidence matrices (of all) by sentence."""
    places = {sentence: number for number, sentence in enumerate(dict.fromkeys(s for s, _ in answers))}
    found = numpy.zeros((len(places), len(values), len(values)))
    for sentence, given in answers:
        table = found[places[sentence]]
        if pair:
            table[values[given[pair[0]]], values[given[pair[1]]]] += 1
            continue
        counts = Counter(values[answer] for answer in given.values())
        for one, two in ((one, two) for one in counts for two in counts):
            together = counts[one] * (counts[two] - (one == two))
            table[one, two] += together / (len(given) - 1)
    return found


def _resampled(tables: NDArray[numpy.float64], seed: int) -> NDArray[numpy.float64]:
    sentences = len(tables)
    weights = numpy.random.default_rng(seed).multinomial(sentences, numpy.full(sentences, 1 / sentences), RESAMPLES)
    size = tables.shape[1]
    return (weights.astype(float) @ tables.reshape(sentences, -1)).reshape(RESAMPLES, size, size)


def measured(answers: Answers, question: str, people: tuple[str, ...], principle: str = "") -> Agreement:
    """The agreement in answers of at least two people each."""
    values = {value: number for number, value in enumerate(dict.fromkeys(v for _, g in answers for v in g.values()))}
    same = sum(len(set(given.values())) == 1 for _, given in answers)
    kappa = None
    if len(people) == 2:
        tables = _per_sentence(answers, values, (people[0], people[1]))
        kappa = _figure(float(cohen_kappa(tables.sum(0))), cohen_kappa(_resampled(tables, SEED)), len(tables))
    tables = _per_sentence(answers, values, None)
    alpha = _figure(float(krippendorff_alpha(tables.sum(0))), krippendorff_alpha(_resampled(tables, SEED)), len(tables))
    return Agreement(question, people, principle, len(answers), same, kappa, alpha)


def answer_of(clusters: Iterable[str], question: str) -> Hashable:
    """An opinion as the answer to a question."""
    named = tuple(sorted(clusters))
    return bool(named) if question == MATCH else named


MATCH, WHICH = "match or not", "which cluster"
QUESTIONS = (MATCH, WHICH)


def agreements(cases: Sequence[Case], final: bool = False) -> list[Agreement]:
    """Agreement of all, by pair of people and by principle, in what they said at first (or in the end)."""
    shared = [case for case in cases if len(case.opinions) > 1]
    if not shared:
        return []
    everybody = tuple(sorted({name for case in shared for name in case.opinions}))
    found = []
    for question in QUESTIONS:
        if len(everybody) > 2:
            found.append(measured(_answers(shared, everybody, question, final), question, everybody))
        for pair in combinations(everybody, 2):
            both = [case for case in shared if pair[0] in case.opinions and pair[1] in case.opinions]
            if both:
                found.append(measured(_answers(both, pair, question, final), question, pair))
        for principle in sorted({o.last.principle for case in shared for o in case.opinions.values()} - {""}):
            named = [c for c in shared if any(o.last.principle == principle for o in c.opinions.values())]
            found.append(measured(_answers(named, everybody, question, final), question, everybody, principle))
    return found


def _answers(cases: Sequence[Case], people: Sequence[str], question: str, final: bool) -> Answers:
    return [
        (
            case.extraction.sentence_id,
            {
                name: answer_of((opinion.last if final else opinion.first).clusters, question)
                for name, opinion in case.opinions.items()
                if name in people
            },
        )
        for case in cases
    ]
