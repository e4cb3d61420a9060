"""A matcher of the user's own, named as `my_module:MyMatcher` wherever a matcher is named.

The module is looked for where Python looks and, after everything else, in the working folder. The name behind the colon
is a `Matcher`, a class of one, or a function that makes one; it takes no arguments.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from data.formats.textfile import read_bytes, sha256
from data.problems import InputError
from matchers.interface import Matcher

_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")


def names_own_matcher(name: str) -> bool:
    """Whether a name has the shape of a matcher of the user's own.

    >>> names_own_matcher("my_module:MyMatcher"), names_own_matcher("nli:owner/model")
    (True, False)
    """
    return _NAME.fullmatch(name) is not None


def load_own_matcher(name: str) -> Matcher:
    """The matcher of a name such as `my_module:MyMatcher`."""
    module_name, _, attribute = name.partition(":")
    module = _imported(module_name, name)
    if not hasattr(module, attribute):
        raise InputError(f"{name}: the module {module_name} has no {attribute}")
    made = getattr(module, attribute)
    if not isinstance(made, Matcher):
        if not callable(made):
            raise InputError(f"{name} is no Matcher, nor a class or function that makes one")
        try:
            made = made()
        except Exception as error:  # the user's code may raise anything
            raise InputError(f"{name} can't be made without arguments: {_said(error)}") from error
    if not isinstance(made, Matcher):
        raise InputError(f"{name} makes a {type(made).__name__}, which is no matchers.Matcher")
    return checked_matcher(made, name, _code_hash(module))


def checked_matcher(matcher: Matcher, name: str = "", code: str = "") -> Matcher:
    """A matcher that has a name and, for signatures, a hash of the code that it is made of."""
    if not getattr(matcher, "name", ""):
        matcher.name = name or type(matcher).__name__
    if code and not matcher.hash:
        matcher.hash = code
    return matcher


def _imported(module: str, name: str) -> ModuleType:
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that nothing there stands in the way of a library
    try:
        return import_module(module)
    except Exception as error:  # importing runs the user's code
        raise InputError(f"{name}: the module {module} can't be imported: {_said(error)}") from error


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".strip().split("\n")[0]


def _code_hash(module: ModuleType) -> str:
    file = getattr(module, "__file__", None)
    return sha256(read_bytes(Path(file))) if file else ""
