"""Reading and writing text files: encodings, line ends, byte-order marks, hashes, whole files or none."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from data.problems import InputError

DEFAULT_ENCODING = "utf-8"
_MARK = "\ufeff"
_LINE_END = re.compile(r"\r\n|\r|\n")


def read_bytes(path: Path) -> bytes:
    """The file's content, or a clear error."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", path) from None
    except IsADirectoryError:
        raise InputError("is a folder; a file was expected", path) from None
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror}", path) from None


def check_encoding(encoding: str) -> None:
    """Refuse what is no encoding of text: unknown names, and codecs such as hex that make bytes of bytes."""
    try:
        "a".encode(encoding)
    except (LookupError, ValueError):
        raise InputError(f"unknown encoding {encoding!r}; try utf-8, latin-1 or cp1252") from None


def decode(content: bytes, path: Path, encoding: str = DEFAULT_ENCODING) -> str:
    """The text of a file's bytes without its byte-order mark; bytes that don't decode are an error with a line."""
    check_encoding(encoding)
    try:
        return content.decode(encoding).removeprefix(_MARK)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        message = f"byte 0x{byte:02x} is not {encoding}; name the file's encoding with --encoding"
        raise InputError(message, path, line) from None
    except UnicodeError:
        raise InputError(f"is not {encoding}; name the file's encoding with --encoding", path) from None


def read_text(path: Path, encoding: str = DEFAULT_ENCODING) -> str:
    """The file's text without its byte-order mark."""
    return decode(read_bytes(path), path, encoding)


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers from 1, whatever ends them; blank ones are left out."""
    for number, line in enumerate(_LINE_END.split(text), 1):
        if line.strip():
            yield number, line


def sha256(content: bytes) -> str:
    """The hash that signatures and manifests use."""
    return hashlib.sha256(content).hexdigest()


def write_bytes(path: Path, content: bytes) -> None:
    """Write a whole file or nothing: a failure or an interruption leaves what was there before."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # a pipe or /dev/stdout can't be replaced
            path.write_bytes(content)
            return
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            temporary.write_bytes(content)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"can't be written: {error.strerror}", path) from None


def write_text(path: Path, text: str, encoding: str = DEFAULT_ENCODING) -> None:
    """Write a whole text file or nothing."""
    check_encoding(encoding)
    if text.startswith(_MARK):  # reading drops one mark, and this one belongs to the text
        text = _MARK + text
    try:
        content = text.encode(encoding)
    except UnicodeEncodeError as error:
        character = text[error.start]
        raise InputError(f"{encoding} can't write the character {character!r}; choose utf-8", path) from None
    write_bytes(path, content)
