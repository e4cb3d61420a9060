from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy
import pytest

import matchers
from data.problems import InputError
from matchers.checkpoints import CONFIG, save_checkpoint
from matchers.encoder.hybrid import SURE, HybridMatcher, with_encoder
from matchers.encoder.matcher import FAR
from matchers.features.estimators import Linear
from matchers.features.groups import NAMES
from matchers.features.matcher import Model
from matchers.features.rows import pair_table
from tests.matchers import tiny
from tests.matchers.facts import sentence, triple
from training.fitting.saving import checkpoint_parts

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")

GOLD = sentence(
    "Mara Venn --> is --> [a] chemist",
    "Mara Venn --> moved to --> Oslo",
    "Mara Venn --> sold --> the old mill",
)
NEAR, EXACT = triple("Mara Venn - moved to - Oslo yesterday"), triple("Mara Venn - is - a chemist")
# the cross-encoder's word alone decides
MODEL = Model(("overlap",), Linear(numpy.zeros(1), numpy.ones(1), numpy.zeros(1), 0.0), encoder_slope=1.0)


def hybrid(model: Model = MODEL) -> HybridMatcher:
    return HybridMatcher(model, "mine", encoder=tiny.matcher())


def test_the_cross_encoder_s_word_is_the_last_column() -> None:
    table = pair_table(GOLD, [NEAR, EXACT])
    [found] = with_encoder(tiny.matcher(), [(GOLD, [NEAR, EXACT])], [table])
    assert found.values.shape == (len(table.values), len(NAMES) + 1)
    assert numpy.array_equal(found.values[:, :-1], table.values)
    said = {(e, c): p for e, c, p in tiny.matcher().pair_scores(GOLD, [NEAR, EXACT])}
    for row, (index, cluster) in enumerate(zip(table.extraction, table.cluster, strict=True)):
        probability = said[int(index), int(cluster)]
        value = found.values[row, -1]
        if (index, cluster) == (1, 0):
            assert value == pytest.approx(SURE)  # exact: nobody is asked
        elif table.readings[row].cost > FAR:
            assert value == pytest.approx(-SURE)
        else:
            assert value == pytest.approx(numpy.log(probability / (1 - probability)))


def test_the_model_decides_by_it() -> None:
    [probability] = [p for e, c, p in tiny.matcher().pair_scores(GOLD, [NEAR]) if c == 1]
    for threshold, expected in ((probability - 0.01, True), (probability + 0.01, False)):
        found = hybrid(replace(MODEL, threshold=threshold)).candidates(GOLD, [NEAR])
        assert any(candidate.cluster == 1 for candidate in found) == expected


def test_many_at_once_give_the_same() -> None:
    matcher = hybrid(replace(MODEL, threshold=0.0))
    work = [(GOLD, [NEAR]), (GOLD, []), (GOLD, [EXACT, NEAR])]
    assert matcher.match_many(work) == [matcher.match(*part) for part in work]


def test_it_explains_both() -> None:
    unlike = replace(MODEL, estimator=replace(MODEL.estimator, weights=numpy.ones(1)))
    lines = hybrid(unlike).explain_pair(GOLD, NEAR, GOLD.clusters[1])
    assert lines[0].startswith("mine: probability") and any("overlap = " in line for line in lines)
    assert any("difference: " in line and "yesterday" in line for line in lines)


def test_the_signature_names_the_base_model() -> None:
    assert hybrid().settings["base_model"] == "tiny"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    settings, files = checkpoint_parts(hybrid())
    save_checkpoint(tmp_path / "mine", {"kind": "hybrid", "name": "mine", **settings}, files, "# mine\n")
    return tmp_path / "mine"


def test_a_checkpoint_keeps_both(folder: Path) -> None:
    again = matchers.load(str(folder))
    assert isinstance(again, HybridMatcher) and again.name == "mine"
    assert again.pair_scores(GOLD, [NEAR, EXACT]) == hybrid().pair_scores(GOLD, [NEAR, EXACT])


@pytest.mark.parametrize("name", ["weights.json", "model.safetensors"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(InputError, match=name):
        matchers.load(str(folder))


def test_without_a_cross_encoder_it_is_no_hybrid(folder: Path) -> None:
    config = json.loads((folder / CONFIG).read_text())
    del config["cross_encoder"]
    (folder / CONFIG).write_text(json.dumps(config))
    with pytest.raises(InputError, match="no settings of its cross_encoder"):
        matchers.load(str(folder))


def test_as_features_alone_it_asks_no_cross_encoder(folder: Path) -> None:
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, "kind": "features"}))
    assert not matchers.load(str(folder)).settings.keys() & {"base_model"}
