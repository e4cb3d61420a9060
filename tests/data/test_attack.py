"""Attacks: what they write, and which scorers they fool."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from data.attack import KINDS, attack, main
from data.catalog import load
from data.commands import run
from data.extractions import read_extractions
from data.model import Benchmark, Sentence
from data.problems import Diagnostics
from data.verbs import verb_positions

GOLD = """sent_id:1\tMara Venn was born in Arden and sold mills .
1--> Cluster 1:
Mara Venn --> was born in --> Arden
1--> Cluster 2:
Mara Venn --> sold --> mills

sent_id:2\tRain again
2--> Cluster 1:
Rain --> again --> XXX
"""


def slots(benchmark: Benchmark, kind: str) -> list[tuple[str, str, str]]:
    return [extraction.slots for extraction in attack(benchmark, kind).extractions]  # type: ignore[arg-type]


def one(text: str) -> Benchmark:
    return Benchmark("gold", (Sentence("1", text),))


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.txt"
    path.write_text(GOLD)
    return path


def test_naive_lays_each_verb_between_what_stands_before_and_after_it():
    assert slots(one("Mara Venn was born in Arden and sold mills ."), "naive") == [
        ("Mara Venn", "was", "born in Arden and sold mills"),
        ("Mara Venn was", "born", "in Arden and sold mills"),
        ("Mara Venn was born in Arden and", "sold", "mills"),
    ]


def test_naive_needs_words_on_both_sides():
    assert slots(one("Having slept , Mara left ."), "naive") == [("Having", "slept", ", Mara left")]
    assert slots(one("."), "naive") == []


def test_naive_takes_the_verbs_of_another_tagger():
    found = attack(one("Oslo mills mill flour"), "naive", lambda words: [words.index("mill")])
    assert [extraction.slots for extraction in found.extractions] == [("Oslo mills", "mill", "flour")]


def test_munchkin_cuts_the_sentence_everywhere_with_falling_confidence():
    found = attack(one("a b c d"), "munchkin").extractions
    assert [(e.slots, e.confidence) for e in found] == [(("a", "b", "c d"), 1.0), (("a", "b c", "d"), 0.5)]
    assert slots(one("a b"), "munchkin") == []


def test_whole_sentence_is_in_every_slot():
    assert slots(one("a b ."), "whole-sentence") == [("a b .", "a b .", "a b .")]


def test_verbs_are_found_without_a_tagger():
    words = (
        "She wanted to open the building , which holds seeds , while singing , and it did not need red paint".split()
    )
    assert [words[position] for position in verb_positions(words)] == ["wanted", "open", "holds", "singing", "did"]
    assert verb_positions(["The", "wanted", "man", "can", "swim"]) == [4]  # 'the wanted'; modals are left out


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["out.tsv", "out.jsonl"])
def test_what_is_written_can_be_read(gold: Path, tmp_path: Path, kind: str, name: str):
    assert main([str(gold), "--kind", kind, "--output", str(tmp_path / name), "--quiet"]) == 0
    diagnostics = Diagnostics()
    system = read_extractions(tmp_path / name, diagnostics)
    assert [e.slots for e in system.extractions] == slots(load_gold(gold), kind)
    assert not diagnostics.problems


def load_gold(path: Path) -> Benchmark:
    from data.benchie import read_gold

    return read_gold(path, Diagnostics())


def test_confidences_are_written_where_they_do_no_harm(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "out.tsv"
    main([str(gold), "--kind", "munchkin", "--confidence", "--output", str(path), "--quiet"])
    scored = read_extractions(path, Diagnostics(), confidence="last")
    assert scored.extractions[1].confidence == 0.5
    main([str(gold), "--kind", "munchkin", "--output", str(tmp_path / "out.jsonl"), "--quiet"])
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[1])["confidence"] == 0.5
    capsys.readouterr()
    main([str(gold), "--kind", "munchkin", "--quiet"])
    assert capsys.readouterr().out.splitlines()[0] == "1\tMara\tVenn\twas born in Arden and sold mills ."


def test_sentences_without_extraction_are_counted(gold: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(gold), "--kind", "naive"]) == 0
    captured = capsys.readouterr()
    assert "1 sentences have no extraction of the kind naive" in captured.err
    assert len(captured.out.splitlines()) == 3


def test_a_data_set_can_be_named(capsys: pytest.CaptureFixture[str]):
    assert main(["sample", "--kind", "whole-sentence"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(load("sample").sentences)


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (None, ["--kind", "naive"], "no such file"),
        ("sent_id:1\tRain again\n", ["--kind", "naive"], "finds nothing in the 1 sentences"),
        ("sent_id:1\tRain again\n", ["--kind", "naive", "--spacy", "no_such_model"], "spaCy"),
    ],
)
def test_mistakes_are_told_in_a_line(
    tmp_path: Path, text: str | None, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "gold.txt"
    if text is not None:
        path.write_text(text)
    output = tmp_path / "out.tsv"
    assert run(main, [str(path), *arguments, "--output", str(output)]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("error: ") and message in error
    assert not output.exists()


@pytest.mark.parametrize("flag", [["--spacy", "model"], ["--confidence"]])
def test_flags_of_another_kind_are_wrong_usage(flag: list[str]):
    with pytest.raises(SystemExit) as stopped:
        main(["sample", "--kind", "whole-sentence", *flag])
    assert stopped.value.code == 2


def test_other_languages_are_told_that_verbs_are_english(real_data: Path, capsys: pytest.CaptureFixture[str]):
    given = ["--data", str(real_data), "--kind", "naive"]
    assert run(main, ["benchie_de", *given]) == 0
    assert "verbs are found by English words and endings, but the language is de" in capsys.readouterr().err
    assert run(main, ["benchie_zh", *given]) == 1
    assert "without --spacy it knows English verbs only" in capsys.readouterr().err


# Which scorers are fooled. No matcher may give an attack more than this.
HARMLESS = 0.05


@pytest.fixture(scope="module")
def attacked(real_data: Path) -> Benchmark:
    """BenchIE^FL with the attacks as its systems."""
    benchmark = load("benchie_fl", real_data, Diagnostics())
    return replace(benchmark, systems=tuple(attack(benchmark, kind) for kind in KINDS))


@pytest.mark.parametrize("name", ["em", "rules"])
def test_rules_are_not_fooled(attacked: Benchmark, name: str):
    import matchers
    from matchers.scoring import score_systems

    for system in score_systems(attacked, matchers.load(name)):
        assert system.score.f1 <= HARMLESS, system.name


def fooled_f1(benchmark: Benchmark) -> dict[str, float]:
    """The F1 of attacks by the feature matcher that ships, where it is more than harmless."""
    import matchers
    from matchers.checkpoints import shipped
    from matchers.scoring import score_systems

    if "features" not in shipped():
        pytest.skip("no checkpoint called features ships with the project yet")
    found = {system.name: system.score.f1 for system in score_systems(benchmark, matchers.load("features"))}
    return {name: f1 for name, f1 in found.items() if f1 > HARMLESS}


@pytest.mark.slow
def test_the_feature_matcher_is_not_fooled(attacked: Benchmark):
    assert fooled_f1(attacked) == {}


def test_the_feature_matcher_is_not_fooled_in_sentences_that_it_was_not_trained_on():
    sample = load("sample")
    assert fooled_f1(replace(sample, systems=tuple(attack(sample, kind) for kind in KINDS))) == {}


def test_the_feature_matcher_is_not_fooled_in_passages(real_data: Path):
    passages = load("webassertions", real_data, Diagnostics())
    assert fooled_f1(replace(passages, systems=tuple(attack(passages, kind) for kind in KINDS))) == {}


def test_carbs_scorer_is_fooled(attacked: Benchmark):
    from matchers.token_scorers import load_scorer

    scores = load_scorer("carb").score_systems(attacked)
    # BenchIE's argument: recall that no real system reaches, and an F1 that is far from worthless.
    assert scores["whole-sentence"].recall > 0.9
    assert scores["munchkin"].recall > 0.6
    assert min(scores["naive"].f1, scores["whole-sentence"].f1) > 0.3


def test_oie2016s_scorer_is_fooled_by_munchkin(attacked: Benchmark):
    from matchers.token_scorers import load_scorer

    score = load_scorer("oie2016").score_systems(attacked)["munchkin"]
    assert score.recall > 0.99 and score.f1 > 0.4


def test_naive_is_near_the_one_that_was_released(real_data: Path):
    from data.carb import read_carb
    from matchers import load as load_matcher
    from matchers.carb import carb_result, golds_by_id
    from matchers.scoring import score_systems

    benchmark = load("benchie_en", real_data, Diagnostics())
    ours = attack(benchmark, "naive")
    released = next(system for system in benchmark.systems if system.name == "naive")
    places = [{(e.sentence_id, len(e.arg1.split())) for e in system.extractions} for system in (ours, released)]
    shared = len(places[0] & places[1])
    assert shared / len(places[0]) > 0.9 and shared / len(places[1]) > 0.8
    (scored,) = score_systems(replace(benchmark, systems=(ours,)), load_matcher("em"), "ignore")
    paper = (0.03, 0.02, 0.03)
    assert (scored.score.precision, scored.score.recall, scored.score.f1) == pytest.approx(paper, abs=0.006)
    golds = golds_by_id(read_carb(real_data / "benchie/gold/carb_explicit.txt"), {s.id: s.text for s in benchmark})
    carb = carb_result(golds, ours).score
    assert (carb.precision, carb.f1) == pytest.approx((0.24, 0.36), abs=0.03)
    assert carb.recall == pytest.approx(0.70, abs=0.1)  # our word lists find fewer verbs than spaCy
