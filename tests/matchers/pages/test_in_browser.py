"""The pages of benchmarks side by side and of profiles in a real Chromium, wide and narrow, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from matchers.profile import main as profile
from matchers.score import main as score
from tests.browser import Browser
from tests.matchers.invented import write_benchmarks

PHONE, DESKTOP = 375, 1280


@pytest.fixture(scope="module")
def side_by_side(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("all")
    sets, own, page = write_benchmarks(folder / "sets"), folder / "own.tsv", folder / "page.html"
    own.write_text("2\tThe old mill\tburned down in\tMay\n1\tMara Venn\tmoved to\tOslo\n")
    long_name = "a-system-of-a-rather-long-name"
    given = ["--all", "--data", str(sets), "--system", f"{long_name}={own}", "--beside", "--resamples", "50"]
    assert score([*given, "--report", str(page), "--quiet"]) == 0
    return page.as_uri()


@pytest.fixture(scope="module")
def profiled(tmp_path_factory: pytest.TempPathFactory) -> str:
    page = tmp_path_factory.mktemp("profile") / "page.html"
    assert profile(["--dataset", "sample", "--report", str(page), "--quiet"]) == 0
    return page.as_uri()


@pytest.fixture(scope="module")
def by_words(tmp_path_factory: pytest.TempPathFactory) -> str:
    page = tmp_path_factory.mktemp("words") / "page.html"
    given = ["--dataset", "sample", "--matcher", "carb", "--resamples", "50", "--quiet"]
    assert score([*given, "--report", str(page)]) == 0
    return page.as_uri()


@pytest.fixture(autouse=True)
def quiet(browser: Browser) -> Iterator[None]:
    """No page complains or asks for anything but itself."""
    yield
    assert browser.complaints == []
    assert {url.split("#")[0] for url in browser.requests} <= {browser.run("location.href.split('#')[0]")}


PAGES = pytest.mark.parametrize("which", ["side_by_side", "profiled", "by_words"])


@PAGES
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_nothing_is_wider_than_the_window(
    browser: Browser, which: str, width: int, dark: bool, request: pytest.FixtureRequest
) -> None:
    browser.open(request.getfixturevalue(which), width, 800, dark)
    browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    light = browser.run("getComputedStyle(document.body).backgroundColor").removeprefix("rgb(").split(",")[0]
    assert (int(light) < 128) == dark


@PAGES
def test_everything_has_a_name_and_every_link_a_target(
    browser: Browser, which: str, request: pytest.FixtureRequest
) -> None:
    browser.open(request.getfixturevalue(which))
    nameless = browser.run(
        "[...document.querySelectorAll('button, a, svg[role], [role], table, section')]"
        ".filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')))"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    assert nameless == []
    lost = "[...document.querySelectorAll('a')].filter(a => !document.querySelector(a.getAttribute('href'))).length"
    assert browser.run(lost) == 0
    doubled = "(i => i.filter((d, n) => i.indexOf(d) !== n))([...document.querySelectorAll('[id]')].map(e => e.id))"
    assert browser.run(doubled) == []
    assert browser.run("document.querySelectorAll('h1').length") == 1


def test_a_line_of_ranks_ends_at_its_system(browser: Browser, side_by_side: str) -> None:
    browser.open(side_by_side)
    misplaced = browser.run(
        "[...document.querySelectorAll('.ranks .system')].filter(s => { const p = [...s.querySelectorAll('.piece')];"
        " const c = [...s.querySelectorAll('circle')]; return p.some((piece, n) => {"
        " const end = piece.getPointAtLength(piece.getTotalLength());"
        " return Math.abs(end.x - c[n + 1].cx.baseVal.value) > 1 || Math.abs(end.y - c[n + 1].cy.baseVal.value) > 1;"
        " }); }).length"
    )
    assert misplaced == 0
    assert browser.run("document.querySelectorAll('.ranks .piece').length") > 5


def test_scores_can_be_sorted(browser: Browser, side_by_side: str) -> None:
    browser.open(side_by_side)
    head = "[...document.querySelectorAll('#scores-table th[aria-sort]')][4]"  # F1 on the first benchmark
    values = "[...document.querySelectorAll('#scores-table tbody tr')].map(r => r.cells[4].dataset.value)"
    before = browser.run(values)
    browser.run(f"{head}.querySelector('button').click()")
    found = [float(value) for value in browser.run(values) if value]
    assert found == sorted(found, reverse=True) and len(set(found)) > 1
    filled = [bool(value) for value in browser.run(values)]
    assert filled == sorted(filled, reverse=True) and not all(filled), "what has no score comes last"
    assert browser.run(values) != before


def test_bars_are_as_long_as_their_figures(browser: Browser, profiled: str) -> None:
    for width in (PHONE, DESKTOP):
        browser.open(profiled, width)
        bars = browser.run(
            "[...document.querySelectorAll('#slots-table .bar')].map(b => ["
            " b.querySelector('.share').getBoundingClientRect().width"
            " / b.querySelector('.ground').getBoundingClientRect().width, Number(b.querySelector('span').textContent)])"
        )
        assert len(bars) == 15
        assert all(abs(drawn - shown) < 0.01 for drawn, shown in bars)
        heights = browser.run("[...document.querySelectorAll('.bars tbody tr')].map(r => r.clientHeight)")
        assert max(heights) < 60


def test_the_labels_of_lines_can_be_told_apart(browser: Browser, profiled: str) -> None:
    browser.open(profiled)
    covered = browser.run(
        "[...document.querySelectorAll('.lines')].map(f => [...f.querySelectorAll('.system text')]"
        ".map(t => t.getBBox().y).sort((a, b) => a - b)).some(ys => ys.some((y, n) => n && y - ys[n - 1] < 10))"
    )
    assert not covered
    browser.run("document.querySelector('.lines .system').focus()")
    colours = browser.run(
        "[...document.querySelectorAll('.lines .system')].slice(0, 2)"
        ".map(s => getComputedStyle(s.querySelector('path')).stroke)"
    )
    assert colours[0] != colours[1], "the line that is looked at stands out"
    shown = browser.run(
        "[...document.querySelectorAll('.lines .system')].slice(0, 2)"
        ".map(s => getComputedStyle(s.querySelector('.whisker')).visibility)"
    )
    assert shown == ["visible", "hidden"], "and shows its intervals"


@pytest.mark.parametrize(("which", "drawing"), [("profiled", ".lines svg"), ("side_by_side", "svg.ranks")])
def test_no_label_is_cut_off(browser: Browser, which: str, drawing: str, request: pytest.FixtureRequest) -> None:
    browser.open(request.getfixturevalue(which))
    assert browser.run(f"document.querySelectorAll('{drawing} text').length") > 10
    cut = browser.run(
        f"[...document.querySelectorAll('{drawing}')].flatMap(s => [...s.querySelectorAll('text')].filter(t => {{"
        " const own = t.getBoundingClientRect(), all = s.getBoundingClientRect();"
        " return own.left < all.left - 1 || own.right > all.right + 1 || own.bottom > all.bottom + 1; }))"
        ".map(t => t.textContent)"
    )
    assert cut == []


@PAGES
def test_the_page_prints(browser: Browser, which: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    browser.open(request.getfixturevalue(which), media="print")
    assert len(browser.send("Page.printToPDF", printBackground=False)["data"]) > 20_000


@PAGES
def test_what_is_wider_than_the_window_says_so(browser: Browser, which: str, request: pytest.FixtureRequest) -> None:
    cues = (
        "[...document.querySelectorAll('.scroll')].map(e => [e.scrollWidth > e.clientWidth + 1,"
        " getComputedStyle(e.previousElementSibling).display !== 'none',"
        " getComputedStyle(e).backgroundImage !== 'none'])"
    )
    for width in (PHONE, DESKTOP):
        browser.open(request.getfixturevalue(which), width)
        found = browser.run(cues)
        assert found and all(wide == said == shaded for wide, said, shaded in found)
        if width == PHONE:
            assert any(wide for wide, _, _ in found)


def test_bars_of_a_table_share_one_scale(browser: Browser, profiled: str) -> None:
    browser.open(profiled)
    for table in ("slots-table", "buckets-table"):
        widths = browser.run(
            f"[...document.querySelectorAll('#{table} .bar svg')].map(e => Math.round(e.getBoundingClientRect().width))"
        )
        assert len(widths) > 10 and len(set(widths)) == 1


OVERLAPS = """(selector => {
  const boxes = [...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect());
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)).length;
})"""


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_labels_do_not_collide(browser: Browser, profiled: str, side_by_side: str, width: int) -> None:
    browser.open(profiled, width)
    assert browser.run("document.querySelectorAll('.lines .system text').length") == 15
    for plot in (1, 2, 3):
        assert browser.run(f"{OVERLAPS}('.lines:nth-child({plot}) .system text')") == 0
    browser.open(side_by_side, width)
    assert browser.run(f"{OVERLAPS}('.ranks .name')") == 0


def test_no_line_is_drawn_above_a_name(browser: Browser, side_by_side: str) -> None:
    browser.open(side_by_side)
    order = browser.run("[...document.querySelectorAll('.ranks .piece, .ranks .name')].map(e => e.tagName).join(' ')")
    assert order.index("text") > order.rindex("path")
    browser.run("document.querySelector('.ranks .system').focus()")
    assert browser.run("document.querySelectorAll('.ranks .on').length") == 2, "a name and its line"
