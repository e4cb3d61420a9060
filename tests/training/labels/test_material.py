from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from data.model import Benchmark, Judgment, System
from data.problems import InputError
from data.text import one_line
from tests.data.test_text import SENTENCE, WAYS
from tests.matchers.facts import sentence, triple
from tests.training.labels.chemist import BENCHMARK, GOLD, OTHER
from training.labels.judged_parts import Judged, key_of
from training.labels.material import Material, Weighted, gather, silver_dataset
from training.recipes import Recipe, Supervision

EVERYTHING = Supervision(0.5, "sample", (0.25,), 3)
WAYS_ON_A_LINE = [one_line(way.strip("\ufeff")) for way in WAYS.values()]


def judged_once() -> Benchmark:
    """The small gold, of which one sentence is judged."""
    extraction = BENCHMARK.systems[0].extractions[0]
    return replace(BENCHMARK, judgments=(Judgment("x", extraction, ("1",)),))


def test_what_a_recipe_asks_for_is_gathered() -> None:
    material = gather(Recipe(supervision=EVERYTHING), judged_once())
    assert [part.sentence.id for part in material.work] == ["1"]
    assert [used.name for used in material.used] == [
        "silver:small", "silver:sample", "generated:small", "generated:sample",
    ]  # fmt: skip
    assert sum(used.parts for used in material.used) == len(material.beside)
    assert {item.weight for item in material.beside if item.part.source == "silver"} == {0.5}
    assert {item.weight for item in material.beside if item.part.source == "generated"} == {0.25}
    assert GOLD not in {item.part.sentence for item in material.beside if item.part.source == "silver"}
    assert GOLD in {item.part.sentence for item in material.beside if item.part.source == "generated"}


def test_what_has_no_weight_is_left_out() -> None:
    assert not gather(Recipe(supervision=Supervision(silver_dataset="sample")), judged_once()).beside


def test_silver_data_that_are_not_at_hand_are_left_out(tmp_path: Path) -> None:
    assert silver_dataset(Recipe(supervision=Supervision(silver_dataset="benchie_fl")), tmp_path) is None
    with pytest.raises(InputError, match="silver_dataset is a folder"):
        silver_dataset(Recipe(supervision=Supervision(silver_dataset="nowhere")), tmp_path)


@pytest.mark.parametrize("source", ["silver", "formulations", "generated"])
def test_a_leak_is_kept_out_however_it_is_written(source: str) -> None:
    held, other = sentence("a --> b --> c", text=SENTENCE), sentence("d --> e --> f", text="Bo bakes .", name="2")
    work = (Judged(held, "x", (), ()), Judged(other, "x", (), ()))
    leaks = [Judged(replace(held, id=str(n), text=way), "y", (), ()) for n, way in enumerate(WAYS_ON_A_LINE)]
    beside = tuple(Weighted(replace(part, source=source), 1.0) for part in [*leaks, Judged(other, "y", (), ())])
    material = Material(work, beside)
    assert material.allowed([1]) == [len(leaks)]
    assert material.allowed([0, 1]) == list(range(len(leaks) + 1))


def test_silver_labels_of_a_judged_sentence_in_another_spelling_are_not_made(tmp_path: Path) -> None:
    (tmp_path / "gold").mkdir()
    (tmp_path / "extractions").mkdir()
    blocks = [
        f"sent_id:{number}\t{way}\n{number}--> Cluster 1:\nRenée --> said --> no"
        for number, way in enumerate(WAYS_ON_A_LINE)
    ]
    blocks.append("sent_id:99\tBo bakes bread .\n99--> Cluster 1:\nBo --> bakes --> bread")
    (tmp_path / "gold" / "gold.txt").write_text("\n\n".join(blocks) + "\n")
    lines = [f"{number}\tRenée\tsaid\tno" for number in range(len(WAYS_ON_A_LINE))]
    (tmp_path / "extractions" / "s.tsv").write_text("\n".join([*lines, "99\tBo\tbakes\tbread"]) + "\n")
    own = sentence("Renée --> said --> no", text=SENTENCE)
    said = triple("Renée - said - no")
    benchmark = Benchmark("own", (own,), (System("x", (said,)),), (Judgment("x", said, ("1",)),))
    recipe = Recipe(supervision=Supervision(1.0, str(tmp_path), (1.0,), 3))
    found = gather(recipe, benchmark).beside
    assert {item.part.sentence.text for item in found if item.part.source == "silver"} == {"Bo bakes bread ."}
    assert {item.part.sentence.text for item in found if item.part.source == "generated"} <= {
        "Bo bakes bread .",
        SENTENCE,
    }


def names_of(*supervision: str, recipe: Recipe = Recipe(supervision=EVERYTHING)) -> list[str]:  # noqa: B008
    return [used.name for used in gather(recipe, judged_once(), supervision=supervision).used]


def test_sources_are_fixed_by_name() -> None:
    assert names_of("none") == []
    assert names_of("silver") == ["silver:small", "silver:sample"]
    assert names_of("generated:small", "silver:sample") == ["silver:sample", "generated:small"]


def test_a_source_that_is_fixed_must_be_there() -> None:
    with pytest.raises(
        InputError, match=r"--supervision formulations: the recipe .* finds none; it finds silver:small"
    ):
        names_of("formulations")
    with pytest.raises(InputError, match="--supervision generated:nowhere: "):
        names_of("generated:nowhere")
    with pytest.raises(InputError, match="names among silver, formulations, generated"):
        names_of("magic")


def test_what_is_not_at_hand_is_said(tmp_path: Path) -> None:
    recipe = Recipe(supervision=replace(EVERYTHING, silver_dataset="benchie_fl"))
    assert str(gather(recipe, judged_once(), tmp_path)).endswith("; benchie_fl is not at hand")
    assert "not at hand" not in str(gather(recipe, judged_once(), tmp_path, ["none"]))


def test_each_source_has_a_hash_of_what_it_says() -> None:
    def hashes(supervision: Supervision, seed: int = 1) -> dict[str, str]:
        material = gather(Recipe(supervision=supervision, seed=seed), judged_once())
        return {used.name: used.hash for used in material.used}

    first = hashes(EVERYTHING)
    assert first == hashes(EVERYTHING) and len(set(first.values())) == 4
    seeded, heavier = hashes(EVERYTHING, 2), hashes(replace(EVERYTHING, silver_weight=0.7))
    assert {name for name in first if first[name] != seeded[name]} == {"generated:small", "generated:sample"}
    assert {name for name in first if first[name] != heavier[name]} == {"silver:small", "silver:sample"}


def test_all_sentences_that_anything_is_learned_from_are_known() -> None:
    material = gather(Recipe(supervision=EVERYTHING), judged_once(), supervision=["silver:small"])
    assert material.keys == {key_of(GOLD), key_of(OTHER)}  # one is judged, of the other there are silver labels
