from __future__ import annotations

from dataclasses import replace

from tests.training.compared import page, thin_comparison, thin_page
from tests.training.pages.test_report import Page
from training.pages.thin_section import levels_table, summary_table, thin_section


def test_the_section_is_on_the_page_where_it_was_asked_for() -> None:
    parsed = Page(thin_page())
    assert {"thinness", "thinness-curve", "thinness-table", "thinness-levels-table"} <= set(parsed.ids)
    assert "#thinness" in parsed.links and not parsed.open and not parsed.handlers and not parsed.sources
    assert len(set(parsed.ids)) == len(parsed.ids)
    assert 'id="thinness"' not in page() and "#thinness" not in page()


def test_the_summary_says_what_a_gold_takes_and_what_it_gives() -> None:
    thinness = thin_comparison().thinness
    assert thinness is not None
    table = summary_table(thinness)
    assert [row.cells[0].text for row in table.rows] == ["em", "rules", "words"]
    assert all(len(row.cells) == len(table.columns) for row in table.rows)
    heads = dict(table.groups)
    assert f"{thinness.formulations[0]:,} formulations" in heads and heads["all levels"] == 4
    em = thinness["em"]
    assert em.mean is not None and table.rows[0].cells[6].value == em.mean.value
    assert "seeds" not in [column.title for column in summary_table(replace(thinness, seeds=1)).columns]


def test_every_level_has_a_row() -> None:
    thinness = thin_comparison().thinness
    assert thinness is not None
    for table in (levels_table(thinness), levels_table(replace(thinness, seeds=1))):
        assert len(table.rows) == 5 * 4
        assert all(len(row.cells) == len(table.columns) for row in table.rows)
    carb = next(row for row in table.rows if row.cells[0].text == "carb")
    assert [cell.text for cell in carb.cells[2:10]] == [""] * 8 and carb.cells[10].text


def test_what_it_says_of_draws_and_seeds() -> None:
    thinness = thin_comparison().thinness
    assert thinness is not None
    section = thin_section(thinness)
    assert (section.draws, section.seeds) == (5, 2)
    assert "means over 2 seeds" in thin_page() and "means of 5 random draws" in thin_page()
