"""Bring the real data sets: download them at pinned commits, import a local copy, list them, verify them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from data.catalog import DATASETS, Dataset, cache_folder, roots
from data.catalog import VARIABLE as DATA_VARIABLE
from data.commands import add_quiet_flag, parser, run, table, write_json
from data.download import BASE, Remote, ServerError, download, remote_from_environment
from data.download import VARIABLE as BASE_VARIABLE
from data.manifest import MANIFEST, Check, Content, FileSet, RemoteFile, check, choose, file_sets, place, verify
from data.problems import InputError
from data.textfile import read_bytes, sha256, write_bytes

LOCK = ".fetch.lock"


def main(
    arguments: Sequence[str] | None = None,
    manifest: Path = MANIFEST,
    datasets: Mapping[str, Dataset] = DATASETS,
    remote: Remote | None = None,
) -> int:
    """The command; another manifest, catalog and server are for tests and for sets of one's own."""
    command = _parser()
    options = command.parse_args(arguments)
    if options.json and not (options.list or options.verify):
        command.error("--json goes with --list or --verify")
    sets = choose(options.sets, file_sets(manifest, datasets))
    folder = options.data or cache_folder()
    if options.list:
        return _list(sets, options)
    if options.verify:
        return _verify(sets, folder, options)
    if not options.quiet:
        also = f"; {DATA_VARIABLE} is set and is searched first" if os.environ.get(DATA_VARIABLE) else ""
        print(f"files go to {folder}{'' if options.data else also}", file=sys.stderr)
    absent = _absent(sets, folder, options.quiet)
    if options.source:
        return _import(absent, folder, options)
    return _download(absent, folder, options, remote)


def _parser() -> argparse.ArgumentParser:
    examples = ["", "benchie_fl_match benchie_fl", "--from /media/copy", "--verify", "--list --json -"]
    command = parser("data.fetch", __doc__ or "", examples)
    command.add_argument("sets", nargs="*", metavar="SET", help="names of data sets (default: all; see --list)")
    command.add_argument("--data", type=Path, metavar="DIR", help="target folder (default: the user's cache)")
    action = command.add_mutually_exclusive_group()
    action.add_argument("--from", dest="source", type=Path, metavar="DIR", help="import a local copy, no download")
    action.add_argument("--verify", action="store_true", help="check the files that are there against the manifest")
    action.add_argument("--list", action="store_true", help="show the sets: files, size, licence, place, citation")
    command.add_argument("--json", metavar="FILE", help="--list or --verify as JSON, too; - for JSON on stdout")
    command.add_argument("--offline", action="store_true", help="never touch the network")
    add_quiet_flag(command)
    command.epilog = f"{command.epilog}\n\nThe files come from {BASE}, or from the mirror that {BASE_VARIABLE} names."
    return command


def _absent(sets: Sequence[FileSet], folder: Path, quiet: bool) -> list[RemoteFile]:
    """The files that are not in the folder, or not as they should be; sets may share files."""
    checks = [check(file, folder / file.path) for file in dict.fromkeys(file for one in sets for file in one.files)]
    for one in checks:
        if one.corrupted and not quiet:
            print(f"warning: {folder / one.file.path} is not the published file: {one}", file=sys.stderr)
    return [one.file for one in checks if not one.verified]


def _download(absent: Sequence[RemoteFile], folder: Path, options: argparse.Namespace, remote: Remote | None) -> int:
    how = f"import a local copy with --from DIR, or copy the files to {folder}"
    if options.offline and absent:
        lacking = f"{len(absent)} of the files asked for are lacking"
        raise InputError(f"--offline was given, so nothing is downloaded, and {lacking}; {how}")
    server = remote or remote_from_environment()
    try:
        return _each(absent, lambda file, seen: download(file, folder, server, seen), folder, options, "downloaded")
    except ServerError as problem:
        raise InputError(f"{problem}; {how}") from None


def _import(absent: Sequence[RemoteFile], folder: Path, options: argparse.Namespace) -> int:
    source: Path = options.source
    if not source.is_dir():
        raise InputError("no such folder", source)
    there = [file for file in absent if (source / file.path).is_file()]
    code = _each(there, lambda file, _: _copy(file, source, folder), folder, options, "imported")
    lacking = [file.path for file in absent if file not in there]
    if lacking:
        message = f"this copy lacks {len(lacking)} of {len(absent)} files, the first is {lacking[0]}"
        # A partial copy is fine, but a set that was named must be whole and a wrong folder must be noticed.
        if options.sets or not there:
            raise InputError(message, source)
        if not options.quiet:
            print(f"warning: {source}: {message}", file=sys.stderr)
    return code


