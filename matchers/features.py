"""Features of a pair: what a classifier knows about an extraction and a cluster.

A cluster is represented by its formulation that is closest to the extraction. The registry `FEATURES` names every
feature with its group and its meaning; groups can be left out by name, for ablations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy
from numpy.typing import NDArray

from data.model import Extraction, Sentence
from matchers.interface import Candidate
from matchers.masks import FormulationMasks, masks
from matchers.patterns import Text
from matchers.readings import AS_FORMULATION, REWRITTEN, WITH_DETAIL, Reader, Reading
from matchers.rules import RuleMatcher
from matchers.words import ADVERBS, CONJUNCTIONS, DETERMINERS, PREPOSITIONS, PRONOUNS


@dataclass(frozen=True)
class Feature:
    """A named number about a pair, and which way it may speak: for a match (1), against it (-1, most), either (0).

    A linear model keeps to the signs, so that it does not take chance for a reason and go astray on other texts.
    """

    name: str
    group: str
    meaning: str
    sign: int = -1


FEATURES: tuple[Feature, ...] = (
    *(
        Feature(name, "edits", f"{meaning}, in the cheapest reading")
        for name, meaning in (
            ("missing_content", "content words to put in"),
            ("missing_preposition", "prepositions to put in"),
            ("missing_function", "other function words to put in"),
            ("extra_content", "content words to take away"),
            ("extra_preposition", "prepositions to take away"),
            ("extra_function", "other function words to take away"),
            ("determiners", "determiners to put in or take away"),
            ("adverbs", "light adverbs to put in or take away"),
            ("own_words", "words to take away that this cluster has and the detail lacks"),
        )
    ),
    Feature("reading_cost", "edits", "weighted number of edits of the cheapest reading"),
    Feature("reading_free", "edits", "the cheapest reading takes no edits", 1),
    Feature("reading_light", "edits", "it takes some, but of determiners, adverbs and own words only", 1),
    Feature("reading_detail", "edits", "the cheapest reading takes another formulation's detail (LoD)", 0),
    Feature("reading_rewritten", "edits", "the cheapest reading is a rewriting (AF)", 0),
    Feature("formulation_cost", "edits", "cost of the reading as a formulation (EM)"),
    Feature("detail_cost", "edits", "cost of the reading with a detail (LoD)"),
    Feature("inflected", "words", "words that are there in another inflection"),
    Feature("negations", "words", "negations that are missing or extra"),
    Feature("hedges", "words", "hedges, modals and bounds that are missing or extra"),
    Feature("extra_date", "words", "dates and numbers beyond the formulation"),
    Feature("extra_conjunction", "words", "conjunctions beyond the formulation"),
    Feature(
        "lack_determiner", "words", "determiners and possessives of the formulation that are nowhere in the extraction"
    ),
    Feature("lack_adverb", "words", "adverbs of the formulation that are nowhere in the extraction"),
    Feature("new_adverb", "words", "adverbs that are nowhere in the formulation"),
    *(
        Feature(f"{kind}_{slot}", "slots", meaning.format(slot))
        for kind, meaning in (
            ("lack", "content words of the formulation's {} that are nowhere in the extraction"),
            ("new", "content words of the {} that are nowhere in the formulation"),
        )
        for slot in ("arg1", "relation", "arg2")
    ),
    Feature("moved_content", "moves", "content words that stand in another slot"),
    Feature("moved_function", "moves", "function words that stand in another slot"),
    Feature("preposition_out", "moves", "prepositions moved from the relation into an argument"),
    Feature("preposition_in", "moves", "prepositions moved from an argument into the relation"),
    Feature("relation_same", "order", "the relation is one of the cluster's", 1),
    Feature("arg1_same", "order", "the first argument is the formulation's", 1),
    Feature("arg2_same", "order", "the second argument is the formulation's", 1),
    Feature("arg2_begins", "order", "the second argument begins with the formulation's", 1),
    Feature("tail", "order", "words of the second argument after the formulation's"),
    Feature("tail_bare", "order", "they begin with a content word, not with a preposition or the like"),
    Feature("dangling_end", "shape", "a slot ends with a conjunction, determiner or (arguments) preposition"),
    Feature("dangling_start", "shape", "an argument begins with a conjunction or preposition"),
    Feature("length", "shape", "words of the extraction"),
    Feature("overlap", "shape", "share of common lemmas (F1) of extraction and formulation", 1),
    Feature("one_argument", "shape", "the extraction or the formulation has no second argument", 0),
    Feature("rule_em", "rules", "EM fires", 1),
    Feature("rule_em_punc", "rules", "EM fires without punctuation and case", 1),
    Feature("rule_lod", "rules", "LoD fires: its closeness", 1),
    Feature("rule_af", "rules", "AF fires: its closeness", 1),
    Feature("rule_elsewhere", "rules", "surest rule that fires for another cluster"),
    Feature("rule_rival", "rules", "surest rule that fires for this cluster and another extraction of the system"),
    Feature("clusters_combined", "detail", "other clusters that the extraction contains whole"),
    Feature("clusters_maximal", "detail", "those of them whose words are not all another one's"),
    Feature("clusters_needed", "detail", "other clusters that it takes to account for the extra content words"),
    Feature("unaccounted", "detail", "extra content words that no single other cluster accounts for"),
    Feature("unaccounted_all", "detail", "extra content words that no other cluster at all accounts for"),
    Feature("rank", "rank", "clusters that are cheaper for the extraction"),
    Feature("gap", "rank", "cost above that of the cheapest other cluster"),
    Feature("rival_rank", "rank", "extractions of the system that are cheaper for the cluster"),
    Feature("rival_gap", "rank", "cost above that of the cheapest other extraction of the system"),
)
NAMES = tuple(feature.name for feature in FEATURES)
GROUPS = tuple(dict.fromkeys(feature.group for feature in FEATURES))

_FAR = 50.0
_MOST = 10.0
_CLOSEST = 4
count = int.bit_count


@dataclass(frozen=True)
class PairTable:
    """The features of pairs: which extraction and cluster each row is of, its reading, the rules' candidates."""

    extraction: NDArray[numpy.int64]
    cluster: NDArray[numpy.int64]
    values: NDArray[numpy.float64]
    readings: tuple[Reading, ...]
    rules: dict[tuple[int, int], Candidate]


