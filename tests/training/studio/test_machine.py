"""What matchers say of sentences, and what stands beside one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from data.catalog import SAMPLE
from data.problems import InputError
from training.studio.facts import Request
from training.studio.insight import insight
from training.studio.studio import Studio


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    for name in ("gold", "extractions"):
        shutil.copytree(SAMPLE / name, tmp_path / "mine" / name)
    return Studio(tmp_path / "mine")


def test_matchers_are_named_and_never_addressed(studio: Studio) -> None:
    for name in ("/etc", "../mine", "checkpoints/features", ".", ""):
        with pytest.raises(InputError, match="no matcher"):
            studio.machine.matcher(name)
    assert studio.machine.matcher("rules").name == "rules"


def test_the_last_one_that_was_learned_is_the_default(studio: Studio) -> None:
    assert studio.machine.default() == "features"
    shutil.copytree(Path("checkpoints") / "features", studio.folder / "checkpoints" / "learned-1")
    assert studio.machine.default() == "learned-1"
    assert studio.machine.matcher("learned-1").hash


def test_what_was_said_is_kept_until_the_sentence_changes(studio: Studio) -> None:
    draft = studio.draft(1)
    said = studio.machine.said("rules", draft, studio.systems)
    assert studio.machine.said("rules", draft, studio.systems) is said
    assert any(one.clusters for one in said.values())
    assert all(0 <= one.doubt <= 1 for one in said.values())
    studio.edit("Ada", 1, draft.version, Request("delete cluster", "1"))
    assert studio.machine.known("rules", studio.state.drafts) == {}
    assert all("1" not in one.clusters for one in studio.machine.said("rules", draft, studio.systems).values())


def test_the_jury_disagrees_somewhere(studio: Studio) -> None:
    studio.machine.warm([studio.draft(number) for number in range(1, 13)], studio.systems)
    disputed = studio.machine.disputed(studio.state.drafts)
    assert set(disputed.values()) >= {1, 2}


def test_beside_a_sentence(studio: Studio) -> None:
    sentence = studio.draft(1).sentence
    found = insight(sentence, "en", studio.systems, studio.machine, "rules")
    assert found.text.startswith(f"sent_id:1\t{sentence.text}\n1--> Cluster 1:\n")
    assert not [one for one in found.lint if one.level == "warning"]
    assert {one.cluster for one in found.matches} > {"", "1"}
    assert found.rewordings
    credited = {one.extraction for one in found.matches if one.cluster}
    assert not {one.text.replace(" --> ", " - ") for one in found.extractions} & credited


def test_lint_finds_what_is_wrong_now(studio: Studio) -> None:
    studio.edit("Ada", 1, studio.draft(1).version, Request("copy cluster", "1"))
    found = insight(studio.draft(1).sentence, "en", studio.systems, studio.machine, "rules")
    assert "double annotation" in {one.check for one in found.lint if one.level == "warning"}
