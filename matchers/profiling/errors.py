"""What systems do wrong: errors by slot (BenchIE, section 5).

Each extraction that states no fact is laid beside its closest gold formulations, those with which it agrees in
most slots. Which slots agree is its error bucket: (1, 1, 0) has the right first argument and relation and a wrong
second argument. Several closest formulations may differ in that; then each of their buckets gets one more. A slot's
share of errors is the share of these counts in which it is wrong.

Slots are compared as the matcher compares words: as they are written if it is a set of rules without Punc, else without
punctuation and case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from data.model import SLOT_NAMES, Extraction
from matchers.interface import Matcher
from matchers.matches import Assignment
from matchers.rules.matcher import PUNC, RuleMatcher
from matchers.scoring.outcomes import CREDITED, REPEAT, WRONG, outcomes
from matchers.scoring.shapes import ErrorsJson
from matchers.text.gold_index import PLAIN, WRITTEN, View, view

Right = tuple[int, int, int]

ERROR_BUCKETS: tuple[Right, ...] = ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0))
ALL_RIGHT: Right = (1, 1, 1)
_REJECTED, _WITHOUT_GOLD = "rejected", "without gold"  # what may become of a wrong extraction but for its slots


@dataclass(frozen=True)
class Errors:
    """What became of a system's extractions.

    `repeats` state a fact with which another extraction was credited. `without_gold` are in sentences without any
    formulation, so nothing is close. `rejected` agree with a formulation in all slots and still were not matched, which
    only learned matchers do. The other `wrong` ones are counted in `buckets`, some of them in several.
    """

    matched: int
    repeats: int
    without_gold: int
    rejected: int
    wrong: int
    buckets: Mapping[Right, int]

    def share(self, bucket: Right) -> float:
        """The share of the error counts that are in a bucket."""
        total = sum(self.buckets.values())
        return self.buckets[bucket] / total if total else 0.0

    @property
    def slots(self) -> dict[str, float]:
        """The share of the error counts in which each slot is wrong; they need not add up to 1."""
        return {
            name: sum(self.share(bucket) for bucket in ERROR_BUCKETS if not bucket[slot])
            for slot, name in enumerate(SLOT_NAMES)
        }

    def to_json(self) -> ErrorsJson:
        """The errors as JSON."""
        return {
            "matched": self.matched,
            "repeats": self.repeats,
            "without_gold": self.without_gold,
            "rejected": self.rejected,
            "wrong": self.wrong,
            "slots": self.slots,
            "buckets": [
                {"right": list(bucket), "count": count, "share": self.share(bucket)}
                for bucket, count in self.buckets.items()
            ],
        }


class ErrorFinder:
    """Counts the errors of systems, assignment by assignment."""

    def __init__(self, matcher: Matcher) -> None:
        written = isinstance(matcher, RuleMatcher) and PUNC not in matcher.rules
        self.kind = WRITTEN if written else PLAIN
        self.became: dict[str, Counter[str]] = {}
        self.buckets: dict[str, Counter[Right]] = {}

    def add(self, system: str, assignment: Assignment) -> None:
        """Take in what one system did in one sentence."""
        became = self.became.setdefault(system, Counter())
        seen = view(assignment.sentence, self.kind)
        for outcome in outcomes(assignment):
            if outcome.kind != WRONG:
                became[outcome.kind] += 1
                continue
            agreements = closest(seen, outcome.extraction)
            if not agreements or ALL_RIGHT in agreements:
                became[_REJECTED if agreements else _WITHOUT_GOLD] += 1
                continue
            became[WRONG] += 1
            self.buckets.setdefault(system, Counter()).update(agreements)

    def errors(self, system: str) -> Errors:
        """The errors of a system."""
        became, buckets = self.became.get(system, Counter()), self.buckets.get(system, Counter())
        return Errors(
            matched=became[CREDITED],
            repeats=became[REPEAT],
            without_gold=became[_WITHOUT_GOLD],
            rejected=became[_REJECTED],
            wrong=became[WRONG],
            buckets={bucket: buckets[bucket] for bucket in ERROR_BUCKETS},
        )


def closest(seen: View, extraction: Extraction) -> set[Right]:
    """Which slots agree with the closest formulations of a sentence; empty if it has none."""
    accepted = [seen.accepted(words) for words in seen.slots(extraction)]
    met = {
        (int(triple.slots[0] in accepted[0]), int(triple.slots[1] in accepted[1]), int(triple.slots[2] in accepted[2]))
        for triple in seen.triples
    }
    most = max((sum(right) for right in met), default=0)
    return {right for right in met if sum(right) == most}
