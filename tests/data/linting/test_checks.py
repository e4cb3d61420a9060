from __future__ import annotations

from pathlib import Path

import pytest

from data.formats.benchie import GoldReader
from data.formats.slots import parse_slot
from data.linting import checks
from data.linting.checks import Finding, check
from data.model import Benchmark, Cluster, Formulation, Sentence
from data.problems import Diagnostics

TEXT = "Mara Venn , a chemist from Oslo , sold the old mill to Tove ."


def cluster(cluster_id: str, *lines: str) -> Cluster:
    parts = [[parse_slot(text)[0] for text in line.split(" --> ")] for line in lines]
    return Cluster(cluster_id, tuple(Formulation(*slots) for slots in parts))


def gold(*clusters: Cluster, text: str = TEXT) -> Benchmark:
    return Benchmark("invented", (Sentence("1", text, clusters),))


def finding(benchmark: Benchmark, wanted: checks.Check, against: Benchmark | None = None) -> Finding:
    return next(found for found in check(benchmark, against=against) if found.check == wanted)


def test_double_annotation_looks_through_optional_words() -> None:
    found = finding(
        gold(
            cluster("1", "Mara --> sold --> the [old] mill"),
            cluster("2", "[Mara] Mara --> sold --> [the] mill"),
            cluster("3", "Mara --> sold --> the new mill"),
        ),
        checks.DOUBLE,
    )
    assert [hit.clusters for hit in found.hits] == [("1", "2")]
    assert found.sentences == 1


def test_double_annotation_keeps_slots_apart_and_the_joined_one_does_not() -> None:
    benchmark = gold(cluster("1", "Mara --> sold to --> Tove"), cluster("2", "Mara --> sold --> to Tove"))
    assert not finding(benchmark, checks.DOUBLE).hits
    assert [hit.clusters for hit in finding(benchmark, checks.JOINED).hits] == [("1", "2")]


def test_formulations_of_one_cluster_or_of_two_sentences_are_no_double_annotation() -> None:
    one = cluster("1", "Mara --> sold --> [the] mill", "Mara --> sold --> the mill")
    both = Benchmark("invented", (Sentence("1", TEXT, (one,)), Sentence("2", TEXT, (one,))))
    assert not finding(both, checks.DOUBLE).hits
    assert not finding(both, checks.JOINED).hits


def test_double_meaning() -> None:
    found = finding(
        gold(
            cluster("1", "Mara --> is [a] --> chemist", "Mara --> is --> painter"),
            cluster("2", "Mara --> is [a] --> chemist", "Mara --> is --> [a] chemist", "Venn --> is --> painter"),
        ),
        checks.MEANING,
    )
    assert [hit.clusters for hit in found.hits] == [("1",)]
    assert "chemist" in found.hits[0].text and "painter" in found.hits[0].text


def test_missing_facts_pair_sentences_by_text_or_id() -> None:
    ours = Benchmark(
        "ours",
        (
            Sentence("a", TEXT, (cluster("1", "Mara --> sold --> the mill"), cluster("2", "Tove --> has --> mill"))),
            Sentence("b", "Rain fell .", (cluster("1", "Rain --> fell --> XXX"),)),
            Sentence("c", "Snow fell .", (cluster("1", "Snow --> fell --> XXX"),)),
        ),
    )
    other = Benchmark(
        "other",
        (
            Sentence("z", TEXT, (cluster("7", "Mara Venn --> sold to Tove --> the [old] mill"),)),
            Sentence("b", "Rain fell.", (cluster("1", "rain --> fell --> XXX"),)),
        ),
    )
    found = finding(ours, checks.MISSING, other)
    assert [(hit.sentence_id, hit.clusters) for hit in found.hits] == [("a", ("2",))]
    assert set(checks.pair_sentences(ours, other)) == {"a", "b"}


def test_missing_facts_are_asked_for() -> None:
    assert checks.MISSING not in {found.check for found in check(gold(cluster("1", "Mara --> sold --> mill")))}


def test_duplicate_formulation_is_the_same_line_again() -> None:
    line, other = "Mara --> sold --> the [old] mill", "Mara --> sold --> the mill"
    found = finding(gold(cluster("1", line, other, line, line), cluster("2", line)), checks.DUPLICATE)
    assert [(hit.clusters, hit.text) for hit in found.hits] == [(("1",), line)] * 2


