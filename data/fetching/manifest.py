"""The manifest of the real data sets: where each file comes from, and whether the file on disk is that file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from data.catalog import DATASETS, Dataset
from data.formats.json_records import parse_json
from data.formats.textfile import read_text
from data.problems import InputError

MANIFEST = Path(__file__).with_name("manifest.json")
# Sets that have no loader of their own yet; their files are those of the folder with their name.
UNLOADED = {
    "carb": (
        "CaRB's development and test sentences with crowdsourced tuples",
        "Bhardwaj, Aggarwal and Mausam: CaRB, a crowdsourced benchmark for Open IE (EMNLP 2019)",
    ),
}
# A manifest from elsewhere must not name a place outside of the folder, nor a hidden file.
_NAME = r"[\w()+-][\w .()+-]*"
_PATTERNS = {
    "path": re.compile(f"{_NAME}(/{_NAME})*"),
    "repository": re.compile(f"{_NAME}/{_NAME}"),
    "commit": re.compile("[0-9a-f]{40}"),
    "upstream_path": re.compile(f"{_NAME}(/{_NAME})*"),
    "sha256": re.compile("[0-9a-f]{64}"),
    "licence": re.compile(r"[^\x00-\x1f]+"),
}


@dataclass(frozen=True)
class RemoteFile:
    """A file of a public repository at a pinned commit, and its place below the data folder."""

    path: str
    repository: str
    commit: str
    upstream_path: str
    sha256: str
    size: int
    licence: str

    def url(self, base: str) -> str:
        """Where the file is downloaded from.

        >>> RemoteFile("a.txt", "some/one", "c0ffee", "gold/a (1).txt", "", 0, "MIT").url("https://host")
        'https://host/some/one/c0ffee/gold/a%20%281%29.txt'
        """
        return f"{base}/{quote(self.repository)}/{self.commit}/{quote(self.upstream_path)}"


@dataclass(frozen=True)
class FileSet:
    """A data set by name, with its files' origins."""

    name: str
    summary: str
    citation: str
    files: tuple[RemoteFile, ...]

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(file.size for file in self.files)

    @property
    def licences(self) -> tuple[str, ...]:
        """The licences of the files, each once."""
        return tuple(dict.fromkeys(file.licence for file in self.files))


@dataclass(frozen=True)
class Content:
    """What a file holds, as far as a manifest cares."""

    sha256: str
    size: int

    def __str__(self) -> str:
        return f"sha256 {self.sha256} ({self.size} bytes)"


@dataclass(frozen=True)
class Check:
    """A file of a manifest and what was found in its place; nothing is None."""

    file: RemoteFile
    found: Content | None

    @property
    def expected(self) -> Content:
        """What the manifest says of the file."""
        return Content(self.file.sha256, self.file.size)

    @property
    def verified(self) -> bool:
        """Whether the file is there and is the right one."""
        return self.found == self.expected

    @property
    def corrupted(self) -> bool:
        """Whether another file is in its place."""
        return self.found is not None and not self.verified

    def __str__(self) -> str:
        return f"expected {self.expected}, got {self.found or 'nothing'}"


@dataclass(frozen=True)
class Verdict:
    """A data set and what was found of its files in a folder."""

    fileset: FileSet
    checks: tuple[Check, ...]

    @property
    def missing(self) -> tuple[Check, ...]:
        """The files that are not there."""
        return tuple(one for one in self.checks if one.found is None)

    @property
    def corrupted(self) -> tuple[Check, ...]:
        """The files that are there and are not what the manifest says."""
        return tuple(one for one in self.checks if one.corrupted)

    @property
    def state(self) -> str:
        """The verdict in a word."""
        return "corrupted" if self.corrupted else "missing" if self.missing else "complete"

    def __str__(self) -> str:
        parts = [f"corrupted {len(self.corrupted)} of {len(self.checks)} files"] if self.corrupted else []
        parts += [f"missing {len(self.missing)} of {len(self.checks)} files"] if self.missing else []
        return ", ".join(parts) or "complete"


def verify(fileset: FileSet, folder: Path) -> Verdict:
    """Check all files of a set."""
    return Verdict(fileset, tuple(check(file, folder / file.path) for file in fileset.files))


def check(file: RemoteFile, path: Path) -> Check:
    """Compare the file at a path with what the manifest says of it."""
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            return Check(file, Content(digest, stream.tell()))
    except (FileNotFoundError, NotADirectoryError):
        return Check(file, None)
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror}", path) from None


def read_manifest(path: Path = MANIFEST) -> tuple[RemoteFile, ...]:
    """The files of a manifest; an entry that is incomplete or points outside of the data folder is an error."""
    entries = parse_json(read_text(path), path)
    if not isinstance(entries, list):
        raise InputError("a JSON list of files was expected", path)
    files = [_file(number, entry, path) for number, entry in enumerate(entries, 1)]
    seen: set[str] = set()
    for file in files:
        # Some file systems don't tell upper from lower case.
        if file.path.casefold() in seen:
            raise InputError(f"the file {file.path!r} is listed twice", path)
        seen.add(file.path.casefold())
    return tuple(files)


def _file(number: int, entry: Any, path: Path) -> RemoteFile:
    if not isinstance(entry, dict):
        raise InputError(f"entry {number} is no JSON object", path)
    for name, pattern in _PATTERNS.items():
        value = entry.get(name)
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise InputError(f"entry {number}: {name!r} is missing or not acceptable: {str(value)[:80]!r}", path)
    size = entry.get("bytes")
    if isinstance(size, bool) or not isinstance(size, int) or size < 0:
        raise InputError(f"entry {number}: 'bytes' must be a whole number", path)
    return RemoteFile(size=size, **{name: entry[name] for name in _PATTERNS})


def file_sets(manifest: Path = MANIFEST, datasets: Mapping[str, Dataset] = DATASETS) -> dict[str, FileSet]:
    """All sets that can be fetched, by name: those of the catalog, then those that only the manifest has."""
    files = {file.path: file for file in read_manifest(manifest)}
    sets = {}
    for name, dataset in datasets.items():
        absent = [path for path in dataset.files if path not in files]
        if absent:
            raise InputError(f"has no file {absent[0]!r}, which the data set {name} needs", manifest)
        own = tuple(files[path] for path in dict.fromkeys(dataset.files))
        sets[name] = FileSet(name, dataset.summary, dataset.citation, own)
    for name, (summary, citation) in UNLOADED.items():
        own = tuple(file for path, file in files.items() if path.startswith(f"{name}/"))
        if own and name not in sets:
            sets[name] = FileSet(name, summary, citation, own)
    return sets


def choose(names: list[str], sets: Mapping[str, FileSet]) -> list[FileSet]:
    """The sets with these names, or all of them."""
    for name in names:
        if name == "sample":
            raise InputError("the sample comes with the package and needs no fetching")
        if name not in sets:
            raise InputError(f"no data set is called {name!r}; the names are {', '.join(sets)}")
    return [sets[name] for name in dict.fromkeys(names)] if names else list(sets.values())


def place(file: RemoteFile, folder: Path) -> Path:
    """Where the file goes; its folder is made, and links that lead out of the data folder are refused."""
    path = folder / file.path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError) as error:  # RuntimeError is a loop of links
        raise InputError(f"can't be written: {getattr(error, 'strerror', error)}", path) from None
    if not inside:
        raise InputError(f"a link leads out of {folder}; nothing is written through it", path)
    return path
