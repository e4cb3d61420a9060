"""What may be learned from beside people's labels: nothing of what is held out, and nothing that is doubtful."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from training.labels.judged_parts import FORMULATIONS, GENERATED, PEOPLE, SILVER, Judged, keys

AMBIGUOUS_COST = 1.2  # edits of a reading that is nearly a rule's


@dataclass(frozen=True)
class HeldOut:
    """The judged sentences, by their keys, and the judged systems that are not among those trained on."""

    sentences: frozenset[str]
    systems: frozenset[str]

    @classmethod
    def of(cls, work: Iterable[Judged], train: Iterable[Judged]) -> HeldOut:
        """What is held out of judged work if these parts of it are trained on."""
        work, train = list(work), list(train)
        systems = {part.system for part in work} - {part.system for part in train}
        return cls(keys(work) - keys(train), frozenset(systems))

    def allows(self, part: Judged) -> bool:
        """Whether a part that people did not judge shares nothing with what is held out.

        Generated extractions and formulations are of no system.
        """
        return part.key not in self.sentences and (
            part.source in (GENERATED, FORMULATIONS) or part.system not in self.systems
        )


def is_doubtful(part: Judged, index: int, cluster_id: str, fires: bool, cost: float) -> bool:
    """Whether a pair without a label may be a match all the same, so that it is not trained on.

    People's labels are assignments: a system's second extraction of a fact has none. Such a pair, on which a rule fires
    while the cluster is credited to another extraction, is doubtful. Of silver and generated parts, so is every pair on
    which a rule fires; of silver ones also what takes hardly any edits. `cost` is that of the pair's reading.
    """
    if not fires:
        return part.source == SILVER and cost <= AMBIGUOUS_COST
    if part.source != PEOPLE:
        return True
    return any(cluster_id in label for other, label in enumerate(part.labels) if other != index)
