from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy
import pytest
from facts import sentence, triple

import matchers
from data.model import Benchmark
from data.problems import InputError
from matchers.checkpoints import (
    CARD,
    CONFIG,
    SHIPPED,
    WEIGHTS,
    check_replaceable,
    find,
    is_checkpoint,
    open_checkpoint,
    save_checkpoint,
    seen_sentences,
    sentence_hash,
    shipped,
)
from matchers.classifier import FeatureMatcher, Model
from matchers.estimators import Linear
from training.train import checkpoint_parts

GOLD = sentence("Mara Venn --> is --> [a] chemist", text="Mara Venn is a chemist .")
MATCHER = FeatureMatcher(
    Model(("reading_cost",), Linear(numpy.zeros(1), numpy.ones(1), numpy.array([-1.0]), 3.0), 0.7, 0.1, 0.4), "mine"
)


def save(folder: Path, **changes: Any) -> str:
    settings, files = checkpoint_parts(MATCHER)
    config = {"kind": "features", "name": "mine", **settings, "trained_on": [sentence_hash(GOLD.text)], **changes}
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
    matchers.load(str(tmp_path / "empty"))


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
    from data.textfile import sha256

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
