"""What is judged: the extractions of all systems, each triple of a sentence once; who still has to look at which.

A share of the cases is judged by two people, chosen by the case itself, so that it is the same for everybody and stays
so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from data.model import Extraction, System
from training.studio.actions import REMOVED, Judge, Settle
from training.studio.facts import RefusedError
from training.studio.state import Case, Draft, Opinion, State, case_id

LONGEST_REASON = 2_000
PRINCIPLES = (
    "identical",
    "word choice",
    "harmless error",
    "breaking error",
    "relation specificity",
    "level of detail",
    "missing information",
    "truncated argument",
    "inference",
)


@dataclass(frozen=True)
class Item:
    """An extraction to be judged, with the systems that made it."""

    id: str
    extraction: Extraction
    systems: tuple[str, ...]


@dataclass(frozen=True)
class Said:
    """What a matcher says of an item: its clusters, how sure it is that the best one matches, and why."""

    clusters: tuple[str, ...]
    score: float
    reason: str
    doubt: float


class OvertakenError(Exception):
    """Somebody said otherwise in the meantime: `now` are the clusters that stand there."""

    def __init__(self, message: str, now: tuple[str, ...]) -> None:
        self.now = now
        super().__init__(message)


def named(clusters: Sequence[str]) -> str:
    """Clusters in words.

    >>> named(("1", "3")), named(())
    ('cluster 1 and cluster 3', 'none')
    """
    return " and ".join(f"cluster {cluster}" for cluster in clusters) or "none"


def items_of(state: State, systems: Sequence[System]) -> dict[str, Item]:
    """All items, in the order of the sentences and then of the systems; sentences without clusters have none."""
    found: dict[str, tuple[Extraction, list[str]]] = {}
    for draft in state.drafts.values():
        if draft.now.status == REMOVED or not draft.now.clusters:
            continue
        for system in systems:
            for extraction in system.by_sentence.get(draft.id, ()):
                known = found.setdefault(case_id(extraction), (extraction, []))
                if system.name not in known[1]:
                    known[1].append(system.name)
    return {key: Item(key, extraction, tuple(names)) for key, (extraction, names) in found.items()}


def share_of(key: str) -> float:
    """A number from 0 to 1 that belongs to a case, the same on every machine."""
    return int(key[:8], 16) / 2**32


def needed(item: Item, twice: float) -> int:
    """How many people judge an item."""
    return 2 if share_of(item.id) < twice else 1


def valid_judges(case: Case | None, state: State) -> set[str]:
    """Who has an opinion on a case that the gold has not overtaken."""
    if case is None:
        return set()
    draft = state.drafts[case.extraction.sentence_id]
    return {name for name, opinion in case.opinions.items() if not is_stale(draft, opinion.last.clusters)}


def is_stale(draft: Draft, clusters: Iterable[str]) -> bool:
    """Whether an opinion names a cluster that is no longer there."""
    return not set(clusters) <= {cluster.id for cluster in draft.now.clusters}


def checked_clusters(draft: Draft, clusters: Sequence[str]) -> tuple[str, ...]:
    """The clusters of an opinion: none, one, or in the rare case two, all of this sentence."""
    if len(clusters) > 2 or len(set(clusters)) != len(clusters):
        raise RefusedError("An extraction matches no cluster, one, or in the rare case two.")
    if is_stale(draft, clusters):
        raise RefusedError("The sentence has no such cluster.")
    return tuple(clusters)


def judgment(
    state: State, person: str, item: Item, clusters: Sequence[str], unsure: bool = False, principle: str = "",
    reason: str = "", again: bool = False, suggested: bool = False, instead_of: Sequence[str] | None = None,
) -> Judge:  # fmt: skip
    """A person's opinion, checked; `instead_of` is the one that they saw as theirs, if they change it."""
    draft = state.drafts[item.extraction.sentence_id]
    if principle and principle not in PRINCIPLES:
        raise RefusedError("That is no principle of the guidelines.")
    if len(reason) > LONGEST_REASON:
        raise RefusedError(f"A reason has at most {LONGEST_REASON} characters.")
    case = state.cases.get(item.id)
    own = case.opinions.get(person) if case else None
    _check_own(own, draft, again, instead_of)
    again = again and own is not None
    chosen = checked_clusters(draft, clusters)
    return Judge(item.extraction, chosen, draft.version, unsure, principle, reason, again, suggested)


def _check_own(own: Opinion | None, draft: Draft, again: bool, instead_of: Sequence[str] | None) -> None:
    """Refuse an opinion in the place of one that the person did not see, as from a tab that was left open."""
    if own is None or is_stale(draft, own.last.clusters):
        return
    if not again or (instead_of is not None and set(instead_of) != set(own.last.clusters)):
        raise OvertakenError(
            f"You judged this already, perhaps in another tab: {named(own.last.clusters)}.", own.last.clusters
        )


def may_see(case: Case, item: Item | None, person: str, twice: float) -> bool:
    """Whether a person who sees others' opinions of a case can no longer be asked for their own."""
    return item is not None and (person in case.opinions or len(case.opinions) >= needed(item, twice))


def settlement(
    state: State, person: str, is_owner: bool, case: Case, clusters: Sequence[str], reason: str,
    instead_of: Sequence[str] | None = None,
) -> Settle:  # fmt: skip
    """The third look at a case, by somebody who has not judged it, or by the owner; `instead_of` is what they saw."""
    if len(case.opinions) < 2:
        raise RefusedError("Two people have to judge a case before it is settled.")
    if person in case.opinions and not is_owner:
        raise RefusedError("The third look is somebody else's: you have judged this case.")
    if len(reason) > LONGEST_REASON:
        raise RefusedError(f"A reason has at most {LONGEST_REASON} characters.")
    if case.settled is not None and (instead_of is None or set(instead_of) != set(case.settled.clusters)):
        there = case.settled.clusters
        raise OvertakenError(f"{case.settled_by} settled this in the meantime: {named(there)}.", there)
    draft = state.drafts[case.extraction.sentence_id]
    return Settle(case.extraction, checked_clusters(draft, clusters), reason)


def outcome(case: Case, draft: Draft) -> tuple[str, ...] | None:
    """What counts for a case: how it was settled, else what all agree on; None where neither is so, or it is stale."""
    if case.settled is not None and not is_stale(draft, case.settled.clusters):
        return case.settled.clusters
    valid = [o.last for o in case.opinions.values() if not is_stale(draft, o.last.clusters)]
    if not valid or len({frozenset(judge.clusters) for judge in valid}) > 1:
        return None
    sure = [judge for judge in valid if not judge.unsure]
    return (sure or valid)[0].clusters