def test_subsumed_cluster() -> None:
    wide = cluster("1", "Mara --> sold --> the [old] mill", "[Mara] Venn --> sold --> mill")
    narrow = cluster("2", "Venn --> sold --> mill", "Mara --> sold --> the mill")
    apart = cluster("3", "Mara --> sold --> [the] mill")
    found = finding(gold(wide, narrow, apart), checks.SUBSUMED)
    assert [hit.clusters for hit in found.hits] == [("2", "1")]


def test_of_equal_clusters_the_later_is_subsumed_and_an_empty_one_is_not() -> None:
    line = "Mara --> sold --> mill"
    found = finding(gold(cluster("1", line), cluster("2", line), cluster("3")), checks.SUBSUMED)
    assert [hit.clusters for hit in found.hits] == [("2", "1")]


def test_sentence_without_cluster_and_cluster_without_formulation() -> None:
    assert finding(gold(), checks.NO_CLUSTER).sentences == 1
    benchmark = gold(cluster("1"))
    assert not finding(benchmark, checks.NO_CLUSTER).hits
    assert [hit.clusters for hit in finding(benchmark, checks.EMPTY_CLUSTER).hits] == [("1",)]


def test_words_not_in_the_sentence_ignore_case_and_punctuation() -> None:
    found = finding(
        gold(
            cluster("1", "mara venn --> is --> [a] 'chemist'"),
            cluster("2", "MARA --> sold --> [the] mill"),
        ),
        checks.UNSEEN,
    )
    assert [(hit.clusters, hit.text.split(":")[0]) for hit in found.hits] == [(("1",), "is")]
    assert found.check.level == "info"


DEFECTS = {
    "glued bracket": "1--> Cluster 1:\nMara --> sold --> [old]mill\n",
    "stray bracket": "1--> Cluster 1:\nMara --> sold --> old] mill\n",
    "empty bracket": "1--> Cluster 1:\nMara --> sold --> [] mill\n",
    "malformed cluster header": "1-->Cluster 1:\nMara --> sold --> mill\n",
    "repeated cluster number": "1--> Cluster 1:\nMara --> sold --> mill\n1--> Cluster 1:\nTove --> owns --> mill\n",
    "cluster header of another sentence": "2--> Cluster 1:\nMara --> sold --> mill\n",
    "formulations before the first header": "Mara --> sold --> mill\n",
    "formulation of four slots": "1--> Cluster 1:\nMara --> sold --> mill --> to Tove\n",
    "blank slot": "1--> Cluster 1:\nMara --> sold --> \n",
    "stray line": "1--> Cluster 1:\nMara --> sold --> mill\nTo do later\n",
}


@pytest.mark.parametrize("kind", DEFECTS)
def test_each_defect_of_the_file_is_found_with_its_place_and_alone(kind: str) -> None:
    text = f"sent_id:1\t{TEXT}\n{DEFECTS[kind]}"
    diagnostics = Diagnostics()
    path = Path("gold.txt")
    benchmark = Benchmark("gold", GoldReader(path, diagnostics).read(text))
    found = {f.check.name: f for f in checks.reader_findings(diagnostics.problems, text, "gold.txt")}
    assert {name for name, f in found.items() if f.hits} == {kind}
    (hit,) = found[kind].hits
    assert hit.sentence_id == "1"
    assert hit.line >= 2
    assert found[kind].check.level == "warning"
    assert set(DEFECTS) == set(checks.READER_MEANINGS)
    assert benchmark.cluster_count


def test_a_clean_gold_has_no_warning() -> None:
    benchmark = gold(cluster("1", "Mara Venn --> sold --> [the] [old] mill"), cluster("2", "Mara --> from --> Oslo"))
    assert not [found for found in check(benchmark) if found.hits]


def test_a_warning_of_another_file_names_that_file() -> None:
    diagnostics = Diagnostics()
    diagnostics.warn("n-ary extraction", "2 extractions have more than two arguments", "systems/pithy.txt")
    found = {f.check.name: f for f in checks.reader_findings(diagnostics.problems, "sent_id:1\tRain .\n", "gold.txt")}
    (hit,) = found["n-ary extraction"].hits
    assert (hit.sentence_id, hit.line) == ("", 0)
    assert hit.text.startswith("systems/pithy.txt")
    assert found["n-ary extraction"].sentences == 0
