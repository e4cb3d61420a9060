from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from data.problems import InputError
from matchers import payload
from matchers.cross_encoder import CrossEncoderMatcher, Scored
from tests.matchers import tiny
from tests.matchers.facts import sentence, triple
from training.cross_encoder import best_threshold, fit_cross_encoder, inner_fits
from training.examples import dataset, examples, without
from training.judged import Judged, assign_all
from training.metrics import pair_counts, pair_score
from training.recipes import CrossEncoder, Recipe

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")

TINY = CrossEncoder(
    base_model="tiny", method="full", epochs=1.0, learning_rate=1e-3, max_length=64, threshold_folds=0, bf16=False
)
RECIPE = Recipe(kind="cross_encoder", cross_encoder=TINY)


def scores(matcher: CrossEncoderMatcher) -> list[tuple[int, int, float]]:
    return [one for part in tiny.parts() for one in matcher.pair_scores(part.sentence, part.extractions)]


def test_it_learns_what_it_is_shown() -> None:
    recipe = replace(RECIPE, cross_encoder=replace(TINY, epochs=30.0, learning_rate=5e-3))
    matcher = fit_cross_encoder(recipe, tiny.parts(), quiet=True)
    assert pair_score(pair_counts(tiny.parts(), assign_all(matcher, tiny.parts()))).f1 > 0.93


@pytest.mark.parametrize("method", ["full", "lora"])
def test_one_seed_gives_one_matcher_and_another_another(method: str) -> None:
    recipe = replace(RECIPE, cross_encoder=replace(TINY, method=method, lora_rank=4))
    first, again = (fit_cross_encoder(recipe, tiny.parts(), quiet=True) for _ in range(2))
    assert payload.payload_files(first) == payload.payload_files(again)
    other = fit_cross_encoder(replace(recipe, seed=2), tiny.parts(), quiet=True)
    assert scores(first) == scores(again) != scores(other)


def test_an_adapter_of_a_folder_is_saved_without_its_base(tmp_path: Path) -> None:
    from matchers.base_models import load_base

    base = load_base("tiny", 1, {}, [example.text for example in examples(tiny.parts(), (), 9, 9)])
    base.model.save_pretrained(tmp_path / "base")
    base.tokenizer.save_pretrained(tmp_path / "base")
    options = replace(TINY, base_model=str(tmp_path / "base"), method="lora", lora_rank=4, learning_rate=1e-2)
    matcher = fit_cross_encoder(replace(RECIPE, cross_encoder=options), tiny.parts(), quiet=True)
    files = payload.payload_files(matcher)
    assert list(files) == ["adapter.safetensors"]
    assert len(files["adapter.safetensors"]) < (tmp_path / "base" / "model.safetensors").stat().st_size / 2
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "adapter.safetensors").write_bytes(files["adapter.safetensors"])
    again = payload.from_payload(payload.settings_for_config(matcher), tmp_path / "saved")
    assert scores(again) == scores(matcher)
    untrained = replace(options, epochs=0.01, learning_rate=0.0)
    assert scores(fit_cross_encoder(replace(RECIPE, cross_encoder=untrained), tiny.parts(), quiet=True)) != scores(
        again
    )


def test_the_threshold_is_chosen_on_inner_folds() -> None:
    recipe = replace(RECIPE, cross_encoder=replace(TINY, threshold_folds=2))
    threshold = fit_cross_encoder(recipe, tiny.parts(), quiet=True).threshold
    assert 0.0 < threshold < 1.0
    assert threshold == fit_cross_encoder(recipe, tiny.parts(), quiet=True).threshold


def test_inner_folds_hold_out_every_sentence_once_with_what_stands_beside_it() -> None:
    recipe = replace(RECIPE, cross_encoder=replace(TINY, epochs=0.01, threshold_folds=2))
    names = list(dict.fromkeys(part.sentence.text for part in tiny.parts()))
    work = [part for part in tiny.parts() if part.sentence.text in names[:4]]
    beside = [part for part in tiny.parts() if part.sentence.text in names[2:]]  # two sentences are in both
    held = [texts for texts, _ in inner_fits(recipe, work, [(beside, 0.5)], quiet=True)]
    assert len(held) == 2 and not held[0] & held[1] and held[0] | held[1] == set(names)


