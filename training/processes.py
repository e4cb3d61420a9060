"""Training in several processes at once, as `accelerate launch` and `torchrun` start them."""

from __future__ import annotations

import os


def is_main_process() -> bool:
    """Whether this process writes: always, unless several were launched and this is not the first."""
    return int(os.environ.get("RANK", "0")) == 0


def wait_for_everyone() -> None:
    """Wait until all launched processes are here."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        from accelerate import PartialState

        PartialState().wait_for_everyone()
