"""Bucket functions of the user's own, named on the command line as `NAME=MODULE:FUNCTION`.

The module is looked for as Python does, and in the folder where the command runs. The function takes a sentence and
gives the name of its bucket.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from data.model import Sentence
from data.problems import InputError
from matchers.sentence_counts import BucketFunction


def own_bucket(text: str) -> tuple[str, BucketFunction]:
    """The name and the function of `NAME=MODULE:FUNCTION`."""
    name, equals, place = text.partition("=")
    module, colon, function = place.partition(":")
    if not (name and equals and module and colon and function):
        raise InputError(f"--bucket takes NAME=MODULE:FUNCTION, not {text!r}")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        raise InputError(f"--bucket {name}: no module is called {error.name!r}; is it in this folder?") from None
    except AttributeError:
        raise InputError(f"--bucket {name}: the module {module!r} has no {function!r}") from None
    except Exception as error:  # whatever the user's module does
        raise InputError(f"--bucket {name}: {module!r} can't be imported: {_said(error)}") from None
    if not callable(found):
        raise InputError(f"--bucket {name}: {function!r} is no function")

    def bucket(sentence: Sentence) -> str:
        try:
            return str(found(sentence))
        except Exception as error:  # whatever the user's function does
            raise InputError(f"--bucket {name}: {function} fails on sentence {sentence.id!r}: {_said(error)}") from None

    return name, bucket


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
