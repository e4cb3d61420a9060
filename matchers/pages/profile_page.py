"""The page of the profiling command: pictures of errors, of F1 by kind of sentence and of lengths, and their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matchers.pages.page import Cell, Column, Row, SortableTable, render
from matchers.pages.plots import from_to
from matchers.pages.profile_plots import SLOT_TITLES, by_f1, pictures
from matchers.profiling.profiles import WORDS, Profile, SystemProfile
from matchers.scoring.results import UNDEFINED


def profile_page(profile: Profile, command: str) -> str:
    """The page as HTML."""
    systems = by_f1(profile.systems)
    return render(
        "profile_page.html.jinja",
        (),
        {},
        title=profile.benchmark,
        sentences=profile.sentences,
        clusters=profile.clusters,
        systems=len(systems),
        matcher=profile.matcher,
        headline=headline(systems),
        lead=lead(systems),
        pictures=pictures(profile),
        outcomes=outcomes_table(systems),
        by_bucket=[bucket_table(name, sizes, systems) for name, sizes in profile.sizes.items()],
        counted="with lists of English words" if profile.counted == WORDS else f"in the parse of {profile.counted}",
        command=command,
        signature=profile.signature,
        citation="",
    )


def headline(systems: Sequence[SystemProfile]) -> str:
    """The slot that most systems get wrong most often."""
    worst = [max(own, key=own.__getitem__) for system in systems if any((own := system.errors.slots).values())]
    if not worst:
        return "No extraction is wrong"
    most = max(sorted(set(worst)), key=worst.count)
    if len(systems) == 1:
        return f"{systems[0].name} fails most often in the {SLOT_TITLES[most]}"
    return f"{worst.count(most)} of {len(systems)} systems fail most often in the {SLOT_TITLES[most]}"


def lead(systems: Sequence[SystemProfile]) -> str:
    """How many extractions are right, wrong and repeated, over all systems."""
    total = sum(system.extractions for system in systems)
    matched, repeats, wrong = (
        sum(getattr(system.errors, name) for system in systems) for name in ("matched", "repeats", "wrong")
    )
    said = f"{matched:,} state a fact, {repeats:,} repeat one, and {wrong:,} are wrong in a slot"
    return f"Of {total:,} extractions, {said}."


def outcomes_table(systems: Sequence[SystemProfile]) -> SortableTable:
    """A row a system: its scores, what became of its extractions, and how long they are."""
    columns = (
        Column("system"),
        Column("F1"),
        Column("extractions"),
        Column("matched", "state a fact", "of these"),
        Column("repeats", "state a fact with which another extraction was credited", "of these"),
        Column("wrong", "differ from the closest formulation in a slot", "of these"),
        Column("rejected", "agree with a formulation in all slots and were not matched", "of these"),
        Column("without gold", "are of sentences without any formulation", "of these"),
        Column("mean", "", "words of an extraction"),
        Column("median", "", "words of an extraction"),
        Column("shortest", "", "words of an extraction"),
        Column("longest", "", "words of an extraction"),
    )
    rows = []
    for system in systems:
        errors, words = system.errors, system.lengths
        counts = (
            system.extractions,
            errors.matched,
            errors.repeats,
            errors.wrong,
            errors.rejected,
            errors.without_gold,
        )
        lengths = (words.mean, words.median, words.shortest, words.longest)
        cells = [Cell(system.name), Cell(f"{system.score.f1:.3f}", system.score.f1)]
        cells += [Cell(f"{count:,}", count) for count in counts]
        cells += [Cell(f"{round(length, 1):g}", length) for length in lengths]
        rows.append(Row(tuple(cells)))
    return SortableTable("What became of the extractions, and how long they are", columns, tuple(rows))


def bucket_table(name: str, sizes: Mapping[str, int], systems: Sequence[SystemProfile]) -> SortableTable:
    """A row a system: its F1 in each bucket of a dimension."""
    columns = (Column("system"), *(Column(label, f"{size} sentences") for label, size in sizes.items()))
    rows = []
    for system in systems:
        rows.append(Row((Cell(system.name), *(_f1_cell(system, name, label, size) for label, size in sizes.items()))))
    return SortableTable(f"F1 by {name} of the sentence, with its 95 % interval", columns, tuple(rows))


def _f1_cell(system: SystemProfile, name: str, label: str, size: int) -> Cell:
    f1 = system.by_bucket[name][label].f1
    return Cell(f"{f1:.3f}", f1, from_to(system.intervals[name].get(label))) if size else Cell(UNDEFINED)