_RULES = RuleMatcher()


def pair_table(sentence: Sentence, extractions: Sequence[Extraction]) -> PairTable:
    """The features of the candidate pairs of one system in one sentence."""
    context = _Context(sentence, extractions)
    rows = [context.row(index, cluster) for index, cluster in context.pairs]
    return PairTable(
        numpy.array([index for index, _ in context.pairs], dtype=numpy.int64),
        numpy.array([cluster for _, cluster in context.pairs], dtype=numpy.int64),
        numpy.array(rows, dtype=float).reshape(len(rows), len(NAMES)),
        tuple(context.best[pair] for pair in context.pairs),
        context.rules,
    )


class _Context:
    """What the rows of one system and sentence share."""

    def __init__(self, sentence: Sentence, extractions: Sequence[Extraction]) -> None:
        self.bits = masks(sentence)
        self.reader = reader(sentence)
        self.said = [self.bits.extraction(extraction) for extraction in extractions]
        self.slots = [self.reader.view.slots(extraction) for extraction in extractions]
        self.rules = {(c.extraction, c.cluster): c for c in _RULES.candidates(sentence, extractions)}
        self.readings: dict[tuple[int, int], list[Reading]] = {}
        for index, extraction in enumerate(extractions):
            near = self._near(index)
            for cluster, found in self.reader.readings(extraction, self.said[index], near).items():
                self.readings[index, cluster] = found
        self.pairs = sorted(self.readings)
        self.best = {pair: min(found, key=lambda reading: reading.cost) for pair, found in self.readings.items()}
        self.dangling = [_dangling(slots) for slots in self.slots]
        self.inside = [
            [
                (number, gold.needs)
                for number, formulations in enumerate(self.bits.clusters)
                for gold in formulations
                if gold.needs and not gold.needs & ~extraction.says
            ]
            for extraction in self.said
        ]
        self.by_extraction: dict[int, list[tuple[float, int]]] = {}
        self.by_cluster: dict[int, list[tuple[float, int]]] = {}
        for (index, cluster), reading in self.best.items():
            self.by_extraction.setdefault(index, []).append((reading.cost, cluster))
            self.by_cluster.setdefault(cluster, []).append((reading.cost, index))
        self.rule_of_extraction: dict[int, list[tuple[float, int]]] = {}
        self.rule_of_cluster: dict[int, list[tuple[float, int]]] = {}
        for (index, cluster), candidate in self.rules.items():
            self.rule_of_extraction.setdefault(index, []).append((candidate.score, cluster))
            self.rule_of_cluster.setdefault(cluster, []).append((candidate.score, index))

    def _near(self, index: int) -> list[int]:
        """The clusters worth a look: those of which the extraction has all content words but one, or a rule fires."""
        said, function = self.said[index], self.bits.function
        found = []
        for cluster, formulations in enumerate(self.bits.clusters):
            best = None
            for gold in formulations:
                missing = gold.needs & ~said.says
                if count(missing & ~function) > 1 or not gold.allows & said.says & ~function:
                    continue
                extra = said.says & ~gold.allows
                cost = 3 * count(missing & ~function) + count(missing & function) + 2 * count(extra & ~function)
                if best is None or cost < best:
                    best = cost
            if best is not None:
                found.append((best, cluster))
        found.sort()
        near = {cluster for _, cluster in found[:_CLOSEST]}
        near.update(cluster for other, cluster in self.rules if other == index)
        return sorted(near)

    def row(self, index: int, cluster: int) -> list[float]:
        """The features of one pair, in the order of the registry."""
        bits, said = self.bits, self.said[index]
        reading = self.best[index, cluster]
        gold = bits.clusters[cluster][reading.formulation]
        function = bits.function
        missing, extra = gold.needs & ~said.says, said.says & ~gold.allows
        edits = reading.edits
        costs = {other.kind: min(_FAR, other.cost) for other in self.readings[index, cluster]}
        values: list[float] = [
            edits.missing_content, edits.missing_preposition, edits.missing_function, edits.extra_content,
            edits.extra_preposition, edits.extra_function, edits.determiners, edits.adverbs, edits.own,
            min(_FAR, reading.cost), reading.cost == 0, reading.cost > 0 and edits.only_light,
            reading.kind == WITH_DETAIL, reading.kind == REWRITTEN,
            costs[AS_FORMULATION], costs.get(WITH_DETAIL, costs[AS_FORMULATION]),
            max(0, count(said.forms & ~gold.forms) - count(extra)),
            count((missing | extra) & bits.negation), count((missing | extra) & bits.hedge),
            count(extra & bits.date), count(extra & bits.conjunction),
            count(missing & bits.determiner), count(missing & bits.adverb), count(extra & bits.adverb),
            *(count(gold.required[slot] & missing & ~function) for slot in range(3)),
            *(count(said.slots[slot] & extra & ~function & ~bits.adverb) for slot in range(3)),
        ]  # fmt: skip
        lack = [gold.required[slot] & ~said.slots[slot] for slot in range(3)]
        add = [said.slots[slot] & ~gold.every[slot] for slot in range(3)]
        moved = (lack[0] | lack[1] | lack[2]) & said.says | (add[0] | add[1] | add[2]) & gold.allows
        values += (
            count(moved & ~function), count(moved & function),
            count(lack[1] & (add[0] | add[2]) & bits.preposition),
            count(add[1] & (lack[0] | lack[2]) & bits.preposition),
        )  # fmt: skip
        values += self._order(index, cluster, reading)
        slots = self.slots[index]
        common = count(said.says & gold.allows)
        values += (
            *self.dangling[index], sum(map(len, slots)),
            2 * common / (count(said.says) + max(common, count(gold.needs)) or 1),
            float(not slots[2] or not gold.every[2]),
        )  # fmt: skip
        values += self._rules(index, cluster)
        values += self._detail(index, cluster, gold, extra & ~function)
        values += self._rank(index, cluster, reading.cost)
        return values

    def _order(self, index: int, cluster: int, reading: Reading) -> tuple[float, ...]:
        view, offset = self.reader.view, self.reader.offsets[cluster]
        slots = self.slots[index]
        first, _, third = view.triples[offset + reading.formulation].slots
        relations = view.accepted(slots[1])
        same_relation = any(
            triple.slots[1] in relations for triple in view.triples[offset : offset + len(self.bits.clusters[cluster])]
        )
        same_arg2 = third in view.accepted(slots[2])
        ends = [end for begin, end in view.patterns[third].spans(Text(slots[2])) if begin == 0]
        begins = same_arg2 or bool(ends)
        tail = () if same_arg2 or not ends else slots[2][max(ends) :]
        bare = bool(tail) and tail[0] not in _OPENERS
        return (
            float(same_relation), float(first in view.accepted(slots[0])), float(same_arg2), float(begins),
            float(len(tail)), float(bare),
        )  # fmt: skip

    def _rules(self, index: int, cluster: int) -> tuple[float, ...]:
        fired = self.rules.get((index, cluster))
        rule = fired.reason.rule if fired else ""
        score = fired.score if fired else 0.0
        elsewhere = max((s for s, other in self.rule_of_extraction.get(index, ()) if other != cluster), default=0.0)
        rival = max((s for s, other in self.rule_of_cluster.get(cluster, ()) if other != index), default=0.0)
        return (
            float(rule == "em"), float(rule == "em+punc"), score if rule.startswith("lod") else 0.0,
            score if rule.startswith("af") else 0.0, elsewhere, rival,
        )  # fmt: skip

    def _detail(self, index: int, cluster: int, gold: FormulationMasks, extra: int) -> tuple[float, ...]:
        function = self.bits.function
        inside = [other for other in self.inside[index] if other[0] != cluster]
        maximal = sum(
            not any(needs != others and not needs & ~others & ~function for _, others in inside)
            and bool(needs & ~gold.allows & ~function)
            for _, needs in inside
        )
        rest, needed, unaccounted = extra, 0, count(extra)
        covers = [
            extra & formulation.allows
            for number, formulations in enumerate(self.bits.clusters)
            if extra and number != cluster
            for formulation in formulations
        ]
        while rest:
            best = max(covers, key=lambda cover: count(cover & rest), default=0)
            if not best & rest:
                break
            rest &= ~best
            needed += 1
            if needed == 1:
                unaccounted = count(rest)
        combined = len({number for number, _ in inside})
        return (float(combined), float(maximal), float(needed), float(unaccounted), float(count(rest)))

    def _rank(self, index: int, cluster: int, cost: float) -> tuple[float, ...]:
        others = [c for c, other in self.by_extraction[index] if other != cluster]
        rivals = [c for c, other in self.by_cluster[cluster] if other != index]
        gap = cost - min(others, default=cost)  # with nothing to compare it to, a cost says nothing of rank
        rival_gap = cost - min(rivals, default=cost)
        return (
            float(sum(c < cost for c in others)), max(-_MOST, min(_MOST, gap)),
            float(sum(c < cost for c in rivals)), max(-_MOST, min(_MOST, rival_gap)),
        )  # fmt: skip


@lru_cache(maxsize=1024)
def reader(sentence: Sentence) -> Reader:
    """The reader of a sentence; made once."""
    return Reader(sentence, masks(sentence))


_OPENERS = CONJUNCTIONS | PREPOSITIONS | PRONOUNS | ADVERBS
_ENDS = CONJUNCTIONS | DETERMINERS
_STARTS = CONJUNCTIONS | PREPOSITIONS


def _dangling(slots: tuple[tuple[str, ...], ...]) -> tuple[float, float]:
    ends = sum(bool(words) and words[-1] in _ENDS for words in slots)
    ends += sum(bool(words) and words[-1] in PREPOSITIONS for words in (slots[0], slots[2]))
    starts = sum(bool(words) and words[0] in _STARTS for words in (slots[0], slots[2]))
    return float(ends), float(starts)
