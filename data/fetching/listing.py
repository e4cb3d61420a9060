"""What there is to fetch and what is there: the sets and the verdicts on their files, as JSON and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from data.catalog import roots
from data.command_line import table
from data.fetching.manifest import Check, Content, FileSet, Verdict
from data.fetching.shapes import ContentJson, CorruptedFileJson, FileSetJson, FileSetsJson, VerdictJson, VerdictsJson
from data.formats.textfile import is_file


def places(sets: Sequence[FileSet], data: Path | None) -> dict[str, Path | None]:
    """The first folder that has all files of each set, by the sets' names."""
    return {
        one.name: next((root for root in roots(data) if all(is_file(root / file.path) for file in one.files)), None)
        for one in sets
    }


def sets_json(sets: Sequence[FileSet], where: Mapping[str, Path | None]) -> FileSetsJson:
    """The sets as JSON values."""
    listed: list[FileSetJson] = [
        {
            "name": one.name,
            "summary": one.summary,
            "files": len(one.files),
            "bytes": one.size,
            "licences": list(one.licences),
            "folder": None if where[one.name] is None else str(where[one.name]),
            "citation": one.citation,
        }
        for one in sets
    ]
    return {"sets": listed}


def sets_text(sets: Sequence[FileSet], where: Mapping[str, Path | None]) -> str:
    """The sets as a table, each with its citation below."""
    rows = [["data set", "files", "   size", "licence", "where"]]
    for one in sets:
        numbers = [f"{len(one.files):5}", f"{one.size / 1e6:4.2f} MB"]
        rows.append([one.name, *numbers, ", ".join(one.licences), str(where[one.name] or "not fetched")])
    head, rule, *lines = table(rows, left=5).splitlines()
    return "\n".join([head, rule, *(f"{line}\n  {one.citation}" for line, one in zip(lines, sets, strict=True))])


def verdicts_json(verdicts: Sequence[Verdict], folder: Path) -> VerdictsJson:
    """The verdicts as JSON values."""
    judged: list[VerdictJson] = [
        {
            "name": one.fileset.name,
            "state": one.state,
            "files": len(one.checks),
            "missing": [each.file.path for each in one.missing],
            "corrupted": [_defect(each) for each in one.corrupted],
        }
        for one in verdicts
    ]
    return {"folder": str(folder), "sets": judged}


def _defect(defect: Check) -> CorruptedFileJson:
    return {
        "path": defect.file.path,
        "expected": _content(defect.expected),
        "got": _content(defect.found) if defect.found else None,
    }


def _content(content: Content) -> ContentJson:
    return {"sha256": content.sha256, "bytes": content.size}


def verdicts_text(verdicts: Sequence[Verdict], folder: Path) -> str:
    """The verdicts as a table."""
    return table([["data set", f"in {folder}"], *([one.fileset.name, str(one)] for one in verdicts)], left=2)
