"""The data sets by name: which files they are made of, where those are found, how they are loaded."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from data.formats.reading import ReadOptions
from data.formats.textfile import is_file, is_folder
from data.model import Benchmark
from data.problems import Diagnostics, InputError

VARIABLE = "FACTMATCH_DATA"
SAMPLE = Path(__file__).parent / "sample"
FL_SYSTEMS = ("reverb", "clausie", "minie", "imojie", "openie6", "m2oie", "compactie")


@dataclass(frozen=True)
class Dataset:
    """A data set by name: its files, relative to the data folder, and how people should cite it."""

    name: str
    summary: str
    gold: str
    extractions: dict[str, str] = field(default_factory=dict)
    judgments: str | None = None
    subset: bool = False
    language: str = "en"
    citation: str = ""
    loader: Callable[[Path, Dataset, Diagnostics, ReadOptions], Benchmark] | None = None
    extra: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """All files that the set is made of."""
        judgments = (self.judgments,) if self.judgments else ()
        return (self.gold, *dict.fromkeys(self.extractions.values()), *judgments, *self.extra)


def _fl(folder: str, systems: tuple[str, ...] = FL_SYSTEMS) -> dict[str, str]:
    return {name: f"{folder}/{name}.txt" for name in systems}


# Every command's help lists the data sets, so that the readers are imported only where one is loaded.
def _wire57(root: Path, dataset: Dataset, _: Diagnostics, options: ReadOptions) -> Benchmark:
    from data.formats.wire57 import load_wire57

    return load_wire57(root / dataset.gold, root / dataset.extra[0], options.nary)


def _carb(root: Path, dataset: Dataset, diagnostics: Diagnostics, options: ReadOptions) -> Benchmark:
    from data.folder import assemble
    from data.formats.carb import read_carb_benchmark
    from data.sentence_lookup import with_gold_of

    systems = {name: root / path for name, path in dataset.extractions.items()}
    texts = assemble(root / dataset.extra[0], systems, None, diagnostics, options)
    return with_gold_of(texts, read_carb_benchmark(root / dataset.gold, options.encoding))


def _passages(root: Path, dataset: Dataset, diagnostics: Diagnostics, _: ReadOptions) -> Benchmark:
    from data.formats.webassertions import load_passages

    systems = {name: root / path for name, path in dataset.extractions.items()}
    return load_passages(root / dataset.gold, root / dataset.extra[0], systems, diagnostics)


_LAMARCHE = "Lamarche and Langlais: BenchIE^FL, a manually re-annotated fact-based OIE benchmark (COLING 2024)"
_GASHTEOVSKI = "Gashteovski et al.: BenchIE, a framework for multi-faceted fact-based OIE evaluation (ACL 2022)"
_BHARDWAJ = "Bhardwaj, Aggarwal and Mausam: CaRB, a crowdsourced benchmark for open IE (EMNLP 2019)"
_LECHELLE = "Lechelle, Gotti and Langlais: WiRe57, a fine-grained benchmark for OIE (LAW 2019)"
_BENCHIE_EN = {
    "clausie": "clausie", "minie": "minie", "stanford": "stanford", "openie6": "openie6", "roie_t": "roi_t",
    "roie_n": "roi_n", "naive": "naive_oie", "m2oie_en": "m2oie_en",
}  # fmt: skip
_EXPLICIT = {name: f"benchie/extractions/{file}_explicit.txt" for name, file in _BENCHIE_EN.items()}
_WIRE57_OUTPUT = "wire57/WiRe57_extractions_by_ollie_clausie_openie_stanford_minie_reverb_props-export.json"

DATASETS = {
    dataset.name: dataset
    for dataset in (
        Dataset(
            "benchie_fl_match",
            "50 sentences of BenchIE^FL with 7 systems' extractions and manual matches",
            "benchie_fl/gold/benchie_fl_50.txt",
            _fl("benchie_fl/extractions"),
            "benchie_fl/match/matches_benchie50_7_systems_annotated.csv",
            subset=True,
            citation=_LAMARCHE,
        ),
        Dataset(
            "benchie_fl",
            "BenchIE^FL, 300 sentences, with 7 systems' extractions",
            "benchie_fl/gold/benchie_fl_300.txt",
            _fl("benchie_fl/extractions"),
            citation=_LAMARCHE,
        ),
        Dataset(
            "wire57_match",
            "WiRe57's 57 sentences annotated as BenchIE^FL, 7 systems, manual matches",
            "wire57_fl/gold/wire57_fl_57.txt",
            _fl("wire57_fl/extractions"),
            "wire57_fl/match/matches_wire_7_systems_annotated.csv",
            subset=True,
            citation=_LAMARCHE,
        ),
        Dataset(
            "benchie_en",
            "BenchIE English, 300 sentences, 8 systems",
            "benchie/gold/en.txt",
            _EXPLICIT,
            citation=_GASHTEOVSKI,
        ),
        Dataset(
            "benchie_carb",
            "CaRB's 783 tuples of BenchIE's English sentences, 8 systems",
            "benchie/gold/carb_explicit.txt",
            _EXPLICIT,
            loader=_carb,
            citation=_BHARDWAJ,
            extra=("benchie/gold/en.txt",),
        ),
        Dataset(
            "benchie_de",
            "BenchIE German, 300 sentences, m2oie",
            "benchie/gold/de.txt",
            {"m2oie_de": "benchie/extractions/m2oie_de_explicit.txt"},
            language="de",
            citation=_GASHTEOVSKI,
        ),
        Dataset(
            "benchie_zh",
            "BenchIE Chinese, 300 sentences, m2oie",
            "benchie/gold/zh.txt",
            {"m2oie_zh": "benchie/extractions/m2oie_zh_explicit.txt"},
            language="zh",
            citation=_GASHTEOVSKI,
        ),
        Dataset(
            "wire57",
            "WiRe57, 57 sentences, 343 tuples, 7 systems",
            "wire57/WiRe57_343-manual-oie.json",
            loader=_wire57,
            citation=_LECHELLE,
            extra=(_WIRE57_OUTPUT,),
        ),
        Dataset(
            "webassertions",
            "WebAssertions^FL, 100 passages with the facts that answer a question, 7 systems",
            "benchie_fl/webassertions/gold_100.txt",
            _fl("benchie_fl/webassertions"),
            loader=_passages,
            citation=_LAMARCHE,
            extra=("benchie_fl/webassertions/passages_1000.txt",),
        ),
    )
}
NAMES = (*DATASETS, "sample")


def cache_folder() -> Path:
    """Where `python -m data.fetch` puts the real sets."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "factmatch" / "data"


