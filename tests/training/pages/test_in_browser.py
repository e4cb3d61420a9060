"""The pages in a real Chromium: what a reader can do with mouse and keyboard, wide and narrow, light and dark."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from matchers.score import main as score
from tests.browser import Browser
from tests.picture import take
from tests.training.compared import TERMS, hostile, page, thin_page
from training.comparison.comparison import compare
from training.comparison.ground import Ground
from training.comparison.lineup import find_contenders
from training.pages.report import report_page

PHONE, DESKTOP = 375, 1280


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "page.html"
    path.write_text(page())
    return path.as_uri()


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("scores") / "page.html"
    assert (
        score(["--dataset", "sample", "--report", str(path), "--quiet", "--json", str(path.with_suffix(".json"))]) == 0
    )
    return path.as_uri()


@pytest.fixture(scope="module")
def thin(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("thin") / "page.html"
    path.write_text(thin_page())
    return path.as_uri()


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("hostile") / "page.html"
    found = compare(Ground.of(hostile()), find_contenders(["em", "oie2016"]), TERMS)
    path.write_text(report_page(found, "<i>mine</i>", "<b>"))
    return path.as_uri()


@pytest.fixture(autouse=True)
def quiet(browser: Browser) -> Iterator[None]:
    """No page complains or asks for anything but itself."""
    yield
    assert browser.complaints == []
    assert {url.split("#")[0] for url in browser.requests} <= {browser.run("location.href.split('#')[0]")}


def cases(browser: Browser) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = browser.run("JSON.parse(document.getElementById('cases-data').textContent).cases")
    return found


def choose(browser: Browser, name: str, value: str) -> None:
    """Use a filter as a reader would."""
    browser.run(
        f"(() => {{ const f = document.getElementById('filters').elements[{json.dumps(name)}];"
        f" f.value = {json.dumps(value)}; f.dispatchEvent(new Event('input', {{bubbles: true}})); }})()"
    )


def shown(browser: Browser) -> int:
    """How many cases the page says fit."""
    text = browser.run("document.getElementById('count').textContent")
    return 0 if text.startswith("None") else int(text.split()[0].replace(",", ""))


def column(browser: Browser, number: int) -> list[str]:
    script = f"[...document.querySelectorAll('#results-table tbody tr')].map(r => r.cells[{number}].dataset.value)"
    found: list[str] = browser.run(script)
    return found


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [PHONE, DESKTOP])
@pytest.mark.parametrize("which", ["report", "scores", "hostile_page", "thin"])
def test_nothing_is_wider_than_the_window(
    browser: Browser, which: str, width: int, dark: bool, request: pytest.FixtureRequest
) -> None:
    browser.open(request.getfixturevalue(which), width, 800, dark)
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    light = browser.run("getComputedStyle(document.body).backgroundColor").removeprefix("rgb(").split(",")[0]
    assert (int(light) < 128) == dark


def test_filters(browser: Browser, report: str) -> None:
    browser.open(report)
    all_cases = cases(browser)
    assert shown(browser) == len(all_cases)
    matchers = browser.run("[...document.querySelectorAll('[name=matcher] option')].map(o => o.value)")
    rules = matchers.index("rules") - 1  # the first option is "any"
    choose(browser, "matcher", "rules")
    assert shown(browser) == sum(bool(case["k"][rules]) for case in all_cases)
    choose(browser, "kind", "wrong")
    wrong = [case for case in all_cases if case["k"][rules] & 2]
    assert shown(browser) == len(wrong)
    choose(browser, "system", "rambler")
    assert 0 < shown(browser) < len(wrong)
    browser.run("document.querySelector('#filters [type=reset]').click()")
    browser.wait("location.hash === '#cases'")
    assert shown(browser) == len(all_cases)
    choose(browser, "rule", "af")
    assert 0 < shown(browser) < len(all_cases)


def test_text_search(browser: Browser, report: str) -> None:
    browser.open(report)
    word = max(cases(browser)[0]["e"][0].split(), key=len)
    choose(browser, "text", word.upper())
    assert 0 < shown(browser) < len(cases(browser))
    rows = browser.run("[...document.querySelectorAll('.case')].map(c => c.id.slice(5))")
    assert cases(browser)[0]["id"] in rows
    choose(browser, "text", "no sentence has this")
    assert shown(browser) == 0 and not browser.run("document.querySelectorAll('.case').length")


def test_sorting(browser: Browser, report: str) -> None:
    browser.open(report)
    before = column(browser, 0)
    heads = "[...document.querySelectorAll('#results-table th[aria-sort]')]"
    browser.run(f"{heads}[3].querySelector('button').click()")
    values = [float(value) for value in column(browser, 3) if value]
    assert values == sorted(values, reverse=True)
    assert column(browser, 3)[-1] == "", "what has no F1 comes last"
    assert browser.run(f"{heads}.map(h => h.getAttribute('aria-sort')).filter(s => s !== 'none')") == ["descending"]
    browser.run(f"{heads}[3].querySelector('button').click()")
    values = [float(value) for value in column(browser, 3) if value]
    assert values == sorted(values) and column(browser, 3)[-1] == ""
    browser.run(f"{heads}[0].querySelector('button').click()")
    assert column(browser, 0) == sorted(before)


def test_a_case_opens_by_its_fragment(browser: Browser, report: str) -> None:
    browser.open(report)
    last = cases(browser)[-1]
    browser.open(f"{report}#case-{last['id']}")
    browser.wait(f"document.activeElement.closest('#case-{last['id']}') !== null")
    assert browser.run(f"document.getElementById('case-{last['id']}').open")
    place = browser.run(f"document.getElementById('case-{last['id']}').getBoundingClientRect().top")
    assert 0 <= place < 900
    text = browser.run(f"document.getElementById('case-{last['id']}').textContent")
    assert all(slot in text for slot in last["e"]) and "What each matcher said" in text and "Link to this case" in text


def test_a_fragment_clears_the_filters_that_hide_its_case(browser: Browser, report: str) -> None:
    browser.open(report)
    choose(browser, "text", "no sentence has this")
    wanted = cases(browser)[3]["id"]
    browser.run(f"location.hash = '#case-{wanted}'")
    browser.wait(f"document.getElementById('case-{wanted}')?.open")
    assert shown(browser) == len(cases(browser))


def test_an_unknown_case_is_said_to_be_unknown(browser: Browser, report: str) -> None:
    browser.open(f"{report}#case-nothing")
    browser.wait("document.getElementById('count').textContent.includes('not on this page')")


def test_filters_can_be_shared(browser: Browser, report: str) -> None:
    browser.open(report)
    choose(browser, "matcher", "em")
    choose(browser, "kind", "missed")
    expected, hash_ = shown(browser), browser.run("location.hash")
    browser.open(report + hash_)
    browser.wait("document.querySelector('[name=kind]').value === 'missed'")
    assert shown(browser) == expected
    browser.open(f"{report}#cases?matcher=%3Cb%3E&kind=missed&rule=none")
    browser.wait("document.querySelector('[name=kind]').value === 'missed'")
    assert browser.run("document.querySelector('[name=matcher]').value") == ""


def test_counts_in_the_table_lead_to_their_cases(browser: Browser, report: str) -> None:
    browser.open(report)
    browser.run("document.querySelector('#results-table a[href*=\"matcher=em&kind=missed\"]').click()")
    browser.wait("document.querySelector('[name=matcher]').value === 'em'")
    assert 0 < shown(browser) <= 370


def test_more_is_shown_on_demand(browser: Browser, report: str) -> None:
    browser.open(report)
    rows = "document.querySelectorAll('.case').length"
    first = browser.run(rows)
    assert first < shown(browser)
    browser.run("document.getElementById('more').click()")
    assert browser.run(rows) == min(first + 100, shown(browser))
    assert browser.run("document.activeElement.tagName") == "SUMMARY"


def test_differing_words_are_marked(browser: Browser, report: str) -> None:
    browser.open(report)
    wanted = next(
        case for case in cases(browser) if {1, 2} <= {kind for d in case["d"] for s in d["t"] for kind, _ in s}
    )
    browser.run(f"location.hash = '#case-{wanted['id']}'")
    browser.wait(f"document.querySelectorAll('#case-{wanted['id']} .diff').length > 0")
    marked = browser.run(f"[...document.querySelectorAll('#case-{wanted['id']} ins')].map(i => i.firstChild.data)")
    assert marked == [text for d in wanted["d"] for slot in d["t"] for kind, text in slot if kind == 1]
    missing = browser.run(f"[...document.querySelectorAll('#case-{wanted['id']} del')].map(i => i.firstChild.data)")
    assert missing == [text for d in wanted["d"] for slot in d["t"] for kind, text in slot if kind == 2]


def test_the_keyboard_is_enough(browser: Browser, report: str) -> None:
    browser.open(report)
    browser.press("Tab", 9)
    assert browser.run("document.activeElement.className") == "skip"
    assert browser.run("document.activeElement.getBoundingClientRect().left >= 0")
    browser.press("Enter", 13, "\r")
    browser.wait("location.hash === '#main'")
    browser.run("document.querySelector('.case summary').focus()")
    browser.press("Enter", 13, "\r")
    browser.wait("document.querySelector('.case').open")
    browser.wait("document.querySelector('.case .inside') !== null")
    browser.run("document.querySelector('#results-table th button').focus()")
    browser.press(" ", 32, " ")
    assert (
        browser.run("document.querySelector('#results-table th[aria-sort]').getAttribute('aria-sort')") == "ascending"
    )


def test_everything_has_a_name_for_screen_readers(browser: Browser, report: str) -> None:
    browser.open(report)
    assert browser.run("document.documentElement.lang") == "en"
    nameless = browser.run(
        "[...document.querySelectorAll('button, select, input, a, svg[role], [role=region], table, section')]"
        ".filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')"
        " || e.labels?.length) && !e.hidden).map(e => e.outerHTML.slice(0, 80))"
    )
    assert nameless == []
    assert browser.run("[...document.querySelectorAll('h1')].length") == 1
    assert browser.run("[...document.querySelectorAll('tbody th')].every(h => h.scope === 'row')")


def test_the_curve_of_thin_gold(browser: Browser, thin: str, tmp_path: Path) -> None:
    browser.open(thin)
    lines = "[...document.querySelectorAll('#thinness-curve g.system')]"
    assert browser.run(f"{lines}.map(g => g.querySelector('text').textContent)") == ["rules", "em", "words"]
    colours = browser.run(f"{lines}.map(g => getComputedStyle(g.querySelector('path')).stroke)")
    assert len(set(colours)) == 3
    bands = browser.run("[...document.querySelectorAll('#thinness-curve .band')].map(b => getComputedStyle(b).fill)")
    assert bands == colours
    shown = f"{lines}.map(g => getComputedStyle(g.querySelector('.whisker')).visibility)"
    assert browser.run(shown) == ["hidden"] * 3
    browser.run(f"{lines}[1].focus()")
    assert browser.run(shown) == ["hidden", "visible", "hidden"]
    texts = "[...document.querySelectorAll('#thinness-curve svg text')].map(t => t.getBoundingClientRect())"
    boxes = browser.run(f"{texts}.map(b => [b.left + 1, b.top + 2, b.right - 1, b.bottom - 2])")
    pairs = itertools.combinations(boxes, 2)
    assert not any(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for a, b in pairs)  # all can be read
    target = tmp_path / "curve.png"
    take(browser, Path(thin.removeprefix("file://")), "#thinness-curve svg", target)
    assert target.read_bytes().startswith(b"\x89PNG") and target.stat().st_size > 5_000
    heights = f"{texts}.map(b => b.height)"
    before = browser.run(heights)
    browser.open(thin, 390, 844)
    assert browser.run(heights) == before  # on a phone it scrolls and does not shrink
    assert browser.run("document.querySelector('#thinness-curve').parentElement.classList.contains('wide')")
    assert browser.run("document.documentElement.scrollWidth <= 390")


def test_hostile_texts_do_nothing(browser: Browser, hostile_page: str) -> None:
    browser.open(hostile_page)
    browser.run("document.querySelectorAll('.case').forEach(c => c.open = true)")
    browser.wait("document.querySelectorAll('.inside').length === document.querySelectorAll('.case').length")
    assert browser.run("window.hacked") is None
    assert browser.run("document.querySelectorAll('img, iframe, script:not([type])').length") == 1  # our own script
    assert "<script>window.hacked=1</script>" in browser.run("document.querySelector('.sentence').textContent")


def test_the_page_prints(browser: Browser, report: str) -> None:
    browser.open(report, media="print")
    hidden = "getComputedStyle(document.querySelector('.filters')).display === 'none'"
    assert browser.run(hidden)
    document = browser.send("Page.printToPDF", printBackground=False)["data"]
    assert len(document) > 20_000


def test_the_page_of_scores(browser: Browser, scores: str) -> None:
    browser.open(scores)
    whole = shown(browser)
    assert browser.run("document.querySelector('[data-filter=matcher]').hidden")
    counts = {}
    for kind in ("matched", "repeat", "no match", "cluster not found"):
        choose(browser, "kind", kind)
        counts[kind] = shown(browser)
    assert sum(counts.values()) == whole and min(counts.values()) > 0
    choose(browser, "kind", "cluster not found")
    browser.run("document.querySelector('.case').open = true")
    browser.wait("document.querySelector('.case .inside') !== null")
    assert "not found" in browser.run("document.querySelector('.case').textContent")
    browser.run("document.querySelector('#scores-table a[href*=repeat]').click()")
    browser.wait("document.querySelector('[name=kind]').value === 'repeat'")
