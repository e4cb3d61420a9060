"""From the studio's state to what the commands read: gold and judgments, in all formats that go out.

A judgment says what an extraction states. What is exported is the assignment that BenchIE^FL_match has: a cluster
credits one extraction of a system, the closest, and a repeat gets none; what was stated stands beside it.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from data.formats.extractions import extraction_fields
from data.formats.json_records import dump_lines
from data.formats.judgments import joined
from data.formats.registry import FORMATS, GoldFormat
from data.model import Benchmark, Extraction, Judgment, Sentence, System
from data.problems import Diagnostics, InputError
from matchers.assignment import assign
from matchers.matches import Candidate, Reason
from matchers.rules.matcher import RuleMatcher
from training.studio.actions import REMOVED, clusters_json
from training.studio.judging import outcome
from training.studio.state import Case, State, case_id

GOLD_FORMATS = ("benchie", "annie-json", "annie-text")
STUDIO_LINES = "studio-jsonl"


@dataclass(frozen=True)
class Credited:
    """A judgment as it is exported: the clusters that are credited, those that were stated, and who said so."""

    judgment: Judgment
    stated: tuple[str, ...]
    by: tuple[str, ...]
    settled_by: str


def gold(state: State, name: str, language: str) -> Benchmark:
    """The sentences that were not removed, with their clusters."""
    sentences = tuple(draft.sentence for draft in state.drafts.values() if draft.now.status != REMOVED)
    return Benchmark(name, sentences, language=language)


def gold_file(benchmark: Benchmark, name: str) -> bytes:
    """The gold as a file of one of the formats."""
    found = FORMATS.get(name)
    if not isinstance(found, GoldFormat) or found.write is None or name not in GOLD_FORMATS:
        raise InputError(f"no gold goes out as {name!r}; the formats are {', '.join((*GOLD_FORMATS, STUDIO_LINES))}")
    if not benchmark.sentences:
        raise InputError("there are no sentences yet")
    with tempfile.TemporaryDirectory(prefix="factmatch-") as folder:
        path = Path(folder) / f"gold{found.suffix}"
        found.write(benchmark, path, Diagnostics(), "utf-8")
        return path.read_bytes()


def studio_lines(state: State) -> bytes:
    """The sentences as JSON Lines, with notes and status, which no other format has."""
    lines = [
        {
            "sentence_id": draft.id,
            "text": draft.text,
            "status": draft.now.status,
            "note": draft.now.note,
            "facts": [{"id": id_, "formulations": texts} for id_, texts in clusters_json(draft.now.clusters)],
        }
        for draft in state.drafts.values()
    ]
    return dump_lines(lines).encode()


def credited(
    state: State, systems: Sequence[System], seen: Callable[[str], bool] = lambda _case: True
) -> list[Credited]:
    """What is settled or agreed on, for each system that made the extraction, in the order of the sentences.

    `seen` says which cases the reader may see.
    """
    rules = RuleMatcher()
    found: list[Credited] = []
    for draft in state.drafts.values():
        if draft.now.status == REMOVED or not draft.now.clusters:
            continue
        sentence = draft.sentence
        for system in systems:
            cases: dict[str, tuple[Case, tuple[str, ...]]] = {}
            for extraction in system.by_sentence.get(sentence.id, ()):
                case = state.cases.get(case_id(extraction))
                stated = outcome(case, draft) if case else None
                if case is not None and stated is not None and seen(case_id(extraction)):
                    cases[case_id(extraction)] = (case, stated)
            if cases:
                found.extend(_of_system(sentence, system.name, list(cases.values()), rules))
    return found


def _of_system(
    sentence: Sentence, system: str, cases: Sequence[tuple[Case, tuple[str, ...]]], rules: RuleMatcher
) -> list[Credited]:
    extractions = [case.extraction for case, _ in cases]
    assigned = _assigned(sentence, extractions, [stated for _, stated in cases], rules)
    return [
        Credited(
            Judgment(system, case.extraction, assigned.get(index, ())),
            stated,
            tuple(sorted(case.opinions)),
            case.settled_by if case.settled else "",
        )
        for index, (case, stated) in enumerate(cases)
    ]


def _assigned(
    sentence: Sentence, extractions: Sequence[Extraction], stated: Sequence[tuple[str, ...]], rules: RuleMatcher
) -> dict[int, tuple[str, ...]]:
    """Which of the stated clusters each extraction is credited with."""
    place = {cluster.id: number for number, cluster in enumerate(sentence.clusters)}
    close = {(c.extraction, c.cluster): c for c in rules.candidates(sentence, extractions)}
    candidates = []
    for index, clusters in enumerate(stated):
        rules_say = [rule for cluster in clusters if (rule := close.get((index, place[cluster])))]
        exact, score = any(rule.exact for rule in rules_say), max((rule.score for rule in rules_say), default=0.0)
        for cluster in clusters:  # who names two clusters says that both are stated equally
            candidates.append(Candidate(index, place[cluster], score, exact, Reason("judged", formulation=str(index))))
    found: dict[int, tuple[str, ...]] = {}
    for candidate in assign(candidates, extractions):
        found[candidate.extraction] = (*found.get(candidate.extraction, ()), sentence.clusters[candidate.cluster].id)
    return found


def judgment_lines(found: Sequence[Credited]) -> bytes:
    """Judgments as our JSON Lines, with who judged."""
    lines = [
        {
            "system": one.judgment.system,
            **extraction_fields(one.judgment.extraction),
            "clusters": list(one.judgment.clusters),
            "stated": list(one.stated),
            "by": list(one.by),
            **({"settled_by": one.settled_by} if one.settled_by else {}),
        }
        for one in found
    ]
    return dump_lines(lines).encode()


def match_csv(benchmark: Benchmark, found: Sequence[Credited]) -> bytes:
    """Judgments as BenchIE^FL_match's CSV; its five columns have no room for who judged."""
    index = {sentence.id: number for number, sentence in enumerate(benchmark.sentences)}
    rows = [_row(index, one.judgment.system, one.judgment.extraction, one.judgment.clusters) for one in found]
    return _csv(["", "extraction", "", "system", ""], rows)


