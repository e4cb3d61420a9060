from __future__ import annotations

import json
import pickle
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import matchers
from data.formats.textfile import sha256
from data.model import Benchmark
from data.problems import InputError
from data.text import one_line
from matchers.checkpoints import (
    CARD,
    CONFIG,
    SHIPPED,
    WEIGHTS,
    check_replaceable,
    find,
    is_checkpoint,
    knows,
    load_encoder,
    open_checkpoint,
    save_checkpoint,
    seen_sentences,
    sentence_hash,
    shipped,
)
from matchers.encoder.hybrid import HybridMatcher
from matchers.features.estimators import Linear
from matchers.features.matcher import FeatureMatcher, Model
from tests.data.test_text import SENTENCE, WAYS
from tests.matchers import tiny
from tests.matchers.facts import sentence, triple
from training.fitting.saving import checkpoint_parts

GOLD = sentence("Mara Venn --> is --> [a] chemist", text="Mara Venn is a chemist .")
MATCHER = FeatureMatcher(
    Model(("reading_cost",), Linear(numpy.zeros(1), numpy.ones(1), numpy.array([-1.0]), 3.0), 0.7, 0.1, 0.4), "mine"
)


def save(folder: Path, **changes: Any) -> str:
    made, files = checkpoint_parts(MATCHER)
    config = {"kind": "features", "name": "mine", **made, "trained_on": [sentence_hash(GOLD.text)], **changes}
    return save_checkpoint(folder, config, files, "# mine\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save(tmp_path / "mine")
    return tmp_path / "mine"


def edit(folder: Path, **changes: Any) -> None:
    """Change the config, as somebody might who knows the format."""
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, **changes}))


def test_round_trip(folder: Path) -> None:
    matcher = matchers.load(str(folder))
    assert isinstance(matcher, FeatureMatcher) and matcher.name == "mine"
    assert matcher.model.estimator.as_json() == MATCHER.model.estimator.as_json()
    extractions = [triple("Mara Venn - was - a chemist now")]
    assert matcher.match(GOLD, extractions).covered == MATCHER.match(GOLD, extractions).covered == {"1"}
    assert matcher.pair_scores(GOLD, extractions) == MATCHER.pair_scores(GOLD, extractions)
    assert sorted(path.name for path in folder.iterdir()) == sorted([CARD, CONFIG, WEIGHTS])
    assert (folder / CARD).read_text() == "# mine\n"


def test_saved_twice_it_has_the_same_bytes(tmp_path: Path) -> None:
    assert save(tmp_path / "a") == save(tmp_path / "b") == open_checkpoint(str(tmp_path / "a")).hash
    for name in (CONFIG, WEIGHTS, CARD):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_saving_replaces_a_checkpoint_and_leaves_nothing_beside(folder: Path) -> None:
    (folder / "old.json").write_text("{}")
    save(folder, threshold=0.6)
    assert not (folder / "old.json").exists()
    assert matchers.load(str(folder)).settings["threshold"] == "0.6000"
    assert [path.name for path in folder.parent.iterdir()] == ["mine"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    save(tmp_path / "empty")
    assert matchers.load(str(tmp_path / "empty")).name == "mine"


@pytest.mark.parametrize("name", ["notes.txt", CONFIG])
def test_other_people_s_folders_are_not_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text('{"hidden_size": 384}')
    with pytest.raises(InputError, match="choose another --output"):
        save(tmp_path)
    assert (tmp_path / name).read_text() == '{"hidden_size": 384}'


def test_a_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("text")
    with pytest.raises(InputError, match="is no checkpoint"):
        save(tmp_path / "mine")
    assert (tmp_path / "mine").read_text() == "text"
    check_replaceable(tmp_path / "nothing")


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    with pytest.raises(InputError, match=r"is incomplete: weights\.json is missing"):
        matchers.load(str(folder))


def test_a_half_written_folder(folder: Path) -> None:
    (folder / CONFIG).unlink()
    with pytest.raises(InputError, match=r"it has no config\.json"):
        matchers.load(str(folder))


def test_a_changed_byte(folder: Path) -> None:
    content = bytearray((folder / WEIGHTS).read_bytes())
    content[content.index(b"3")] = ord("4")
    (folder / WEIGHTS).write_bytes(bytes(content))
    with pytest.raises(InputError, match=r"weights\.json is not the file that was saved"):
        matchers.load(str(folder))


def test_a_half_written_config(folder: Path) -> None:
    (folder / CONFIG).write_bytes((folder / CONFIG).read_bytes()[:80])
    with pytest.raises(InputError, match="is not JSON"):
        matchers.load(str(folder))


@pytest.mark.parametrize("text", ["[]", "{}", '{"files": []}', "null"])
def test_a_config_of_something_else(folder: Path, text: str) -> None:
    (folder / CONFIG).write_text(text)
    with pytest.raises(InputError, match="is no checkpoint's config"):
        matchers.load(str(folder))


@pytest.mark.parametrize("name", ["../secret.json", "/etc/passwd", "sub/weights.json"])
def test_a_config_that_names_a_file_outside(folder: Path, name: str) -> None:
    edit(folder, files={name: "0" * 64})
    with pytest.raises(InputError, match="names a file outside of its folder"):
        matchers.load(str(folder))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "oracle"}, "is of kind 'oracle', which this version does not know"),
        ({"kind": None}, "is of kind None"),
        ({"format": 99}, "has format 99; this version reads format 1"),
        ({"features": ["moonlight"]}, "uses the feature 'moonlight', which this version does not have"),
        ({"features": ["reading_cost", "rank"]}, "damaged"),
        ({"features": 7}, "damaged"),
        ({"threshold": "high"}, "damaged"),
        ({"threshold": None}, "damaged"),
        ({"trained_on": "all"}, "'trained_on' must be a list of hashes"),
    ],
)
def test_a_config_that_says_nonsense(folder: Path, changes: dict[str, Any], message: str) -> None:
    edit(folder, **changes)
    with pytest.raises(InputError, match=message):
        matchers.load(str(folder))


