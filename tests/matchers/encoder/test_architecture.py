from __future__ import annotations

import json

import pytest

from data.problems import InputError
from matchers.encoder.architecture import known_settings, model_of_architecture
from tests.matchers import tiny

TINY = {"model_type": "bert", "hidden_size": 32, "num_hidden_layers": 2}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"num_hidden_layers": 2**64}, "num_hidden_layers"),
        ({"hidden_size": -1}, "hidden_size"),
        ({"hidden_size": True}, "hidden_size"),
        ({"hidden_dropout_prob": "much"}, "hidden_dropout_prob"),
        ({"hidden_act": "os.system"}, "hidden_act"),
        ({"model_type": "../evil"}, "none of the types"),
        ({"model_type": ["bert"]}, "none of the types"),
    ],
)
def test_what_can_t_be_is_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        known_settings(json.dumps(TINY | change))


def test_unknown_keys_are_left_out() -> None:
    more = {"_attn_implementation": "hub/kernels", "auto_map": {"AutoModel": "x.Y"}, "quantization_config": {}}
    assert known_settings(json.dumps(TINY | more)) == known_settings(json.dumps(TINY))


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000])
def test_no_configuration(text: str) -> None:
    with pytest.raises(InputError):
        known_settings(text)


def test_a_model_that_its_weights_do_not_fit_is_not_built() -> None:
    weights = tiny.weights()
    larger = json.loads(weights.architecture) | {"num_hidden_layers": 96, "hidden_size": 8192}
    with pytest.raises(InputError, match="not those of its configuration"):
        model_of_architecture(json.dumps(larger), weights.tensors)
    assert model_of_architecture(weights.architecture, weights.tensors).config.num_hidden_layers == 2
