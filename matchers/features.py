"""Features of a pair: what a classifier knows about an extraction and a cluster.

A cluster is represented by its formulation that is closest to the extraction. The registry `FEATURES` names every
feature with its group and its meaning; groups can be left out by name, for ablations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray

from data.model import Extraction, Sentence
from matchers.descriptions import describer, standing
from matchers.interface import Candidate
from matchers.readings import Reading


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

_RULE_RIVAL, _RIVAL_RANK, _RIVAL_GAP = map(NAMES.index, ("rule_rival", "rival_rank", "rival_gap"))


@dataclass(frozen=True)
class PairTable:
    """The features of pairs: which extraction and cluster each row is of, its reading, the rules' candidates."""

    extraction: NDArray[numpy.int64]
    cluster: NDArray[numpy.int64]
    values: NDArray[numpy.float64]
    readings: tuple[Reading, ...]
    rules: dict[tuple[int, int], Candidate]


def pair_table(sentence: Sentence, extractions: Sequence[Extraction]) -> PairTable:
    """The features of the candidate pairs of one system in one sentence."""
    described = list(map(describer(sentence).describe, extractions))
    index = [number for number, one in enumerate(described) for _ in one.clusters]
    clusters = [cluster for one in described for cluster in one.clusters]
    rows = [row for one in described for row in one.rows]
    rules = {
        (number, rule.cluster): replace(rule, extraction=number) if number else rule
        for number, one in enumerate(described)
        for rule in one.rules
    }
    values = numpy.array(rows, dtype=float).reshape(len(rows), len(NAMES))
    if len(described) > 1 and rows:
        values[:, _RIVAL_RANK : _RIVAL_GAP + 1] = _rivals(clusters, [cost for one in described for cost in one.costs])
        if rules:
            values[:, _RULE_RIVAL] = _rule_rivals(zip(index, clusters, strict=True), rules)
    readings = tuple(reading for one in described for reading in one.readings)
    return PairTable(numpy.array(index, dtype=int), numpy.array(clusters, dtype=int), values, readings, rules)


def _rivals(clusters: Sequence[int], costs: Sequence[float]) -> list[tuple[int, float]]:
    """How each pair stands among those of its cluster."""
    of_cluster: dict[int, list[float]] = {}
    for cluster, cost in zip(clusters, costs, strict=True):
        of_cluster.setdefault(cluster, []).append(cost)
    for own in of_cluster.values():
        own.sort()
    return [standing(cost, of_cluster[cluster]) for cluster, cost in zip(clusters, costs, strict=True)]


def _rule_rivals(pairs: Iterable[tuple[int, int]], rules: dict[tuple[int, int], Candidate]) -> list[float]:
    """The score of the surest rule that fires for a pair's cluster and another extraction."""
    fired: dict[int, list[tuple[float, int]]] = {}
    for (index, cluster), rule in rules.items():
        fired.setdefault(cluster, []).append((rule.score, index))
    return [
        max((score for score, other in fired.get(cluster, ()) if other != index), default=0.0)
        for index, cluster in pairs
    ]
