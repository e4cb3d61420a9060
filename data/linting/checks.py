"""The checks of a gold annotation: pure functions from a benchmark to what is suspicious in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from data import brackets
from data.formats import benchie
from data.formats.textfile import numbered_lines
from data.linting.optional_words import within
from data.linting.same_fact import (
    Clusters,
    Test,
    View,
    included,
    other_argument,
    pairs_to_compare,
    same_joined,
    same_slots,
    views,
)
from data.model import Benchmark, Formulation, Sentence
from data.problems import Problem
from data.text import sentence_key

Level = Literal["warning", "info"]
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Check:
    """What is looked for; a hit of the level `info` need not be a mistake."""

    name: str
    level: Level
    meaning: str


@dataclass(frozen=True)
class Hit:
    """One place that a check found; `line` is that of the gold file where the reader found it, else 0."""

    sentence_id: str
    clusters: tuple[str, ...]
    text: str
    line: int = 0


@dataclass(frozen=True)
class Finding:
    """A check with all its hits, in file order."""

    check: Check
    hits: tuple[Hit, ...]

    @property
    def sentences(self) -> int:
        """How many sentences have at least one hit, which is what the paper's Table 18 counts."""
        return len({hit.sentence_id for hit in self.hits if hit.sentence_id})


DOUBLE = Check("double annotation", "warning", "two clusters have a formulation in common, up to optional words")
JOINED = Check("double annotation, joined", "info", "the same where it does not matter how words fall into slots")
MEANING = Check("double meaning", "info", "one first argument and relation, two second arguments, in one cluster")
MISSING = Check("missing facts", "info", "clusters that the other annotation does not have")
DUPLICATE = Check("duplicate formulation", "warning", "a formulation is repeated in its cluster")
SUBSUMED = Check("subsumed cluster", "warning", "another cluster has all formulations of this one")
UNSEEN = Check("words not in the sentence", "info", "perhaps inferred; case and punctuation are ignored")
NO_CLUSTER = Check(benchie.NO_CLUSTER, "warning", "nothing is annotated")
EMPTY_CLUSTER = Check(benchie.EMPTY_CLUSTER, "warning", "a header is followed by no formulation")
READER_MEANINGS = {
    brackets.GLUED: "a bracket touches a word and is split from it",
    brackets.STRAY: "a bracket has no partner and is dropped",
    brackets.EMPTY: "brackets hold no word and are dropped",
    benchie.HEADER_SPACE: "a cluster header is not written 'ID--> Cluster N:'",
    benchie.HEADER_NUMBER: "two clusters of a sentence have one number; the second is renamed",
    benchie.HEADER_SENTENCE: "a cluster header names another sentence than the one it stands in",
    benchie.HEADLESS: "they are read as a cluster of their own",
    benchie.FOUR_SLOTS: "the slots after the second are joined",
    benchie.BLANK_SLOT: "a slot has no word and is read as empty",
    benchie.STRAY_LINE: "a line is no formulation and is left out",
}


def _pair(first: View, second: View) -> str:
    one, two = str(first.formulation), str(second.formulation)
    return one if one == two else f"{one}  |  {two}"


def clusters_in_common(sentence: Sentence, clusters: Clusters, same: Test) -> Iterator[Hit]:
    """The pairs of clusters that have a formulation in common, in the sense of a test."""
    for one_place, other_place in pairs_to_compare(clusters):
        (first, ones), (second, twos) = clusters[one_place], clusters[other_place]
        pair = next(((one, two) for one in ones for two in twos if same(one, two)), None)
        if pair:
            yield Hit(sentence.id, (first.id, second.id), _pair(*pair))


def clusters_of_two_meanings(sentence: Sentence, clusters: Clusters, differ: Test) -> Iterator[Hit]:
    """The clusters that have two formulations with different second arguments, in the sense of a test."""
    for cluster, formulations in clusters:
        wordings = {view.formulation: view for view in formulations}.values()  # equal ones have one meaning
        pair = next((pair for pair in combinations(wordings, 2) if differ(*pair)), None)
        if pair:
            yield Hit(sentence.id, (cluster.id,), _pair(*pair))


def clusters_missing(sentence: Sentence, clusters: Clusters, others: Clusters, same: Test) -> Iterator[Hit]:
    """The clusters none of whose formulations appears among the others', in the sense of a test."""
    theirs = [view for _, formulations in others for view in formulations]
    for cluster, formulations in clusters:
        if formulations and not any(same(one, two) for one in formulations for two in theirs):
            yield Hit(sentence.id, (cluster.id,), str(formulations[0].formulation))


def _duplicates(sentence: Sentence) -> Iterator[Hit]:
    for cluster in sentence.clusters:
        seen: set[Formulation] = set()
        for formulation in cluster.formulations:
            if formulation in seen:
                yield Hit(sentence.id, (cluster.id,), str(formulation))
            seen.add(formulation)


