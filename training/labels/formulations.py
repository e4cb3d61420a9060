"""Formulations as extractions: what an annotator lists as one fact's wordings, held against each other.

In each round every cluster with several formulations gives one of them away, as if a system had extracted it, and keeps
one or two others. The gold's own wordings so teach which rewordings state the same fact (passive for active, another
border between slots, a pronoun for a name), and the other clusters of the sentence which do not.
"""

from __future__ import annotations

import random
from dataclasses import replace

from data.model import Benchmark, Cluster, Extraction, Formulation, Sentence, Slot
from matchers.rules.matcher import RuleMatcher
from training.labels.judged_parts import FORMULATIONS, Judged, key_of

_KEPT = (1, 1, 2)  # how many formulations a cluster keeps, by chance


def formulations(benchmark: Benchmark, rounds: int, seed: int, without: frozenset[str] = frozenset()) -> list[Judged]:
    """The rounds of each sentence, each a part, but for sentences of these keys."""
    parts = []
    for sentence in benchmark.sentences:
        if key_of(sentence) not in without:
            for number in range(rounds):
                generator = random.Random(f"{seed}:{number}:{sentence.text}")
                part = _round(sentence, f"round {number + 1}", generator)
                if part.extractions:
                    parts.append(part)
    return parts


def _round(sentence: Sentence, name: str, generator: random.Random) -> Judged:
    given: list[tuple[Extraction, str]] = []
    clusters = []
    for cluster in sentence.clusters:
        if len(cluster.formulations) < 2:
            clusters.append(cluster)
            continue
        away = generator.randrange(len(cluster.formulations))
        rest = [place for place in range(len(cluster.formulations)) if place != away]
        kept = sorted(generator.sample(rest, min(generator.choice(_KEPT), len(rest))))
        clusters.append(Cluster(cluster.id, tuple(cluster.formulations[place] for place in kept)))
        slots = _resolved(cluster.formulations[away], generator)
        if slots[0] and slots[1]:
            given.append((Extraction(sentence.id, *slots), cluster.id))
    own = [item for item in given if _states_only(sentence, *item)]
    extractions = tuple(extraction for extraction, _ in own)
    labels = tuple(frozenset({cluster}) for _, cluster in own)
    return Judged(replace(sentence, clusters=tuple(clusters)), name, extractions, labels, source=FORMULATIONS)


def _states_only(sentence: Sentence, extraction: Extraction, cluster: str) -> bool:
    """Whether no rule finds another fact in a wording, by the whole gold."""
    candidates = RuleMatcher().candidates(sentence, [extraction])
    return all(sentence.clusters[candidate.cluster].id == cluster for candidate in candidates if candidate.exact)


def _resolved(formulation: Formulation, generator: random.Random) -> tuple[str, str, str]:
    def words(slot: Slot) -> str:
        kept = (group.words for group in slot.groups if not group.optional or generator.random() < 0.5)
        return " ".join(word for group in kept for word in group)

    return (words(formulation.arg1), words(formulation.relation), words(formulation.arg2))
