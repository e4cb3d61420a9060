"""What a cross-encoder's checkpoint holds beside its config: the numbers that training changed, as safetensors.

An adapter is small: two thin matrices for each matrix of the base model, the rows of the new tokens and the output
layers; the base model itself is found by its name when the checkpoint is loaded. Fully trained models, and those
without a base, are written whole with their tokenizer. The outer folder is `matchers.checkpoints`'s matter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.problems import InputError
from data.textfile import read_bytes, read_text, write_bytes
from matchers.base_models import TINY, Base, load_base, silence_libraries
from matchers.cross_encoder import CrossEncoderMatcher
from matchers.encoding import SPECIAL_TOKENS
from matchers.pair_scorer import PairScorer, Precision

if TYPE_CHECKING:
    from torch import Tensor

ADAPTER, MODEL = "adapter", "model"
FILES = {ADAPTER: ("adapter.safetensors",), MODEL: ("model.safetensors", "model_config.json", "tokenizer.json")}
_TOKENS, _LEFT, _RIGHT, _WHOLE = "tokens", ".left", ".right", "whole."
_SETTINGS = "cross_encoder.json"  # written last: where it is, the payload is whole
_SPECIAL = ("unk_token", "pad_token", "cls_token", "sep_token", "mask_token")


@dataclass(frozen=True)
class Weights:
    """What training made of a base model: its name, an adapter or a whole model, and that one's tensors."""

    base_model: str
    kind: str
    tensors: Mapping[str, Tensor]
    seed: int = 1
    max_length: int = 128
    architecture: str = ""
    tokenizer: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    losses: tuple[tuple[int, float], ...] = ()  # the learning curve: steps and the loss up to each


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
    weights: Weights, threshold: float, keeps_rules: bool = False, precision: Precision = "float32"
) -> CrossEncoderMatcher:
    """The matcher of weights: the base model is found and changed as they say."""
    base = _adapted(weights) if weights.kind == ADAPTER else _whole(weights)
    scorer = PairScorer(base.tokenizer, base.model, weights.max_length, precision)
    return CrossEncoderMatcher(scorer, threshold, weights, keeps_rules)


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
    from tokenizers import Tokenizer
    from transformers import AutoConfig, AutoModelForSequenceClassification, PreTrainedTokenizerFast

    silence_libraries()
    try:
        architecture = json.loads(weights.architecture)
        config = AutoConfig.for_model(architecture.pop("model_type"), **architecture)
        tokenizer = PreTrainedTokenizerFast(
            tokenizer_object=Tokenizer.from_str(weights.tokenizer), model_max_length=weights.max_length, **weights.names
        )
        model = AutoModelForSequenceClassification.from_config(config, trust_remote_code=False)
        model.load_state_dict(dict(weights.tensors))
    except Exception as error:  # the tokenizers library raises plain exceptions
        reason = str(error).strip().split("\n")[0]
        raise InputError(f"the model's files don't fit together: {reason}") from None
    return Base(weights.base_model, tokenizer, model)


def settings_for_config(matcher: CrossEncoderMatcher) -> dict[str, Any]:
    """What a checkpoint's config must say so that `from_payload` makes the same matcher."""
    weights = matcher.weights
    return {
        "base_model": weights.base_model,
        "threshold": matcher.threshold,
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


def from_payload(config: Mapping[str, Any], folder: Path, precision: Precision = "float32") -> CrossEncoderMatcher:
    """The matcher of a checkpoint's config (see `settings_for_config`) and of the files beside it."""
    threshold, keeps_rules = _setting(config, "threshold", float, folder), _setting(config, "keeps_rules", bool, folder)
    return matcher_of(_read(config, folder), threshold, keeps_rules, precision)


def _read(config: Mapping[str, Any], folder: Path) -> Weights:
    from safetensors import SafetensorError
    from safetensors.torch import load as from_bytes

    kind = _setting(config, "weights", str, folder)
    if kind not in FILES:
        raise InputError(f"the weights of a cross-encoder are {ADAPTER} or {MODEL}, not {kind!r}", folder)
    if config.get("tokens") != list(SPECIAL_TOKENS):
        raise InputError("was made by another version, whose marks are not these; train it again", folder)
    missing = [file for file in FILES[kind] if not (folder / file).is_file()]
    if missing:
        raise InputError(f"is no whole checkpoint: the file {missing[0]} is missing", folder)
    path = folder / FILES[kind][0]
    try:
        tensors = from_bytes(read_bytes(path))
    except SafetensorError as error:
        raise InputError(f"is damaged: {error}", path) from None
    base_model = _setting(config, "base_model", str, folder)
    if kind == ADAPTER and base_model == TINY:
        raise InputError("an adapter of the tiny model can't be loaded, since there is no base to change", folder)
    names = _setting(config, "token_names", dict, folder)
    texts = [read_text(folder / file) for file in FILES[kind][1:]] or ["", ""]
    seed, max_length = _setting(config, "seed", int, folder), _setting(config, "max_length", int, folder)
    try:
        losses = tuple((int(step), float(loss)) for step, loss in _setting(config, "losses", list, folder))
    except (TypeError, ValueError):
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
        write_bytes(folder / name, content)
    settings = json.dumps(settings_for_config(matcher), indent=2) + "\n"
    write_bytes(folder / _SETTINGS, settings.encode())


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
    return from_payload(config, folder, precision)
