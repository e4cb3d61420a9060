"""Why an extraction does or does not match each cluster of its sentence: which rules fire, and how near the others are.

Each rule has its own nearest miss. For EM it is the formulation with the fewest differing words, for AF the alternative
of the extraction that comes nearest or the rewriting pair that it lacks, for LoD what is missing of linearization and
centre. Punc is asked after the others: does removing punctuation and case make one of them fire, or bring it nearer?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from data.model import SLOT_NAMES, Cluster, Extraction, Sentence
from matchers.interface import Candidate, Match, Matcher
from matchers.rules.joined_facts import argument_alternatives, rewriting_pairs
from matchers.rules.level_of_detail import centres
from matchers.rules.matcher import AF, EM, LOD, PUNC, RuleMatcher, found_by
from matchers.text.alignment import Alignment, align
from matchers.text.gold_index import PLAIN, WRITTEN, Slots, Triple, View, view
from matchers.text.patterns import Pattern

LINE = "the row of words"


@dataclass(frozen=True)
class Difference:
    """The words in which a slot, or all three in a row, differs from the gold's."""

    where: str
    missing: tuple[str, ...]
    extra: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.where} {' and '.join(self.parts())}"

    def parts(self, mark: Callable[[str, str], str] = lambda _, text: text) -> list[str]:
        """What differs, in words; `mark` may colour the words that are `missing` or `extra`."""
        parts = []
        for verb, kind, runs in (("lacks", "missing", self.missing), ("adds", "extra", self.extra)):
            if runs:
                parts.append(f"{verb} {', '.join(mark(kind, repr(run)) for run in runs)}")
        return parts


@dataclass(frozen=True)
class RuleOutcome:
    """What one rule says of the extraction and one cluster: that it fires and why, or its nearest miss."""

    rule: str
    fires: bool
    text: str
    differences: tuple[Difference, ...] = ()
    formulation: str = ""


