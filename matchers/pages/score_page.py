"""The page of the scoring command: systems' scores with intervals, and what became of each extraction and cluster.

A token scorer decides no matches, so that its page has scores alone, with the further columns of its table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from data.languages import is_english
from matchers.counts import Scorer
from matchers.interface import Matcher
from matchers.matches import Assignment
from matchers.pages.cases import Casebook, compared, likeliest
from matchers.pages.page import Cell, Column, Row, SortableTable, render
from matchers.pages.plots import from_to, interval_plot
from matchers.pages.profile_plots import Pictures, pictures
from matchers.profiling.buckets import LENGTH, default_buckets
from matchers.profiling.profiles import profile_of
from matchers.scoring.outcomes import CREDITED, REPEAT, WRONG, outcomes
from matchers.scoring.results import Scores, SystemResult, shown
from matchers.scoring.significance import is_significant, no_intervals, p_text, p_value

KINDS = ("matched", "repeat", "no match", "cluster not found")
MATCHED, REPEATED, UNMATCHED, NOT_FOUND = (1 << bit for bit in range(4))
_BIT_OF = {CREDITED: MATCHED, REPEAT: REPEATED, WRONG: UNMATCHED}
_FIRST_MISSES = (UNMATCHED, NOT_FOUND, REPEATED, MATCHED)  # who opens the page wants to know what went wrong

Kinds = dict[str, Counter[int]]


def score_page(
    scores: Scores, scorer: Matcher | Scorer, source: Sequence[str], given: Sequence[str], command: str
) -> str:
    """The page as HTML.

    `source` are the flags with which `matchers.explain` finds the gold, `given` the user's systems, which stand out.
    """
    book = Casebook(KINDS, [scores.matcher], [system.name for system in scores.benchmark.systems], source)
    kinds = take_cases(book, scores)
    values = [
        (system.name, system.f1, system.interval, "" if rank else "best") for rank, system in enumerate(scores.systems)
    ]
    return render(
        "score_page.html.jinja",
        (),
        {} if scores.by_words else book.as_json(),
        best=scores.systems[0],
        headline=headline(scores),
        title=scores.benchmark.name,
        gold=scores.gold,
        extractions=sum(system.extractions for system in scores.systems),
        systems=len(scores.systems),
        matcher=scores.matcher,
        by_words=scores.by_words,
        lead=lead(scores),
        plot=interval_plot(values),
        missing="" if scores.systems[0].interval else no_intervals(scores.gold.sentences),
        scores=scores_table(scores, kinds, given),
        pictures=score_pictures(scores, scorer) if isinstance(scorer, Matcher) else None,
        command=command,
        signature=scores.signature,
        citation="",
    )


def take_cases(book: Casebook, scores: Scores) -> Kinds:
    """Put what became of each extraction and cluster into the book, and count it by system and kind."""
    kinds: Kinds = {system.name: Counter() for system in scores.benchmark.systems}
    for made in zip(*scores.assignments.values(), strict=True):
        for system, assignment in zip(scores.assignments, made, strict=True):
            for case in [*_extraction_cases(book, system, assignment), *_missed(book, system, assignment)]:
                book.cases.append(case)
                kinds[system][case["k"][0]] += 1
    book.cases.sort(key=lambda case: _FIRST_MISSES.index(case["k"][0]))
    return kinds


def score_pictures(scores: Scores, matcher: Matcher) -> Pictures:
    """The pictures of the systems' profile; what is counted by English words is left out in other languages."""
    buckets = default_buckets()
    if not is_english(scores.benchmark):
        buckets = {LENGTH: buckets[LENGTH]}
    return pictures(profile_of(scores, matcher, buckets), slots=scores.facet != "C")


def _extraction_cases(book: Casebook, system: str, assignment: Assignment) -> list[dict[str, Any]]:
    """A case an extraction: matched, a repeat of a fact that is credited already, or no match."""
    sentence = assignment.sentence
    cases = []
    for outcome in outcomes(assignment):
        extraction, facts = outcome.extraction, outcome.facts
        verdict: dict[str, Any] = {"c": list(facts) if outcome.kind == CREDITED else []}
        if outcome.rule is not None:
            verdict |= {"r": book.rule(outcome.rule), "q": round(outcome.score, 3)}
        if not facts:
            near = likeliest(extraction, sentence.clusters)
            facts = () if near is None else (near,)
        verdict["w"] = [book.text(outcome.explanation)]
        cases.append(
            {
                "id": book.new_id(system, sentence.id, *extraction.slots),
                "s": book.sentence(sentence),
                "y": book.systems.index(system),
                "e": extraction.slots,
                "k": [_BIT_OF[outcome.kind]],
                "v": [verdict],
                "d": [compared(extraction, sentence, fact) for fact in facts],
                "r": [verdict["r"]] if "r" in verdict else [],
            }
        )
    return cases


