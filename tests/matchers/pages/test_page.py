from __future__ import annotations

import base64
import hashlib
import json
import re
import tomllib
from pathlib import Path

import pytest

from data.problems import InputError
from matchers.pages import page
from matchers.pages.page import Cell, Column, Row, SortableTable, in_script, policy, render, versions
from matchers.pages.plots import Axis, interval_plot
from matchers.scoring.bootstrap import Interval

HOSTILE = "</script><!-- <b>&amp; \u2028"


def test_data_in_a_script_can_not_end_it() -> None:
    text = str(in_script({"text": HOSTILE, "more": [1, None]}))
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"text": HOSTILE, "more": [1, None]}


def test_the_policy_has_the_hashes_of_what_is_run() -> None:
    found = policy("a {}", "run()")
    for text in ("a {}", "run()"):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in found
    assert found.startswith("default-src 'none';")


def test_templates_escape(tmp_path: Path) -> None:
    (tmp_path / "own.jinja").write_text('<p title="{{ text }}">{{ text }}</p>')
    assert render("own.jinja", (tmp_path,), {}, text='"<b>') == '<p title="&#34;&lt;b&gt;">&#34;&lt;b&gt;</p>'


def test_without_jinja_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(InputError, match=r"the page needs jinja2: pip install .*\[report\]"):
        render("page.html.jinja", (), {})


def test_groups_span_their_columns() -> None:
    table = SortableTable("t", (Column("a"), Column("b", group="x"), Column("c", group="x")), (Row((Cell("1"),)),))
    assert table.groups == [("", 1), ("x", 2)]


def test_versions_are_of_what_was_used() -> None:
    assert [name for name, _ in versions()][:2] == ["factmatch", "Python"]


def test_the_files_of_the_page_are_packaged() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    patterns = project["tool"]["setuptools"]["package-data"]["matchers"]
    for path in page.FOLDER.iterdir():
        if path.suffix in (".jinja", ".css", ".js"):
            assert any(path.match(pattern) for pattern in patterns)


def test_the_style_and_the_script_fetch_nothing() -> None:
    for name in ("page.css", "page.js"):
        text = (page.FOLDER / name).read_text()
        assert not re.search(r"https?:|@import|url\(|fetch\(|XMLHttp|innerHTML|eval\(|document\.write", text)


@pytest.mark.parametrize(
    ("low", "high", "ends"),
    [(0.0, 1.0, (0.0, 1.0)), (0.0, 0.264, (0.0, 0.3)), (0.0, 0.0, (0.0, 0.1)), (0.31, 0.39, (0.3, 0.4))],
)
def test_axes_are_round_and_hold_the_values(low: float, high: float, ends: tuple[float, float]) -> None:
    axis = Axis.over(low, high)
    assert (axis.low, axis.high) == pytest.approx(ends, abs=1e-5)
    assert axis.ticks[0].at == 0 and axis.ticks[-1].at == 100 and len(axis.ticks) <= 12


def test_values_outside_of_the_axis_are_put_at_its_end() -> None:
    axis = Axis(0.0, 1.0, 0.5)
    assert [axis.at(value) for value in (-1.0, 0.25, 3.0)] == [0.0, 25.0, 100.0]


def test_the_plot_of_intervals() -> None:
    plot = interval_plot([("a", 0.5, Interval(0.25, 0.75), "best")], Axis(0.0, 1.0, 0.5), 0.9)
    assert plot.reference == 90.0
    assert (plot.rows[0].low, plot.rows[0].at, plot.rows[0].high) == (25.0, 50.0, 75.0)
    assert (plot.rows[0].text, plot.rows[0].note) == ("0.500", "0.250 to 0.750")
