"""Files that are read as they are needed give the bytes and the messages of files that are read whole."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import data
import data.streaming.files
import matchers.score
from data.command_line import run
from data.formats.benchie import gold_text
from data.formats.extractions import write_extractions
from tests.fuzzing import BOUNDED, VARIABLE

Files = dict[str, bytes]  # by their names: the gold and two systems, one of them as JSON Lines
GOLD, LINES, JSON = "gold.txt", "alpha.tsv", "beta.jsonl"
PIECE = 700


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The first sentences of the sample, its second system's lines in another order than the gold's."""
    sample = data.load("sample")
    few = sample.restricted([sentence.id for sentence in sample.sentences[:14]])
    folder = tmp_path_factory.mktemp("files")
    write_extractions(few.systems[0], folder / LINES)
    write_extractions(few.systems[1], folder / JSON)
    lines = (folder / JSON).read_bytes().splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    return {GOLD: gold_text(few).encode(), LINES: (folder / LINES).read_bytes(), JSON: b"".join(lines)}


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Scores files both ways, checks that all is equal, and gives back what was printed."""

    def score(files: Files, *flags: str) -> str:
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
        found = []
        for large in (10**9, 0):
            monkeypatch.setattr(matchers.score, "LARGE", large)
            monkeypatch.setattr(data.streaming.files, "SIZE", PIECE)
            outputs = [tmp_path / f"out.{kind}" for kind in ("json", "jsonl", "csv")]
            for output in outputs:
                output.unlink(missing_ok=True)
            gold, alpha, beta = files
            systems = ["--system", f"alpha={tmp_path / alpha}", "--system", f"beta={tmp_path / beta}"]
            named = [
                f for flag, o in zip(("--json", "--matches", "--csv"), outputs, strict=True) for f in (flag, str(o))
            ]
            code = run(
                matchers.score.main,
                ["--gold", str(tmp_path / gold), *systems, *named, "--resamples", "20", "--workers", "1", *flags],
            )
            printed = capfd.readouterr()
            left = [path.name for path in tmp_path.iterdir() if path.name.endswith(".tmp")]
            written = [output.read_bytes() if output.exists() else None for output in outputs]
            found.append((code, printed.out, printed.err, written, left))
        assert found[0] == found[1]
        assert (found[0][0] == 0) == (found[0][3][0] is not None)
        return found[1][1] + found[1][2]

    return score


@pytest.fixture
def streamed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pieces each check was of, so that a test can't pass by reading whole twice."""
    seen: list[int] = []
    check = data.streaming.files.OpenFiles.check

    def counted(self: data.streaming.files.OpenFiles, *rest: object) -> None:
        seen.append(0)
        check(self, *rest)

    monkeypatch.setattr(data.streaming.files.OpenFiles, "check", counted)
    return seen


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--workers", "2"),
        ("--facet", "C", "--duplicates", "ignore"),
        ("--facet", "E", "--language", "de"),
        ("--formulations", "random", "--seed", "3"),
        ("--nary", "drop", "--assignment", "optimal"),
        ("--language", "zh"),
        ("--matcher", "em"),
        ("--matcher", "features", "--workers", "2"),
        ("--encoding", "latin-1"),
        ("--strict",),
        ("--quiet",),
    ],
)
def test_scores_and_matches(files: Files, both: Callable[..., str], streamed: list[int], flags: Sequence[str]) -> None:
    both(files, *flags)
    assert len(streamed) == 1


def packed(files: Files) -> Files:
    return {f"{name}.gz": gzip.compress(content) for name, content in files.items()}


def test_packed_files(files: Files, both: Callable[..., str], streamed: list[int], tmp_path: Path) -> None:
    both(packed(files))
    pyarrow = pytest.importorskip("pyarrow", reason="needs the extra `pairs`")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra `pairs`")
    rows = [json.loads(line) for line in files[JSON].splitlines()]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "beta.parquet")
    both({GOLD: files[GOLD], LINES: files[LINES], "beta.parquet": (tmp_path / "beta.parquet").read_bytes()})
    assert len(streamed) == 2


