"""What a cross-encoder's checkpoint holds beside its config: the numbers that training changed, as safetensors.

An adapter is small: two thin matrices for each matrix of the base model, the rows of the new tokens and the output
layers; the base model itself is found by its name when the checkpoint is loaded. Fully trained models, and those
without a base, are written whole with their tokenizer. The outer folder is `matchers.checkpoints`'s matter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.formats.textfile import read_bytes, read_text, write_bytes
from data.problems import InputError
from matchers.encoder.architecture import model_of_architecture
from matchers.encoder.base_models import TINY, Base, load_base, needs_libraries, silence_libraries
from matchers.encoder.matcher import CrossEncoderMatcher
from matchers.encoder.pair_text import SPECIAL_TOKENS
from matchers.encoder.text_scorer import PairScorer, Precision
from matchers.encoder.trained import Weights

if TYPE_CHECKING:
    from torch import Tensor

ADAPTER, MODEL = "adapter", "model"
FILES = {ADAPTER: ("adapter.safetensors",), MODEL: ("model.safetensors", "model_config.json", "tokenizer.json")}
_TOKENS, _LEFT, _RIGHT, _WHOLE = "tokens", ".left", ".right", "whole."
_SETTINGS = "cross_encoder.json"  # written last: where it is, the payload is whole
_LONGEST = 8192
_SPECIAL = ("unk_token", "pad_token", "cls_token", "sep_token", "mask_token")


def adapter_of(base: Base, trained: Mapping[str, Tensor], factors: Mapping[str, tuple[Tensor, Tensor]]) -> Weights:
    """The weights of an adapter: tensors that were trained whole, and the two factors of each change of a matrix.

    They are kept in 16 bits, in memory as in a file, so that a matcher is the same before and after it is saved.
    """
    tensors = {_WHOLE + name: tensor for name, tensor in trained.items()}
    for name, (left, right) in factors.items():
        tensors[name + _LEFT], tensors[name + _RIGHT] = left, right
    ids = base.tokenizer.convert_tokens_to_ids(list(SPECIAL_TOKENS))
    tensors[_TOKENS] = base.model.get_input_embeddings().weight[ids]
    return Weights(base.name, ADAPTER, {name: tensor.detach().half().contiguous() for name, tensor in tensors.items()})


def model_of(base: Base) -> Weights:
    """The weights of a whole model."""
    tensors = {name: tensor.detach().clone().contiguous() for name, tensor in base.model.state_dict().items()}
    names = {name: str(getattr(base.tokenizer, name)) for name in _SPECIAL if getattr(base.tokenizer, name, None)}
    return Weights(
        base.name, MODEL, tensors, architecture=base.model.config.to_json_string(use_diff=False),
        tokenizer=base.tokenizer.backend_tokenizer.to_str(), names=names,
    )  # fmt: skip


def matcher_of(
    weights: Weights,
    threshold: float,
    keeps_rules: bool = False,
    precision: Precision = "float32",
    thin_threshold: float | None = None,
) -> CrossEncoderMatcher:
    """The matcher of weights: the base model is found and changed as they say."""
    base = _adapted(weights) if weights.kind == ADAPTER else _whole(weights)
    scorer = PairScorer(base.tokenizer, base.model, weights.max_length, precision)
    return CrossEncoderMatcher(scorer, threshold, weights, keeps_rules, thin_threshold=thin_threshold)


def _adapted(weights: Weights) -> Base:
    import torch

    base = load_base(weights.base_model, weights.seed, SPECIAL_TOKENS)
    parameters = dict(base.model.named_parameters())
    ids = base.tokenizer.convert_tokens_to_ids(list(SPECIAL_TOKENS))
    with torch.no_grad():
        try:
            tensors = {name: tensor.float() for name, tensor in weights.tensors.items()}
            for name, tensor in tensors.items():
                if name == _TOKENS:
                    base.model.get_input_embeddings().weight[ids] = tensor
                elif name.startswith(_WHOLE):
                    parameters[name.removeprefix(_WHOLE)].copy_(tensor)
                elif name.endswith(_LEFT):
                    right = tensors[name.removesuffix(_LEFT) + _RIGHT]
                    parameters[name.removesuffix(_LEFT)].add_(tensor @ right)
        except (KeyError, RuntimeError):
            raise InputError(f"the adapter does not fit the base model {weights.base_model}") from None
    return base


def _whole(weights: Weights) -> Base:
    needs_libraries()
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    silence_libraries()
    try:
        tokenizer = PreTrainedTokenizerFast(
            tokenizer_object=Tokenizer.from_str(weights.tokenizer), model_max_length=weights.max_length, **weights.names
        )
        model = model_of_architecture(weights.architecture, weights.tensors)
    except (InputError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # the tokenizers library raises plain exceptions, and panics beside them
        reason = str(error).strip().split("\n")[0]
        raise InputError(f"the model's files don't fit together: {reason}") from None
    return Base(weights.base_model, tokenizer, model)


def settings_for_config(matcher: CrossEncoderMatcher) -> dict[str, Any]:
    """What a checkpoint's config must say so that `from_payload` makes the same matcher."""
    weights = matcher.weights
    return {
        "base_model": weights.base_model,
        "threshold": matcher.threshold,
        "thin_threshold": matcher.thin_threshold,
        "keeps_rules": matcher.keeps_rules,
        "weights": weights.kind,
        "seed": weights.seed,
        "max_length": weights.max_length,
        "tokens": list(SPECIAL_TOKENS),
        "token_names": dict(weights.names),
        "losses": [list(point) for point in weights.losses],
    }


