"""The page of the scoring command: systems' scores with intervals, and what became of each extraction and cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from data.languages import is_english
from data.model import Benchmark
from matchers.bootstrap import Interval
from matchers.casebook import Casebook, compared, likeliest
from matchers.interface import Assignment, Matcher
from matchers.page import Cell, Column, Row, SortableTable, render
from matchers.plots import interval_plot
from matchers.profile_plots import Pictures, pictures
from matchers.profiling import ErrorFinder, profile_of
from matchers.scoring import SystemScore
from matchers.sentence_counts import LENGTH, default_buckets

KINDS = ("matched", "repeat", "no match", "cluster not found")
MATCHED, REPEAT, UNMATCHED, NOT_FOUND = (1 << bit for bit in range(4))
SIGNIFICANT = 0.05


@dataclass
class ScorePage:
    """Takes in assignments as they are made, then writes the page."""

    benchmark: Benchmark
    matcher: Matcher
    source: Sequence[str]
    slots: bool = True  # whether slots mean anything: in facet C they don't
    book: Casebook = field(init=False)
    finder: ErrorFinder = field(init=False)
    kinds: dict[str, dict[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        names = [system.name for system in self.benchmark.systems]
        self.finder = ErrorFinder(self.matcher)
        self.book = Casebook(KINDS, [self.matcher.name], names, self.source)
        self.kinds = {name: dict.fromkeys((MATCHED, REPEAT, UNMATCHED, NOT_FOUND), 0) for name in names}

    def add(self, system: str, assignment: Assignment) -> None:
        """Take in what one system did in one sentence."""
        self.finder.add(system, assignment)
        for case in [*_extraction_cases(self.book, system, assignment), *_missed(self.book, system, assignment)]:
            self.book.cases.append(case)
            self.kinds[system][case["k"][0]] += 1

    def render(self, scores: Sequence[SystemScore], result: dict[str, Any], command: str) -> str:
        """The page as HTML; `result` is the scores as the command's JSON has them."""
        systems = result["systems"]
        self.book.cases.sort(key=lambda case: case["k"][0])
        values = [
            (s["name"], s["f1"], Interval(*s["intervals"]["f1"]), "best" if not n else "")
            for n, s in enumerate(systems)
        ]
        return render(
            "score_page.html.jinja",
            (),
            self.book.as_json(),
            best=systems[0],
            title=self.benchmark.name,
            gold=result["gold"],
            extractions=sum(system["extractions"] for system in systems),
            systems=len(systems),
            matcher=self.matcher.name,
            lead=lead(systems),
            plot=interval_plot(values),
            scores=scores_table(systems, self.kinds),
            pictures=self.pictures(scores),
            command=command,
            signature=result["signature"],
            citation="",
        )

    def pictures(self, scores: Sequence[SystemScore]) -> Pictures:
        """The pictures of the systems' profile; what is counted by English words is left out in other languages."""
        buckets = default_buckets()
        if not is_english(self.benchmark):
            buckets = {LENGTH: buckets[LENGTH]}
        return pictures(profile_of(self.benchmark, scores, self.finder, buckets), self.slots)


def _extraction_cases(book: Casebook, system: str, assignment: Assignment) -> list[dict[str, Any]]:
    """A case an extraction: matched, a repeat of a fact that is credited already, or no match."""
    sentence = assignment.sentence
    numbers = {cluster.id: number for number, cluster in enumerate(sentence.clusters)}
    cases = []
    for index, extraction in enumerate(assignment.extractions):
        matches = assignment.of(index)
        own = [candidate for candidate in assignment.candidates if candidate.extraction == index]
        verdict: dict[str, Any] = {"c": [numbers[match.cluster] for match in matches]}
        if matches:
            kind, facts = MATCHED, verdict["c"]
            verdict |= {"r": book.rule(matches[0].reason.rule), "q": round(matches[0].score, 3)}
            why = "; ".join(str(match.reason) for match in matches)
        elif own:
            best = max(own, key=lambda candidate: candidate.score)
            kind, facts = REPEAT, [best.cluster]
            verdict |= {"r": book.rule(best.reason.rule), "q": round(best.score, 3)}
            cluster = sentence.clusters[best.cluster].id
            why = f"{best.reason}, but cluster {cluster} is credited to a closer extraction"
        else:
            near = likeliest(extraction, sentence.clusters)
            kind, facts = UNMATCHED, [] if near is None else [near]
            why = "no rule or model matches it to a cluster"
        verdict["w"] = [book.text(why)]
        cases.append(
            {
                "id": book.new_id(system, sentence.id, *extraction.slots),
                "s": book.sentence(sentence),
                "y": book.systems.index(system),
                "e": extraction.slots,
                "k": [kind],
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


def lead(systems: Sequence[dict[str, Any]]) -> str:
    """The headline's explanation: how certain the first place is."""
    first = systems[0]
    text = (
        f"{first['matched']:,} of its {first['extractions']:,} extractions state a fact, "
        f"and it finds {first['recall']:.1%} of the facts."
    )
    return f"{text} {sure_of_lead(systems)}".rstrip()


def sure_of_lead(systems: Sequence[dict[str, Any]]) -> str:
    """How certain the first place is; nothing if there is no second."""
    if len(systems) < 2:
        return ""
    name, p = systems[1]["name"], systems[1]["p_to_previous"]
    return f"The lead over {name} is significant." if p < SIGNIFICANT else f"The lead over {name} is not significant."


COLUMNS = (
    Column("system"),
    Column("P", "precision, with its 95 % interval"),
    Column("R", "recall, with its 95 % interval"),
    Column("F1", "their harmonic mean, with its 95 % interval"),
    Column("p", "of the difference in F1 to the system above, by paired bootstrap"),
    Column("extractions"),
    Column("matched", "extractions that were credited"),
    Column("repeats", "extractions of a fact that was credited already"),
    Column("no match", "extractions that state no fact"),
    Column("clusters found"),
    Column("not found"),
)


def scores_table(systems: Sequence[dict[str, Any]], kinds: dict[str, dict[int, int]]) -> SortableTable:
    """A row a system."""
    rows = []
    for number, system in enumerate(systems):
        name, p = system["name"], system["p_to_previous"]
        own = kinds[name]
        rows.append(
            Row(
                (
                    Cell(name),
                    *(rate_cell(system, measure) for measure in ("precision", "recall", "f1")),
                    Cell("" if p is None else "<.001" if p < 0.001 else f"{p:.3f}", p),
                    Cell(f"{system['extractions']:,}", system["extractions"]),
                    _linked(name, KINDS[0], own[MATCHED]),
                    _linked(name, KINDS[1], own[REPEAT]),
                    _linked(name, KINDS[2], own[UNMATCHED]),
                    Cell(f"{system['clusters_covered']:,}", system["clusters_covered"]),
                    _linked(name, KINDS[3], own[NOT_FOUND]),
                ),
                "best" if not number else "",
            )
        )
    return SortableTable("A head sorts by its column; underlined counts lead to the cases.", COLUMNS, tuple(rows))


def rate_cell(system: dict[str, Any], measure: str) -> Cell:
    """A cell with a rate and its interval."""
    low, high = system["intervals"][measure]
    return Cell(f"{system[measure]:.3f}", system[measure], f"{low:.2f} to {high:.2f}")


def _linked(system: str, kind: str, count: int) -> Cell:
    from urllib.parse import urlencode

    return Cell(f"{count:,}", count, link=f"#cases?{urlencode({'system': system, 'kind': kind})}")
