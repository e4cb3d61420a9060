"""The checks of a gold annotation: pure functions from a benchmark to what is suspicious in it, and its statistics.

Two slots *share a resolution* if some choice of their optional groups makes them the same words. It is decided by
walking both slots together, never by listing the choices, of which there are 2 to the power of the groups.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal

from data import benchie, slots
from data.model import Benchmark, Cluster, Formulation, Sentence, Slot
from data.problems import Problem
from data.textfile import numbered_lines

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
    slots.GLUED: "a bracket touches a word and is split from it",
    slots.STRAY: "a bracket has no partner and is dropped",
    slots.EMPTY: "brackets hold no word and are dropped",
    benchie.HEADER_SPACE: "a cluster header is not written 'ID--> Cluster N:'",
    benchie.HEADER_NUMBER: "two clusters of a sentence have one number; the second is renamed",
    benchie.HEADER_SENTENCE: "a cluster header names another sentence than the one it stands in",
    benchie.HEADLESS: "they are read as a cluster of their own",
    benchie.FOUR_SLOTS: "the slots after the second are joined",
    benchie.BLANK_SLOT: "a slot has no word and is read as empty",
    benchie.STRAY_LINE: "a line is no formulation and is left out",
}


@dataclass(frozen=True)
class _Walk:
    """Words in order, and where an optional group may be jumped over: from its first word to after its last."""

    words: tuple[str, ...]
    jumps: dict[int, int]

    @classmethod
    def of(cls, *parts: Slot) -> _Walk:
        words: list[str] = []
        jumps = {}
        for group in (group for part in parts for group in part.groups):
            if group.optional:
                jumps[len(words)] = len(words) + len(group.words)
            words.extend(group.words)
        return cls(tuple(words), jumps)

    def reach(self, places: Iterable[int]) -> frozenset[int]:
        """The places that can be reached from these without taking a word."""
        found = set(places)
        todo = list(found)
        while todo:
            place = self.jumps.get(todo.pop())
            if place is not None and place not in found:
                found.add(place)
                todo.append(place)
        return frozenset(found)

    def take(self, places: Iterable[int], word: str) -> frozenset[int]:
        """The places after this word has been taken from one of these."""
        return self.reach(p + 1 for p in places if p < len(self.words) and self.words[p] == word)


def _meet(first: _Walk, second: _Walk) -> bool:
    seen: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    ends = (len(first.words), len(second.words))
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        if here == ends:
            return True
        i, j = here
        if i in first.jumps:
            todo.append((first.jumps[i], j))
        if j in second.jumps:
            todo.append((i, second.jumps[j]))
        if i < ends[0] and j < ends[1] and first.words[i] == second.words[j]:
            todo.append((i + 1, j + 1))
    return False


def _within(special: _Walk, general: _Walk) -> bool:
    seen: set[tuple[int, frozenset[int]]] = set()
    todo = [(0, general.reach([0]))]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        place, places = here
        if place in special.jumps:
            todo.append((special.jumps[place], places))
        if place == len(special.words):
            if len(general.words) not in places:
                return False
        elif after := general.take(places, special.words[place]):
            todo.append((place + 1, after))
        else:
            return False
    return True


def share_resolution(first: Slot, second: Slot) -> bool:
    """Whether some choice of optional groups makes the two slots the same words.

    >>> from data.slots import parse_slot
    >>> share_resolution(parse_slot("[the] old port")[0], parse_slot("the [old] [new] port")[0])
    True
    >>> share_resolution(parse_slot("[the] old port")[0], parse_slot("a [old] port")[0])
    False
    """
    return _meet(_Walk.of(first), _Walk.of(second))


def is_within(special: Slot, general: Slot) -> bool:
    """Whether every resolution of the first slot is one of the second.

    >>> from data.slots import parse_slot
    >>> is_within(parse_slot("the port")[0], parse_slot("[the] [old] port")[0])
    True
    """
    return _within(_Walk.of(special), _Walk.of(general))


class View:
    """A formulation prepared for comparison."""

    def __init__(self, formulation: Formulation) -> None:
        self.formulation = formulation
        self.required = tuple(word for slot in formulation.slots for word in slot.required)
        self.words = tuple(word for slot in formulation.slots for word in slot.words)
        self.required_set, self.word_set = frozenset(self.required), frozenset(self.words)

    @cached_property
    def walks(self) -> tuple[_Walk, ...]:
        """The slots, one by one."""
        return tuple(_Walk.of(slot) for slot in self.formulation.slots)

    @cached_property
    def joined(self) -> _Walk:
        """The slots as one."""
        return _Walk.of(*self.formulation.slots)

    @cached_property
    def bag(self) -> frozenset[str]:
        """All words in lower case, without those that are punctuation."""
        return _bag(self.words)

    @cached_property
    def required_bag(self) -> frozenset[str]:
        """The required words in lower case, without those that are punctuation."""
        return _bag(self.required)

    def may_meet(self, other: View) -> bool:
        """Whether the words allow a shared resolution at all, which is quick to say."""
        return self.required_set <= other.word_set and other.required_set <= self.word_set


def _bag(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for word in words if _WORD.search(word))


Test = Callable[[View, View], bool]
Clusters = Sequence[tuple[Cluster, Sequence[View]]]


def same_slots(first: View, second: View) -> bool:
    """Each slot shares a resolution with its counterpart."""
    return first.may_meet(second) and all(map(_meet, first.walks, second.walks))


def same_joined(first: View, second: View) -> bool:
    """The words share a resolution, however they fall into slots."""
    return first.may_meet(second) and _meet(first.joined, second.joined)


def same_required(first: View, second: View) -> bool:
    """The words are the same once optional ones are dropped, however they fall into slots."""
    return first.required == second.required


def other_argument(first: View, second: View) -> bool:
    """First argument and relation share a resolution each, and the second arguments share none."""
    (a, b, c), (d, e, f) = first.walks, second.walks
    return _meet(a, d) and _meet(b, e) and not _meet(c, f)


def disjoint_argument(first: View, second: View) -> bool:
    """As `other_argument`, and the second arguments have no required word in common."""
    one, two = (_bag(view.formulation.arg2.required) for view in (first, second))
    return not one & two and other_argument(first, second)


def included(first: View, second: View) -> bool:
    """The required words of one are all among the words of the other."""
    return first.required_bag <= second.bag or second.required_bag <= first.bag


FUNCTION_WORDS = frozenset(
    _WORD.findall(
        "the a an of in on at to for and or by with from is was are were be been has had have that as its his her "
        "their it he she they this"
    )
)


def content_included(first: View, second: View) -> bool:
    """As `included`, with function words left out."""
    one, two = first.required_bag - FUNCTION_WORDS, second.required_bag - FUNCTION_WORDS
    return one <= second.bag or two <= first.bag


def views(sentence: Sentence) -> Clusters:
    """The sentence's clusters with their formulations prepared for comparison."""
    return [(cluster, [View(formulation) for formulation in cluster.formulations]) for cluster in sentence.clusters]


