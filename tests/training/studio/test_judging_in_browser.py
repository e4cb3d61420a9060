"""Judging in a real Chromium: blind first, digits, two clusters, reasons, second thoughts, two tabs, and a phone."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Browser
from tests.training.studio.keyboard import Keyboard
from tests.training.studio.served import Served
from training.studio.judging import PRINCIPLES

EXTRACTIONS = ("is\ta pilot", "is\tpilot", "flew\tthe ferry", "flew\tferry", "and\tso on", "was\ta pilot")
SHOWN = r"(document.querySelector('#item .extraction')?.textContent.replaceAll('\u2013', '/') ?? '')"
LAST = "document.querySelector('#last').textContent"


def prepared(studio: Served) -> Served:
    """A sentence with two clusters, and extractions of a system."""
    studio.post("texts", {"text": "Ruud, a pilot, flew the ferry."})
    for version, text in enumerate(("Ruud --> is --> [a] pilot", "Ruud --> flew --> [the] ferry"), 1):
        studio.post("sentences/1/edit", {"operation": "add", "target": "new", "text": text, "version": version})
    lines = "".join(f"1\tRuud\t{rest}\n" for rest in EXTRACTIONS)
    assert studio.ask("POST", "/api/files?name=pithy", lines.encode()).status == 200
    return studio


@pytest.fixture
def studio(tmp_path: Path, serve: Callable[..., Served]) -> Served:
    return prepared(serve(tmp_path / "mine", "--name", "Ada", "--twice", "0"))


def opinions(studio: Served) -> list[dict[str, str]]:
    """What everybody said, as the owner may take it away."""
    content = studio.ask("GET", "/api/files/opinions-csv").content.decode()
    return list(csv.DictReader(io.StringIO(content)))


def opened(browser: Browser, studio: Served, **window: Any) -> Keyboard:
    browser.open(f"{studio.address}/matches", **window)
    browser.run("document.querySelector('#order').value = 'sentence'")
    browser.run("document.querySelector('#order').dispatchEvent(new Event('change'))")
    browser.wait(f"{SHOWN} === 'Ruud / is / a pilot' && document.activeElement.dataset.key === 'p1'")
    return Keyboard(browser)


def test_blind_first_then_the_matchers_word_and_second_thoughts(browser: Browser, studio: Served) -> None:
    keyboard = opened(browser, studio)
    assert browser.run("document.querySelector('.said, .said-line')") is None
    assert browser.run("document.querySelector('#last').hidden")
    keyboard.press("2")
    browser.wait(f"{LAST}.includes('you said cluster 2, features says cluster 1')")
    assert keyboard.focus == "p1"  # at the next one, with no click between
    keyboard.press("r")
    browser.wait("document.querySelector('#item').textContent.includes('reconsidering')")
    keyboard.press("1")
    browser.wait(f"{LAST}.includes('features too')")
    browser.wait("document.querySelector('#progress').textContent.includes('changed their mind 1 times in 1')")
    (opinion,) = opinions(studio)
    assert (opinion["first"], opinion["cluster"]) == ("2", "1")  # both are kept


def test_unsure_with_a_reason_and_a_principle(browser: Browser, studio: Served) -> None:
    keyboard = opened(browser, studio)
    keyboard.press("u", "f")
    keyboard.type("an article only")
    browser.run("document.querySelector('#principle').value = 'word choice'")
    keyboard.press("Escape")
    browser.wait("document.activeElement.dataset.key === 'p1'")
    keyboard.press("1")
    browser.wait(f"{SHOWN} === 'Ruud / is / pilot'")
    assert not browser.run("document.querySelector('#unsure').checked")  # the next one begins anew
    (opinion,) = opinions(studio)
    assert (opinion["unsure"], opinion["reason"], opinion["principle"]) == ("1", "an article only", "word choice")


def test_two_clusters_in_the_rare_case_none_and_a_later_one(browser: Browser, studio: Served) -> None:
    keyboard = opened(browser, studio)
    keyboard.shift(1)
    keyboard.shift(2)
    browser.wait("document.querySelector('[data-key=both]') !== null")
    keyboard.press("Enter")
    browser.wait(f"{SHOWN} === 'Ruud / is / pilot'")
    keyboard.press("0")
    browser.wait(f"{SHOWN} === 'Ruud / flew / the ferry'")
    keyboard.press("ArrowDown", "Enter")  # as good as a digit
    browser.wait(f"{SHOWN} === 'Ruud / flew / ferry'")
    assert [opinion["cluster"] for opinion in opinions(studio)] == ["1.2", "0", "2"]


def test_a_tab_that_was_left_open_replaces_nothing_in_silence(browser: Browser, studio: Served) -> None:
    keyboard = opened(browser, studio)
    item = studio.post("queue", {"order": "sentence"})["item"]
    said = {"clusters": ["2"], "version": item["version"], "order": "sentence"}
    studio.post(f"cases/{item['id']}/judge", said)  # in the other tab
    keyboard.press("1")
    browser.wait("!document.querySelector('#conflict').hidden")
    shown = browser.run("document.querySelector('#conflict').textContent")
    assert "another tab: cluster 2" in shown
    assert "ask for cluster 1" in shown
    assert [opinion["cluster"] for opinion in opinions(studio)] == ["2"]
    keyboard.press("Tab", "Enter")  # change it
    browser.wait(f"{SHOWN} === 'Ruud / is / pilot'")
    (opinion,) = opinions(studio)
    assert (opinion["first"], opinion["cluster"]) == ("2", "1")


def test_clusters_that_changed_meanwhile_are_shown_anew(browser: Browser, studio: Served) -> None:
    keyboard = opened(browser, studio)
    edit = {"operation": "add", "target": "new", "text": "Ruud --> flew --> XXX", "version": 3}
    studio.post("sentences/1/edit", edit)
    keyboard.press("1")
    browser.wait("document.querySelectorAll('.answer').length === 4")
    assert opinions(studio) == []
    assert "shown anew" in browser.run("document.querySelector('#saying').textContent")
    keyboard.press("1")
    browser.wait(f"{SHOWN} === 'Ruud / is / pilot'")
    assert len(opinions(studio)) == 1


def test_the_guidelines_stand_beside_it_with_examples(browser: Browser, studio: Served) -> None:
    opened(browser, studio)
    assert browser.run("document.querySelectorAll('aside dt').length") == len(PRINCIPLES)
    assert browser.run("[...document.querySelectorAll('aside dd')].filter(e => !e.querySelector('q')).length") == 0


def test_judged_on_a_phone_by_one_tap_each(browser: Browser, studio: Served) -> None:
    opened(browser, studio, width=390, height=844)
    for place in range(len(EXTRACTIONS)):
        before = browser.run(SHOWN)
        box = browser.run(
            "(() => { const e = document.querySelector('.answer'); e.scrollIntoView({block: 'nearest'});"
            " const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()"
        )
        x, y, width, height = box
        assert height >= 44, place  # what a thumb can hit
        for kind in ("mousePressed", "mouseReleased"):
            browser.send(
                "Input.dispatchMouseEvent", type=kind, x=x + width / 2, y=y + height / 2, button="left", clickCount=1
            )
        browser.wait(f"{SHOWN} !== {before!r}")
    assert len(opinions(studio)) == len(EXTRACTIONS)
    assert browser.complaints == []


def test_a_suggestion_stands_there_before_only_if_asked_for(
    browser: Browser, tmp_path: Path, serve: Callable[..., Served]
) -> None:
    opened(browser, prepared(serve(tmp_path / "mine", "--name", "Ada", "--twice", "0", "--suggest")))
    assert browser.run("document.querySelector('.said-line').textContent").startswith("features says cluster 1")
    assert browser.run("document.querySelector('.answer.said').dataset.key") == "p1"
