"""Reading and writing text files: encodings, line ends, byte-order marks, hashes, whole files or none."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data.formats.compressed import is_compressed, unpacked
from data.formats.parquet import is_parquet, parquet_lines
from data.problems import InputError

DEFAULT_ENCODING = "utf-8"
PACKED = 8  # how many bytes of text a byte of a compressed file holds, about
_MARK = "\ufeff"
_LINE_END = re.compile(r"\r\n|\r|\n")


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """While a file is read: what can't be read is a clear error."""
    try:
        yield
    except FileNotFoundError:
        raise InputError("no such file", path) from None
    except IsADirectoryError:
        raise InputError("is a folder; a file was expected", path) from None
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror}", path) from None
    except ValueError:
        raise InputError("is no name of a file", path) from None


def read_bytes(path: Path) -> bytes:
    """The file's content, unpacked if its name says that it is compressed or Parquet, or a clear error."""
    with readable(path):
        return b"".join(parquet_lines(path)) if is_parquet(path) else unpacked(path.read_bytes(), path)


def is_folder(path: str | Path) -> bool:
    """Whether a name is that of a folder; one that no file can have, or that can't be looked at, is not."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def is_file(path: str | Path) -> bool:
    """Whether a name is that of a file; one that no file can have, or that can't be looked at, is not."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


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


def likely_size(path: Path) -> int:
    """About how many bytes of text a file holds."""
    return path.stat().st_size * (PACKED if is_compressed(path) or is_parquet(path) else 1)


def read_text(path: Path, encoding: str = DEFAULT_ENCODING) -> str:
    """The file's text without its byte-order mark."""
    return decode(read_bytes(path), path, encoding_of(path, encoding))


def encoding_of(path: Path, encoding: str) -> str:
    """A file's encoding: the one that the user names, but for Parquet, which knows its own."""
    return DEFAULT_ENCODING if is_parquet(path) else encoding


def numbered_lines(text: str, first: int = 1) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, from 1 for a whole file, whatever ends them; blank ones are left out."""
    for number, line in enumerate(_LINE_END.split(text), first):
        if line.strip():
            yield number, line


def sha256(content: bytes) -> str:
    """The hash that signatures and manifests use."""
    return hashlib.sha256(content).hexdigest()


def check_folder(path: Path) -> None:
    """Refuse a file to be written whose folder is not there."""
    if not is_folder(path.parent):
        raise InputError(f"can't be written: there is no folder {path.parent}; make it first", path)


def temporary_beside(path: Path) -> Path:
    """Where a file is written before it takes its place."""
    return path.with_name(f".{sha256(path.name.encode(errors='replace'))[:16]}.{os.getpid()}.tmp")


def write_bytes(path: Path, content: bytes, make_folders: bool = False) -> None:
    """Write a whole file or nothing: a failure or an interruption leaves what was there before."""
    try:
        if make_folders:
            path.parent.mkdir(parents=True, exist_ok=True)
        else:
            check_folder(path)
        if path.exists() and not path.is_file():  # a pipe or /dev/stdout can't be replaced
            path.write_bytes(content)
            return
        temporary = temporary_beside(path)
        temporary.unlink(missing_ok=True)
        try:
            with temporary.open("xb") as stream:  # never through a link that somebody laid there
                stream.write(content)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"can't be written: {error.strerror}", path) from None
    except ValueError:
        raise InputError("is no name of a file", path) from None


def check_writable(path: Path) -> None:
    """Refuse the name of a compressed file, under which text could not be read back."""
    if is_compressed(path):
        raise InputError("compressed files are read but not written; name it without its last ending", path)


def write_text(path: Path, text: str, encoding: str = DEFAULT_ENCODING, make_folders: bool = False) -> None:
    """Write a whole text file or nothing."""
    check_writable(path)
    check_encoding(encoding)
    if text.startswith(_MARK):  # reading drops one mark, and this one belongs to the text
        text = _MARK + text
    try:
        content = text.encode(encoding)
    except UnicodeEncodeError as error:
        character = text[error.start]
        raise InputError(f"{encoding} can't write the character {character!r}; choose utf-8", path) from None
    write_bytes(path, content, make_folders)
