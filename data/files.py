"""Files from Python: any format read and written as the commands do it, named by `str` or `Path` alike.

Warnings go to `diagnostics`, or to stderr if none are given.

>>> import tempfile
>>> from data.model import Sentence
>>> folder = Path(tempfile.mkdtemp())
>>> gold = Benchmark("mine", (Sentence.of("Bo bakes bread .", "Bo --> bakes --> [the] bread"),))
>>> write_gold(gold, folder / "gold.txt")
>>> read_gold(folder / "gold.txt").sentences == gold.sentences
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from data.catalog import NAMES, load
from data.formats.reading import Confidence, Nary, ReadOptions
from data.formats.registry import (
    FORMATS,
    USUAL_GOLD,
    ExtractionFormat,
    GoldFormat,
    JudgmentFormat,
    format_named,
    guess_format,
    read_any_gold,
)
from data.formats.textfile import DEFAULT_ENCODING, is_folder
from data.languages import tokenised
from data.model import Benchmark, Extraction, Judgment, System
from data.problems import Diagnostics, InputError


@contextmanager
def _shown(diagnostics: Diagnostics | None) -> Iterator[Diagnostics]:
    """The caller's collector of warnings, or one whose warnings are shown."""
    collected = diagnostics if diagnostics is not None else Diagnostics()
    yield collected
    if diagnostics is None:
        collected.show()


def read_gold(
    source: str | Path,
    format: str | None = None,
    *,
    encoding: str = DEFAULT_ENCODING,
    language: str | None = None,
    data: str | Path | None = None,
    diagnostics: Diagnostics | None = None,
) -> Benchmark:
    """The gold in a file of any format, in a folder, or of a data set by its name.

    `format` is one of `data.convert`'s names; without one it is what the file looks like. A `str` that is the name of
    a data set is that data set; `Path("sample")` is a file or folder.
    """
    with _shown(diagnostics) as collected:
        if (isinstance(source, str) and source in NAMES) or is_folder(source):
            benchmark = load(source, data, collected, ReadOptions(encoding))
        else:
            benchmark = read_any_gold(Path(source), collected, encoding, format)
        return tokenised(benchmark, language) if language else benchmark


def read_systems(
    path: str | Path,
    format: str | None = None,
    *,
    encoding: str = DEFAULT_ENCODING,
    confidence: Confidence = "none",
    nary: Nary | None = None,
    diagnostics: Diagnostics | None = None,
) -> tuple[System, ...]:
    """The systems in a file of extractions, most often one that is called as the file."""
    with _shown(diagnostics) as collected:
        chosen = format_named(format) if format else _extraction_format(Path(path), encoding)
        if not isinstance(chosen, ExtractionFormat):
            raise InputError(f"{chosen.name} is no format of extractions", path)
        return chosen.read(Path(path), collected, ReadOptions(encoding, confidence, nary))


def read_extractions(
    path: str | Path,
    format: str | None = None,
    *,
    name: str | None = None,
    encoding: str = DEFAULT_ENCODING,
    confidence: Confidence = "none",
    nary: Nary | None = None,
    diagnostics: Diagnostics | None = None,
) -> System:
    """The one system in a file of extractions, called as the file if it is not given a name."""
    systems = read_systems(path, format, encoding=encoding, confidence=confidence, nary=nary, diagnostics=diagnostics)
    if len(systems) != 1:
        raise InputError(f"has {len(systems)} systems, not one; read it with read_systems", path)
    return System(name, systems[0].extractions) if name else systems[0]


def _extraction_format(path: Path, encoding: str) -> ExtractionFormat:
    """The format that a file looks like, if it is one of extractions, else the one that its name asks for."""
    guessed = guess_format(path, encoding)
    if isinstance(guessed, ExtractionFormat):
        return guessed
    named = FORMATS["extractions-jsonl" if path.suffix.lower() in (".json", ".jsonl") else "extractions-tsv"]
    assert isinstance(named, ExtractionFormat)
    return named


def read_judgments(
    path: str | Path,
    benchmark: Benchmark,
    format: str | None = None,
    *,
    encoding: str = DEFAULT_ENCODING,
    diagnostics: Diagnostics | None = None,
) -> Benchmark:
    """The benchmark with the judgments of a file."""
    with _shown(diagnostics) as collected:
        csv = Path(path).suffix.lower() == ".csv"
        chosen = format_named(format or ("match-csv" if csv else "judgments-jsonl"))
        if not isinstance(chosen, JudgmentFormat):
            raise InputError(f"{chosen.name} is no format of judgments", path)
        return chosen.read(Path(path), benchmark, collected, encoding)


def write_gold(
    benchmark: Benchmark, path: str | Path, format: str = USUAL_GOLD, *, diagnostics: Diagnostics | None = None
) -> None:
    """Write sentences and clusters; the file's folder must be there."""
    with _shown(diagnostics) as collected:
        chosen = format_named(format)
        if not isinstance(chosen, GoldFormat) or chosen.write is None:
            raise InputError(f"{format} is no format that gold can be written in", path)
        chosen.write(benchmark, Path(path), collected, DEFAULT_ENCODING)


def write_extractions(
    system: System | Sequence[Extraction],
    path: str | Path,
    format: str | None = None,
    *,
    diagnostics: Diagnostics | None = None,
) -> None:
    """Write a system's extractions, as JSON Lines or tab-separated text as the file's name says."""
    with _shown(diagnostics) as collected:
        jsonl = Path(path).suffix.lower() in (".json", ".jsonl")
        chosen = format_named(format or ("extractions-jsonl" if jsonl else "extractions-tsv"))
        if not isinstance(chosen, ExtractionFormat) or chosen.write is None:
            raise InputError(f"{chosen.name} is no format that extractions can be written in", path)
        written = system if isinstance(system, System) else System.of(Path(path).stem, system)
        chosen.write((written,), Path(path), collected)


def write_judgments(judgments: Benchmark | Sequence[Judgment], path: str | Path) -> None:
    """Write judgments, or those of a benchmark, as JSON Lines."""
    chosen = FORMATS["judgments-jsonl"]
    assert isinstance(chosen, JudgmentFormat) and chosen.write
    chosen.write(judgments.judgments if isinstance(judgments, Benchmark) else judgments, Path(path))