class Trap:
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return (exec, ("raise SystemExit('a pickle was run')",))


def test_a_pickle_is_never_read(folder: Path) -> None:

    content = pickle.dumps(Trap())
    (folder / WEIGHTS).write_bytes(content)
    (folder / "model.pkl").write_bytes(content)
    edit(folder, files={WEIGHTS: sha256(content), "model.pkl": sha256(content)})
    with pytest.raises(InputError, match=WEIGHTS):
        matchers.load(str(folder))


def test_sentences_that_were_seen(folder: Path) -> None:
    other = sentence("Ann Lo --> left --> Oslo", text="Ann Lo left Oslo .", name="2")
    matcher = matchers.load(str(folder))
    assert seen_sentences(matcher, Benchmark("both", (GOLD, other))) == 1
    assert seen_sentences(matcher, Benchmark("new", (other,))) == 0
    assert seen_sentences(matchers.load("rules"), Benchmark("both", (GOLD, other))) == 0


@pytest.mark.parametrize("written", WAYS.values(), ids=WAYS)
def test_a_sentence_that_was_seen_is_known_however_it_is_written(folder: Path, written: str) -> None:
    edit(folder, trained_on=[sentence_hash(SENTENCE)])
    text = one_line(written.strip("\ufeff"))
    assert seen_sentences(matchers.load(str(folder)), Benchmark("own", (replace(GOLD, text=text),))) == 1


def test_checkpoints_of_version_0_1_hash_the_exact_text(folder: Path) -> None:
    edit(folder, trained_on=[sha256(GOLD.text.encode())])
    assert seen_sentences(matchers.load(str(folder)), Benchmark("own", (GOLD,))) == 1


def test_names() -> None:
    with pytest.raises(InputError, match="no checkpoint is called 'nothing'"):
        find("nothing")
    assert not is_checkpoint("nothing")


@pytest.mark.skipif(not shipped(), reason="no checkpoint ships yet")
def test_a_shipped_checkpoint_is_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = shipped()[0]
    assert find(name) == find(f"checkpoints/{name}") == SHIPPED / name
    assert is_checkpoint(name) and is_checkpoint(f"checkpoints/{name}")
    with pytest.raises(InputError, match="no checkpoint is called"):
        find(f"runs/{name}")  # a name in another folder is not the one that ships


def test_a_file_that_is_not_listed_is_not_opened(folder: Path) -> None:
    edit(folder, files={})
    with pytest.raises(InputError, match=r"does not list its file weights\.json"):
        matchers.load(str(folder))


@pytest.mark.parametrize("name", [WEIGHTS, CONFIG])
def test_a_link_is_not_followed(folder: Path, tmp_path: Path, name: str) -> None:
    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is a link"):
        matchers.load(str(folder))


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "x" * 300 + "/y"])
def test_names_that_no_file_can_have(name: str) -> None:
    with pytest.raises(InputError, match="no matcher is called"):
        matchers.load(name)