def test_of_thresholds_that_are_as_good_the_one_nearest_to_a_half_is_taken() -> None:
    matcher = tiny.matcher()
    work = tiny.parts()
    scored = matcher.scored([(part.sentence, part.extractions) for part in work])
    right = [
        [
            Scored(
                one.pair, float(part.sentence.clusters[one.pair.cluster].id in part.labels[one.pair.extraction]) * 0.4
            )
            for one in pairs
        ]
        for part, pairs in zip(work, scored, strict=True)
    ]
    assert best_threshold(work, right) == pytest.approx(0.4)


def test_a_finished_fit_is_not_done_again(tmp_path: Path) -> None:
    first = fit_cross_encoder(RECIPE, tiny.parts(), (), tmp_path, quiet=True)
    written = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert {path.name for path in written} == {*payload.FILES["model"], "cross_encoder.json"}
    again = fit_cross_encoder(RECIPE, tiny.parts(), (), tmp_path, quiet=True)
    assert scores(first) == scores(again)
    assert written == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}


def test_another_recipe_does_not_go_on_from_the_steps_of_this_one(tmp_path: Path) -> None:
    first = fit_cross_encoder(RECIPE, tiny.parts(), (), tmp_path, quiet=True)
    other = replace(RECIPE, cross_encoder=replace(TINY, learning_rate=1e-2))
    assert scores(fit_cross_encoder(other, tiny.parts(), (), tmp_path, quiet=True)) != scores(first)


@pytest.mark.parametrize("method", ["full", "lora"])
def test_an_interrupted_fit_goes_on_and_ends_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    from transformers import TrainerCallback

    from training import tuning

    monkeypatch.setattr(tuning, "_KEPT_STEPS", 3)
    recipe = replace(RECIPE, cross_encoder=replace(TINY, epochs=2.0, method=method, lora_rank=4))
    whole = fit_cross_encoder(recipe, tiny.parts(), quiet=True)

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
        fit_cross_encoder(recipe, tiny.parts(), (), tmp_path, quiet=True)
    assert [path.name for path in tmp_path.rglob("checkpoint-*")] == ["checkpoint-6"]
    resumed = fit_cross_encoder(recipe, tiny.parts(), (), tmp_path, quiet=True)
    assert payload.payload_files(resumed) == payload.payload_files(whole)
    assert not list(tmp_path.rglob("checkpoint-*"))


def test_training_is_silent_if_asked(capfd: pytest.CaptureFixture[str]) -> None:
    fit_cross_encoder(RECIPE, tiny.parts(), quiet=True)
    assert capfd.readouterr() == ("", "")


def test_it_needs_pairs_of_both_kinds() -> None:
    part = tiny.parts()[0]
    nothing = replace(part, labels=tuple(frozenset() for _ in part.labels))
    with pytest.raises(InputError, match="needs pairs that match and pairs that don't"):
        fit_cross_encoder(RECIPE, [nothing], quiet=True)


GOLD = sentence("Mara Venn --> moved to --> Oslo", "Mara Venn --> moved to Oslo in --> June", "it --> is --> cold")
PLAIN = triple("Mara Venn - moved to - Oslo")
DETAILED = triple("Mara Venn - moved to - Oslo in June")
ADVERB = triple("Mara Venn - moved to - Oslo also")


def labelled(system: str, *labels: tuple[object, str]) -> dict[str, int]:
    part = Judged(
        GOLD,
        system,
        tuple(extraction for extraction, _ in labels),  # type: ignore[misc]
        tuple(frozenset(label.split()) for _, label in labels),
    )
    parts = ([part], ()) if system == "judged" else ([], [([part], 0.5)])
    return {example.text: example.label for example in examples(*parts, 9, 9)}


