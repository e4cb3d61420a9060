"""Training in several processes at once: those that `accelerate launch` and `torchrun` start work together.

Runs that were started apart from each other don't, and are kept out of each other's output folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data.problems import InputError


def is_main_process() -> bool:
    """Whether this process writes: always, unless several were launched and this is not the first."""
    return int(os.environ.get("RANK", "0")) == 0


def wait_for_everyone() -> None:
    """Wait until all launched processes are here."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        from accelerate import PartialState

        PartialState().wait_for_everyone()


@contextmanager
def alone_in(output: Path) -> Iterator[None]:
    """Between these lines no other run writes into an output folder: the second one is told so.

    The lock is a file beside the folder that the system releases when its process ends, however that happens.
    """
    if not is_main_process():
        yield
        return
    path = output.with_name(f".{output.name}.lock")
    handle = _locked(path, output)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def _locked(path: Path, output: Path) -> int:
    """The handle of a lock file that is ours, or an error that says whose it is."""
    import fcntl

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except (OSError, ValueError) as error:
        raise InputError(f"can't be written: {getattr(error, 'strerror', None) or error}", output) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(handle).st_nlink == 0:  # the run before us has just ended and taken its file away
            os.close(handle)
            return _locked(path, output)
    except OSError:
        other = os.pread(handle, 20, 0).decode(errors="replace").strip()
        os.close(handle)
        message = f"another run (process {other or 'unknown'}) is writing here; wait, or choose another --output"
        raise InputError(message, output) from None
    os.truncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)
    return handle
