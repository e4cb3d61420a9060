"""A small gold with systems, for the tests of labels."""

from __future__ import annotations

from data.model import Benchmark, System
from tests.matchers.facts import sentence, triple

GOLD = sentence(
    "Mara Venn --> is --> the chemist",
    "Mara Venn --> moved to --> Oslo",
    "Mara Venn --> moved to --> Bergen",
    "Mara Venn --> moved to --> Tromso",
    "Mara Venn --> did not sell --> the old mill",
    "Mara Venn --> did not sell the old mill in --> late May",
    text="Mara Venn , the chemist , moved to Oslo , Bergen and Tromso , and did not sell the old mill in late May .",
)
OTHER = sentence("Bo Kern --> bakes --> bread", text="Bo Kern bakes bread .", name="2")
BENCHMARK = Benchmark(
    "small",
    (GOLD, OTHER),
    (
        System("x", (triple("Mara Venn - is - the chemist"), triple("Mara - is - a chemist"))),
        System("y", (triple("Bo Kern - bakes - bread", "2"), triple("bread - bakes - Bo Kern", "2"))),
    ),
)
