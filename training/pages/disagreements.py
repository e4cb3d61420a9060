"""Every disagreement of a matcher with people, as cases of the report: who missed or wrongly made a match, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from data.model import Extraction, Sentence
from matchers.interface import Assignment
from matchers.pages.cases import Casebook, compared
from matchers.rules.matcher import RULES, parse_rules
from matchers.rules.near_misses import rule_outcomes
from training.comparison.contenders import BASELINE
from training.comparison.results import Comparison, Result
from training.labels.judged_parts import Judged

MISSED, WRONG = 1, 2
KINDS = ("missed", "wrong")

Clusters = frozenset[str]


def disagreements(comparison: Comparison, source: Sequence[str]) -> Casebook:
    """The extractions that some matcher decides otherwise than people; first those of the best matcher."""
    ground = comparison.ground
    results = [result for result in comparison.results if result.verdicts.assignments is not None]
    names = [result.name for result in results]
    book = Casebook(KINDS, names, ground.systems, source)
    for position, part in enumerate(ground.work):
        assignments = [(result.verdicts.assignments or ())[position] for result in results]
        for index, label in enumerate(part.labels):
            said = [frozenset(match.cluster for match in one.of(index)) for one in assignments]
            if any(own != label for own in said):
                book.cases.append(_case(book, results, assignments, said, part, (position, index)))
    lead = names.index(comparison.best.name)
    book.cases.sort(key=lambda case: not case["k"][lead])
    return book


def _case(
    book: Casebook,
    results: Sequence[Result],
    assignments: Sequence[Assignment],
    said: Sequence[Clusters],
    part: Judged,
    place: tuple[int, int],
) -> dict[str, Any]:
    """A case: the extraction (e), people's facts (p), and by matcher the kind of disagreement (k) and the verdict (v).

    Then the facts in question beside the extraction (d), what each rule says (o), and the rules that matched (r).
    """
    extraction, label, sentence = part.extractions[place[1]], part.labels[place[1]], part.sentence
    numbers = {cluster.id: number for number, cluster in enumerate(sentence.clusters)}
    facts = sorted(numbers[cluster] for cluster in label.union(*said))
    verdicts = [_verdict(book, result, one, place, facts) for result, one in zip(results, assignments, strict=True)]
    by_rules = [own for result, own in zip(results, said, strict=True) if is_rules(result.name)]
    disputed = sorted(numbers[cluster] for cluster in frozenset().union(*(own ^ label for own in by_rules)))
    return {
        "id": book.new_id(part.system, sentence.id, *extraction.slots),
        "s": book.sentence(sentence),
        "y": book.systems.index(part.system),
        "e": extraction.slots,
        "p": sorted(numbers[cluster] for cluster in label),
        "k": [MISSED * bool(label - own) + WRONG * bool(own - label) for own in said],
        "v": verdicts,
        "d": [compared(extraction, sentence, fact) for fact in facts],
        "o": _rules_say(book, sentence, extraction, disputed),
        "r": sorted({verdict["r"] for verdict in verdicts if "r" in verdict}),
    }


def is_rules(name: str) -> bool:
    """Whether a contender is a set of rules."""
    return name == BASELINE or all(part in RULES for part in name.split("+"))


def _verdict(
    book: Casebook, result: Result, assignment: Assignment, place: tuple[int, int], facts: Sequence[int]
) -> dict[str, Any]:
    """What a matcher said of an extraction: its facts (c), the score (q), the rule (r), and why (w)."""
    position, index = place
    numbers = {cluster.id: number for number, cluster in enumerate(assignment.sentence.clusters)}
    matches = assignment.of(index)
    verdict: dict[str, Any] = {"c": [numbers[match.cluster] for match in matches]}
    own = [c for c in assignment.candidates if c.extraction == index and c.cluster in facts]
    scores = [score for e, c, score in result.verdicts.scores[position] if e == index and c in facts]
    why = []
    if matches:
        verdict["r"] = book.rule(matches[0].reason.rule)
        scores = [match.score for match in matches]
        why = [str(match.reason) for match in matches]
    elif own:
        best = max(own, key=lambda candidate: candidate.score)
        cluster = assignment.sentence.clusters[best.cluster].id
        why = [f"{best.reason}, but cluster {cluster} is credited to a closer extraction"]
    why += _notes(result, place, [assignment.sentence.clusters[fact].id for fact in facts])
    if scores:
        verdict["q"] = round(max(scores), 3)
    if why:
        verdict["w"] = [book.text(line) for line in why]
    return verdict


def _notes(result: Result, place: tuple[int, int], clusters: Iterable[str]) -> list[str]:
    """What a matcher itself has to say of the pairs on which it disagrees with people."""
    notes = result.verdicts.notes
    return [line for cluster in clusters for line in notes.get((*place, cluster), ())]


def _rules_say(book: Casebook, sentence: Sentence, extraction: Extraction, disputed: Iterable[int]) -> list[Any]:
    """What each rule says of the facts on which a set of rules and people disagree."""
    return [
        [
            fact,
            [
                [outcome.rule, int(outcome.fires), book.text("; ".join([outcome.text, *map(str, outcome.differences)]))]
                for outcome in rule_outcomes(parse_rules(BASELINE), sentence, extraction, fact)
            ],
        ]
        for fact in disputed
    ]
