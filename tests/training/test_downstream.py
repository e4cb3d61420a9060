"""Downstream validity: worked by hand on invented passages, then BenchIE^FL's Tables 9 and 10."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.catalog import load as load_data
from data.command_line import run
from data.model import Benchmark, Cluster, Extraction, Formulation, Sentence, Slot, System
from data.problems import Diagnostics, InputError
from matchers import load
from training.downstream import main, read_scores
from training.evaluation.downstream_tasks import (
    ABQA_PRINTED,
    CQA,
    KBP,
    PRINTED_CORRELATIONS,
    PUBLISHED,
    Answers,
    Ranking,
    answers,
    correlate,
    ranking,
)

FL = PUBLISHED[ABQA_PRINTED]


def fact(number: int, *slots: str) -> Cluster:
    return Cluster(str(number), (Formulation(*(Slot.of(slot) for slot in slots)),))


def passages() -> Benchmark:
    """Two questions about mills; the first has two facts that answer it."""
    sentences = (
        Sentence(
            "1",
            "mara venn built a mill in 1902 . it burned in may . ||| when was the mill built",
            (fact(1, "mill", "was built in", "1902"), fact(2, "mara venn", "built a mill in", "1902")),
        ),
        Sentence("2", "tove sold the barn . ||| who sold the barn", (fact(1, "tove", "sold", "the barn"),)),
    )
    systems = (
        System(
            "both",
            (
                Extraction("1", "Mara Venn", "built a mill in", "1902 ."),
                Extraction("1", "mill", "was built in", "1902"),
                Extraction("2", "Tove", "sold", "the barn"),
            ),
        ),
        System("one", (Extraction("1", "it", "burned", "in may"), Extraction("2", "tove", "sold", "the barn"))),
        System("none", ()),
    )
    return Benchmark("passages", sentences, systems)


def test_a_passage_counts_once_if_any_extraction_answers_it():
    assert answers(passages(), load("rules")).scores == {"both": 1.0, "one": 0.5, "none": 0.0}


def test_any_matcher_can_score_the_answers():
    # Exact match minds the capitals; one fact of the first passage is still there.
    assert answers(passages(), load("em")).scores == {"both": 0.5, "one": 0.5, "none": 0.0}


def test_correlations_are_over_the_systems_that_both_have():
    found = Ranking("mine", {"reverb": 0.4, "clausie": 0.3, "minie": 0.5, "of my own": 0.9})
    # By hand: deviations (0, -.1, .1) and (.0033, -.0467, .0433).
    correlation = correlate(found, FL)
    assert correlation.systems == 3
    assert correlation.pearson == pytest.approx(0.998, abs=0.001)
    assert correlation.interval is None  # nothing is known to resample


def test_too_few_or_equal_systems_have_no_correlation():
    assert correlate(Ranking("mine", {"reverb": 0.4, "minie": 0.5}), FL).pearson is None
    assert correlate(Ranking("mine", dict.fromkeys(FL, 0.5)), FL).pearson is None


def test_intervals_come_from_passages_and_sentences():
    answered = answers(passages(), load("rules"))
    scores = Ranking("mine", {"both": 0.9, "one": 0.5, "none": 0.1})
    found = correlate(scores, answered, resamples=200)
    assert found.pearson == 1.0
    # Both passages twice the first: (1, 0, 0), correlation .87; the second: (1, 1, 0), the same.
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((0.866, 1.0), abs=0.001)
    resampled = correlate(ranking(passages(), load("rules")), answered, resamples=200)
    assert resampled.interval is not None and resampled.interval.low <= 1.0
    assert correlate(scores, answered, resamples=200) == found  # the same seed, the same interval


def test_scores_are_read_from_what_the_scoring_command_wrote(tmp_path: Path):
    path = tmp_path / "scores.json"
    path.write_text(json.dumps({"systems": [{"name": "reverb", "f1": 0.5}, {"name": "minie", "f1": 1}]}))
    assert read_scores(f"mine={path}") == [Ranking("mine", {"reverb": 0.5, "minie": 1.0})]
    path.write_text(json.dumps({"reverb": 0.25}))
    assert read_scores(f"mine={path}") == [Ranking("mine", {"reverb": 0.25})]


def test_scores_of_several_benchmarks_are_a_ranking_each(tmp_path: Path):
    path = tmp_path / "all.json"
    boards = [
        {"name": "benchie_en", "systems": [{"name": "m2oie_en", "f1": 0.5}]},
        {"name": "wire57", "systems": [{"name": "reverb", "f1": 0.25}]},
    ]
    path.write_text(json.dumps({"benchmarks": boards, "not_found": []}))
    assert read_scores(f"all={path}") == [
        Ranking("all: benchie_en", {"m2oie": 0.5}),
        Ranking("all: wire57", {"reverb": 0.25}),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("[1]", "an F1 a system was expected"),
        ("{}", "an F1 a system was expected"),
        ('{"systems": [{"name": "a"}]}', "an F1 a system was expected"),
        ('{"systems": [3]}', "system 1"),
        ('{"a": "high"}', "'a' must be a number"),
    ],
)
def test_other_files_are_no_scores(tmp_path: Path, content: str, message: str):
    path = tmp_path / "scores.json"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_scores(f"mine={path}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scores", "mine"], "--scores takes NAME=FILE"),
        (["--scores", "mine=nowhere.json"], "no such file"),
        (["--matcher", "luck"], "no matcher is called 'luck'"),
    ],
)
def test_mistakes_are_told_in_a_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert run(main, arguments) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_missing_data_are_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.delenv("FACTMATCH_DATA", raising=False)
    assert run(main, ["--data", str(tmp_path)]) == 1
    assert "the data set webassertions was not found" in capsys.readouterr().err


def test_resamples_must_be_some():
    with pytest.raises(SystemExit) as stopped:
        main(["--resamples", "0"])
    assert stopped.value.code == 2


# Where we differ from Table 9: one more passage each, by a rule of ours; see docs.
DIFFERS = {"reverb": 0.24, "compactie": 0.17}


@pytest.fixture(scope="module")
def answered(real_data: Path) -> Answers:
    return answers(load_data("webassertions", real_data, Diagnostics()), load("rules"))


def test_table_9s_abqa_comes_out(answered: Answers):
    assert len(answered.passages) == 100
    assert answered.scores == pytest.approx({**FL, **DIFFERS})
    assert answered.scores == pytest.approx(FL, abs=0.02)


def test_passages_are_lower_case_so_case_must_be_folded(real_data: Path):
    exact = answers(load_data("webassertions", real_data, Diagnostics()), load("em")).scores
    assert max(exact.values()) <= 0.12


def test_table_10s_row_of_benchie_fl_comes_out(real_data: Path, answered: Answers):
    found = ranking(load_data("benchie_fl", real_data, Diagnostics()), load("rules"))
    ours = [correlate(found, PUBLISHED[task]) for task in (ABQA_PRINTED, CQA, KBP)]
    assert [row.systems for row in ours] == [7, 6, 6]
    assert [row.pearson for row in ours] == pytest.approx(PRINTED_CORRELATIONS["BenchIE^FL"], abs=0.035)
    for row in ours:
        assert row.interval and row.pearson and row.interval.low < row.pearson < row.interval.high
    # Better than all the paper prints of the other benchmarks.
    for values in (values for name, values in PRINTED_CORRELATIONS.items() if name != "BenchIE^FL"):
        assert all(row.pearson > value for row, value in zip(ours, values, strict=True) if row.pearson)
    assert correlate(found, answered).pearson == pytest.approx(0.90, abs=0.01)


def test_the_command_on_the_real_data(real_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    scores = tmp_path / "mine.json"
    scores.write_text(json.dumps(FL))
    arguments = ["--data", str(real_data), "--resamples", "50", "--quiet"]
    assert main([*arguments, "--scores", f"mine={scores}"]) == 0
    out = capsys.readouterr().out
    assert "reverb     0.240" in out and "BenchIE^FL (published)" in out and "mine" in out
    assert main([*arguments, "--dataset", "benchie_fl", "--dataset", "benchie_fl_match", "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [row["benchmark"] for row in result["correlations"]] == ["benchie_fl", "benchie_fl_match"]
    assert result["correlations"][0][KBP]["systems"] == 6
    assert result["abqa"][2] == {
        "system": "minie",
        "answered": 27,
        "score": 0.27,
        "interval": result["abqa"][2]["interval"],
        "published": 0.27,
    }


def test_every_benchmark_found_is_correlated_as_its_authors_score(real_data: Path, tmp_path: Path):
    from matchers.score import main as score

    scores, result = tmp_path / "all.json", tmp_path / "downstream.json"
    assert score(["--all", "--data", str(real_data), "--resamples", "10", "--quiet", "--json", str(scores)]) == 0
    given = ["--data", str(real_data), "--resamples", "10", "--quiet"]
    assert main([*given, "--scores", f"all={scores}", "--json", str(result)]) == 0
    found = json.loads(result.read_text())["correlations"]
    pearson = {one["benchmark"]: round(one["ABQA printed"]["pearson"], 2) for one in found}
    # Table 10 has .94, .62, .04 and -.65, over more systems than were released with each benchmark.
    ours = {"benchie_fl": 0.92, "benchie_en": 0.63, "wire57": 0.03, "benchie_carb": -0.96}
    assert pearson == {f"all: {name}": value for name, value in ours.items()}


def test_a_language_model_is_asked_as_flags_say(real_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    flags = ["--data", str(real_data), "--matcher", "llm:m", "--base-url", "http://127.0.0.1:1/v1", "--quiet"]
    flags += ["--dataset", "sample", "--llm-cache", str(tmp_path / "cache.sqlite")]
    assert run(main, [*flags, "--dry-run"]) == 0
    assert "calls of about" in capsys.readouterr().out
    assert run(main, [*flags, "--max-calls", "0"]) == 1
    assert "stopped after 0 calls, as --max-calls asks" in capsys.readouterr().err