def test_a_repeat_on_which_a_rule_fires_is_no_negative() -> None:
    found = labelled("judged", (PLAIN, "1"), (DETAILED, ""))
    assert not [text for text in found if text.startswith("[LOD]")]
    found = labelled("judged", (DETAILED, ""))
    assert [label for text, label in found.items() if text.startswith("[LOD]")] == [0]


def test_exact_pairs_are_not_learned_from() -> None:
    assert not [text for text in labelled("judged", (PLAIN, "1")) if text.startswith("[EM]")]


def test_silver_negatives_that_take_hardly_any_edits_are_left_out() -> None:
    near = "[NONE] [SAME] [0] mara venn [REL] moved to [ARG] oslo [+] also [/+]"
    assert labelled("judged", (ADVERB, ""))[near] == 0
    assert labelled("generated:dangling", (ADVERB, ""))[near] == 0
    assert near not in labelled("silver:pithy", (ADVERB, ""))


def test_each_text_is_learned_once_with_its_greatest_weight() -> None:
    part = Judged(GOLD, "judged", (ADVERB,), (frozenset({"1"}),))
    found = examples([part, part], [([part], 0.5)], 9, 9)
    assert len({(example.text, example.label) for example in found}) == len(found)
    assert {example.weight for example in found} == {1.0}


def test_only_the_nearest_negatives_are_taken() -> None:
    few, many = examples(tiny.parts(), (), 1, 1), examples(tiny.parts(), (), 9, 9)
    assert sum(not e.label for e in few) < sum(not e.label for e in many)
    assert sum(e.label for e in few) == sum(e.label for e in many)


def test_further_parts_of_held_out_sentences_are_left_out() -> None:
    first = tiny.parts()[0]
    (kept, weight), *_ = without([(tiny.parts(), 0.5)], frozenset({first.sentence.text}))
    assert weight == 0.5
    assert kept
    assert all(part.sentence.text != first.sentence.text for part in kept)


def test_examples_become_a_dataset() -> None:
    found = examples(tiny.parts(), (), 2, 2)
    table = dataset(found, tiny.matcher().scorer.tokenizer, 16)
    assert len(table) == len(found)
    assert set(table.column_names) == {"input_ids", "label", "weight", "length"}
    assert max(table["length"]) == 16


TOGETHER = """
import json, os, sys
from pathlib import Path
from tests.matchers import tiny
from tests.training.test_fit_cross_encoder import RECIPE, scores
from training.cross_encoder import fit_cross_encoder
from training.processes import is_main_process
matcher = fit_cross_encoder(RECIPE, tiny.parts(), (), Path(sys.argv[1]) / "out", quiet=True)
name = f"scores-{os.environ['RANK']}-{is_main_process()}.json"
(Path(sys.argv[1]) / name).write_text(json.dumps(scores(matcher)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("launcher", ["accelerate.commands.launch", "torch.distributed.run"])
def test_two_processes_train_one_model_and_the_first_alone_writes(tmp_path: Path, launcher: str) -> None:
    script = tmp_path / "together.py"
    script.write_text(TOGETHER)
    root = Path(__file__).parents[2]
    options = {
        "accelerate.commands.launch": ["--multi_gpu", "--num_processes=2", "--num_machines=1", "--mixed_precision=no",
                                       "--dynamo_backend=no"],
        "torch.distributed.run": ["--standalone", "--nproc-per-node=2"],
    }  # fmt: skip
    command = [sys.executable, "-m", launcher, *options[launcher], str(script), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(root), "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    launched = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=root, env=environment,
        start_new_session=True,
    )  # fmt: skip
    try:
        _, errors = launched.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        os.killpg(launched.pid, signal.SIGKILL)  # the launcher's own processes, and no others
        raise
    assert launched.returncode == 0, errors[-3000:]
    found = {path.name: json.loads(path.read_text()) for path in tmp_path.glob("scores-*.json")}
    assert set(found) == {"scores-0-True.json", "scores-1-False.json"}
    assert found["scores-0-True.json"] == found["scores-1-False.json"]
    assert len(list((tmp_path / "out").glob("*/finished/cross_encoder.json"))) == 1
