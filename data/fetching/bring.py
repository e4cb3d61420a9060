"""Bringing files to a folder: those that are lacking, from a server or a local copy, one run at a time."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from data.fetching.download import Remote, ServerError, download
from data.fetching.manifest import Check, Content, FileSet, RemoteFile, check, place
from data.formats.textfile import is_file, is_folder, read_bytes, sha256, write_bytes
from data.problems import InputError, Problem

LOCK = ".fetch.lock"
Bring = Callable[[RemoteFile, Callable[[int], None]], None]


@dataclass(frozen=True)
class Brought:
    """What a run did: how many files it was to bring, and the errors about those that it could not."""

    files: int
    errors: tuple[str, ...] = ()


def absent_files(sets: Sequence[FileSet], folder: Path) -> tuple[tuple[RemoteFile, ...], tuple[Check, ...]]:
    """The files that are not in the folder or not as they should be, and those of them that are spoilt."""
    checks = [check(file, folder / file.path) for file in dict.fromkeys(file for one in sets for file in one.files)]
    return tuple(one.file for one in checks if not one.verified), tuple(one for one in checks if one.corrupted)


def download_files(files: Sequence[RemoteFile], folder: Path, remote: Remote, quiet: bool = False) -> Brought:
    """Download files; a server that no file can be had from ends it."""
    try:
        return _each(files, lambda file, seen: download(file, folder, remote, seen), folder, quiet)
    except ServerError as problem:
        how = f"import a local copy with --from DIR, or copy the files to {folder}"
        raise InputError(f"{problem}; {how}") from None


def import_files(files: Sequence[RemoteFile], folder: Path, source: Path, whole: bool, quiet: bool = False) -> Brought:
    """Copy files from a local copy, which must have all of them if it is to be `whole`, and some of them anyway."""
    if not is_folder(source):
        raise InputError("no such folder", source)
    there = [file for file in files if is_file(source / file.path)]
    brought = _each(there, lambda file, _: _copy(file, source, folder), folder, quiet)
    lacking = [file.path for file in files if file not in there]
    if lacking:
        message = f"this copy lacks {len(lacking)} of {len(files)} files, the first is {lacking[0]}"
        if whole or not there:
            raise InputError(message, source)
        if not quiet:
            print(f"warning: {Problem('lacking', message, str(source))}", file=sys.stderr)
    return brought


def _copy(file: RemoteFile, source: Path, folder: Path) -> None:
    content = read_bytes(source / file.path)
    checked = Check(file, Content(sha256(content), len(content)))
    if not checked.verified:
        raise InputError(f"is corrupted and was not imported: {checked}", source / file.path)
    write_bytes(place(file, folder), content, make_folders=True)


def _each(files: Sequence[RemoteFile], bring: Bring, folder: Path, quiet: bool) -> Brought:
    """Bring file after file; one that fails by itself is reported and does not keep the others away."""
    errors = []
    if files:
        with alone(folder), Progress(files, quiet) as progress:
            for file in files:
                try:
                    bring(file, progress.at)
                    progress.done(file)
                except ServerError:
                    raise
                except InputError as error:
                    errors.append(str(error))
                    progress.write(f"error: {error}")
    return Brought(len(files), tuple(errors))


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock: two runs at once would bring everything twice. A link in its place is not followed."""
    lock = folder / LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stream = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        if error.errno == errno.ELOOP and lock.is_symlink():
            raise InputError("is a link, where a file of our own was expected; remove it", lock) from None
        raise InputError(f"can't be written: {error.strerror}", folder) from None
    try:
        try:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError("another run is bringing files to this folder; wait for it to end", folder) from None
        except (ImportError, OSError):  # Windows and some network drives have no such locks
            pass
        yield
    finally:
        os.close(stream)


class Progress:
    """Bytes and files so far on stderr: a bar for a terminal, else a line a file."""

    def __init__(self, files: Sequence[RemoteFile], quiet: bool) -> None:
        self.quiet, self.count, self.total = quiet, len(files), sum(file.size for file in files)
        self.number = self.before = 0
        self.bar: Any = None

    def __enter__(self) -> Progress:
        if not self.quiet and sys.stderr.isatty():
            from tqdm import tqdm

            self.bar = tqdm(total=self.total, unit="B", unit_scale=True, leave=False, dynamic_ncols=True)
            self.bar.set_description(f"0/{self.count} files")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.close()

    def at(self, size: int) -> None:
        """So many bytes of the present file are there; fewer than before when it is begun anew."""
        if self.bar is not None:
            self.bar.update(self.before + size - self.bar.n)

    def done(self, file: RemoteFile) -> None:
        """The present file is in its place."""
        self.number, self.before = self.number + 1, self.before + file.size
        self.at(0)
        if self.bar is not None:
            self.bar.set_description(f"{self.number}/{self.count} files")
        elif not self.quiet:
            self.write(f"{self.number}/{self.count} files, {self.before}/{self.total} bytes: {file.path}")

    def write(self, text: str) -> None:
        """A line on stderr, above the bar."""
        if self.bar is not None:
            self.bar.clear()
        print(text, file=sys.stderr)
