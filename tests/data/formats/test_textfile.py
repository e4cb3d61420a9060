"""Reading and writing text files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from data.formats.textfile import (
    decode,
    is_file,
    is_folder,
    numbered_lines,
    read_bytes,
    read_text,
    write_bytes,
    write_text,
)
from data.problems import InputError

IMPOSSIBLE = ["x" * 300, "a\x00b", "x/" * 3000]


def test_line_ends_of_all_kinds_count_and_blank_lines_are_left_out() -> None:
    assert list(numbered_lines("a\r\n\nb\rc\u2028d")) == [(1, "a"), (3, "b"), (4, "c\u2028d")]


def test_bytes_that_do_not_decode_name_their_line() -> None:
    with pytest.raises(InputError, match=r"gold\.txt:2: byte 0xff is not utf-8; name the file's encoding"):
        decode(b"a\n\xff", Path("gold.txt"))


@pytest.mark.parametrize("encoding", ["no-such", "hex", "utf\x008"])
def test_what_is_no_encoding(encoding: str) -> None:
    with pytest.raises(InputError, match="unknown encoding"):
        decode(b"a", Path("gold.txt"), encoding)


def test_the_mark_at_the_beginning_is_no_text(tmp_path: Path) -> None:
    write_bytes(tmp_path / "a", b"\xef\xbb\xbfRain")
    assert read_text(tmp_path / "a") == "Rain"
    write_text(tmp_path / "b", "\ufeffRain")
    assert read_text(tmp_path / "b") == "\ufeffRain"


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_names_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert not is_file(path) and not is_folder(path)
    with pytest.raises(InputError, match=r"can.t be read|is no name of a file|no such file"):
        read_bytes(path)
    with pytest.raises(InputError, match=r"can.t be written|is no name of a file"):
        write_bytes(path, b"")


def test_a_name_as_long_as_can_be_is_written(tmp_path: Path) -> None:
    write_bytes(tmp_path / ("x" * 250), b"a")
    assert [len(path.name) for path in tmp_path.iterdir()] == [250]


def test_folders_are_made_only_where_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    with pytest.raises(InputError, match=r"a\.txt: can't be written: there is no folder .*new; make it first"):
        write_text(path, "a")
    assert not path.parent.exists()
    write_text(path, "a", make_folders=True)
    assert path.read_text() == "a"


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "before")
    with pytest.raises(InputError, match="latin-1 can't write the character"):
        write_text(path, "\u4eac", "latin-1")
    assert path.read_text() == "before" and len(list(tmp_path.iterdir())) == 1


def test_no_link_is_followed_while_writing(tmp_path: Path) -> None:
    from data.formats.textfile import sha256

    victim = tmp_path / "victim"
    (tmp_path / f".{sha256(b'a.txt')[:16]}.{os.getpid()}.tmp").symlink_to(victim)
    write_text(tmp_path / "a.txt", "a")
    assert not victim.exists() and (tmp_path / "a.txt").read_text() == "a"


def test_a_full_device_is_an_error_of_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with pytest.raises(InputError, match="/dev/full: can't be written: No space left on device"):
        write_text(Path("/dev/full"), "a")
