from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from data.formats.slots import parse_slot
from data.model import Benchmark, Sentence, System
from data.problems import InputError
from matchers import load
from matchers.counts import Score, score_systems
from matchers.score import main
from matchers.scoring.facets import FACETS, Facet, faceted, whole
from tests.matchers.facts import formulation, sentence, triple

GOLD = sentence(
    "Mara Venn --> moved to --> Oslo [in May]",
    ["Tove --> hosts [a show] on --> [the] radio", "Tove --> hosts [a show] --> on [the] radio"],
    "Tove --> is --> [a] host",
)


def benchmark(*extractions: str, gold: Sentence = GOLD) -> Benchmark:
    return Benchmark("made", (gold,), (System("own", tuple(map(triple, extractions))),))


def matched(facet: Facet, extraction: str, matcher: str = "em", gold: Sentence = GOLD) -> bool:
    changed = faceted(benchmark(extraction, gold=gold), facet)
    return score_systems(changed, load(matcher))[0].matched == 1


def formulations(changed: Benchmark, cluster: int) -> list[str]:
    return [str(found) for found in changed.sentences[0].clusters[cluster].formulations]


def test_the_default_facet_is_the_benchmark_itself() -> None:
    made = benchmark("Mara Venn - moved to - Oslo")
    assert faceted(made, "default") is made


@pytest.mark.parametrize("name", ["em", "rules", "wire57", "oie2016"])
@pytest.mark.parametrize(
    "extraction", ["Mara Venn - moved to - Oslo", "Mara Venn - moved - to Oslo in May", "Mara - Venn moved to Oslo"]
)
def test_c_ignores_where_slots_end(extraction: str, name: str) -> None:
    assert matched("C", extraction, name)


def test_c_still_asks_for_all_words_in_their_order() -> None:
    assert not matched("C", "Mara Venn - moved - Oslo")
    assert not matched("C", "Oslo - moved to - Mara Venn")
    assert not matched("C", "Mara Venn - moved to - Oslo in June", "rules")


def test_c_joins_formulations_that_differ_in_borders_only() -> None:
    assert formulations(faceted(benchmark(), "C"), 1) == ["XXX --> Tove hosts [a show] on [the] radio --> XXX"]


def test_carb_scores_facet_c() -> None:
    from matchers.tokens.registry import load_scorer

    changed = faceted(benchmark("Mara - Venn moved - to Oslo"), "C")
    assert load_scorer("carb").score_systems(changed)[0].score.precision == 1.0


def test_m_wants_no_optional_word() -> None:
    assert matched("M", "Mara Venn - moved to - Oslo")
    assert matched("default", "Mara Venn - moved to - Oslo in May")
    assert not matched("M", "Mara Venn - moved to - Oslo in May")
    assert formulations(faceted(benchmark(), "M"), 1) == ["Tove --> hosts on --> radio", "Tove --> hosts --> on radio"]


def test_m_leaves_out_a_formulation_of_optional_words_only_and_its_cluster_still_counts() -> None:
    changed = faceted(benchmark("a - b - c", gold=sentence("[a] --> [b] --> [c]", "x --> y --> z")), "M")
    assert [len(cluster.formulations) for cluster in changed.sentences[0].clusters] == [0, 1]
    assert score_systems(changed, load("em"))[0].score == Score(0.0, 0.0, 0.0)


def test_e_drops_arguments_that_begin_or_end_with_a_preposition() -> None:
    assert matched("default", "Tove - hosts - on radio")
    assert not matched("E", "Tove - hosts - on radio")
    assert matched("E", "Tove - hosts on - the radio")
    assert formulations(faceted(benchmark(), "E"), 1) == ["Tove --> hosts [a show] on --> [the] radio"]


@pytest.mark.parametrize(
    ("argument", "left"),
    [
        ("the High Court", "the High Court"),
        ("in May", None),
        ("the town of", None),
        ("[in] May", "May"),
        ("[only] [in] May", "[only] May"),
        ("[only] in May", None),
        ("May [of]", "May"),
        ("High Court [of Arden]", "High Court [of Arden]"),
        ("[in May]", ""),
        ("", ""),
        ("over 20 years", "over 20 years"),
        ("over a year", "over a year"),
        ("over the hill", None),
        ("looks back", None),
    ],
)
def test_what_is_left_of_an_argument(argument: str, left: str | None) -> None:
    found = whole(parse_slot(argument)[0])
    assert (None if found is None else str(found)) == left


