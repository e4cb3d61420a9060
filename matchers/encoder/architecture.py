"""The configuration of a whole model that a checkpoint brings, taken key by key from a list of known ones.

A model's configuration can do more than give numbers (name code to load, kernels to fetch, layers by the billion), so
nothing of a checkpoint's is passed on that is not listed here, and numbers have limits.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from data.problems import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

_TYPES = ("bert", "roberta", "xlm-roberta", "distilbert", "mpnet", "electra", "deberta-v2")
_WHOLE = {
    "vocab_size": 1_000_000, "hidden_size": 8192, "num_hidden_layers": 96, "num_attention_heads": 128,
    "intermediate_size": 65_536, "max_position_embeddings": 65_536, "type_vocab_size": 64, "pad_token_id": 1_000_000,
    "bos_token_id": 1_000_000, "eos_token_id": 1_000_000, "embedding_size": 8192, "dim": 8192, "n_layers": 96,
    "n_heads": 128, "hidden_dim": 65_536, "relative_attention_num_buckets": 4096, "max_relative_positions": 65_536,
    "position_buckets": 65_536, "pooler_hidden_size": 8192,
}  # fmt: skip
_FRACTIONS = (
    "hidden_dropout_prob", "attention_probs_dropout_prob", "initializer_range", "layer_norm_eps", "dropout",
    "attention_dropout", "seq_classif_dropout", "pooler_dropout", "classifier_dropout",
)  # fmt: skip
_FLAGS = ("relative_attention", "position_biased_input", "share_att_key", "sinusoidal_pos_embds")
_WORDS = {
    "hidden_act": {"gelu", "gelu_new", "relu", "silu", "tanh"},
    "activation": {"gelu", "relu"},
    "pooler_hidden_act": {"gelu", "tanh"},
    "position_embedding_type": {"absolute"},
    "norm_rel_ebd": {"layer_norm", "none"},
}
_MORE = "pos_att_type"  # of DeBERTa: a list


def model_of_architecture(text: str, tensors: Mapping[str, Tensor]) -> Any:
    """A model of a checkpoint's configuration, with its weights; one that doesn't fit them is never built."""
    import torch
    from transformers import AutoConfig, AutoModelForSequenceClassification

    kind, settings = known_settings(text)
    config = AutoConfig.for_model(kind, num_labels=1, **settings)
    with torch.device("meta"):  # shapes without memory
        shapes = {name: value.shape for name, value in _made(AutoModelForSequenceClassification, config).items()}
    if shapes != {name: value.shape for name, value in tensors.items()}:
        raise InputError("the model's weights are not those of its configuration")
    model = AutoModelForSequenceClassification.from_config(config, trust_remote_code=False, attn_implementation="eager")
    model.load_state_dict(dict(tensors))
    return model


def _made(kind: Any, config: Any) -> Any:
    return kind.from_config(config, trust_remote_code=False, attn_implementation="eager").state_dict()


def known_settings(text: str) -> tuple[str, dict[str, Any]]:
    """The type of a model and the settings that are taken over; what is not known is left out.

    >>> known_settings('{"model_type": "bert", "num_hidden_layers": 2, "_attn_implementation": "evil/kernels"}')
    ('bert', {'num_hidden_layers': 2})
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("the model's configuration is not JSON") from None
    if not isinstance(given, dict) or given.get("model_type") not in _TYPES:
        raise InputError(f"the model's configuration is of none of the types {', '.join(_TYPES)}")
    return given["model_type"], {key: value for key, value in given.items() if _is_known(key, value)}


def _is_known(key: str, value: Any) -> bool:
    """Whether a setting is taken over; one that is known with a value that can't be is an error."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if key in _WHOLE:
        fine = value is None or (isinstance(value, int) and number and 0 <= value <= _WHOLE[key])
    elif key in _FRACTIONS:
        fine = value is None or (number and 0 <= value <= 1)
    elif key in _FLAGS:
        fine = isinstance(value, bool)
    elif key in _WORDS:
        fine = isinstance(value, str) and value in _WORDS[key]
    elif key == _MORE:
        fine = isinstance(value, list) and all(item in ("c2p", "p2c", "p2p") for item in value)
    else:
        return False
    if not fine:
        raise InputError(f"the model's configuration has {key} = {str(value)[:40]}, which can't be")
    return value is not None
