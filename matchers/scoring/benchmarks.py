"""Every benchmark that is found, side by side: the systems' scores on each, and where they rank systems differently.

A system's own output is given by sentence texts or ids, and counts on every benchmark that has its sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from data.catalog import find, load
from data.command_line import table
from data.model import System
from data.problems import Diagnostics, InputError
from data.sentence_lookup import placed
from matchers.scoring.boards import WAYS, Board, Way, board_of, one_name, systems_of
from matchers.scoring.rankings import Agreement, Disagreement, agreements, disagreements, ranks_of
from matchers.scoring.results import UNDEFINED, bounds_json, bounds_text
from matchers.scoring.shapes import BenchmarksJson, BoardJson, BoardSystemJson
from matchers.scoring.significance import LEVEL, no_intervals

UNPLACED = "extractions of other sentences"
_MARKS = [
    f"  (~: not significantly above in F1 on that benchmark, p >= {LEVEL}; *: both sides are significant somewhere)"
]


@dataclass(frozen=True)
class SideBySide:
    """The benchmarks that were found, and the names of those that were not; printed, a table.

    `published` says that systems are scored by the outputs that come with each benchmark.
    """

    boards: tuple[Board, ...]
    missing: tuple[str, ...] = ()
    published: bool = True

    @cached_property
    def systems(self) -> list[str]:
        """The systems by how many benchmarks know them, then by name."""
        return systems_of(self.boards)

    @cached_property
    def _ranked(self) -> tuple[list[Disagreement], int]:
        return disagreements(self.boards)

    @property
    def disagreements(self) -> list[Disagreement]:
        """The pairs of systems that are ranked differently."""
        return self._ranked[0]

    @property
    def compared(self) -> int:
        """How many pairs of systems at least two benchmarks rank."""
        return self._ranked[1]

    @cached_property
    def agreements(self) -> list[Agreement]:
        """How far each two benchmarks agree."""
        return agreements(self.boards)

    @property
    def notes(self) -> list[str]:
        """What to know before two columns are compared."""
        lines = [
            f"{name} names {count} of the {board.sentences} sentences of {board.name}; "
            "the others count as without extractions"
            for board in self.boards
            for name, count in board.named.items()
            if count < board.sentences
        ]
        lines += [
            f"{board.name} has {no_intervals(board.sentences)}"
            for board in self.boards
            if any(system.interval is None for system in board.scores.systems)
        ]
        if self.missing:
            lines.append(f"not found: {', '.join(self.missing)}")
        if self.published:
            said = "A system's published outputs differ between benchmarks: BenchIE's have no implicit extractions."
            lines.append(said)
        return lines

    def __str__(self) -> str:
        return as_table(self)

    def to_json(self) -> BenchmarksJson:
        """The benchmarks as JSON."""
        return {
            "benchmarks": [_board_json(board) for board in self.boards],
            "not_found": list(self.missing),
            "pairs_compared": self.compared,
            "disagreements": [pair.to_json() for pair in self.disagreements],
            "agreements": [two.to_json() for two in self.agreements],
        }


def _board_json(board: Board) -> BoardJson:
    return {
        "name": board.name,
        "matcher": board.way.matcher,
        "signature": board.scores.signature,
        "sentences": board.sentences,
        "systems": [_system_json(board, name, rank) for name, rank in ranks_of(board).items()],
    }


def _system_json(board: Board, name: str, rank: int) -> BoardSystemJson:
    system = board.scores[name]
    own: BoardSystemJson = {
        "name": name,
        "rank": rank,
        "precision": system.precision,
        "recall": system.recall,
        "f1": system.f1,
        "f1_interval": bounds_json(system.interval),
    }
    return {**own, "sentences_named": board.named[name]} if name in board.named else own


def evaluate_all(
    data: Path | None,
    given: Sequence[System],
    beside: bool,
    resamples: int,
    seed: int,
    diagnostics: Diagnostics,
) -> SideBySide:
    """The benchmarks that are found, scored, with given systems in place of those of the benchmarks or beside them."""
    ways = [way for way in WAYS if find(way.dataset, data)]
    if not ways:
        names = ", ".join(way.dataset for way in WAYS)
        raise InputError(f"none of {names} was found; get them with `python -m data.fetch`, or name their folder")
    boards = []
    unplaced = {system.name: set(system.extractions) for system in given}
    for way in ways:
        benchmark = one_name(load(way.dataset, data, diagnostics))
        own = () if given and not beside else benchmark.systems
        named: dict[str, int] = {}
        added = []
        for system in given:
            if any(system.name == other.name for other in own):
                raise InputError(f"two systems are called {system.name!r}; give --system another name")
            place = placed(system, benchmark)
            unplaced[system.name] -= set(place.originals)
            if place.sentences:
                named[system.name] = place.sentences
                added.append(place.system)
        boards.append(board_of(way, replace(benchmark, systems=(*own, *added)), named, data, resamples, seed))
    for system in given:
        _check_placed(system, len(unplaced[system.name]), ways, diagnostics)
    missing = tuple(way.dataset for way in WAYS if way not in ways)
    return SideBySide(tuple(boards), missing, not given or beside)


def _check_placed(system: System, lost: int, ways: Sequence[Way], diagnostics: Diagnostics) -> None:
    """Say how many extractions no benchmark has a place for; an error if that is all of them."""
    if lost == len(set(system.extractions)):
        names = ", ".join(way.dataset for way in ways)
        raise InputError(f"no line of the system {system.name!r} begins with a text or id of a sentence of {names}")
    if lost:
        message = f"{system.name}: {lost} extractions are of sentences that no benchmark here has; left out"
        diagnostics.warn(UNPLACED, message)


def as_table(result: SideBySide) -> str:
    """The F1 of each system on each benchmark, and where they disagree."""
    rows = [["F1 [95 %]", *(f"{board.name} ({board.way.matcher})" for board in result.boards)]]
    for name in result.systems:
        rows.append([name, *(_cell(board, name) for board in result.boards)])
    missing = any(UNDEFINED in row for row in rows)
    different = result.disagreements
    sure = sum(pair.significant for pair in different)
    counts = f"{len(different)} of {result.compared} pairs of systems are ranked differently, {sure} of them"
    return "\n".join(
        [
            table(rows),
            "",
            *result.notes,
            *([f"{UNDEFINED} no output of this system on that benchmark"] if missing else []),
            "",
            f"{counts} significantly (*):",
            *([_line(pair) for pair in different] or ["  none"]),
            *(_MARKS if different else []),
            "",
            *(f"{board.name}  {board.scores.signature}" for board in result.boards),
        ]
    )


def _cell(board: Board, name: str) -> str:
    if name not in board.scores.names:
        return UNDEFINED
    system = board.scores[name]
    return f"{system.f1:.3f} {bounds_text(system.interval, 2) if system.interval else ''}".rstrip()


def _line(pair: Disagreement) -> str:
    def side(names: Sequence[str]) -> str:
        return ", ".join(f"{name}{'' if pair.orders[name].sure else '~'}" for name in names)

    first, second, mark = pair.first, pair.second, "*" if pair.significant else " "
    above, below = side(pair.first_above), side(pair.second_above)
    return f" {mark}{first} above {second}: {above}; {second} above {first}: {below}"