@pytest.mark.parametrize("spoil", [lambda packed: packed[:-20], lambda packed: b"no gzip", lambda _: b""])
@pytest.mark.parametrize("name", [GOLD, LINES, JSON])
@pytest.mark.parametrize("stray", [b"", b"a stray line\n", b"two --> slots\n"])
def test_packed_files_that_are_broken(
    files: Files, both: Callable[..., str], name: str, spoil: Callable[[bytes], bytes], stray: bytes
) -> None:
    own = packed({**files, GOLD: files[GOLD] + stray})
    own[f"{name}.gz"] = spoil(own[f"{name}.gz"])
    both(own)


GOLD_LINES = (
    "Mara Venn --> left -->  --> home",
    "Mara Venn --> left --> [old]harbour wall]",
    "Mara Venn --> left",
    " --> left --> home",
    "9--> Cluster 1:",
    "1 --> Cluster 1 :",
    "1--> Cluster 1:",
    "1--> Cluster 7:",
    "a stray line",
    "77\tMara Venn left home .",
    "sent_id:1\tMara Venn left home .",
    "sent_id:new\tMara Venn left home .",
    "sent_id:a->b\tMara Venn left home .",
    "sent_id: no tab",
    "sent_id:5 --> is --> text",
    "sent_id:empty\t",
    "\u00e9 --> \u00e9tait --> [l']\u00e9t\u00e9",
    "",
)
TSV_LINES = (
    "sent_id\targ1\trel\targ2",
    "1\tMara Venn\tleft\thome\tin May",
    "1\tMara Venn\tleft\thome\t0.5",
    "1\tMara Venn\tleft",
    "1\t\t\t",
    "nowhere\tMara Venn\tleft\thome",
    "nowhere\tMara Venn\tleft\thome\tin May",
    "elsewhere\tMara Venn\tleft\thome",
    "1\tMara\u00e9\tleft\thome",
    " \t ",
)
JSON_LINES = (
    '{"sentence_id": "1", "arg1": "Mara", "relation": "left", "arg2": "home", "arg3": "in May"}',
    '{"sentence_id": 1, "arg1": "Mara", "relation": "left"}',
    '{"sentence_id": "1", "arg1": "Mara"}',
    '{"sentence_id": "nowhere", "arg1": "Mara", "relation": "left"}',
    '{"sentence_id": "1", "arg1": "Mara", "relation": "left", "confidence": "high"}',
    "[1, 2]",
    "{",
)
ENDS = ("\n", "\n", "\r\n", "\r")


def spoiled(files: Files, seed: int) -> Files:
    """The files with some lines put in, lines taken away, bytes spoiled, a mark in front, other line ends."""
    draw = random.Random(seed)
    changed = dict(files)
    for _ in range(draw.randint(1, 3)):
        name, lines = draw.choice([(GOLD, GOLD_LINES), (GOLD, GOLD_LINES), (LINES, TSV_LINES), (JSON, JSON_LINES)])
        own = changed[name].decode(errors="surrogateescape").splitlines(keepends=True)
        place = draw.choice([0, draw.randrange(len(own) + 1), len(own)])
        kind = draw.random()
        if kind < 0.75:
            own.insert(place, draw.choice(lines) + draw.choice(ENDS))
        elif kind < 0.85 and own:
            del own[draw.randrange(len(own))]
        elif kind < 0.9:
            own.insert(place, "\udcff --> bytes" + "\n")
        elif kind < 0.95:
            own.insert(0, "\ufeff")
        else:
            end = draw.choice(ENDS)
            own = [line.rstrip("\r\n") + end for line in own]
        changed[name] = "".join(own).encode(errors="surrogateescape")
    if draw.random() < 0.05:
        changed[draw.choice([GOLD, LINES, JSON])] = draw.choice([b"", b"\n \n", b"\xef\xbb\xbf", b"one line"])
    return changed


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(int(os.environ.get(VARIABLE, "0")) or BOUNDED))
def test_what_is_wrong_is_told_alike(files: Files, both: Callable[..., str], seed: int) -> None:
    flags = random.Random(seed).choice([(), (), ("--strict",), ("--nary", "drop"), ("--confidence", "last")])
    both(spoiled(files, seed), *flags)
