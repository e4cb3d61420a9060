"""Compressed files are read as what is in them: `.gz`, and `.zst` with the extra `zstd`.

A file may unpack to 100 times its size, or to 100 MB; text never comes near that, and what does is made to fill memory.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from data.extras import install_hint
from data.problems import InputError

GZIP, ZSTD = ".gz", ".zst"
SUFFIXES = (GZIP, ZSTD)
RATIO, ALWAYS = 100, 100_000_000
BLOCK, MOST_AT_ONCE = 65_536, 1_000_000  # bytes of gzip that are read, and of text that are made of them at once
CHUNK = 1024  # bytes of zstd that are unpacked before their size is looked at


def plain_path(path: Path) -> Path:
    """The path without the ending of a compression, which says what is in the file.

    >>> plain_path(Path("mine.jsonl.gz")).name, plain_path(Path("gold.txt")).name
    ('mine.jsonl', 'gold.txt')
    """
    return path.with_suffix("") if is_compressed(path) else path


def is_compressed(path: Path) -> bool:
    """Whether a file's name says that it is compressed."""
    return path.suffix.lower() in SUFFIXES


def unpacked(content: bytes, path: Path) -> bytes:
    """What is in a compressed file; any other is what it is."""
    if not is_compressed(path):
        return content
    return b"".join(plain_chunks(io.BytesIO(content), len(content), path))


def plain_chunks(stream: BinaryIO, size: int, path: Path) -> Iterator[bytes]:
    """What is in a compressed file of this size, some at a time."""
    most, total = max(RATIO * size, ALWAYS), 0
    for chunk in _gunzip(stream, path) if path.suffix.lower() == GZIP else _unzstd(stream, path):
        total += len(chunk)
        if total > most:
            raise InputError(f"unpacks to more than {most:,} bytes, which no text does; unpack it yourself", path)
        yield chunk


def _gunzip(stream: BinaryIO, path: Path) -> Iterator[bytes]:
    member = _member()
    rest, begun = b"", False
    try:
        while content := rest or stream.read(BLOCK):
            begun, rest = True, b""
            if member.eof:  # a file may have several members, one after the other
                content = content.lstrip(b"\0")
                if not content:
                    continue
                member = _member()
            yield member.decompress(content, MOST_AT_ONCE)
            rest = member.unused_data if member.eof else member.unconsumed_tail
        if begun and not member.eof:
            yield member.flush()
    except zlib.error as error:
        raise InputError(f"is no gzip file: {error}", path) from None
    if begun and not member.eof:
        raise InputError("breaks off: the gzip file is not whole", path)


def _member() -> zlib._Decompress:
    return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)


def _unzstd(stream: BinaryIO, path: Path) -> Iterator[bytes]:
    try:
        import zstandard
    except ImportError:
        raise InputError(f"needs zstandard: {install_hint('zstd')}", path) from None
    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        while rest := stream.read(CHUNK):
            while rest:  # a file may have several frames, one after the other
                if frame.eof:
                    frame = zstandard.ZstdDecompressor().decompressobj()
                yield frame.decompress(rest)
                rest = frame.unused_data if frame.eof else b""
    except zstandard.ZstdError as error:
        raise InputError(f"is no zstd file: {error}", path) from None
    if not frame.eof:
        raise InputError("breaks off: the zstd file is not whole", path)
