"""The shapes of the JSON that `data.fetch` writes; `docs/json.md` is made from them."""

from __future__ import annotations

from typing import Annotated, TypedDict


class FileSetJson(TypedDict):
    """A data set that can be fetched."""

    name: str
    summary: str
    files: Annotated[int, "how many it has"]
    bytes: Annotated[int, "of all its files"]
    licences: list[str]
    folder: Annotated[str | None, "the first folder that has all its files; null if none has"]
    citation: str


class FileSetsJson(TypedDict):
    """What `data.fetch --list --json` writes."""

    sets: list[FileSetJson]


class ContentJson(TypedDict):
    """What a file has in it."""

    sha256: str
    bytes: int


class CorruptedFileJson(TypedDict):
    """A file that is not the published one."""

    path: Annotated[str, "within the folder"]
    expected: Annotated[ContentJson, "of the published file"]
    got: Annotated[ContentJson | None, "of the file that is there"]


class VerdictJson(TypedDict):
    """Whether the files of a data set are those that were published."""

    name: str
    state: Annotated[str, "`complete`, `missing` or `corrupted`"]
    files: Annotated[int, "how many it has"]
    missing: Annotated[list[str], "paths within the folder"]
    corrupted: list[CorruptedFileJson]


class VerdictsJson(TypedDict):
    """What `data.fetch --verify --json` writes."""

    folder: Annotated[str, "that was checked"]
    sets: list[VerdictJson]
