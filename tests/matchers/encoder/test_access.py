from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from data.problems import InputError
from matchers.encoder import access
from matchers.encoder.base_models import DEFAULT, base_of_checkpoint, model_folder


@pytest.fixture(autouse=True)
def nothing_granted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "_granted", None)
    for name in (access.ONLINE, access.BASE_MODEL, "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)


def flags(*words: str) -> argparse.Namespace:
    command = argparse.ArgumentParser()
    access.add_access_flags(command)
    return command.parse_args(words)


def test_nobody_is_online_unless_told_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    assert access.is_offline()
    access.grant(flags("--online"))
    assert not access.is_offline()
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert access.is_offline()


def test_the_environment_allows_as_flags_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(access.ONLINE, "yes")
    monkeypatch.setenv(access.BASE_MODEL, str(tmp_path))
    access.grant(flags())
    assert access.access() == access.Access(True, tmp_path)


def test_the_hub_is_not_asked_unless_allowed() -> None:
    with pytest.raises(InputError, match="without --online"):
        model_folder("owner/no-such-model")


def test_a_checkpoint_names_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert base_of_checkpoint(DEFAULT) == DEFAULT
    assert base_of_checkpoint("owner/model") == "owner/model"
    (tmp_path / "owner" / "model").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    for name in (str(tmp_path), "owner/model", "../model", "a/b/c", "~/model", ""):
        with pytest.raises(InputError, match="--base-model DIR"):
            base_of_checkpoint(name)
    access.grant(flags("--base-model", str(tmp_path)))
    assert base_of_checkpoint("/somewhere/else") == str(tmp_path)
