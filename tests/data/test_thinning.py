from __future__ import annotations

import pytest

from data.model import Benchmark, Cluster, Formulation, Sentence, Slot
from data.thinning import Thinness, formulation_count, thin


def wording(verb: str) -> Formulation:
    return Formulation(Slot.of("Mara"), Slot.of(verb), Slot.of("Oslo"))


def benchmark(*texts: str) -> Benchmark:
    clusters = (
        Cluster("1", tuple(map(wording, ("left", "quit", "abandoned", "went from")))),
        Cluster("2", (wording("knows"),)),
        Cluster("3", ()),
    )
    return Benchmark("b", tuple(Sentence(str(number), text, clusters) for number, text in enumerate(texts)))


def kept(gold: Benchmark, cluster: int = 0) -> list[list[str]]:
    return [[str(f.relation) for f in sentence.clusters[cluster].formulations] for sentence in gold.sentences]


def test_the_first_ones_of_the_file_are_kept() -> None:
    full = benchmark("One .")
    assert kept(thin(full, Thinness.of("first"))) == [["left"]]
    assert kept(thin(full, Thinness.of("2"))) == [["left", "quit"]]
    assert thin(full, Thinness.of("9")).sentences == full.sentences
    assert thin(full, Thinness.of("all")) is full


def test_every_cluster_stays() -> None:
    thinned = thin(benchmark("One ."), Thinness.of("random"))
    assert [cluster.id for cluster in thinned.sentences[0].clusters] == ["1", "2", "3"]
    assert kept(thinned, 1) == [["knows"]] and kept(thinned, 2) == [[]]


def test_a_draw_is_of_one_formulation_and_depends_on_seed_and_text_alone() -> None:
    full = benchmark(*(f"Sentence {number} ." for number in range(40)))
    drawn = kept(thin(full, Thinness.of("random", 1)))
    assert all(len(own) == 1 for own in drawn)
    assert {own[0] for own in drawn} == {"left", "quit", "abandoned", "went from"}
    assert drawn == kept(thin(full, Thinness.of("random", 1)))
    assert drawn != kept(thin(full, Thinness.of("random", 2)))
    alone = full.restricted(["7"])
    assert kept(thin(alone, Thinness.of("random", 1))) == [drawn[7]]


def test_names() -> None:
    assert [str(Thinness.of(text, 5)) for text in ("all", "first", "1", "3", "random")] == [
        "all", "first", "first", "3", "random-5",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["0", "-1", "some", "", "1.5", "\u0663"])
def test_what_is_no_thinness(text: str) -> None:
    with pytest.raises(ValueError, match="is no number of formulations"):
        Thinness.of(text)


def test_what_an_annotator_has_to_write() -> None:
    full = benchmark("One .", "Two .")
    assert formulation_count(full) == 10
    assert formulation_count(thin(full, Thinness.of("3"))) == 8
    assert formulation_count(thin(full, Thinness.of("random"))) == 4
