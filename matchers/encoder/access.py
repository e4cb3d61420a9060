"""What a matcher may reach beyond its own files: the network, and a folder with a base model that the user names.

A checkpoint from elsewhere can name any base model, so a name alone opens nothing: an installed package is taken as it
is, a model of the hub from this machine's cache, and from the network only with `--online` (or FACTMATCH_ONLINE=1). A
folder must be named by the user, with `--base-model` (or FACTMATCH_BASE_MODEL).
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

ONLINE, BASE_MODEL = "FACTMATCH_ONLINE", "FACTMATCH_BASE_MODEL"
_YES = {"1", "ON", "YES", "TRUE"}
_OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


@dataclass(frozen=True)
class Access:
    """What the user allows."""

    online: bool = False
    base_model: Path | None = None


_granted: Access | None = None


def add_access_flags(command: argparse.ArgumentParser) -> None:
    """The flags of every command that loads matchers."""
    command.add_argument("--online", action="store_true", help="let matchers fetch base models from the hub")
    command.add_argument(
        "--base-model", type=Path, metavar="DIR", help="folder of the base model of a checkpoint that names a folder"
    )


def grant(options: argparse.Namespace) -> None:
    """Allow from now on what a command's flags allow."""
    global _granted
    _granted = Access(options.online or access().online, options.base_model or access().base_model)


def access() -> Access:
    """What the user allows, by flags or else by the environment."""
    if _granted is not None:
        return _granted
    folder = os.environ.get(BASE_MODEL)
    return Access(_said(ONLINE), Path(folder) if folder else None)


def is_offline() -> bool:
    """Whether the hub must not be asked: nobody allowed it, or the variables of its own library forbid it."""
    return not access().online or any(map(_said, _OFFLINE))


def _said(variable: str) -> bool:
    return os.environ.get(variable, "").upper() in _YES