def roots(data: Path | None = None) -> list[Path]:
    """The folders that are searched, in order: `--data`, FACTMATCH_DATA, the cache."""
    if data is not None:
        return [data]
    named = os.environ.get(VARIABLE)
    return [*([Path(named)] if named else []), cache_folder()]


def find(name: str, data: Path | None = None) -> Path | None:
    """The first folder that has all files of a data set, or None."""
    dataset = DATASETS[name]
    named = os.environ.get(VARIABLE)
    said, folder = (VARIABLE, Path(named)) if data is None and named else ("--data", data)
    if folder is not None and not is_folder(folder):  # else a slip of the pen means other data, or less of them
        raise InputError(f"no such folder; {said} names the folder of the real data sets", folder)
    return next((root for root in roots(data) if all(is_file(root / file) for file in dataset.files)), None)


def default_dataset(data: Path | None = None) -> str:
    """BenchIE^FL_match where it is found, else the bundled sample."""
    return "benchie_fl_match" if find("benchie_fl_match", data) else "sample"


def load(
    name: str | Path,
    data: str | Path | None = None,
    diagnostics: Diagnostics | None = None,
    options: ReadOptions | None = None,
) -> Benchmark:
    """The benchmark of a data set's name, or of a folder with `gold/`, `extractions/`, `match/` or `judgments/`.

    Warnings go to `diagnostics`, or to stderr if none are given.
    """
    collected = diagnostics or Diagnostics()
    benchmark = _load(name, Path(data) if data is not None else None, collected, options or ReadOptions())
    if diagnostics is None:
        collected.show()
    return benchmark


def _load(name: str | Path, data: Path | None, diagnostics: Diagnostics, options: ReadOptions) -> Benchmark:
    from data.folder import assemble, load_folder
    from data.languages import tokenised

    if name == "sample":
        return load_folder(SAMPLE, diagnostics)
    if name not in DATASETS:
        folder = Path(name)
        if not is_folder(folder):
            raise InputError(f"no data set or folder is called {str(name)!r}; the names are {', '.join(NAMES)}")
        return load_folder(folder, diagnostics, options)
    dataset = DATASETS[str(name)]
    root = find(dataset.name, data)
    if root is None:
        searched = ", ".join(str(root) for root in roots(data))
        how = f"get it with `python -m data.fetch {name}`, or name its folder with --data DIR or {VARIABLE}"
        raise InputError(f"the data set {name} was not found in {searched}; {how}")
    # Published files have defects that nobody can mend, so these are warnings.
    diagnostics = replace(diagnostics, lenient=not diagnostics.strict)
    if dataset.loader:
        return replace(dataset.loader(root, dataset, diagnostics, options), name=dataset.name)
    paths = {system: root / path for system, path in dataset.extractions.items()}
    judgments = root / dataset.judgments if dataset.judgments else None
    benchmark = assemble(root / dataset.gold, paths, judgments, diagnostics, options, dataset.subset)
    return tokenised(replace(benchmark, name=dataset.name), dataset.language)
