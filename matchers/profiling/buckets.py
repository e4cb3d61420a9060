"""How long and how complex a sentence is: its words, conjunctions and case markers, and buckets of such counts.

By default conjunctions and case markers are found with a list of words: `and`, `or`, ..., and prepositions and the `'s`
of possession. `Parsed` counts the dependencies `conj` and `case` of a spaCy model instead, which is nearer to what
BenchIE's authors did, if somebody has one installed.

Words are what stands between spaces, except that a hyphen between letters divides a word and is one itself, as in
today's treebanks, unless it joins a small beginning to a name (`mid-May`). So BenchIE's English sentences fall into
buckets of 120, 113 and 67, as the paper prints; its tokeniser is not named. Spaces alone give 123, 112 and 65.

A bucket function of the user's own is named as `NAME=MODULE:FUNCTION`. The module is looked for as Python does, and in
the folder where the command runs. The function takes a sentence and gives the name of its bucket.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from data.model import Sentence
from data.problems import InputError
from matchers.text.word_lists import PREPOSITIONS

BucketFunction = Callable[[Sentence], str]

LENGTH, CONJUNCTIONS, CASE_MARKERS = "length", "conjunctions", "case markers"
_COORDINATORS = frozenset("and or but nor &".split())
_POSSESSIVE = frozenset(("'s", "\u2019s"))
_CASE_LABELS = frozenset(("case", "prep"))  # spaCy's English models call a preposition `prep`


def word_count(sentence: Sentence) -> int:
    """How many words a sentence has.

    >>> word_count(Sentence("1", "Mara 's free-market plan failed in mid-May ."))
    10
    """
    return sum(map(_words_in, sentence.text.split()))


def _words_in(token: str) -> int:
    return 1 + 2 * sum(_divided(left, right) for left, right in pairwise(token.split("-")))


def _divided(left: str, right: str) -> bool:
    """Whether the hyphen between two parts is a word of its own."""
    if not left or not right or not (left[-1].isalpha() and right[0].isalpha()):
        return False
    return not (left[0].islower() and right[0].isupper())


def conjunction_count(sentence: Sentence) -> int:
    """How many coordinating conjunctions a sentence has."""
    return sum(word in _COORDINATORS for word in sentence.text.lower().split())


def case_count(sentence: Sentence) -> int:
    """How many prepositions and possessive marks a sentence has; every `to` is taken for a preposition."""
    return sum(word in PREPOSITIONS or word in _POSSESSIVE for word in sentence.text.lower().split())


@dataclass(frozen=True)
class Steps:
    """A bucket function: a count of a sentence, divided at upper limits.

    >>> length = Steps(word_count, (20, 30))
    >>> length.labels, length(Sentence("1", "Mara left ."))
    (('<= 20', '21-30', '> 30'), '<= 20')
    """

    count: Callable[[Sentence], int]
    limits: tuple[int, ...]
    labels: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        first, last = self.limits[0], self.limits[-1]
        between = (str(high) if high == low + 1 else f"{low + 1}-{high}" for low, high in pairwise(self.limits))
        object.__setattr__(self, "labels", (f"<= {first}" if first else "0", *between, f"> {last}"))

    def __call__(self, sentence: Sentence) -> str:
        """The bucket of a sentence."""
        value = self.count(sentence)
        return self.labels[sum(value > limit for limit in self.limits)]


def default_buckets(parsed: Parsed | None = None) -> dict[str, BucketFunction]:
    """BenchIE's three: length, conjunctions, case markers; the last two by a parse if one is given."""
    return {
        LENGTH: Steps(word_count, (20, 30)),
        CONJUNCTIONS: Steps(parsed.conjunctions if parsed else conjunction_count, (0,)),
        CASE_MARKERS: Steps(parsed.case_markers if parsed else case_count, (1, 2, 4)),
    }


@dataclass(frozen=True)
class Parsed:
    """Counts dependencies in a spaCy model's parse; each sentence is parsed once."""

    model: Any
    name: str
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, name: str) -> Parsed:
        """The parser of an installed spaCy model."""
        try:
            model = import_module("spacy").load(name, exclude=["ner", "lemmatizer"])
        except ImportError:
            raise InputError("--spacy needs spaCy: python -m pip install spacy, or leave the flag out") from None
        except OSError:
            message = f"no spaCy model is called {name!r}; get one with python -m spacy download en_core_web_sm"
            raise InputError(message) from None
        return cls(model, f"{model.meta['name']}-{model.meta['version']}")

    def conjunctions(self, sentence: Sentence) -> int:
        """How many words are conjuncts of another."""
        return self._dependencies(sentence).count("conj")

    def case_markers(self, sentence: Sentence) -> int:
        """How many words mark the case of another."""
        return sum(label in _CASE_LABELS for label in self._dependencies(sentence))

    def _dependencies(self, sentence: Sentence) -> tuple[str, ...]:
        if sentence.text not in self.labels:
            words = sentence.text.split()
            tokens = import_module("spacy.tokens").Doc(self.model.vocab, words=words)
            self.labels[sentence.text] = tuple(token.dep_ for token in self.model(tokens))
        return self.labels[sentence.text]


def ordered_labels(bucket: BucketFunction, met: Sequence[str]) -> list[str]:
    """The labels of a bucket function in reading order: as it says itself, or else numbers by size, then the rest."""
    known = getattr(bucket, "labels", None)
    if known is not None:
        return list(known)
    return sorted(set(met), key=lambda label: (not label.isdecimal(), int(label) if label.isdecimal() else 0, label))


def own_bucket(name: str, module: str, function: str) -> BucketFunction:
    """A bucket function of the user's own by its module's name and its own; `name` is for messages."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # last, so that nothing there stands in the way of a library
    try:
        function_of = getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        raise InputError(f"--bucket {name}: no module is called {error.name!r}; is it in this folder?") from None
    except AttributeError:
        raise InputError(f"--bucket {name}: the module {module!r} has no {function!r}") from None
    except Exception as error:  # whatever the user's module does
        raise InputError(f"--bucket {name}: {module!r} can't be imported: {_said(error)}") from None
    if not callable(function_of):
        raise InputError(f"--bucket {name}: {function!r} is no function")

    def bucket(sentence: Sentence) -> str:
        try:
            return str(function_of(sentence))
        except Exception as error:  # whatever the user's function does
            raise InputError(f"--bucket {name}: {function} fails on sentence {sentence.id!r}: {_said(error)}") from None

    return bucket


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
