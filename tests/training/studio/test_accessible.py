"""What a screen reader is told, and whether all of it can be read: names, landmarks, live regions, contrast."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Browser
from tests.training.studio.served import Served

PAGES = {  # and what is there when a page is complete
    "texts": "#list li",
    "facts/1": ".suggestion",
    "matches": "#item .answer",
    "agreement": ".case-row",
    "learn": "#state[data-state]",
    "people": "#people tr",
    "guide": "dl",
}
CONTROLS = ("button", "link", "textbox", "checkbox", "combobox", "image", "progressbar", "dialog")
CONTRASTS = (Path(__file__).parent / "contrast.js").read_text()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The sample, with a disagreement."""
    served = Served(tmp_path_factory.mktemp("demo") / "sample", "--demo", "--twice", "1", "--name", "Ada")
    item = served.post("queue", {"order": "sentence"})["item"]
    for clusters in ([item["clusters"][0]["id"]], [item["clusters"][1]["id"]]):
        again = {"clusters": clusters, "version": item["version"], "again": True}
        served.post(f"cases/{item['id']}/judge", again)
        if served.get("disagreements")["cases"]:
            break
    yield served
    served.stop()


def nodes(browser: Browser) -> list[dict[str, Any]]:
    """The accessibility tree, without what is ignored."""
    browser.send("Accessibility.enable")
    found = browser.send("Accessibility.getFullAXTree")["nodes"]
    browser.send("Accessibility.disable")
    return [node for node in found if not node.get("ignored")]


def role(node: dict[str, Any]) -> str:
    return str(node.get("role", {}).get("value", ""))


def name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", "")).strip()


@pytest.mark.parametrize("page", PAGES)
def test_everything_has_a_role_and_a_name(browser: Browser, demo: Served, page: str) -> None:
    browser.open(f"{demo.address}/{page}")
    browser.wait(f"document.querySelector({json.dumps(PAGES[page])}) !== null")
    tree = nodes(browser)
    assert [role(node) for node in tree if role(node) in CONTROLS and not name(node)] == []
    roles = [role(node) for node in tree]
    for landmark in ("main", "navigation", "banner"):
        assert roles.count(landmark) == 1, landmark
    headings = [node for node in tree if role(node) == "heading"]
    levels = [
        int(entry["value"]["value"]) for node in headings for entry in node["properties"] if entry["name"] == "level"
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert browser.run("document.querySelector('#saying').ariaLive") == "polite"
    assert browser.run("new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size") == browser.run(
        "document.querySelectorAll('[id]').length"
    )


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_stands_out_from_what_is_behind_it(browser: Browser, demo: Served, dark: bool) -> None:
    for page, there in PAGES.items():
        browser.open(f"{demo.address}/{page}", dark=dark)
        browser.wait(f"document.querySelector({json.dumps(there)}) !== null")
        assert browser.run(CONTRASTS) == [], page


def test_the_tree_tells_what_is_pressed_chosen_and_optional(browser: Browser, demo: Served) -> None:
    browser.open(f"{demo.address}/facts/1")
    browser.wait("document.activeElement.classList.contains('word')")
    browser.press("r", 82, "r")
    browser.press(" ", 32, " ")
    browser.press("o", 79, "o")
    browser.wait("document.querySelector('.chip') !== null")
    names = [name(node) for node in nodes(browser) if role(node) == "button"]
    word = browser.run("document.querySelector('.word').textContent")
    assert f"{word}, optional" in names
    assert any(one.startswith(f"{word}, in relation") for one in names)
    pressed = [
        name(node)
        for node in nodes(browser)
        for entry in node.get("properties", ())
        if entry["name"] == "pressed" and entry["value"]["value"] == "true"
    ]
    assert {"Relation r", "done"} <= set(pressed)