@dataclass(frozen=True)
class ClusterExplanation:
    """What a matcher sees in the extraction and one cluster."""

    cluster: Cluster
    candidate: Candidate | None
    outcomes: tuple[RuleOutcome, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """Why a matcher matches an extraction as it does, if it is the only one of its sentence."""

    matcher: str
    sentence: Sentence
    extraction: Extraction
    clusters: tuple[ClusterExplanation, ...]
    matches: tuple[Match, ...]
    notes: tuple[str, ...] = ()


def explain(matcher: Matcher, sentence: Sentence, extraction: Extraction) -> Explanation:
    """What a matcher makes of an extraction, cluster by cluster, and what it decides.

    >>> from data.model import Formulation, Slot
    >>> fact = Formulation(Slot.of("Mara Venn"), Slot.of("moved to"), Slot.of("Oslo"))
    >>> sentence = Sentence("1", "Mara Venn moved to Oslo .", (Cluster("1", (fact,)),))
    >>> explanation = explain(RuleMatcher("em"), sentence, Extraction("1", "Mara Venn", "moved", "to Oslo"))
    >>> for difference in explanation.clusters[0].outcomes[0].differences:
    ...     print(difference)
    relation lacks 'to'
    arg2 adds 'to'
    """
    assignment = matcher.match(sentence, [extraction])
    notes = matcher.explain_extraction(sentence, extraction)
    proposed = {candidate.cluster: candidate for candidate in assignment.candidates}
    rules = matcher.rules if isinstance(matcher, RuleMatcher) else ()
    clusters = tuple(
        ClusterExplanation(
            cluster,
            proposed.get(position),
            tuple(rule_outcomes(rules, sentence, extraction, position)),
            tuple(matcher.explain_pair(sentence, extraction, cluster)),
        )
        for position, cluster in enumerate(sentence.clusters)
    )
    return Explanation(matcher.name, sentence, extraction, clusters, assignment.matches, tuple(notes))


def rule_outcomes(
    rules: Iterable[str], sentence: Sentence, extraction: Extraction, cluster: int
) -> Iterable[RuleOutcome]:
    """What each of these rules says of the extraction and the cluster at this position."""
    if not sentence.clusters[cluster].formulations:
        return
    written = view(sentence, WRITTEN)
    outcomes: dict[str, RuleOutcome] = {}
    for rule in rules:
        if rule == PUNC:
            yield _punc(outcomes, view(sentence, PLAIN), extraction, cluster)
        else:
            outcomes[rule] = _outcome(rule, written, written.slots(extraction), cluster)
            yield outcomes[rule]


def _outcome(rule: str, seen: View, slots: Slots, cluster: int) -> RuleOutcome:
    """What a rule says in one view of the sentence."""
    reasons = [(closeness, why) for position, closeness, why in found_by(rule, seen, slots) if position == cluster]
    if not reasons:
        return _MISSES[rule](seen, slots, cluster)
    reason = max(reasons, key=lambda item: item[0])[1]()
    return RuleOutcome(rule, True, reason.text, formulation=reason.formulation)


def _punc(outcomes: dict[str, RuleOutcome], seen: View, extraction: Extraction, cluster: int) -> RuleOutcome:
    """What the rules say without punctuation and case, beside what they said with them."""
    nearer = None
    for rule, before in outcomes.items():
        after = _outcome(rule, seen, seen.slots(extraction), cluster)
        if after.fires and not before.fires:
            return RuleOutcome(PUNC, True, f"{rule} fires: {after.text}", formulation=after.formulation)
        if nearer is None and not after.fires and _size(after) < _size(before):
            text = f"{rule} is nearer, but does not fire; {after.text}"
            nearer = RuleOutcome(PUNC, False, text, after.differences, after.formulation)
    return nearer or RuleOutcome(PUNC, False, "no further rule fires without punctuation and case")


def _size(outcome: RuleOutcome) -> int:
    """How many words an outcome's differences have."""
    return sum(len(run.split()) for part in outcome.differences for run in (*part.missing, *part.extra))


def _exact_miss(seen: View, slots: Slots, cluster: int) -> RuleOutcome:
    """The formulation with the fewest differing words, slot by slot."""
    triple, differences = _nearest(seen, slots, cluster)
    text = f"the nearest formulation is '{triple.formulation}'"
    if _line_alignment(seen, slots, triple).cost == 0:
        text += ", which has the same words in a row but other slot borders"
    return RuleOutcome(EM, False, text, differences, str(triple.formulation))


def _alternative_miss(seen: View, slots: Slots, cluster: int) -> RuleOutcome:
    """The alternative of the extraction that is nearest to a formulation, or why there is none."""
    nearest = None
    for position in (0, 2):
        for alternative in argument_alternatives(seen, slots, position):
            triple, differences = _nearest(seen, alternative.slots, cluster)
            size = sum(len(run.split()) for part in differences for run in (*part.missing, *part.extra))
            if nearest is None or size < nearest[0]:
                nearest = (size, position, alternative, triple, differences)
    if nearest is None:
        return RuleOutcome(AF, False, _no_pair(seen, slots))
    _, position, alternative, triple, differences = nearest
    first, second = (str(seen.patterns[number]) for number in alternative.pair)
    text = (
        f"{SLOT_NAMES[position]} contains the pair ({first}, {second}), but even without "
        f"'{' '.join(alternative.dropped)}' it is not '{triple.formulation}'"
    )
    return RuleOutcome(AF, False, text, differences, str(triple.formulation))


def _no_pair(seen: View, slots: Slots) -> str:
    """Why no argument can be rewritten: there are no pairs, one half is missing, or the halves overlap."""
    pairs = rewriting_pairs(seen).seconds
    if not pairs:
        return "the sentence has no rewriting pairs"
    none = "no argument joins both halves of a rewriting pair"
    for position in (0, 2):
        inside = seen.contained(slots[position]) - seen.accepted(slots[position])  # a whole argument joins nothing
        for first, seconds in pairs.items():
            for second in sorted(seconds):
                halves = {first, second} & inside
                if halves:
                    pair = f"({seen.patterns[first]}, {seen.patterns[second]})"
                    which = "both, but not apart" if len(halves) == 2 else "one half"
                    return f"{none}; {SLOT_NAMES[position]} has {which}, of {pair}"
    return none


def _detail_miss(seen: View, slots: Slots, cluster: int) -> RuleOutcome:
    """Whether the linearization is a formulation's, and whether the cluster is a centre."""
    line = slots[0] + slots[1] + slots[2]
    lines = seen.linear(line)
    own = next((centre.triple for centre in centres(seen, slots) if centre.triple.cluster == cluster), None)
    centre = f"the cluster can be the centre, with '{own.formulation}'" if own else _no_centre(seen, slots, cluster)
    if lines:
        detail = seen.triples[lines[0]]
        name = seen.sentence.clusters[detail.cluster].id
        return RuleOutcome(LOD, False, f"the words in a row are those of cluster {name}, but {centre}")
    nearest = min(seen.triples, key=lambda triple: _line_alignment(seen, slots, triple).cost)
    alignment = _line_alignment(seen, slots, nearest)
    name = seen.sentence.clusters[nearest.cluster].id
    text = f"{centre}; no formulation has the same words in a row, the nearest is '{nearest.formulation}' of {name}"
    return RuleOutcome(LOD, False, text, _differences([(LINE, alignment)]), str(nearest.formulation))


def _no_centre(seen: View, slots: Slots, cluster: int) -> str:
    """Why the extraction does not centre on the cluster, by the formulation that comes furthest."""
    triples = [triple for triple in seen.triples if triple.cluster == cluster]
    with_relation = [triple for triple in triples if triple.slots[1] in seen.accepted(slots[1])]
    if not with_relation:
        return f"the cluster is no centre: '{' '.join(slots[1])}' is none of its relations"
    for triple in with_relation:
        for position in (0, 2):
            if triple.slots[position] in seen.accepted(slots[position]):
                other, name = seen.patterns[triple.slots[2 - position]], SLOT_NAMES[2 - position]
                return f"the cluster is no centre: {name} does not contain '{other}'"
    return "the cluster is no centre: neither argument is that of a formulation with this relation"


def _nearest(seen: View, slots: Slots, cluster: int) -> tuple[Triple, tuple[Difference, ...]]:
    """The cluster's formulation with the fewest differing words, the first of several, and the differences."""
    aligned = [(triple, _slot_alignments(seen, slots, triple)) for triple in seen.triples if triple.cluster == cluster]
    triple, alignments = min(aligned, key=lambda item: sum(alignment.cost for alignment in item[1]))
    return triple, _differences(zip(SLOT_NAMES, alignments, strict=True))


def _slot_alignments(seen: View, slots: Slots, triple: Triple) -> list[Alignment]:
    return [align(words, seen.patterns[slot].groups) for words, slot in zip(slots, triple.slots, strict=True)]


def _line_alignment(seen: View, slots: Slots, triple: Triple) -> Alignment:
    """The words of all slots in a row beside a formulation's."""
    line = Pattern.joined(seen.patterns[slot] for slot in triple.slots)
    return align(slots[0] + slots[1] + slots[2], line.groups)


def _differences(alignments: Iterable[tuple[str, Alignment]]) -> tuple[Difference, ...]:
    return tuple(
        Difference(where, alignment.missing_runs, alignment.extra_runs)
        for where, alignment in alignments
        if alignment.cost
    )


_MISSES = {EM: _exact_miss, AF: _alternative_miss, LOD: _detail_miss}
