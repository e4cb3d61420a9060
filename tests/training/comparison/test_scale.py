from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import data
from data.command_line import run
from data.formats.extractions import read_extractions
from data.formats.registry import read_any_gold
from data.model import Benchmark
from data.problems import Diagnostics, InputError
from training.benchmark import main as benchmark_command
from training.comparison.scale import Run, ScaleRuns, run_command, scale_table, write_repeated


@pytest.fixture(scope="module")
def few() -> Benchmark:
    sample = data.load("sample")
    return sample.restricted([sentence.id for sentence in sample.sentences[:3]])


def test_data_are_repeated_under_new_ids(few: Benchmark, tmp_path: Path) -> None:
    flags = write_repeated(few, 3, tmp_path)
    gold = read_any_gold(tmp_path / "gold.txt", Diagnostics())
    assert [s.id for s in gold.sentences[:4]] == ["1~0", "2~0", "3~0", "1~1"] and len(gold.sentences) == 9
    assert [s.clusters for s in gold.sentences[3:6]] == [s.clusters for s in few.sentences]
    name, path = flags[-1].split("=")
    last = read_extractions(Path(path), Diagnostics(), name)
    assert last.name == few.systems[-1].name and len(last.extractions) == 3 * len(few.systems[-1].extractions)
    assert {e.sentence_id for e in last.extractions} <= {s.id for s in gold.sentences}


def test_a_run_is_timed_and_its_memory_measured(few: Benchmark, tmp_path: Path) -> None:
    files = write_repeated(few, 1, tmp_path)
    one = run_command("em", files, 1, 60)
    assert 0.1 < one.seconds < 60 and 20 < one.megabytes < 2000 and len(one.sha256) == 64
    with pytest.raises(InputError, match=r"magic can't score so much with --workers 1: .*'magic'"):
        run_command("magic", files, 1, 60)


def test_a_run_that_takes_too_long_is_ended(few: Benchmark, tmp_path: Path) -> None:
    files = write_repeated(few, 1, tmp_path)
    started = time.perf_counter()
    with pytest.raises(InputError, match="it had more than 0 s"):
        run_command("em", files, 1, 0.01)
    assert time.perf_counter() - started < 30


def test_the_command_measures_and_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("training.comparison.speed.SCALES", (1,))
    monkeypatch.delenv("FACTMATCH_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    flags = ["--dataset", "sample", "--matchers", "rules", "--resamples", "50", "--quiet", "--speed"]
    target = tmp_path / "out.json"
    assert run(benchmark_command, [*flags, "--speed-limit", "1", "--scales", "2", "--json", str(target)]) == 0
    (measured,) = json.loads(target.read_text())["timings"]["rules"]["scale"]
    assert (measured["scale"], measured["sentences"]) == (2, 2 * len(data.load("sample").sentences))
    assert [one["workers"] for one in measured["runs"]] == [1, 2]
    assert len({one["sha256"] for one in measured["runs"]}) == 1
    assert "matchers.score by" in capfd.readouterr().out


@pytest.mark.parametrize("flags", [["--scales", "10"], ["--speed", "--scales", "0"], ["--speed", "--scales", "1,x"]])
def test_sizes_that_make_no_sense(flags: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        benchmark_command(["--dataset", "sample", *flags])
    assert exit.value.code == 2 and "--scales" in capfd.readouterr().err


def test_the_table_says_whether_results_are_equal() -> None:
    one, two = Run(1, 20.0, 150.0, "a", 0.1), Run(2, 10.0, 120.0, "b", 0.4)
    runs = {"rules": [ScaleRuns(1000, 300_000, 5_842_000, (one, two))]}
    shown = scale_table(runs)
    assert "1,000x" in shown and "2.00" in shown and "DIFFERENT" in shown and "150 MB" in shown
