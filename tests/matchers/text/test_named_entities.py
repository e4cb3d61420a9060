"""Only extractions about the gold's arguments, as AnnIE's table of named entities has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.formats.slots import parse_slot
from data.model import Benchmark, Cluster, Extraction, Formulation, Sentence, System
from data.problems import Diagnostics
from matchers.score import main
from matchers.text.named_entities import gold_arguments, only_gold_arguments

FACT = Formulation(*(parse_slot(text)[0] for text in ("[Mayor] Mara Venn", "moved to", "Oslo [, Norway]")))
SENTENCE = Sentence("1", "Mayor Mara Venn moved to Oslo , Norway , in May .", (Cluster("1", (FACT,)),))
KEPT = (
    ("Mara Venn", "moved to", "Oslo"),
    ("mara venn", "left", "oslo ."),
    ("Mayor Mara Venn", "moved", "to Oslo , Norway"),
    ("Oslo", "is near", "Oslo"),
)
DROPPED = (
    ("Mara", "moved to", "Oslo"),
    ("Mara Venn", "moved in", "May"),
    ("Mara Venn", "moved", ""),
    ("Venn Mara", "a", "Oslo"),
)


@pytest.mark.parametrize(("slots", "kept"), [*((s, True) for s in KEPT), *((s, False) for s in DROPPED)])
def test_both_arguments_must_contain_one_of_the_golds(slots: tuple[str, str, str], kept: bool) -> None:
    benchmark = Benchmark("made", (SENTENCE,), (System("own", (Extraction("1", *slots),)),))
    notes = Diagnostics()
    assert bool(only_gold_arguments(benchmark, notes).systems[0].extractions) == kept
    assert bool(notes.problems) != kept


def test_a_fact_of_one_argument_and_a_sentence_without_facts_have_fewer() -> None:
    alone = Formulation(*(parse_slot(text)[0] for text in ("[the]", "left", "XXX")))
    assert gold_arguments(Sentence("1", "x", (Cluster("1", (alone,)),))) == {("the",)}
    assert gold_arguments(Sentence("1", "x")) == frozenset()


def test_the_command_drops_them_and_signs_for_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, own = tmp_path / "gold.txt", tmp_path / "own.tsv"
    gold.write_text(f"sent_id:1\t{SENTENCE.text}\n1--> Cluster 1:\n{FACT}\n")
    own.write_text("".join("\t".join(("1", *slots)) + "\n" for slots in (KEPT[0], DROPPED[1])))
    given = ["--gold", str(gold), "--system", f"own={own}", "--json", "-", "--resamples", "10"]
    assert main(given) == 0
    plain = json.loads(capsys.readouterr().out)
    assert (plain["systems"][0]["precision"], "named_entities" in plain["signature"]) == (0.5, False)
    assert main([*given, "--named-entities", "gold"]) == 0
    shown = capsys.readouterr()
    result = json.loads(shown.out)
    assert (result["systems"][0]["precision"], result["systems"][0]["recall"]) == (1.0, 1.0)
    assert "|named_entities:gold|" in result["signature"]
    assert "own: 1 of 2 extractions" in shown.err
