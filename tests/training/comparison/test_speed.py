from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from data.problems import InputError
from matchers.scoring.schema import problems
from tests.training.compared import TERMS, sample
from training.benchmark import main
from training.comparison.ground import Work
from training.comparison.lineup import find_contender
from training.comparison.measurement import Measurement, speed_table
from training.comparison.shapes import ComparisonJson
from training.comparison.speed import SCALES, in_a_process, measure, repeated, time_command


def test_repeated_data_have_new_sentence_ids() -> None:
    work = repeated(sample(), 3)
    assert len(work) == 3 * len(sample().work)
    ids = {sentence.id for sentence, _ in work}
    assert len(ids) == 3 * 68
    for sentence, extractions in work:
        assert {extraction.sentence_id for extraction in extractions} == {sentence.id}
    assert [s.text for s, _ in work[: len(sample().work)]] == [part.sentence.text for part in sample().work]


def test_everything_is_measured_if_there_is_time() -> None:
    found = measure(find_contender("em").worker(sample(), TERMS), repeated(sample(), 1), 1, 60)
    assert (found.done, found.extractions, found.pairs) == (1.0, 1361, 8740)
    assert found.megabytes > 10 and found.extractions_per_second == pytest.approx(1361 / found.seconds)


def test_a_slow_matcher_is_stopped_and_says_so() -> None:
    def slow(work: Work) -> None:
        time.sleep(0.02)

    found = measure(slow, repeated(sample(), 5), 5, 0.01)
    assert 0 < found.done < 1 and found.extractions < 5 * 1361
    shown = speed_table({"slow": [found]})
    assert "stopped after 0 s at" in shown


def test_the_peak_is_of_what_follows() -> None:
    # in a process of its own: what other tests left in this one's memory would be used again
    code = """
from training.comparison.shapes import ComparisonJson
from training.comparison.speed import Peak
held = b"x" * 60_000_000
del held
peak = Peak()
before = peak.megabytes()
more = b"y" * 40_000_000
print(peak.reset, peak.megabytes() - before)
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert float(shown[1]) >= 0
    if shown[0] == "True":
        assert 30 < float(shown[1]) < 60


def test_a_process_of_its_own() -> None:
    found = in_a_process("em", 1, "sample", None, "utf-8", 30)
    assert isinstance(found, Measurement) and found.pairs == found.command_pairs == 8740
    assert found.command_seconds and found.command_seconds > 0
    assert in_a_process("em", 2, "sample", None, "utf-8", 30).command_seconds is None
    with pytest.raises(InputError, match=r"the speed of magic could not be measured: .*is called 'magic'"):
        in_a_process("magic", 1, "sample", None, "utf-8", 30)


def test_the_flag(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.comparison.speed.SCALES", (1, 2))
    flags = ["--dataset", "sample", "--matchers", "em", "--resamples", "100", "--quiet", "--speed", "--scales", "1"]
    assert main([*flags, "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert problems(result, ComparisonJson) == []
    assert list(result["timings"]) == ["em", "rules"]
    for taken in result["timings"].values():
        assert [one["scale"] for one in taken["speed"]] == [1, 2]
        assert all(one["speed_ratio"] > 0 and one["memory_ratio"] > 0 for one in taken["speed"])
    rules = result["timings"]["rules"]["speed"][0]
    assert (rules["speed_ratio"], rules["memory_ratio"], rules["command_ratio"]) == (1, 1, 1)
    assert SCALES == (1, 10, 100)


def test_the_table_of_whole_commands() -> None:
    quick = Measurement(1, 10, 100, 1.0, 50.0, command_pairs=300, command_seconds=2.0, command_ratio=0.5)
    shown = speed_table({"quick": [quick], "recipe": [Measurement(1, 10, 100, 1.0, 50.0)]})
    assert quick.command_pairs_per_second == 150
    last = shown.splitlines()[-2].split()
    assert last == ["quick", "300", "2.00", "150", "0.50"] and "end to end" in shown
    assert "end to end" not in speed_table({"recipe": [Measurement(1, 10, 100, 1.0, 50.0)]})


def test_a_command_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.comparison.speed.COMMAND_LIMITS", 0.001)
    assert time_command("em", sample().benchmark, "sample", None, "utf-8", 1) == (8740, None)
