"""What is not installed, in one sentence that helps: which extra brings it, and how it is installed here."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from data.problems import InputError

_CLONE = Path(__file__).resolve().parent.parent / "pyproject.toml"


def install_hint(extra: str) -> str:
    """How an extra is installed: in a clone from its folder, else by the name of the package."""
    return f"pip install '.[{extra}]'" if _CLONE.is_file() else f"pip install 'factmatch[{extra}]'"


def missing_extra(what: str, needs: str, extra: str) -> InputError:
    """The error that something can't be done without an extra.

    >>> str(missing_extra("the page", "jinja2", "report")).partition("install")[0]
    'the page needs jinja2: pip '
    """
    return InputError(f"{what} needs {needs}: {install_hint(extra)}")


def need(what: str, extra: str, *libraries: str) -> None:
    """Refuse to go on without libraries that an extra brings."""
    for library in libraries:
        if not _is_installed(library):
            raise missing_extra(what, library, extra)


def _is_installed(library: str) -> bool:
    if library in sys.modules:
        return sys.modules[library] is not None
    try:
        return importlib.util.find_spec(library) is not None
    except (ImportError, ValueError):
        return False
