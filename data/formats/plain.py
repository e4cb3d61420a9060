"""A file's plain content as a stream, whatever it is packed in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from data.formats.compressed import is_compressed, plain_chunks
from data.formats.parquet import is_parquet, parquet_lines
from data.formats.textfile import check_encoding, encoding_of, readable

HEAD = 100_000  # bytes in which a file shows what it is


@contextmanager
def plain_stream(path: Path, most: int | None = None) -> Iterator[BinaryIO]:
    """A file's content; of a packed one, in a temporary file, all of it or its beginning of so many bytes."""
    with ExitStack() as stack:
        with readable(path):
            stream: BinaryIO = stack.enter_context(path.open("rb"))
        if is_compressed(path) or is_parquet(path):
            with readable(path):
                stream = stack.enter_context(_unpacked(stream, path, most))
        yield stream


@contextmanager
def _unpacked(stream: BinaryIO, path: Path, most: int | None) -> Iterator[BinaryIO]:
    size = os.fstat(stream.fileno()).st_size
    with TemporaryFile(prefix="factmatch-") as plain:
        for chunk in parquet_lines(path) if is_parquet(path) else plain_chunks(stream, size, path):
            plain.write(chunk)
            if most is not None and plain.tell() >= most:
                break
        plain.seek(0)
        yield plain


def head_of(path: Path, encoding: str) -> str:
    """The beginning of a file's text; what does not decode, and a last character that is cut, are replaced."""
    check_encoding(encoding)
    with plain_stream(path, most=HEAD) as stream:
        return stream.read(HEAD).decode(encoding_of(path, encoding), errors="replace").removeprefix("\ufeff")