def test_e_of_a_file_must_have_the_same_sentences() -> None:
    made = benchmark("Mara Venn - moved to - Oslo")
    gold = Benchmark("e", (sentence("Mara Venn --> moved to --> Oslo"),))
    assert faceted(made, "E", gold).cluster_count == 1
    other = Benchmark("e", (sentence("a --> b --> c", name="9"),))
    with pytest.raises(InputError, match="'9' is not in the default gold"):
        faceted(made, "E", other)
    with pytest.raises(InputError, match="'1' of the default gold is missing"):
        faceted(made, "E", Benchmark("e", ()))


def scored(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main([*map(str, arguments), "--json", "-", "--resamples", "10"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_the_command_labels_a_derived_facet(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--gold", gold, "--facet", "E")
    assert result["facet"] == "E-derived" and "|facet:E-derived|" in result["signature"]
    assert main(["--gold", str(gold), "--facet", "E", "--resamples", "10"]) == 0
    assert "facet E-derived" in capsys.readouterr().out.splitlines()[0]
    own = tmp_path / "e.txt"
    own.write_text(gold.read_text().replace("Mara Venn --> is [a] --> chemist\n", ""))
    result = scored(capsys, "--gold", gold, "--facet", "E", "--facet-gold", own)
    assert result["facet"] == "E" and "|facet:E|" in result["signature"]
    assert result["gold"]["path"] == str(own)


def test_the_command_says_that_facet_c_leaves_rules_without_slots(
    gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--gold", str(gold), "--facet", "C", "--resamples", "10"]) == 0
    shown = capsys.readouterr()
    assert shown.err.count("AF and LoD depend") == 1
    assert main(["--gold", str(gold), "--facet", "C", "--matcher", "em", "--resamples", "10", "--strict"]) == 0
    assert capsys.readouterr().err == ""


def test_a_facet_gold_needs_its_facet(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--gold", str(gold), "--facet", "C", "--facet-gold", str(gold)])
    assert stopped.value.code == 2


def test_the_signature_says_the_default_facet_too(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = scored(capsys, "--gold", gold)
    assert (
        "facet" not in result
        and "|facet:default|formulations:all|nary:join|implicit:keep|language:en|" in result["signature"]
    )


def test_what_section_5_3_of_benchie_says_of_its_facets(benchie_en: Benchmark) -> None:
    found: dict[str, dict[str, Score]] = {
        facet: {s.name: s.score for s in score_systems(faceted(benchie_en, facet), load("em"), "ignore")}
        for facet in FACETS
    }
    f1 = {facet: {name: score.f1 for name, score in scores.items()} for facet, scores in found.items()}
    for name, default in f1["default"].items():
        assert f1["C"][name] > default > f1["E"][name] > f1["M"][name]
    assert max(f1["C"], key=f1["C"].__getitem__) == "clausie"
    assert max(f1["E"], key=f1["E"].__getitem__) == "minie"
    assert sorted(f1["M"], key=f1["M"].__getitem__)[-2:] == ["stanford", "minie"]
    assert f1["M"]["minie"] / f1["default"]["minie"] == pytest.approx(0.5, abs=0.01)
    for name in ("minie", "stanford"):
        assert f1["C"][name] - f1["E"][name] < 0.05
    for name in ("clausie", "openie6", "m2oie_en", "roie_n"):
        assert f1["E"][name] < 0.65 * f1["default"][name]
    # CaRB's precision "effectively matches" that of facet C
    assert found["C"]["clausie"].precision == pytest.approx(0.58, abs=0.015)
    assert found["C"]["minie"].precision == pytest.approx(0.45, abs=0.025)


def test_formulations_are_not_changed_in_place() -> None:
    made = benchmark("Mara Venn - moved to - Oslo")
    faceted(made, "M")
    assert made.sentences[0].clusters[2].formulations == (formulation("Tove --> is --> [a] host"),)
