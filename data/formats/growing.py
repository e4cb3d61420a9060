"""A text file that is written as its lines come, and is there whole or not at all."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from data.formats.textfile import DEFAULT_ENCODING, check_writable, temporary_beside
from data.problems import InputError


@contextmanager
def growing(target: str) -> Iterator[TextIO]:
    """A stream for the lines of a file, or of stdout for `-`; nothing is there before all is written.

    What can't be replaced, as a pipe, gets the lines at the end, from a temporary file.
    """
    path = Path(target)
    try:
        if target == "-" or (path.exists() and not path.is_file()):
            with tempfile.TemporaryFile("w+", encoding=DEFAULT_ENCODING, newline="\n") as stream:
                yield stream
                stream.seek(0)
                if target == "-":
                    shutil.copyfileobj(stream, sys.stdout)
                    sys.stdout.flush()
                else:
                    with path.open("w", encoding=DEFAULT_ENCODING, newline="\n") as pipe:
                        shutil.copyfileobj(stream, pipe)
            return
        check_writable(path)
        temporary = temporary_beside(path)
        temporary.unlink(missing_ok=True)
        try:
            with temporary.open("x", encoding=DEFAULT_ENCODING, newline="\n") as stream:
                yield stream
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"can't be written: {error.strerror}", path) from None