def _subsumed(sentence: Sentence, clusters: Clusters) -> Iterator[Hit]:
    for index, (cluster, formulations) in enumerate(clusters):
        for place, (other, others) in enumerate(clusters):
            if place == index or not formulations or not _all_within(formulations, others):
                continue
            if place > index and _all_within(others, formulations):
                continue  # equal clusters: the later one is reported
            yield Hit(sentence.id, (cluster.id, other.id), str(formulations[0].formulation))
            break


def _all_within(formulations: Sequence[View], others: Sequence[View]) -> bool:
    return all(
        any(one.word_set <= two.word_set and all(map(within, one.walks, two.walks)) for two in others)
        for one in formulations
    )


def _unseen(sentence: Sentence) -> Iterator[Hit]:
    known = set(_WORD.findall(sentence.text.lower()))
    for cluster in sentence.clusters:
        unseen: dict[str, Formulation] = {}
        for formulation in cluster.formulations:
            text = " ".join(word for slot in formulation.slots for word in slot.words)
            for word in _WORD.findall(text.lower()):
                if word not in known:
                    unseen.setdefault(word, formulation)
        if unseen:
            yield Hit(sentence.id, (cluster.id,), f"{', '.join(unseen)}: {next(iter(unseen.values()))}")


def pair_sentences(benchmark: Benchmark, other: Benchmark) -> dict[str, Sentence]:
    """The other benchmark's sentence for each sentence id that has one: the one of the same text, else of the id."""
    by_text = {sentence_key(sentence.text): sentence for sentence in other}
    pairs = ((s.id, by_text.get(sentence_key(s.text)) or other.by_id.get(s.id)) for s in benchmark)
    return {sentence_id: counterpart for sentence_id, counterpart in pairs if counterpart}


def check(
    benchmark: Benchmark,
    problems: Iterable[Problem] = (),
    text: str = "",
    against: Benchmark | None = None,
) -> tuple[Finding, ...]:
    """All checks with their hits.

    `problems` are the warnings of the reader and `text` the gold file's, which tells the sentences they are in;
    `against` is another annotation of the same sentences. A cluster is missing there if it is not `included`.
    """
    hits: dict[Check, list[Hit]] = {c: [] for c in (DOUBLE, JOINED, MEANING)}
    if against is not None:
        hits[MISSING] = []
    hits.update({c: [] for c in (DUPLICATE, SUBSUMED, NO_CLUSTER, EMPTY_CLUSTER)})
    pairs = pair_sentences(benchmark, against) if against is not None else {}
    for sentence in benchmark:
        clusters = views(sentence)
        hits[DOUBLE].extend(clusters_in_common(sentence, clusters, same_slots))
        hits[JOINED].extend(clusters_in_common(sentence, clusters, same_joined))
        hits[MEANING].extend(clusters_of_two_meanings(sentence, clusters, other_argument))
        hits[DUPLICATE].extend(_duplicates(sentence))
        hits[SUBSUMED].extend(_subsumed(sentence, clusters))
        if sentence.id in pairs:
            hits[MISSING].extend(clusters_missing(sentence, clusters, views(pairs[sentence.id]), included))
        if not clusters:
            hits[NO_CLUSTER].append(Hit(sentence.id, (), sentence.text))
        hits[EMPTY_CLUSTER].extend(Hit(sentence.id, (c.id,), "") for c, formulations in clusters if not formulations)
    findings = [Finding(c, tuple(listed)) for c, listed in hits.items()]
    findings += reader_findings(problems, text, str(benchmark.source.path) if benchmark.source else "")
    findings.append(Finding(UNSEEN, tuple(hit for sentence in benchmark for hit in _unseen(sentence))))
    return tuple(findings)


def reader_findings(problems: Iterable[Problem], text: str = "", path: str = "") -> list[Finding]:
    """The readers' warnings by kind; those of the gold file are laid to the sentence and the cluster header before."""
    hits: dict[str, list[Hit]] = {kind: [] for kind in READER_MEANINGS}
    lines = dict(numbered_lines(text))
    starts: list[tuple[int, str, tuple[str, ...]]] = []
    for number, line in lines.items():
        if line.startswith(benchie.SENTENCE_PREFIX):
            starts.append((number, line.removeprefix(benchie.SENTENCE_PREFIX).partition("\t")[0].strip(), ()))
        elif starts and (header := benchie.cluster_header(line)):
            starts.append((number, starts[-1][1], (header.number,)))
    for problem in problems:
        if problem.kind in (benchie.NO_CLUSTER, benchie.EMPTY_CLUSTER):
            continue  # found in the benchmark itself
        if problem.path != path or problem.line not in lines:
            hits.setdefault(problem.kind, []).append(Hit("", (), str(problem)))
            continue
        place = bisect_right(starts, problem.line, key=lambda start: start[0]) - 1
        _, sentence_id, clusters = starts[place] if place >= 0 else (0, "", ())
        shown = f"{lines[problem.line].strip()}  ({problem.message})"
        hits.setdefault(problem.kind, []).append(Hit(sentence_id, clusters, shown, problem.line))
    return [
        Finding(Check(kind, "warning", READER_MEANINGS.get(kind, "reported by the reader")), tuple(listed))
        for kind, listed in hits.items()
    ]