def _missed(book: Casebook, system: str, assignment: Assignment) -> list[dict[str, Any]]:
    """A case a cluster that none of the system's extractions states."""
    sentence = assignment.sentence
    return [
        {
            "id": book.new_id(system, sentence.id, "cluster", cluster.id),
            "s": book.sentence(sentence),
            "y": book.systems.index(system),
            "k": [NOT_FOUND],
            "v": [{"c": []}],
            "d": [{"c": number}],
            "r": [],
        }
        for number, cluster in enumerate(sentence.clusters)
        if cluster.id not in assignment.covered
    ]


def headline(scores: Scores) -> str:
    """What the page says first: it names a best system only if the test does."""
    names = leaders(scores)
    if len(scores) == 1:
        return f"{names[0]} {'by words' if scores.by_words else 'and its matches'}"
    if len(names) == 1:
        return f"{names[0]} scores best"
    others = names[1] if len(names) == 2 else f"{len(names) - 1} others"
    return f"{names[0]} and {others} score about equally"


def leaders(scores: Scores) -> list[str]:
    """The best system, and those below it that are not significantly worse."""
    first, *others = scores.names
    sure = next((place for place, name in enumerate(others) if is_significant(scores.p(first, name))), len(others))
    return [first, *others[:sure]]


def lead(scores: Scores) -> str:
    """The headline's explanation: what the best system does, and how certain the first place is."""
    first = scores.systems[0]
    if scores.by_words:
        return sure_of_lead(scores.systems)
    text = (
        f"{first.scored.matched:,} of the {first.extractions:,} extractions of {first.name} state a fact, "
        f"and it finds {first.recall:.1%} of the facts."
    )
    return f"{text} {sure_of_lead(scores.systems)}".rstrip()


def sure_of_lead(systems: Sequence[SystemResult]) -> str:
    """How certain the first place is; nothing if there is no second."""
    if len(systems) < 2 or systems[1].p is None:
        return ""
    sure = "significant" if is_significant(systems[1].p) else "not significant"
    return f"The lead of {systems[0].name} over {systems[1].name} in F1 is {sure} ({p_text(systems[1].p)})."


RATE_COLUMNS = (
    Column("system"),
    Column("P", "precision, with its 95 % interval"),
    Column("R", "recall, with its 95 % interval"),
    Column("F1", "their harmonic mean, with its 95 % interval"),
)
MATCH_COLUMNS = (
    Column("matched", "extractions that were credited"),
    Column("repeats", "extractions of a fact that was credited already"),
    Column("no match", "extractions that state no fact"),
    Column("clusters found"),
    Column("not found"),
)


def scores_table(scores: Scores, kinds: Kinds, given: Sequence[str]) -> SortableTable:
    """A row a system; those that the user gave stand out, or else the best one."""
    marked = given or scores.names[:1]
    rows = []
    for system in scores.systems:
        cells = [Cell(system.name), *rate_cells(system), Cell(p_value(system.p), system.p)]
        cells.append(Cell(f"{system.extractions:,}", system.extractions))
        cells += figure_cells(system) if scores.by_words else match_cells(system, kinds[system.name])
        rows.append(Row(tuple(cells), "best" if system.name in marked else ""))
    tested = Column("p to above", f"of the difference in F1 to the system above, by {scores.spread.test}")
    own = [Column(figure.title) for figure in scores.systems[0].figures] if scores.by_words else MATCH_COLUMNS
    links = "" if scores.by_words else "; underlined counts lead to the cases"
    return SortableTable(
        f"A head sorts by its column{links}.", (*RATE_COLUMNS, tested, Column("extractions"), *own), tuple(rows)
    )


def rate_cells(system: SystemResult) -> list[Cell]:
    """Precision, recall and F1 with their intervals."""
    rates = zip(system.rates, system.intervals or (None, None, None), strict=True)
    return [Cell(f"{rate:.3f}", rate, from_to(bounds)) for rate, bounds in rates]


def figure_cells(system: SystemResult) -> list[Cell]:
    """The further columns of a token scorer's table."""
    return [Cell(shown(figure.value), figure.value) for figure in system.figures]


def match_cells(system: SystemResult, kinds: Counter[int]) -> list[Cell]:
    """What became of extractions and clusters, with links to the cases."""
    covered = system.scored.clusters_covered
    return [
        _linked(system.name, KINDS[0], kinds[MATCHED]),
        _linked(system.name, KINDS[1], kinds[REPEATED]),
        _linked(system.name, KINDS[2], kinds[UNMATCHED]),
        Cell(f"{covered:,}", covered),
        _linked(system.name, KINDS[3], kinds[NOT_FOUND]),
    ]


def _linked(system: str, kind: str, count: int) -> Cell:
    return Cell(f"{count:,}", count, link=f"#cases?{urlencode({'system': system, 'kind': kind})}")