def payload_files(matcher: CrossEncoderMatcher) -> dict[str, bytes]:
    """The files of a checkpoint by name, the config left out."""
    from safetensors.torch import save as to_bytes

    weights = matcher.weights
    tensors = to_bytes(dict(sorted(weights.tensors.items())))
    if weights.kind == ADAPTER:
        return {FILES[ADAPTER][0]: tensors}
    texts = (weights.architecture.encode(), weights.tokenizer.encode())
    return dict(zip(FILES[MODEL], (tensors, *texts), strict=True))


def from_payload(
    config: Mapping[str, Any], files: Mapping[str, bytes], folder: Path, precision: Precision = "float32"
) -> CrossEncoderMatcher:
    """The matcher of a checkpoint's config (see `settings_for_config`) and of its files; `folder` is for messages."""
    threshold, keeps_rules = _setting(config, "threshold", float, folder), _setting(config, "keeps_rules", bool, folder)
    thin = None if config.get("thin_threshold") is None else _setting(config, "thin_threshold", float, folder)
    if not 0 <= threshold <= 1 or not 0 <= (thin or 0.0) <= 1:
        raise InputError("the threshold of the checkpoint is no probability", folder)
    return matcher_of(_read(config, files, folder), threshold, keeps_rules, precision, thin)


def _read(config: Mapping[str, Any], files: Mapping[str, bytes], folder: Path) -> Weights:
    needs_libraries()
    from safetensors import SafetensorError
    from safetensors.torch import load as from_bytes

    kind = _setting(config, "weights", str, folder)
    if kind not in FILES:
        raise InputError(f"the weights of a cross-encoder are {ADAPTER} or {MODEL}, not {kind!r}", folder)
    if config.get("tokens") != list(SPECIAL_TOKENS):
        raise InputError("was made by another version, whose marks are not these; train it again", folder)
    missing = [file for file in FILES[kind] if file not in files]
    if missing:
        raise InputError(f"is no whole checkpoint: the file {missing[0]} is missing", folder)
    try:
        tensors = from_bytes(files[FILES[kind][0]])
        texts = [files[file].decode() for file in FILES[kind][1:]] or ["", ""]
    except (SafetensorError, UnicodeDecodeError) as error:
        raise InputError(f"is damaged: {error}", folder / FILES[kind][0]) from None
    base_model = _setting(config, "base_model", str, folder)
    if kind == ADAPTER and base_model == TINY:
        raise InputError("an adapter of the tiny model can't be loaded, since there is no base to change", folder)
    names = _setting(config, "token_names", dict, folder)
    if not all(name in _SPECIAL and isinstance(token, str) for name, token in names.items()):
        raise InputError("the config of the checkpoint has no token_names that are usable", folder)
    seed, max_length = _setting(config, "seed", int, folder), _setting(config, "max_length", int, folder)
    if not 0 <= seed < 2**63 or not 1 <= max_length <= _LONGEST:
        raise InputError(f"the seed or the max_length ({max_length}) of the checkpoint can't be", folder)
    try:
        losses = tuple((int(step), float(loss)) for step, loss in _setting(config, "losses", list, folder))
    except (TypeError, ValueError, OverflowError):
        raise InputError("the config of the checkpoint has no losses that are usable", folder) from None
    return Weights(base_model, kind, tensors, seed, max_length, texts[0], texts[1], names, losses)


def _setting(config: Mapping[str, Any], key: str, kind: type, folder: Path) -> Any:
    value = config.get(key)
    if isinstance(value, bool) != (kind is bool) or not isinstance(value, (kind, int) if kind is float else kind):
        raise InputError(f"the config of the checkpoint has no {key} that is usable", folder)
    return value


def save(matcher: CrossEncoderMatcher, folder: Path) -> None:
    """Write the payload and, in a file beside it, its settings: a checkpoint without a model card."""
    for name, content in payload_files(matcher).items():
        write_bytes(folder / name, content, make_folders=True)
    settings = json.dumps(settings_for_config(matcher), indent=2) + "\n"
    write_bytes(folder / _SETTINGS, settings.encode(), make_folders=True)


def is_saved(folder: Path) -> bool:
    """Whether a payload was saved here, to its end."""
    return (folder / _SETTINGS).is_file()


def load(folder: Path, precision: Precision = "float32") -> CrossEncoderMatcher:
    """Read what `save` wrote."""
    path = folder / _SETTINGS
    try:
        config = json.loads(read_text(path))
    except ValueError:
        raise InputError("is not JSON", path) from None
    if not isinstance(config, dict):
        raise InputError("holds no settings", path)
    files = {name: read_bytes(folder / name) for name in FILES.get(str(config.get("weights")), ())}
    return from_payload(config, files, folder, precision)
