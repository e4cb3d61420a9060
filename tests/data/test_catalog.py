from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from data.catalog import NAMES, default_dataset, load
from data.problems import Diagnostics, InputError


def test_the_sample_is_whole() -> None:
    sample = load("sample", diagnostics=Diagnostics(strict=True))
    judged = {(j.system, j.extraction.sentence_id, j.extraction.slots) for j in sample.judgments}
    assert len(sample.sentences) >= 60 and len(sample.systems) == 5
    assert len(judged) == len(sample.judgments) == sample.extraction_count
    for system in sample.systems:
        for sentence in sample.sentences:
            credited = [
                cluster
                for judgment in sample.judgments
                if judgment.system == system.name and judgment.extraction.sentence_id == sentence.id
                for cluster in judgment.clusters
            ]
            assert len(set(credited)) == len(credited)


def test_benchie_fl_match_loads_exactly(real_data: Path) -> None:
    benchmark = load("benchie_fl_match", real_data, Diagnostics())
    pairs = [len(benchmark.by_id[j.extraction.sentence_id].clusters) for j in benchmark.judgments]
    counts = (len(benchmark.sentences), benchmark.cluster_count, benchmark.extraction_count, sum(pairs))
    assert counts == (50, 387, 1089, 9400)
    assert sum(len(judgment.clusters) for judgment in benchmark.judgments) == 298


@pytest.mark.parametrize(
    ("name", "sentences", "clusters"),
    [("benchie_fl", 300, 1822), ("benchie_en", 300, 1350), ("benchie_de", 300, 1086), ("benchie_zh", 300, 994)],
)
def test_the_real_sets_load(real_data: Path, name: str, sentences: int, clusters: int) -> None:
    benchmark = load(name, real_data, Diagnostics())
    assert (len(benchmark.sentences), benchmark.cluster_count) == (sentences, clusters)


def test_a_missing_set_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"data\.fetch benchie_fl"):
        load("benchie_fl", tmp_path)
    with pytest.raises(InputError, match="sample"):
        load("nonsense", tmp_path)
    assert "wire57_match" in NAMES


def test_a_folder_of_data_that_is_not_there_is_no_folder_without_data(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="typo: no such folder; --data names the folder"):
        default_dataset(tmp_path / "typo")
    assert default_dataset(tmp_path) == "sample"


def test_a_variable_that_names_no_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACTMATCH_DATA", str(tmp_path / "typo"))
    with pytest.raises(InputError, match="typo: no such folder; FACTMATCH_DATA names the folder"):
        default_dataset()
    assert default_dataset(tmp_path) == "sample"
    monkeypatch.setenv("FACTMATCH_DATA", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_dataset() == "sample"


def test_loading_imports_nothing_heavy() -> None:
    code = (
        "import sys, data; data.load('sample'); print([m for m in ('torch', 'datasets', 'numpy') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
