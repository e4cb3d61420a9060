"""Every benchmark that is found, side by side: the systems' scores on each, and where they rank systems differently.

Each benchmark is scored as its authors do: BenchIE^FL by the rules, where a repeated fact is wrong; BenchIE by exact
match, where it is ignored; WiRe57 and CaRB by their own scorers. A system's own output is given by sentence texts or
ids, and counts on every benchmark that has its sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from data.by_text import placed
from data.model import Benchmark, System
from data.problems import Diagnostics, InputError
from matchers.scoring import Duplicates, Score

SIGNIFICANT = 0.05
ALIASES = {"m2oie_en": "m2oie"}  # one system under two names
UNPLACED = "extractions of other sentences"


@dataclass(frozen=True)
class Way:
    """How a benchmark is scored: by a matcher, with its way to count repeats if it is not a token scorer."""

    dataset: str
    matcher: str
    duplicates: Duplicates | None = None


WAYS = (
    Way("benchie_fl", "rules", "count"),
    Way("benchie_en", "em", "ignore"),
    Way("wire57", "wire57"),
    Way("benchie_carb", "carb"),
)


@dataclass(frozen=True)
class Result:
    """A system's score on one benchmark, its resampled F1, and how many sentences its output names (None: own file)."""

    score: Score
    resampled: NDArray[numpy.float64]
    sentences: int | None = None


@dataclass(frozen=True)
class Board:
    """One benchmark's results by system."""

    way: Way
    sentences: int
    signature: str
    results: dict[str, Result]


@dataclass(frozen=True)
class Disagreement:
    """Two systems that benchmarks rank differently: which put the first above, and which the second."""

    first: str
    second: str
    first_above: tuple[str, ...]
    second_above: tuple[str, ...]


def boards(
    data: Path | None,
    given: Sequence[System],
    beside: bool,
    resamples: int,
    seed: int,
    diagnostics: Diagnostics,
) -> tuple[list[Board], list[str]]:
    """The benchmarks that are found, scored, and the names of those that are not found."""
    from data.catalog import find, load

    found = [way for way in WAYS if find(way.dataset, data)]
    if not found:
        names = ", ".join(way.dataset for way in WAYS)
        raise InputError(f"none of {names} was found; get them with `python -m data.fetch`, or name their folder")
    scored = []
    unplaced = {system.name: set(system.extractions) for system in given}
    for way in found:
        benchmark = load(way.dataset, data, diagnostics)
        own = () if given and not beside else tuple(_renamed(system) for system in benchmark.systems)
        known: dict[str, int] = {}
        added = []
        for system in given:
            if any(system.name == other.name for other in own):
                raise InputError(f"two systems are called {system.name!r}; give --system another name")
            place = placed(system, benchmark)
            unplaced[system.name] -= set(place.originals)
            if place.sentences:
                known[system.name] = place.sentences
                added.append(place.system)
        systems = (*own, *added)
        scored.append(_board(way, replace(benchmark, systems=systems), known, data, resamples, seed))
    for system in given:
        lost = len(unplaced[system.name])
        if lost == len(set(system.extractions)):
            names = ", ".join(way.dataset for way in found)
            raise InputError(f"no line of the system {system.name!r} begins with a text or id of a sentence of {names}")
        if lost:
            message = f"{system.name}: {lost} extractions are of sentences that no benchmark here has; left out"
            diagnostics.warn(UNPLACED, message)
    return scored, [way.dataset for way in WAYS if way not in found]


def _renamed(system: System) -> System:
    return System(ALIASES.get(system.name, system.name), system.extractions)


def _board(
    way: Way, benchmark: Benchmark, known: dict[str, int], data: Path | None, resamples: int, seed: int
) -> Board:
    from matchers.bootstrap import resampled_scores
    from matchers.registry import load
    from matchers.scoring import Sums, score_systems
    from matchers.signature import signature, signed
    from matchers.token_tables import token_rows

    names: list[str]
    scores: list[Score]
    counts: list[Sums]
    if way.duplicates:
        matcher = load(way.matcher)
        found = score_systems(benchmark, matcher, way.duplicates)
        names, scores = [system.name for system in found], [system.score for system in found]
        counts = [system.counts for system in found]
        text = signature(benchmark, matcher, duplicates=way.duplicates, resamples=resamples, seed=seed)
    else:
        rows = token_rows(benchmark, way.matcher, way.dataset, data, set(known))
        names, scores = [row.name for row in rows], [row.score for row in rows]
        counts = [row.statistics for row in rows]
        text = signed(benchmark, {"matcher": way.matcher}, resamples=resamples, seed=seed)
    drawn = resampled_scores(counts, resamples, seed)[:, :, 2] if counts else numpy.zeros((resamples, 0))
    results = {
        name: Result(score, drawn[:, place], known.get(name))
        for place, (name, score) in enumerate(zip(names, scores, strict=True))
    }
    return Board(way, len(benchmark.sentences), str(text), results)