def _copy(file: RemoteFile, source: Path, folder: Path) -> None:
    content = read_bytes(source / file.path)
    found = Check(file, Content(sha256(content), len(content)))
    if not found.verified:
        raise InputError(f"is corrupted and was not imported: {found}", source / file.path)
    write_bytes(place(file, folder), content)


def _each(
    files: Sequence[RemoteFile],
    bring: Callable[[RemoteFile, Callable[[int], None]], None],
    folder: Path,
    options: argparse.Namespace,
    done: str,
) -> int:
    """Bring file after file; one that fails by itself is reported and does not keep the others away."""
    if not files:
        print(f"nothing to be {done} to {folder}")
        return 0
    failed = 0
    with _alone(folder), _Progress(files, options.quiet) as progress:
        for file in files:
            try:
                bring(file, progress.at)
                progress.done(file)
            except ServerError:
                raise
            except InputError as error:
                failed += 1
                progress.write(f"error: {error}")
    print(f"{len(files) - failed} of {len(files)} files were {done} to {folder}")
    return 1 if failed else 0


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock: two runs that append to the same unfinished file would spoil it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stream = (folder / LOCK).open("ab")
    except OSError as error:
        raise InputError(f"can't be written: {error.strerror}", folder) from None
    with stream:
        try:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError("another run is bringing files to this folder; wait for it to end", folder) from None
        except (ImportError, OSError):  # Windows and some network drives have no such locks
            pass
        yield


class _Progress:
    """Bytes and files so far on stderr: a bar for a terminal, else a line a file."""

    def __init__(self, files: Sequence[RemoteFile], quiet: bool) -> None:
        self.quiet, self.count, self.total = quiet, len(files), sum(file.size for file in files)
        self.number = self.before = 0
        self.bar: Any = None

    def __enter__(self) -> _Progress:
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


def _verify(sets: Sequence[FileSet], folder: Path, options: argparse.Namespace) -> int:
    verdicts = [verify(one, folder) for one in sets]
    if options.json:
        found = [
            {
                "name": one.fileset.name,
                "state": one.state,
                "files": len(one.checks),
                "missing": [each.file.path for each in one.missing],
                "corrupted": [_defect(each) for each in one.corrupted],
            }
            for one in verdicts
        ]
        write_json({"folder": str(folder), "sets": found}, options.json)
    if options.json != "-":
        print(table([["data set", f"in {folder}"], *([one.fileset.name, str(one)] for one in verdicts)], left=2))
    for each in dict.fromkeys(each for one in verdicts for each in one.corrupted):
        print(f"error: {folder / each.file.path}: {each}", file=sys.stderr)
    if os.environ.get(DATA_VARIABLE) and not (options.data or options.quiet):
        print(f"{DATA_VARIABLE} is set and was not checked; name it with --data for that", file=sys.stderr)
    bad = any(one.corrupted or (one.missing and options.sets) for one in verdicts)
    return 1 if bad else 0


def _defect(found: Check) -> dict[str, Any]:
    contents = {"expected": found.expected, "got": found.found}
    return {"path": found.file.path} | {
        name: content and {"sha256": content.sha256, "bytes": content.size} for name, content in contents.items()
    }


def _list(sets: Sequence[FileSet], options: argparse.Namespace) -> int:
    places = {one.name: _found(one, options.data) for one in sets}
    if options.json:
        listed = [
            {
                "name": one.name,
                "summary": one.summary,
                "files": len(one.files),
                "bytes": one.size,
                "licences": list(one.licences),
                "folder": None if places[one.name] is None else str(places[one.name]),
                "citation": one.citation,
            }
            for one in sets
        ]
        write_json({"sets": listed}, options.json)
    if options.json != "-":
        rows = [["data set", "files", "   size", "licence", "where"]]
        for one in sets:
            numbers = [f"{len(one.files):5}", f"{one.size / 1e6:4.2f} MB"]
            rows.append([one.name, *numbers, ", ".join(one.licences), str(places[one.name] or "not fetched")])
        head, rule, *lines = table(rows, left=5).splitlines()
        print("\n".join([head, rule, *(f"{line}\n  {one.citation}" for line, one in zip(lines, sets, strict=True))]))
    return 0


def _found(fileset: FileSet, data: Path | None) -> Path | None:
    return next((root for root in roots(data) if all((root / file.path).is_file() for file in fileset.files)), None)


if __name__ == "__main__":
    raise SystemExit(run(main))
