"""A tiny cross-encoder that has learned nothing, for tests of what is around a model: made in a second, once."""

from __future__ import annotations

from functools import cache

import pytest

from data.catalog import load
from matchers.encoder.pair_text import SPECIAL_TOKENS
from matchers.encoder.trained import Weights
from matchers.encoder.weights import matcher_of, model_of
from training.fitting.examples import examples
from training.labels.judged_parts import Judged, judged


@cache
def parts(sentences: int = 6) -> list[Judged]:
    """The judged parts of the sample's first sentences."""
    work = judged(load("sample"))
    names = list(dict.fromkeys(part.sentence.id for part in work))[:sentences]
    return [part for part in work if part.sentence.id in names]


@cache
def weights(seed: int = 1) -> Weights:
    """The weights of the untrained tiny model."""
    pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")
    from matchers.encoder.base_models import TINY, load_base

    texts = [example.text for example in examples(parts(), (), 9, 9)]
    return model_of(load_base(TINY, seed, SPECIAL_TOKENS, texts))


@cache
def matcher(seed: int = 1):  # type: ignore[no-untyped-def]
    """The matcher of the untrained tiny model."""
    return matcher_of(weights(seed), 0.5)
