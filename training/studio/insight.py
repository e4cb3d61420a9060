"""What stands beside a sentence while it is annotated: its text form, what lint finds, what matches it, suggestions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.formats.benchie import gold_text
from data.linting.checks import UNSEEN, check
from data.model import Sentence, System
from training.studio.machine import Machine, one_sentence
from training.studio.suggestions import Suggestion, from_systems, rewordings


@dataclass(frozen=True)
class Matched:
    """An extraction of a system, and the cluster that it is credited with, if any."""

    system: str
    extraction: str
    cluster: str
    repeat: bool


@dataclass(frozen=True)
class Lint:
    """A finding in one sentence."""

    check: str
    level: str
    clusters: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Insight:
    """All that is shown live beside a sentence."""

    text: str
    lint: tuple[Lint, ...]
    matches: tuple[Matched, ...]
    rewordings: tuple[Suggestion, ...]
    extractions: tuple[Suggestion, ...]


def insight(sentence: Sentence, language: str, systems: Sequence[System], machine: Machine, matcher: str) -> Insight:
    """What is to be seen of a sentence now."""
    benchmark = one_sentence("studio", sentence, language)
    lint = tuple(
        Lint(finding.check.name, finding.check.level, hit.clusters, hit.text)
        for finding in check(benchmark)
        for hit in finding.hits
        if finding.check != UNSEEN or language == "en"
    )
    matches: list[Matched] = []
    for name, assignment in machine.assignments(matcher, sentence, systems):
        for index, extraction in enumerate(assignment.extractions):
            clusters = " and ".join(match.cluster for match in assignment.of(index))
            matches.append(Matched(name, str(extraction), clusters, index in assignment.repeats))
    credited = frozenset(match.extraction for match in matches if match.cluster)
    return Insight(
        gold_text(benchmark),
        lint,
        tuple(matches),
        tuple(rewordings(sentence.clusters, language)),
        tuple(from_systems(sentence, systems, credited)),
    )
