"""Verbs by a spaCy model."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from data.attacks.tagger import Tagger
from data.problems import InputError


@pytest.mark.skipif(find_spec("spacy") is not None, reason="spaCy is installed")
def test_without_spacy_the_user_is_told_what_to_do() -> None:
    with pytest.raises(InputError, match="--spacy needs spaCy: python -m pip install spacy"):
        Tagger.of("en_core_web_sm")


@pytest.mark.skipif(find_spec("spacy") is None, reason="needs spaCy")
def test_an_unknown_model_is_named() -> None:
    with pytest.raises(InputError, match="no spaCy model is called 'no_such_model'"):
        Tagger.of("no_such_model")