def systems_of(scored: Sequence[Board]) -> list[str]:
    """The systems by how many benchmarks know them, then by name."""
    names = {name for board in scored for name in board.results}
    return sorted(names, key=lambda name: (-sum(name in board.results for board in scored), name))


def disagreements(scored: Sequence[Board]) -> tuple[list[Disagreement], int]:
    """The pairs of systems that are ranked differently, and how many pairs at least two benchmarks rank."""
    found, compared = [], 0
    for first, second in combinations(systems_of(scored), 2):
        common = [board for board in scored if first in board.results and second in board.results]
        compared += len(common) > 1
        gaps = {b.way.dataset: b.results[first].score.f1 - b.results[second].score.f1 for b in common}
        above = tuple(name for name, gap in gaps.items() if gap > 0)
        below = tuple(name for name, gap in gaps.items() if gap < 0)
        if above and below:
            found.append(Disagreement(first, second, above, below))
    return found, compared


def _p(board: Board, first: str, second: str) -> float:
    from matchers.bootstrap import difference_p

    return difference_p(board.results[first].resampled, board.results[second].resampled)


def as_json(scored: Sequence[Board], missing: Sequence[str]) -> dict[str, Any]:
    """The boards as JSON."""
    from matchers.bootstrap import interval

    by_name = {board.way.dataset: board for board in scored}
    benchmarks = []
    for board in scored:
        systems = []
        for name, result in sorted(board.results.items(), key=lambda item: (-item[1].score.f1, item[0])):
            bounds = interval(result.resampled)
            entry: dict[str, Any] = {"name": name, **vars(result.score), "f1_interval": [bounds.low, bounds.high]}
            if result.sentences is not None:
                entry["sentences_named"] = result.sentences
            systems.append(entry)
        benchmarks.append(
            {
                "name": board.way.dataset,
                "matcher": board.way.matcher,
                "signature": board.signature,
                "sentences": board.sentences,
                "systems": systems,
            }
        )
    found, compared = disagreements(scored)
    return {
        "benchmarks": benchmarks,
        "not_found": list(missing),
        "pairs_compared": compared,
        "disagreements": [
            {
                "first": d.first,
                "second": d.second,
                "first_above": list(d.first_above),
                "second_above": list(d.second_above),
                "p": {name: _p(by_name[name], d.first, d.second) for name in (*d.first_above, *d.second_above)},
            }
            for d in found
        ],
    }


def as_table(result: dict[str, Any], own_files: bool) -> str:
    """The F1 of each system on each benchmark, and where they disagree."""
    from data.commands import table

    benchmarks = result["benchmarks"]
    scores = {b["name"]: {s["name"]: s for s in b["systems"]} for b in benchmarks}
    names = dict.fromkeys(s["name"] for b in benchmarks for s in b["systems"])
    order = sorted(names, key=lambda name: (-sum(name in found for found in scores.values()), name))
    rows = [["F1", *(f"{b['name']} ({b['matcher']})" for b in benchmarks)]]
    for name in order:
        rows.append([name, *(_cell(found.get(name)) for found in scores.values())])
    lines = [table(rows), ""]
    for benchmark in benchmarks:
        for system in benchmark["systems"]:
            named = system.get("sentences_named", benchmark["sentences"])
            if named < benchmark["sentences"]:
                text = (
                    f"{system['name']} names {named} of the {benchmark['sentences']} sentences of {benchmark['name']}"
                )
                lines.append(text + "; the others count as without extractions")
    if result["not_found"]:
        lines.append(f"not found: {', '.join(result['not_found'])}")
    lines.append("- no output of this system on that benchmark")
    if own_files:
        lines.append("A system's published outputs differ between benchmarks: BenchIE's have no implicit extractions.")
    lines += [
        "",
        f"{len(result['disagreements'])} of {result['pairs_compared']} pairs of systems are ranked differently:",
    ]
    lines += [_line(found) for found in result["disagreements"]] or ["  none"]
    lines += ["  (~: not significantly, p >= 0.05)", ""]
    lines += [f"{benchmark['name']}  {benchmark['signature']}" for benchmark in benchmarks]
    return "\n".join(lines)


def _cell(system: dict[str, Any] | None) -> str:
    return "-" if system is None else f"{system['f1']:.3f}"


def _line(found: dict[str, Any]) -> str:
    def side(names: Sequence[str]) -> str:
        return ", ".join(f"{name}{'~' * (found['p'][name] >= SIGNIFICANT)}" for name in names)

    first, second = found["first"], found["second"]
    above, below = side(found["first_above"]), side(found["second_above"])
    return f"  {first} above {second}: {above}; {second} above {first}: {below}"


def run_all(
    given: dict[str, Path],
    read: Callable[[str, Path], System],
    options: Any,
    diagnostics: Diagnostics,
) -> tuple[dict[str, Any], str]:
    """The JSON and the table of `matchers.score --all`."""
    systems = [read(name, path) for name, path in given.items()]
    scored, missing = boards(options.data, systems, options.beside, options.resamples, options.seed, diagnostics)
    result = as_json(scored, missing)
    return result, as_table(result, own_files=not given or options.beside)
