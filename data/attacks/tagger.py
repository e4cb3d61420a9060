"""Verbs by a spaCy model, for who has one: as BenchIE's naive extractor found them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from data.problems import InputError

_VERB_TAGS = frozenset(("VERB", "AUX"))


@dataclass(frozen=True)
class Tagger:
    """Finds verbs with a spaCy model, as BenchIE's naive extractor did; words are those at spaces."""

    model: Any

    @classmethod
    def of(cls, name: str) -> Tagger:
        """The tagger of an installed spaCy model."""
        try:
            return cls(import_module("spacy").load(name, exclude=["ner", "lemmatizer"]))
        except ImportError:
            raise InputError("--spacy needs spaCy: python -m pip install spacy, or leave the flag out") from None
        except OSError:
            message = f"no spaCy model is called {name!r}; get one with python -m spacy download en_core_web_sm"
            raise InputError(message) from None

    def __call__(self, words: Sequence[str]) -> list[int]:
        """The positions of the verbs and auxiliaries that are no modals."""
        tokens = import_module("spacy.tokens").Doc(self.model.vocab, words=list(words))
        tagged = self.model(tokens)
        return [token.i for token in tagged if token.pos_ in _VERB_TAGS and token.tag_ != "MD"]
