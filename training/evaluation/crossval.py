"""Cross-validation: each part is matched by a matcher that was trained without its sentence (or system).

Finished folds can be kept in a file, so that an interrupted run goes on where it stopped and gives the same result.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from data.command_line import progress
from data.formats.textfile import read_bytes, write_text
from data.problems import InputError
from matchers.interface import Assignment, Candidate, Match, Matcher, Reason
from training.labels.folds import Fold, folds
from training.labels.judged_parts import Judged, assign_all
from training.labels.protocols import Protocol

PairScores = list[tuple[int, int, float]]
Train = Callable[[Sequence[int]], Matcher]  # the matcher of the judged parts at these positions


@dataclass(frozen=True)
class OutOfFold:
    """What matchers said of parts that they were not trained on: assignments, and each candidate pair's score."""

    protocol: str
    assignments: list[Assignment]
    scores: list[PairScores] = field(default_factory=list)


class FoldStore:
    """The finished folds of one run in a file; `identity` says what the run is, and another one's file is refused."""

    def __init__(self, path: Path, identity: str, resume: bool) -> None:
        self.path, self.identity = path, identity
        self.done: dict[str, Any] = {}
        if resume and path.is_file():
            self.done = self._read()

    def _read(self) -> dict[str, Any]:
        try:
            value = json.loads(read_bytes(self.path))
            identity, done = value["identity"], dict(value["folds"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self._damaged() from None
        if identity != self.identity:
            message = "belongs to a run with another recipe, start, data set, protocol or seed; run without --resume"
            raise InputError(message, self.path)
        return done

    def _damaged(self) -> InputError:
        return InputError("is not a file of finished folds; run without --resume", self.path)

    def get(self, fold: Fold, work: Sequence[Judged]) -> list[tuple[Assignment, PairScores]] | None:
        """What a finished fold gave for its test parts, or None."""
        if fold.name not in self.done:
            return None
        try:
            parts = zip(fold.test, self.done[fold.name], strict=True)
            return [_assignment(work[position], value) for position, value in parts]
        except (ValueError, KeyError, TypeError, IndexError):
            raise self._damaged() from None

    def put(self, fold: Fold, said: Sequence[tuple[Assignment, PairScores]]) -> None:
        """Keep what a fold gave."""
        self.done[fold.name] = [_as_json(assignment, scores) for assignment, scores in said]
        write_text(self.path, json.dumps({"identity": self.identity, "folds": self.done}), make_folders=True)


def _as_json(assignment: Assignment, scores: PairScores) -> dict[str, Any]:
    return {
        "matches": [[m.index, m.cluster, m.score, asdict(m.reason)] for m in assignment.matches],
        "candidates": [[c.extraction, c.cluster, c.score, c.exact, asdict(c.reason)] for c in assignment.candidates],
        "scores": scores,
    }


def _assignment(part: Judged, value: dict[str, Any]) -> tuple[Assignment, PairScores]:
    matches = (
        Match(part.extractions[index], cluster, score, _reason(reason), index)
        for index, cluster, score, reason in value["matches"]
    )
    candidates = (Candidate(e, c, score, exact, _reason(reason)) for e, c, score, exact, reason in value["candidates"])
    scores = [(int(e), int(c), float(score)) for e, c, score in value["scores"]]
    return Assignment(part.sentence, part.extractions, tuple(matches), tuple(candidates)), scores


def _reason(value: dict[str, Any]) -> Reason:
    rewriting = value["rewriting"]
    pair = (rewriting[0], rewriting[1]) if rewriting else None
    return Reason(**{**value, "dropped": tuple(value["dropped"]), "rewriting": pair})


def trained_folds(
    work: Sequence[Judged], train: Train, protocol: Protocol, count: int, seed: int, quiet: bool = False
) -> Iterator[tuple[Fold, Matcher]]:
    """Each fold with the matcher that was trained without it, for who matches what was left out in several ways."""
    all_folds = folds(work, protocol, count, seed)
    for fold in progress(all_folds, "cross-validation", quiet, len(all_folds)):
        yield fold, train(fold.train)


def protocol_name(work: Sequence[Judged], protocol: Protocol, count: int, seed: int) -> str:
    """A protocol in words."""
    return f"{len(folds(work, protocol, count, seed))}-fold by sentence" if protocol == "sentence" else protocol


def cross_validate(
    work: Sequence[Judged],
    train: Train,
    protocol: Protocol,
    count: int,
    seed: int,
    quiet: bool = False,
    store: FoldStore | None = None,
) -> OutOfFold:
    """Train once a fold and match what was left out."""
    results: dict[int, tuple[Assignment, PairScores]] = {}
    all_folds = folds(work, protocol, count, seed)
    for fold in progress(all_folds, "cross-validation", quiet, len(all_folds)):
        said = store.get(fold, work) if store else None
        if said is None:
            matcher = train(fold.train)
            parts = [work[position] for position in fold.test]
            scores = [matcher.pair_scores(part.sentence, part.extractions) for part in parts]
            said = list(zip(assign_all(matcher, parts), scores, strict=True))
            if store:
                store.put(fold, said)
        results.update(zip(fold.test, said, strict=True))
    name = protocol_name(work, protocol, count, seed)
    ordered = [results[position] for position in range(len(work))]
    return OutOfFold(name, [assignment for assignment, _ in ordered], [scores for _, scores in ordered])
