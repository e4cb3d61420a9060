from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from data.formats.plain import HEAD, head_of, plain_stream
from data.problems import InputError


def test_content_is_plain_whatever_it_is_packed_in(tmp_path: Path) -> None:
    content = b"1\tMara\tleft\thome\n" * 20_000
    (tmp_path / "a.tsv").write_bytes(content)
    (tmp_path / "a.tsv.gz").write_bytes(gzip.compress(content))
    for name in ("a.tsv", "a.tsv.gz"):
        with plain_stream(tmp_path / name) as stream:
            assert stream.read() == content
        assert head_of(tmp_path / name, "utf-8") == content[:HEAD].decode()


def test_of_a_packed_file_no_more_is_unpacked_than_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"a" * 10_000_000))
    with plain_stream(tmp_path / "a.gz", most=10) as stream:
        assert len(stream.read()) < 2_000_000


def test_a_head_has_no_mark_and_may_end_within_a_character(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf" + "\u00e9".encode() * HEAD)
    head = head_of(tmp_path / "a.txt", "utf-8")
    assert head.startswith("\u00e9\u00e9") and head.endswith("\ufffd")


@pytest.mark.parametrize(("name", "message"), [("none", "no such file"), (".", "is a folder"), ("a\0b", "is no name")])
def test_what_can_not_be_read(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message), plain_stream(tmp_path / name):
        pass
    with pytest.raises(InputError, match="unknown encoding"):
        head_of(tmp_path / name, "no such encoding")
