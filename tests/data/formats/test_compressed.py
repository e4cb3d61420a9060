from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from data.command_line import run
from data.formats.compressed import unpacked
from data.formats.textfile import read_bytes, write_text
from data.problems import InputError
from matchers.score import main as score

GOLD = "sent_id:1\tMara Venn lives in Oslo .\n1--> Cluster 1:\nMara Venn --> lives in --> Oslo\n"
MINE = '{"sentence_id": "1", "arg1": "Mara Venn", "relation": "lives in", "arg2": "Oslo"}\n'
Pack = Callable[[bytes], bytes]


def zstd(content: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard", reason="needs the extra `zstd`")
    packed: bytes = zstandard.ZstdCompressor().compress(content)
    return packed


WAYS = pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".zst", zstd)], ids=["gz", "zst"])


@WAYS
def test_scores_are_those_of_the_plain_files(tmp_path: Path, ending: str, pack: Pack) -> None:
    written = []
    for end, packed in (("", bytes), (ending, pack)):
        gold, mine = tmp_path / f"gold.txt{end}", tmp_path / f"mine.jsonl{end}"
        gold.write_bytes(packed(GOLD.encode()))
        mine.write_bytes(packed(MINE.encode()))
        target = tmp_path / "scores.json"
        assert run(score, ["--gold", str(gold), "--system", f"mine={mine}", "--json", str(target), "--quiet"]) == 0
        written.append(target.read_text(encoding="utf-8").replace(f"gold.txt{end}", "gold.txt"))
    assert written[0] == written[1]  # the hash of the gold is that of what is in the file


@WAYS
def test_files_that_are_cut_or_nothing_of_the_kind(tmp_path: Path, ending: str, pack: Pack) -> None:
    whole = pack(GOLD.encode() * 50)
    for content in (whole[: len(whole) // 2], b"sent_id:1\tplain text\n"):
        path = tmp_path / f"gold.txt{ending}"
        path.write_bytes(content)
        with pytest.raises(InputError, match=f"gold.txt{ending}: (breaks off|is no)"):
            read_bytes(path)


@WAYS
def test_what_is_made_to_fill_memory_is_refused(monkeypatch: pytest.MonkeyPatch, ending: str, pack: Pack) -> None:
    monkeypatch.setattr("data.formats.compressed.ALWAYS", 1000)
    with pytest.raises(InputError, match="unpacks to more than"):
        unpacked(pack(b"a" * 5_000_000), Path(f"bomb{ending}"))


@WAYS
def test_several_members_are_one_text(ending: str, pack: Pack) -> None:
    assert unpacked(pack(b"one ") + pack(b"two"), Path(f"a{ending}")) == b"one two"


def test_text_is_not_written_under_a_compressed_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="read but not written"):
        write_text(tmp_path / "gold.txt.gz", GOLD)
    assert not list(tmp_path.iterdir())
