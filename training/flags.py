"""The flags that training's commands share."""

from __future__ import annotations

import argparse


def add_supervision_flag(command: argparse.ArgumentParser) -> None:
    """What recipes are trained on beside people's judgments."""
    command.add_argument(
        "--supervision",
        metavar="NAMES",
        help="what recipes are trained on beside the judgments: none, or names joined by commas such as "
        "generated:sample (default: what the recipe asks for and is found)",
    )


def supervision_names(text: str | None) -> tuple[str, ...] | None:
    """The names of `--supervision`; None if it was not given.

    >>> supervision_names("silver,generated:sample"), supervision_names(None)
    (('silver', 'generated:sample'), None)
    """
    return None if text is None else tuple(name.strip() for name in text.split(","))
