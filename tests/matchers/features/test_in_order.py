"""Whatever order gold lists its formulations and clusters in, pairs have the same features, texts and matches."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

import matchers
from data.model import Benchmark, Extraction, Sentence
from matchers.encoder.pair_text import encoded_pairs
from matchers.features.in_order import in_order
from matchers.features.readings import AS_FORMULATION, NONE, Reading
from matchers.features.rows import pair_table
from matchers.interface import Assignment
from tests import strategies
from tests.matchers import tiny
from tests.matchers.facts import sentence, triple
from training.labels.judged_parts import assign_all

# Extractions that lack as much of each formulation of a fact, and formulations that account for as much.
TIED = sentence(
    ["Mara Venn --> ran --> the northern mill", "Mara Venn --> led --> the northern mill"],
    ["the mill --> stood in --> Oslo until May", "the mill --> was in --> Oslo until June"],
    ["Mara Venn --> met --> Tove in May", "Tove --> met --> Mara Venn in June"],
    ["Mara Venn --> met --> Bo in May", "Bo --> met --> Mara Venn in Oslo"],
    "the old mill --> burned in --> June",
)
SAID = [
    triple(text)
    for text in (
        "Mara Venn - owned - the northern mill in Oslo",
        "the mill - burned down in - Oslo in May and June",
        "Mara Venn - met - Tove and Bo in Bergen",
        "Mara Venn - met in - June Tove, who led the old mill",
    )
]


def shuffled(gold: Sentence, seed: int) -> Sentence:
    """The same gold with its clusters, and the formulations of each, in another order."""
    mixed = random.Random(seed)
    clusters = [
        replace(cluster, formulations=tuple(mixed.sample(cluster.formulations, len(cluster.formulations))))
        for cluster in gold.clusters
    ]
    return replace(gold, clusters=tuple(mixed.sample(clusters, len(clusters))))


def formulations_shuffled(gold: Sentence, seed: int) -> Sentence:
    """The same gold with the formulations of each cluster in another order."""
    mixed = shuffled(gold, seed)
    return replace(gold, clusters=tuple(mixed.cluster(cluster.id) for cluster in gold.clusters))


def pairs(gold: Sentence, said: list[Extraction]) -> dict[tuple[int, str], object]:
    """What is found of each pair, by the cluster's id: features, the reading with its formulations, and the text."""
    table, lines = pair_table(gold, said), [f for cluster in gold.clusters for f in cluster.formulations]
    texts = {(one.extraction, one.cluster): one.text for one in encoded_pairs(gold, said)}
    found: dict[tuple[int, str], object] = {}
    for row, reading in enumerate(table.readings):
        index, cluster = int(table.extraction[row]), gold.clusters[int(table.cluster[row])]
        formulation = str(cluster.formulations[reading.formulation])
        detail = None if reading.detail is None else str(lines[reading.detail])
        values, text = table.values[row].tolist(), texts[index, int(table.cluster[row])]
        found[index, cluster.id] = (reading.kind, formulation, detail, reading.edits, values, text)
    return found


@given(st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_ties_do_not_go_by_the_order_of_the_gold(seed: int) -> None:
    expected = pairs(TIED, SAID)
    assert len(expected) == 10
    assert pairs(shuffled(TIED, seed), SAID) == expected


@given(
    strategies.golds(),
    st.lists(st.tuples(strategies.texts, strategies.texts, strategies.texts), max_size=4),
    st.integers(0, 10**6),
)
@settings(max_examples=40, deadline=None)
def test_any_gold_in_another_order_gives_the_same(
    gold: Benchmark, triples: list[tuple[str, str, str]], seed: int
) -> None:
    part = gold.sentences[0]
    stated = [f.slots for cluster in part.clusters for f in cluster.formulations]
    triples = triples + [(" ".join(a.words), " ".join(b.words), " ".join(c.words)) for a, b, c in stated]
    said = [Extraction(part.id, *slots) for slots in triples if any(slots)]
    assert pairs(shuffled(part, seed), said) == pairs(part, said)


@given(strategies.golds(), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_places_lead_there_and_back(gold: Benchmark, seed: int) -> None:
    part = shuffled(gold.sentences[0], seed)
    ordered = in_order(part)
    assert ordered.sentence == in_order(gold.sentences[0]).sentence == in_order(ordered.sentence).sentence
    for number, cluster in enumerate(part.clusters):
        now = ordered.now.clusters[number]
        assert ordered.sentence.clusters[now].id == cluster.id and ordered.before.clusters[now] == number
        for place, formulation in enumerate(cluster.formulations):
            reading = Reading(AS_FORMULATION, place, NONE, detail=place)
            moved = ordered.now.reading(number, reading)
            assert ordered.sentence.clusters[now].formulations[moved.formulation] == formulation
            assert ordered.before.reading(now, moved) == reading


def decided(assignments: list[Assignment]) -> list[list[tuple[int, str, float]]]:
    return [[(match.index, match.cluster, match.score) for match in one.matches] for one in assignments]


def test_the_sample_with_shuffled_formulations_gives_the_same_matches() -> None:
    matcher = matchers.load("features")
    work = [part for part in tiny.parts(60) if len(part.sentence.clusters) > 1]
    assert len(work) > 60
    expected = decided(assign_all(matcher, work))
    assert sum(map(len, expected)) > 60
    for seed in range(3):
        mixed = [replace(part, sentence=formulations_shuffled(part.sentence, seed)) for part in work]
        assert decided(assign_all(matcher, mixed)) == expected
