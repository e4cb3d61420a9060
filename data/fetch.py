"""Bring the real data sets: download them at pinned commits, import a local copy, list them, verify them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from data.catalog import DATASETS, Dataset, cache_folder
from data.catalog import VARIABLE as DATA_VARIABLE
from data.command_line import add_quiet_flag, parser, run, write_json
from data.fetching.bring import Brought, absent_files, download_files, import_files
from data.fetching.download import BASE, Remote, remote_from_environment
from data.fetching.download import VARIABLE as BASE_VARIABLE
from data.fetching.listing import places, sets_json, sets_text, verdicts_json, verdicts_text
from data.fetching.manifest import MANIFEST, FileSet, RemoteFile, choose, file_sets, verify
from data.problems import InputError


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
    return _bring(sets, folder, options, remote)


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


def _bring(sets: Sequence[FileSet], folder: Path, options: argparse.Namespace, remote: Remote | None) -> int:
    absent, spoilt = absent_files(sets, folder)
    if not options.quiet:
        also = f"; {DATA_VARIABLE} is set and is searched first" if os.environ.get(DATA_VARIABLE) else ""
        print(f"files go to {folder}{'' if options.data else also}", file=sys.stderr)
        for one in spoilt:
            print(f"warning: {folder / one.file.path} is not the published file: {one}", file=sys.stderr)
    if options.source:
        brought, done = import_files(absent, folder, options.source, bool(options.sets), options.quiet), "imported"
    else:
        brought, done = _download(absent, folder, options, remote), "downloaded"
    if not brought.files:
        print(f"nothing to be {done} to {folder}")
        return 0
    print(f"{brought.files - len(brought.errors)} of {brought.files} files were {done} to {folder}")
    return 1 if brought.errors else 0


def _download(
    absent: Sequence[RemoteFile], folder: Path, options: argparse.Namespace, remote: Remote | None
) -> Brought:
    if options.offline and absent:
        lacking = f"{len(absent)} of the files asked for are lacking"
        how = f"import a local copy with --from DIR, or copy the files to {folder}"
        raise InputError(f"--offline was given, so nothing is downloaded, and {lacking}; {how}")
    return download_files(absent, folder, remote or remote_from_environment(), options.quiet)


def _verify(sets: Sequence[FileSet], folder: Path, options: argparse.Namespace) -> int:
    verdicts = [verify(one, folder) for one in sets]
    if options.json:
        write_json(verdicts_json(verdicts, folder), options.json)
    if options.json != "-":
        print(verdicts_text(verdicts, folder))
    for each in dict.fromkeys(each for one in verdicts for each in one.corrupted):
        print(f"error: {folder / each.file.path}: {each}", file=sys.stderr)
    if os.environ.get(DATA_VARIABLE) and not (options.data or options.quiet):
        print(f"{DATA_VARIABLE} is set and was not checked; name it with --data for that", file=sys.stderr)
    bad = any(one.corrupted or (one.missing and options.sets) for one in verdicts)
    return 1 if bad else 0


def _list(sets: Sequence[FileSet], options: argparse.Namespace) -> int:
    where = places(sets, options.data)
    if options.json:
        write_json(sets_json(sets, where), options.json)
    if options.json != "-":
        print(sets_text(sets, where))
    return 0


if __name__ == "__main__":
    raise SystemExit(run(main))