def _pair(first: View, second: View) -> str:
    one, two = str(first.formulation), str(second.formulation)
    return one if one == two else f"{one}  |  {two}"


def clusters_in_common(sentence: Sentence, clusters: Clusters, same: Test) -> Iterator[Hit]:
    """The pairs of clusters that have a formulation in common, in the sense of a test."""
    for (first, ones), (second, twos) in combinations(clusters, 2):
        found = next(((one, two) for one in ones for two in twos if same(one, two)), None)
        if found:
            yield Hit(sentence.id, (first.id, second.id), _pair(*found))


def clusters_of_two_meanings(sentence: Sentence, clusters: Clusters, differ: Test) -> Iterator[Hit]:
    """The clusters that have two formulations with different second arguments, in the sense of a test."""
    for cluster, formulations in clusters:
        found = next((pair for pair in combinations(formulations, 2) if differ(*pair)), None)
        if found:
            yield Hit(sentence.id, (cluster.id,), _pair(*found))


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
        any(one.word_set <= two.word_set and all(map(_within, one.walks, two.walks)) for two in others)
        for one in formulations
    )


def _unseen(sentence: Sentence) -> Iterator[Hit]:
    known = set(_WORD.findall(sentence.text.lower()))
    for cluster in sentence.clusters:
        found: dict[str, Formulation] = {}
        for formulation in cluster.formulations:
            text = " ".join(word for slot in formulation.slots for word in slot.words)
            for word in _WORD.findall(text.lower()):
                if word not in known:
                    found.setdefault(word, formulation)
        if found:
            yield Hit(sentence.id, (cluster.id,), f"{', '.join(found)}: {next(iter(found.values()))}")