def test_features_have_no_precision(folder: Path) -> None:
    with pytest.raises(InputError, match="leave @bfloat16 out"):
        matchers.load(f"{folder}@bfloat16")


@pytest.fixture(scope="module")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole cross-encoder as a checkpoint."""
    matcher = tiny.matcher()
    made, files = checkpoint_parts(matcher)
    folder = tmp_path_factory.mktemp("encoder") / "tiny"
    save_checkpoint(folder, {"kind": "cross_encoder", "name": "tiny", **made, "trained_on": []}, files, "# tiny\n")
    return folder


SEEN, CHOSEN, NEW = (replace(GOLD, text=f"Mara Venn is a {word} .") for word in ("chemist", "baker", "diver"))
HASHES = {"trained_on": [sentence_hash(SEEN.text)], "chosen_on": [sentence_hash(CHOSEN.text)]}


@pytest.fixture(scope="module", params=["cross_encoder", "hybrid"])
def with_encoder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint with the tiny encoder whose weights know one sentence, and whose thresholds know another."""
    encoder, kind = copy(tiny.matcher()), request.param
    encoder.trained_on = frozenset(HASHES["trained_on"])
    matcher = encoder if kind == "cross_encoder" else HybridMatcher(MATCHER.model, "mine", encoder=encoder)
    made, files = checkpoint_parts(matcher)
    hashes = HASHES if kind == "cross_encoder" else {"trained_on": HASHES["chosen_on"]}  # the classifier's own
    folder = tmp_path_factory.mktemp(kind) / "mine"
    save_checkpoint(folder, {"kind": kind, "name": "mine", **made, **hashes}, files, "# mine\n")
    return folder


def test_an_encoder_out_of_a_checkpoint_says_what_it_said(with_encoder: Path) -> None:
    said = [triple("Mara Venn - is - a good chemist")]
    assert load_encoder(str(with_encoder)).pair_scores(GOLD, said) == tiny.matcher().pair_scores(GOLD, said)


def test_an_encoder_knows_what_its_weights_were_trained_on_alone(with_encoder: Path) -> None:
    encoder = load_encoder(str(with_encoder))
    assert [knows(encoder, part) for part in (SEEN, CHOSEN, NEW)] == [True, False, False]


def test_a_cross_encoder_knows_what_its_thresholds_were_chosen_on(encoder_folder: Path, tmp_path: Path) -> None:
    made, files = checkpoint_parts(tiny.matcher())
    save_checkpoint(tmp_path / "mine", {"kind": "cross_encoder", "name": "mine", **made, **HASHES}, files, "# mine\n")
    matcher = matchers.load(str(tmp_path / "mine"))
    assert [knows(matcher, part) for part in (SEEN, CHOSEN, NEW)] == [True, True, False]
    assert not any(knows(matchers.load(str(encoder_folder)), part) for part in (SEEN, CHOSEN, NEW))


def test_features_have_no_encoder(folder: Path) -> None:
    with pytest.raises(InputError, match="has no cross-encoder"):
        load_encoder(str(folder))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_any_config_is_loaded_or_refused(encoder_folder: Path, folder: Path, data: st.DataObject) -> None:
    chosen = data.draw(st.sampled_from([folder, encoder_folder]))
    original = (chosen / CONFIG).read_text()
    key = data.draw(st.sampled_from(sorted(json.loads(original))))
    try:
        (chosen / CONFIG).write_text(json.dumps({**json.loads(original), key: data.draw(ANYTHING)}))
        matchers.load(str(chosen))
    except InputError as error:
        assert "\n" not in str(error)
    finally:
        (chosen / CONFIG).write_text(original)


@pytest.mark.parametrize("name", sorted(path.parent.name for path in SHIPPED.glob("*/config.json")))
def test_what_ships_knows_no_sentence_of_wire57(name: str, real_data: Path) -> None:
    """An independent corpus is made of them."""
    from data.catalog import load
    from data.problems import Diagnostics

    hashes = json.loads((SHIPPED / name / "config.json").read_text())["trained_on"]
    benchmark = load("wire57", real_data, Diagnostics())
    known = FeatureMatcher(MATCHER.model, trained_on=frozenset(hashes))
    assert len(hashes) >= 50 and len(benchmark.sentences) == 57
    assert seen_sentences(known, benchmark) == 0
    assert seen_sentences(known, load("benchie_fl_match", real_data, Diagnostics())) == 50
