from __future__ import annotations

from pathlib import Path

import numpy
import pytest

from data.catalog import load
from data.problems import Diagnostics
from data.thinning import Thinness
from training.fitting.parts import featurise
from training.labels.formulations import formulations
from training.labels.generated import generated
from training.labels.judged_parts import judged

LEVELS = (Thinness.of("first"), Thinness.of("random-1"))


def labelled(part: object) -> set[tuple[int, int]]:
    rows = zip(part.table.extraction.tolist(), part.table.cluster.tolist(), part.labels.tolist(), strict=True)  # type: ignore[attr-defined]
    return {(index, cluster) for index, cluster, label in rows if label}


def test_labels_stay_true_when_the_gold_is_thinned(small: Path) -> None:
    for part in judged(load(small, diagnostics=Diagnostics())):
        whole = featurise(part, 1.0, LEVELS)
        assert len(whole.thin) == 2 and whole.every == (whole, *whole.thin)
        for thin in whole.thin:
            assert all(len(cluster.formulations) <= 1 for cluster in thin.judged.sentence.clusters)
            assert labelled(thin) <= labelled(whole) and thin.judged.labels == part.labels


def test_what_is_doubtful_under_the_full_gold_is_doubtful_under_a_thin_one() -> None:
    sample = load("sample", diagnostics=Diagnostics())
    left_out = 0
    for part in judged(sample)[:60]:
        whole = featurise(part, 1.0, LEVELS)
        pairs = zip(whole.table.extraction.tolist(), whole.table.cluster.tolist(), strict=True)
        doubtful = {pair for pair, trained in zip(pairs, whole.trained, strict=True) if not trained}
        left_out += len(doubtful)
        for thin in whole.thin:
            own = zip(thin.table.extraction.tolist(), thin.table.cluster.tolist(), strict=True)
            expected = numpy.array([pair not in doubtful for pair in own], dtype=bool)
            assert (thin.trained == expected).all()
    assert left_out


@pytest.mark.parametrize("made", [lambda gold: generated(gold, 1, 1)[0], lambda gold: formulations(gold, 1, 1)[0]])
def test_made_parts_have_one_thin_version_or_none(made: object) -> None:
    part = made(load("sample", diagnostics=Diagnostics()))  # type: ignore[operator]
    assert len(featurise(part, 1.0, LEVELS).thin) == (part.source == "generated")
