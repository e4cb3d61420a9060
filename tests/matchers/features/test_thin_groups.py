from __future__ import annotations

from data.model import Sentence
from matchers.features.groups import NAMES
from matchers.features.rows import pair_table
from matchers.features.word_kinds import PREPOSITION
from tests.matchers.facts import sentence, triple

GOLD = sentence(
    "Mara Venn --> invented --> the lamp",
    "Mara Venn --> is part of --> the guild",
    ["Mara Venn --> has --> a mill", "the mill --> is --> Mara Venn 's"],
)


def row(cluster: int, text: str, gold: Sentence = GOLD, others: tuple[str, ...] = ()) -> dict[str, float]:
    table = pair_table(gold, [triple(text), *map(triple, others)])
    found = zip(table.extraction, table.cluster, table.values, strict=True)
    values = next(values for index, number, values in found if index == 0 and number == cluster - 1)
    return dict(zip(NAMES, values.tolist(), strict=True))


def test_passive_for_active() -> None:
    passive = row(1, "the lamp - was invented by - Mara Venn")
    assert (passive["passive"], passive["by_gained"], passive["same_verb"], passive["swapped"]) == (2, 1, 1, 0)
    assert passive["straight"] > 0
    active = row(1, "Mara Venn - invented - the lamp")
    assert active["passive"] == active["straight"] == 0


def test_a_border_between_copula_and_complement() -> None:
    moved = row(2, "Mara Venn - is - part of the guild")
    assert (moved["only_borders"], moved["arg2_from_relation"], moved["arg2_from_relation_function"]) == (1, 1, 1)
    assert (moved["relation_kind"], moved["gold_relation_kind"], moved["out_of"]) == (1, 6, 1)
    assert moved["out_last"] == PREPOSITION and moved["relation_shorter"] == 1


def test_pronouns_and_possession() -> None:
    pronoun = row(1, "She - invented - the lamp", sentence("Mara --> invented --> the lamp"))
    assert (pronoun["arg1_pronoun"], pronoun["arg2_pronoun"]) == (1, 0)
    assert row(3, "Mara Venn - has - a mill")["have_gained"] == 0
    assert row(3, "Mara Venn - is with - a mill")["have_gained"] == -1


def test_thickness_counts_wordings() -> None:
    found = row(3, "Mara Venn - has - a mill")
    assert found["formulations"] == 2 and abs(found["mean_formulations"] - 4 / 3) < 1e-9
    assert row(1, "Mara Venn - invented - the lamp")["formulations"] == 1


def test_a_closer_extraction_of_the_system_is_a_rival() -> None:
    far = row(1, "Mara Venn - invented - the lamp today", others=("Mara Venn - invented - the lamp",))
    assert far["line_rival_rank"] == 1 and far["line_rival_gap"] > 0
    alone = row(1, "Mara Venn - invented - the lamp today")
    assert alone["line_rival_rank"] == alone["line_rival_gap"] == 0


def test_what_the_other_facts_know() -> None:
    found = row(1, "Mara Venn - invented - the mill")
    assert found["arg1_known"] == 2 and found["relation_known"] == 0