def opinions_csv(benchmark: Benchmark, state: State, systems: Sequence[System]) -> bytes:
    """Every opinion of every person: the CSV's columns, and then who, when, at first, how sure and why."""
    index = {sentence.id: number for number, sentence in enumerate(benchmark.sentences)}
    made: dict[str, list[str]] = {}
    for system in systems:
        for extraction in system.extractions:
            made.setdefault(case_id(extraction), []).append(system.name)
    rows = []
    for key, case in state.cases.items():
        if case.extraction.sentence_id not in index:
            continue
        for opinion in case.opinions.values():
            first, last = opinion.first, opinion.last
            row = _row(index, " ".join(dict.fromkeys(made.get(key, []))), case.extraction, last.clusters)
            more = [opinion.person, opinion.at, ".".join(first.clusters) or "0", str(int(last.unsure))]
            rows.append([*row, *more, last.principle, _no_formula(last.reason)])
    head = ["", "extraction", "cluster", "systems", "match", "person", "at", "first", "unsure", "principle", "reason"]
    return _csv(head, rows)


def _no_formula(text: str) -> str:
    """Text that a spreadsheet shows and does not calculate.

    >>> _no_formula('=HYPERLINK("http://evil.example")')[:3], _no_formula("a stray word")
    ("'=H", 'a stray word')
    """
    return f"'{text}" if text.lstrip()[:1] in ("=", "+", "-", "@") and text.strip() else text


def _row(index: Mapping[str, int], system: str, extraction: Extraction, clusters: Sequence[str]) -> list[str]:
    return [
        str(index[extraction.sentence_id]), joined(extraction), ".".join(clusters) or "0", system,
        str(int(bool(clusters))),
    ]  # fmt: skip


def _csv(head: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue().encode()
