from __future__ import annotations

from matchers.features.lines import Line, gold_line
from matchers.features.word_kinds import CONTENT, PREPOSITION
from matchers.text.gold_index import SOFT, view
from tests.matchers.facts import sentence, triple

GOLD = sentence("Mara Venn --> is part of --> [the] old guild", "Mara Venn --> sold --> the mill")


def line(text: str, cluster: int = 0) -> Line:
    seen = view(GOLD, SOFT)
    return Line(seen.slots(triple(text)), gold_line(seen, cluster))


def test_only_a_border_differs() -> None:
    found = line("Mara Venn - is - part of the old guild")
    assert not any(found.missing) and not any(found.extra) and found.cost == 0
    assert found.crossed == {(2, 1): ["part", "of"]}
    assert found.whole_cost == 1.0


def test_the_other_way_round() -> None:
    assert line("Mara Venn - is part of the old - guild").crossed == {(1, 2): ["a", "old"]}


def test_missing_and_extra_words_by_kind() -> None:
    found = line("Mara Venn - is part - guild in Oslo")
    assert found.missing[CONTENT] == 1 and found.missing[PREPOSITION] == 1
    assert found.extra[CONTENT] == 1 and found.extra[PREPOSITION] == 1
    assert found.kept_between == (0, 4)


def test_optional_words_that_are_absent_cost_nothing() -> None:
    found = line("Mara Venn - is part of - old guild")
    assert found.cost == 0 and found.dropped == 1
    assert found.formulation[2] == ("old", "guild")


def test_nothing_in_common() -> None:
    found = line("nobody - said - anything", 1)
    assert found.kept_between == (3, -1) and not found.crossed
