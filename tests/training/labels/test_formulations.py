from __future__ import annotations

from data.catalog import load
from data.problems import Diagnostics
from matchers.rules.matcher import RuleMatcher
from training.labels.formulations import formulations
from training.labels.judged_parts import FORMULATIONS, key_of

SAMPLE = load("sample", diagnostics=Diagnostics())


def test_a_wording_is_given_away_and_others_are_kept() -> None:
    parts = formulations(SAMPLE, 1, seed=1)
    assert len(parts) > 30
    for part in parts:
        full = SAMPLE.by_id[part.sentence.id]
        assert part.source == FORMULATIONS and [c.id for c in part.sentence.clusters] == [c.id for c in full.clusters]
        for extraction, label in zip(part.extractions, part.labels, strict=True):
            (cluster,) = label
            kept, listed = part.sentence.cluster(cluster).formulations, full.cluster(cluster).formulations
            assert 1 <= len(kept) <= 2 and set(kept) < set(listed)
            own = RuleMatcher("em").candidates(full, [extraction])
            assert cluster in {full.clusters[candidate.cluster].id for candidate in own}


def test_rounds_differ_and_a_seed_repeats_them() -> None:
    first, second = formulations(SAMPLE, 1, seed=1), formulations(SAMPLE, 1, seed=2)
    assert first == formulations(SAMPLE, 1, seed=1) != second
    assert len(formulations(SAMPLE, 2, seed=1)) == 2 * len(first)


def test_held_out_sentences_are_left_out() -> None:
    held = frozenset({key_of(SAMPLE.sentences[0])})
    assert all(part.key not in held for part in formulations(SAMPLE, 1, seed=1, without=held))
