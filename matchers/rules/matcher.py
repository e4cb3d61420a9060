"""The rule-based matchers: compositions of EM, AF, LoD and Punc, of which all four together are the default.

Punc repeats the other rules on words without punctuation and case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

from data.model import Extraction, Sentence
from data.problems import InputError
from matchers.interface import Candidate, Matcher, Reason
from matchers.rules.exact import dropped_groups, exact_triples
from matchers.rules.joined_facts import Alternative, alternative_triples
from matchers.rules.level_of_detail import Detailed, detailed_triples
from matchers.text.gold_index import PLAIN, WRITTEN, Slots, Triple, View, view

EM, AF, LOD, PUNC = "em", "af", "lod", "punc"
RULES = (EM, AF, LOD, PUNC)

# How sure each rule is, from exact to loose. Closeness, from 0 to 1, decides among matches by one rule.
_BASE = {EM: 0.9, LOD: 0.7, AF: 0.6}
_PUNC_COST = 0.05
_CLOSENESS = 0.1


def is_rule_set(name: str) -> bool:
    """Whether a name is made of rules alone, such as `em+lod`, or is `rules`, which is all of them."""
    return name == "rules" or all(part in RULES for part in name.lower().split("+"))


def parse_rules(name: str) -> tuple[str, ...]:
    """The rules in a name such as `em+af`; `rules` is all of them.

    >>> parse_rules("lod+em")
    ('em', 'lod')
    """
    parts = RULES if name == "rules" else tuple(name.lower().split("+"))
    unknown = [part for part in parts if part not in RULES]
    if unknown or len(set(parts)) != len(parts) or parts == (PUNC,):
        raise InputError(f"{name!r} is no set of rules; join some of {', '.join(RULES)} with +, or say rules")
    return tuple(rule for rule in RULES if rule in parts)


Found = Iterator[tuple[int, float, Callable[[], Reason]]]  # clusters, how closely, and why
Fired = tuple[int, float, bool, Callable[[], Reason]]  # a cluster, its score, whether exactly, and why


class RuleMatcher(Matcher):
    """Matches by a set of rules.

    >>> from data.model import Cluster, Formulation, Slot
    >>> fact = Formulation(Slot.of("Alex"), Slot.of("is"), Slot.of("a pilot"))
    >>> sentence = Sentence("1", "Alex is a pilot .", (Cluster("1", (fact,)),))
    >>> assignment = RuleMatcher().match(sentence, [Extraction("1", "alex", "is", "a pilot .")])
    >>> assignment.matches[0].cluster, assignment.matches[0].reason.rule
    ('1', 'em+punc')
    """

    def __init__(self, rules: str = "rules") -> None:
        self.rules = parse_rules(rules)
        self.name = "rules" if self.rules == RULES else "+".join(self.rules)
        self.english = "AF's forms of 'be' and conjunctions" if AF in self.rules else ""
        self._finders = [(rule, _FINDERS[rule]) for rule in self.rules if rule != PUNC]

    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        """The pairs on which a rule fires, each by the rule that is surest."""
        best: dict[tuple[int, int], tuple[float, bool, Callable[[], Reason]]] = {}
        for kind in (WRITTEN, PLAIN) if PUNC in self.rules else (WRITTEN,):
            seen = view(sentence, kind)
            said: dict[Slots, list[Fired]] = {}  # systems repeat themselves
            for index, extraction in enumerate(extractions):
                if not seen.accepted(seen.words(extraction.relation)):
                    continue  # no rule fires on a relation that the gold does not have
                slots = seen.slots(extraction)
                if not seen.accepted(slots[0]) and not seen.accepted(slots[2]):
                    continue  # nor without an argument of the gold's
                if slots not in said:
                    said[slots] = list(self._fired(seen, slots))
                for cluster, score, exact, why in said[slots]:
                    if (index, cluster) not in best or score > best[index, cluster][0]:
                        best[index, cluster] = (score, exact, why)
        return [
            Candidate(index, cluster, score, exact, why()) for (index, cluster), (score, exact, why) in best.items()
        ]

    def _fired(self, seen: View, slots: Slots) -> Iterator[Fired]:
        """The clusters on which rules fire in one view."""
        for rule, find in self._finders:
            for cluster, closeness, why in find(seen, slots):
                score = _BASE[rule] + _CLOSENESS * closeness - _PUNC_COST * (seen.kind == PLAIN)
                yield cluster, score, rule == EM, cache(why)


def rule_name(rule: str, seen: View) -> str:
    """A rule's name in reports: with `+punc` if punctuation and case had to be removed for it."""
    return f"{rule}+{PUNC}" if seen.kind == PLAIN else rule


def _exact(seen: View, slots: Slots) -> Found:
    for triple in exact_triples(seen, slots):
        dropped = dropped_groups(seen, triple, slots)
        yield triple.cluster, 1 / (1 + len(dropped)), partial(_exact_reason, seen, triple, dropped)


def _exact_reason(seen: View, triple: Triple, dropped: tuple[str, ...]) -> Reason:
    text = f"is the formulation '{triple.formulation}'"
    if dropped:
        text += " without the optional " + ", ".join(f"'{words}'" for words in dropped)
    return Reason(rule_name(EM, seen), text, str(triple.formulation), dropped)


def _alternative(seen: View, slots: Slots) -> Found:
    for triple, alternative in alternative_triples(seen, slots):
        kept = sum(map(len, alternative.slots)) / sum(map(len, slots))
        why = partial(_alternative_reason, seen, triple, alternative)
        yield triple.cluster, (alternative.keeps_first + kept) / 2, why


def _alternative_reason(seen: View, triple: Triple, alternative: Alternative) -> Reason:
    first, second = (str(seen.patterns[pattern]) for pattern in alternative.pair)
    dropped = " ".join(alternative.dropped)
    text = f"without '{dropped}' is '{triple.formulation}', by the pair ({first}, {second})"
    return Reason(rule_name(AF, seen), text, str(triple.formulation), (dropped,), (first, second))


def _detail(seen: View, slots: Slots) -> Found:
    for detailed in detailed_triples(seen, slots):
        yield detailed.centre.cluster, detailed.closeness, partial(_detail_reason, seen, detailed)


def _detail_reason(seen: View, detailed: Detailed) -> Reason:
    centre, cluster = detailed.centre.formulation, seen.sentence.clusters[detailed.detail.cluster].id
    text = f"states '{centre}' in the words of cluster {cluster}, '{detailed.detail.formulation}'"
    return Reason(rule_name(LOD, seen), text, str(centre), second_cluster=cluster)


_FINDERS = {EM: _exact, AF: _alternative, LOD: _detail}


def found_by(rule: str, seen: View, slots: Slots) -> Found:
    """What one rule finds in one view: the clusters that the slots match, how closely, and why."""
    return _FINDERS[rule](seen, slots)
