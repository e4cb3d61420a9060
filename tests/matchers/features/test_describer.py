from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchers.features.groups import NAMES
from matchers.features.rows import Describer, describer, forget, pair_table
from matchers.features.standing import standing
from matchers.rules.matcher import RuleMatcher
from matchers.text.gold_index import SOFT, view
from tests.matchers.facts import sentence, triple

GOLD = sentence(
    ["Mara Venn --> is --> [a] chemist", "Mara Venn --> is [a] --> chemist"],
    "Mara Venn --> moved to --> Oslo",
    "Mara Venn --> moved to --> Bergen",
    "Mara Venn --> sold --> the old mill",
)
OF_THE_SYSTEM = ("rule_rival", "rival_rank", "rival_gap", "line_rank", "line_gap", "line_rival_rank", "line_rival_gap")
TEXTS = (
    "Mara Venn - is - a chemist",
    "Mara Venn - moved to - Oslo and Bergen",
    "Mara Venn - moved - to Oslo",
    "Mara Venn - sold - old mill",
    "nobody - said - anything",
)


def test_what_several_systems_extract_is_described_once() -> None:
    by = Describer(GOLD)
    assert by.describe(triple(TEXTS[0])) is by.describe(triple(TEXTS[0]))


def test_an_extraction_with_no_cluster_near() -> None:
    found = Describer(GOLD).describe(triple(TEXTS[-1]))
    assert not found.clusters and not found.rows and not found.rules


@given(st.lists(st.sampled_from(TEXTS), max_size=6))
def test_rows_depend_on_other_extractions_in_three_features_only(texts: list[str]) -> None:
    own = [column for column, name in enumerate(NAMES) if name not in OF_THE_SYSTEM]
    table = pair_table(GOLD, [triple(text) for text in texts])
    for index, text in enumerate(texts):
        alone = pair_table(GOLD, [triple(text)])
        assert table.cluster[table.extraction == index].tolist() == alone.cluster.tolist()
        assert (table.values[table.extraction == index][:, own] == alone.values[:, own]).all()


@given(st.lists(st.sampled_from(TEXTS), max_size=6))
def test_the_rules_of_a_system_are_those_of_its_extractions(texts: list[str]) -> None:
    extractions = [triple(text) for text in texts]
    expected = {(c.extraction, c.cluster): c for c in RuleMatcher().candidates(GOLD, extractions)}
    assert pair_table(GOLD, extractions).rules == expected


@given(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=6))
def test_rivals_by_their_definition(texts: list[str]) -> None:
    table = pair_table(GOLD, [triple(text) for text in texts])
    rows = [dict(zip(NAMES, values, strict=True)) for values in table.values.tolist()]
    for position, row in enumerate(rows):
        same = (table.cluster == table.cluster[position]) & (table.extraction != table.extraction[position])
        rivals = [table.readings[other].cost for other in numpy.flatnonzero(same)]
        cost = table.readings[position].cost
        assert row["rival_rank"] == sum(other < cost for other in rivals)
        assert row["rival_gap"] == max(-10, min(10, cost - min(rivals, default=cost)))
        fired = [
            rule.score
            for (index, cluster), rule in table.rules.items()
            if cluster == table.cluster[position] and index != table.extraction[position]
        ]
        assert row["rule_rival"] == max(fired, default=0)


@given(st.lists(st.sampled_from((0.0, 0.3, 2.0, 3.5, 40.0)), min_size=1, max_size=6), st.data())
def test_standing_by_its_definition(costs: list[float], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(costs) - 1))
    others = costs[:place] + costs[place + 1 :]
    gap = costs[place] - min(others, default=costs[place])
    expected = (sum(other < costs[place] for other in others), max(-10.0, min(10.0, gap)))
    assert standing(costs[place], sorted(costs)) == pytest.approx(expected, abs=0)


def test_what_was_prepared_can_be_forgotten() -> None:
    before = describer(GOLD), view(GOLD, SOFT)
    forget()
    assert describer(GOLD) is not before[0] and view(GOLD, SOFT) is not before[1]
