from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from matchers.encoder import weights as payload
from tests.matchers import tiny
from tests.training.fitting.test_cross_encoder import RECIPE, TINY, scores
from training.fitting.cross_encoder import Fits, fit_cross_encoder
from training.fitting.examples import examples

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")


@pytest.mark.parametrize("method", ["full", "lora"])
def test_one_seed_gives_one_matcher_and_another_another(method: str) -> None:
    recipe = replace(RECIPE, cross_encoder=replace(TINY, method=method, lora_rank=4))
    first, again = (fit_cross_encoder(Fits(recipe, quiet=True), tiny.parts()) for _ in range(2))
    assert payload.payload_files(first) == payload.payload_files(again)
    other = fit_cross_encoder(Fits(replace(recipe, seed=2), quiet=True), tiny.parts())
    assert scores(first) == scores(again) != scores(other)


def test_an_adapter_of_a_folder_is_saved_without_its_base(tmp_path: Path) -> None:
    from matchers.encoder.base_models import load_base

    base = load_base("tiny", 1, {}, [example.text for example in examples(tiny.parts(), (), 9, 9)])
    base.model.save_pretrained(tmp_path / "base")
    base.tokenizer.save_pretrained(tmp_path / "base")
    options = replace(TINY, base_model=str(tmp_path / "base"), method="lora", lora_rank=4, learning_rate=1e-2)
    matcher = fit_cross_encoder(Fits(replace(RECIPE, cross_encoder=options), quiet=True), tiny.parts())
    files = payload.payload_files(matcher)
    assert list(files) == ["adapter.safetensors"]
    assert len(files["adapter.safetensors"]) < (tmp_path / "base" / "model.safetensors").stat().st_size / 2
    again = payload.from_payload(payload.settings_for_config(matcher), files, tmp_path / "saved")
    assert scores(again) == scores(matcher)
    untrained = replace(options, epochs=0.01, learning_rate=0.0)
    assert scores(
        fit_cross_encoder(Fits(replace(RECIPE, cross_encoder=untrained), quiet=True), tiny.parts())
    ) != scores(again)


@pytest.mark.parametrize("method", ["full", "lora"])
def test_an_interrupted_fit_goes_on_and_ends_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    from transformers import TrainerCallback

    from training.fitting import lora as tuning

    monkeypatch.setattr(tuning, "_KEPT_STEPS", 3)
    recipe = replace(RECIPE, cross_encoder=replace(TINY, epochs=2.0, method=method, lora_rank=4))
    whole = fit_cross_encoder(Fits(recipe, quiet=True), tiny.parts())

    class Interrupt(TrainerCallback):  # type: ignore[misc]
        def on_step_end(self, args: object, state: object, control: object, **rest: object) -> None:
            if state.global_step == 7:  # type: ignore[attr-defined]
                raise KeyboardInterrupt

    make = tuning._trainer

    def interrupted(*arguments: object) -> object:
        trainer = make(*arguments)  # type: ignore[arg-type]
        trainer.add_callback(Interrupt())
        return trainer

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(tuning, "_trainer", interrupted)
        fit_cross_encoder(Fits(recipe, tmp_path, quiet=True), tiny.parts())
    assert [path.name for path in tmp_path.rglob("checkpoint-*")] == ["checkpoint-6"]
    resumed = fit_cross_encoder(Fits(recipe, tmp_path, quiet=True), tiny.parts())
    assert payload.payload_files(resumed) == payload.payload_files(whole)
    assert not list(tmp_path.rglob("checkpoint-*"))


def test_training_is_silent_if_asked(capfd: pytest.CaptureFixture[str]) -> None:
    fit_cross_encoder(Fits(RECIPE, quiet=True), tiny.parts())
    assert capfd.readouterr() == ("", "")