def pair_sentences(benchmark: Benchmark, other: Benchmark) -> dict[str, Sentence]:
    """The other benchmark's sentence for each sentence id that has one: the one of the same text, else of the id."""
    by_text = {sentence.text: sentence for sentence in other}
    found = ((sentence.id, by_text.get(sentence.text) or other.by_id.get(sentence.id)) for sentence in benchmark)
    return {sentence_id: sentence for sentence_id, sentence in found if sentence}


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
    found: dict[Check, list[Hit]] = {c: [] for c in (DOUBLE, JOINED, MEANING)}
    if against is not None:
        found[MISSING] = []
    found.update({c: [] for c in (DUPLICATE, SUBSUMED, NO_CLUSTER, EMPTY_CLUSTER)})
    pairs = pair_sentences(benchmark, against) if against is not None else {}
    for sentence in benchmark:
        clusters = views(sentence)
        found[DOUBLE].extend(clusters_in_common(sentence, clusters, same_slots))
        found[JOINED].extend(clusters_in_common(sentence, clusters, same_joined))
        found[MEANING].extend(clusters_of_two_meanings(sentence, clusters, other_argument))
        found[DUPLICATE].extend(_duplicates(sentence))
        found[SUBSUMED].extend(_subsumed(sentence, clusters))
        if sentence.id in pairs:
            found[MISSING].extend(clusters_missing(sentence, clusters, views(pairs[sentence.id]), included))
        if not clusters:
            found[NO_CLUSTER].append(Hit(sentence.id, (), sentence.text))
        found[EMPTY_CLUSTER].extend(Hit(sentence.id, (c.id,), "") for c, formulations in clusters if not formulations)
    findings = [Finding(c, tuple(hits)) for c, hits in found.items()]
    findings += reader_findings(problems, text, str(benchmark.source.path) if benchmark.source else "")
    findings.append(Finding(UNSEEN, tuple(hit for sentence in benchmark for hit in _unseen(sentence))))
    return tuple(findings)


def reader_findings(problems: Iterable[Problem], text: str = "", path: str = "") -> list[Finding]:
    """The readers' warnings by kind; those of the gold file are laid to the sentence and the cluster header before."""
    found: dict[str, list[Hit]] = {kind: [] for kind in READER_MEANINGS}
    lines = dict(numbered_lines(text))
    starts: list[tuple[int, str, tuple[str, ...]]] = []
    for number, line in lines.items():
        if line.startswith(benchie.SENTENCE_PREFIX):
            starts.append((number, line.removeprefix(benchie.SENTENCE_PREFIX).partition("\t")[0].strip(), ()))
        elif starts and (header := benchie.HEADER.fullmatch(line.strip())):
            starts.append((number, starts[-1][1], (header["number"],)))
    for problem in problems:
        if problem.kind in (benchie.NO_CLUSTER, benchie.EMPTY_CLUSTER):
            continue  # found in the benchmark itself
        if problem.path != path or problem.line not in lines:
            found.setdefault(problem.kind, []).append(Hit("", (), str(problem)))
            continue
        place = bisect_right(starts, problem.line, key=lambda start: start[0]) - 1
        _, sentence_id, clusters = starts[place] if place >= 0 else (0, "", ())
        shown = f"{lines[problem.line].strip()}  ({problem.message})"
        found.setdefault(problem.kind, []).append(Hit(sentence_id, clusters, shown, problem.line))
    return [
        Finding(Check(kind, "warning", READER_MEANINGS.get(kind, "reported by the reader")), tuple(hits))
        for kind, hits in found.items()
    ]


@dataclass(frozen=True)
class Statistics:
    """What the paper's Table 5 has of an annotation, and some more; a mean over nothing is None.

    Lengths are in words and count optional ones; those called `required` do not.
    """

    sentences: int
    clusters: int
    formulations: int
    optional_groups: int
    clusters_per_sentence: float | None
    formulations_per_cluster: float | None
    formulation_length: float | None
    relation_length: float | None
    required_formulation_length: float | None
    required_relation_length: float | None


def statistics(benchmark: Benchmark) -> Statistics:
    """Count sentences, clusters and formulations, and their mean sizes."""
    clusters = [cluster for sentence in benchmark for cluster in sentence.clusters]
    formulations = [formulation for cluster in clusters for formulation in cluster.formulations]
    return Statistics(
        len(benchmark.sentences),
        len(clusters),
        len(formulations),
        sum(group.optional for f in formulations for slot in f.slots for group in slot.groups),
        _mean([len(sentence.clusters) for sentence in benchmark]),
        _mean([len(cluster.formulations) for cluster in clusters]),
        _mean([sum(len(slot.words) for slot in f.slots) for f in formulations]),
        _mean([len(f.relation.words) for f in formulations]),
        _mean([sum(len(slot.required) for slot in f.slots) for f in formulations]),
        _mean([len(f.relation.required) for f in formulations]),
    )


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None
