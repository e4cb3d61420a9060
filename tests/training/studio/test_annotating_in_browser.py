"""Annotating by keyboard in a real Chromium: what the page makes of keys, and where the focus is afterwards."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.browser import Browser
from tests.training.studio.keyboard import Keyboard
from tests.training.studio.served import Served

CLUSTERS = (("Ruud --> flew --> [the] ferry", "Ruud --> flew --> XXX"), ("Ruud --> is --> [a] pilot",))


@dataclass(frozen=True)
class Annotated:
    """A sentence with two clusters, in a studio that is shared."""

    studio: Served
    number: int

    def get(self) -> dict[str, Any]:
        return dict(self.studio.get(f"sentences/{self.number}"))

    def edit(self, **fields: object) -> None:
        self.studio.post(f"sentences/{self.number}/edit", {**fields, "version": self.get()["version"]})

    def clusters(self) -> dict[str, list[str]]:
        return {one["id"]: one["formulations"] for one in self.get()["clusters"]}

    def wait_for(self, wanted: dict[str, list[str]]) -> None:
        end = time.monotonic() + 30
        while (found := self.clusters()) != wanted:
            assert time.monotonic() < end, found
            time.sleep(0.02)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("annotated") / "mine", "--name", "Ada")
    yield served
    served.stop()


@pytest.fixture
def one(shared: Served) -> Annotated:
    first = shared.post("texts", {"text": "Ruud, a pilot, flew the very old ferry."})["first"]
    found = Annotated(shared, first)
    for number, cluster in enumerate(CLUSTERS, 1):
        for place, text in enumerate(cluster):
            found.edit(operation="add", target=str(number) if place else "new", text=text)
    return found


def opened(browser: Browser, one: Annotated) -> Keyboard:
    """The page of the sentence, when all of it is there."""
    browser.open(f"{one.studio.address}/facts/{one.number}")
    browser.wait("document.activeElement.classList.contains('word')")
    browser.wait("document.querySelector('.suggestion') !== null")
    return Keyboard(browser)


@pytest.fixture
def keyboard(browser: Browser, one: Annotated) -> Keyboard:
    return opened(browser, one)


def shows(browser: Browser, wanted: dict[str, list[str]]) -> None:
    """Wait until the page has these clusters, in this order."""
    drawn = "[...document.querySelectorAll('.formulation')].map(e => e.ariaLabel.slice(5)).join('|')"
    names = "[...document.querySelectorAll('.cluster')].map(e => e.ariaLabel.slice(8)).join()"
    texts = "|".join(text for formulations in wanted.values() for text in formulations)
    browser.wait(f"{names} === {','.join(wanted)!r} && {drawn} === {texts!r}")


def test_words_and_runs_are_optional_in_any_order_and_the_second_argument_may_be_empty(
    browser: Browser, keyboard: Keyboard, one: Annotated
) -> None:
    before = one.clusters()
    keyboard.put("r", (5,))
    keyboard.press("a", "Home", *["ArrowRight"] * 6)
    keyboard.press(" ", " ", "o", " ", "o", "o", " ")  # the [very old] ferry
    keyboard.press("n")
    one.wait_for({**before, "3": ["the [very old] ferry --> flew --> XXX"]})
    browser.wait("document.querySelectorAll('.chip').length === 0")
    keyboard.press("a", "t")
    keyboard.type("she")
    keyboard.press("Enter", "Escape")
    keyboard.put("r", (5,))
    keyboard.press("b", "t")
    keyboard.type("in a [hurry] --> now")  # what means something in a file can't be typed into a slot
    keyboard.press("Enter", "Escape", "Backspace", "c")
    one.wait_for({**before, "3": ["the [very old] ferry --> flew --> XXX", "she --> flew --> in a hurry"]})


def test_what_is_half_put_together_outlives_a_reload(browser: Browser, keyboard: Keyboard, one: Annotated) -> None:
    keyboard.put("a", (0,))
    keyboard.put("r", (5,))
    keyboard.press("j")
    browser.open(f"{one.studio.address}/texts")
    opened(browser, one)
    assert browser.run("[...document.querySelectorAll('.chip')].map(e => e.textContent)") == ["Ruud", "flew"]
    keyboard.press("x")
    browser.wait("document.querySelectorAll('.chip').length === 0")


def test_clusters_and_formulations_are_changed_by_keys_and_all_of_it_is_undone_and_redone(
    browser: Browser, keyboard: Keyboard, one: Annotated
) -> None:
    (ferry, plain), (pilot,) = CLUSTERS
    steps: list[tuple[tuple[str, ...], str, str, dict[str, list[str]]]] = [
        # keys that lead to something, what it is, the key pressed there, and the clusters then
        (("1", "f", "ArrowDown"), "f1.1", "u", {"1": [plain, ferry], "2": [pilot]}),
        ((), "f1.1", "p", {"1": [plain], "2": [pilot], "3": [ferry]}),
        (("2", "f", "ArrowUp", "ArrowUp"), "f1.0", "v", {"1": [plain], "2": [pilot, plain], "3": [ferry]}),
        (("ArrowUp",), "c1", "v", {"1": [plain], "2": [pilot, plain], "3": [ferry], "4": [plain]}),
        ((), "c1", "Delete", {"2": [pilot, plain], "3": [ferry], "4": [plain]}),
        (("2", "f", "ArrowUp"), "c3", "u", {"3": [ferry], "2": [pilot, plain], "4": [plain]}),
        (("ArrowDown", "ArrowDown"), "c2", "m", {"3": [ferry, pilot, plain], "4": [plain]}),
        (("f", "ArrowDown"), "f3.1", "m", {"3": [ferry, plain], "4": [plain], "5": [pilot]}),
        (("3", "f", "ArrowUp", "ArrowUp"), "f4.0", "m", {"3": [ferry, plain], "5": [pilot, plain]}),
        (("3", "2", "f"), "f5.0", "Delete", {"3": [ferry, plain], "5": [plain]}),
    ]
    states = [one.clusters()]
    for way, there, key, wanted in steps:
        keyboard.press(*way)
        assert keyboard.focus == there
        keyboard.press(key)
        one.wait_for(wanted)
        shows(browser, wanted)
        assert keyboard.focus != "BODY"  # it is at what is there now
        states.append(one.clusters())
        assert list(states[-1]) == list(wanted)
    for key, ways in (("z", states[-2::-1]), ("y", states[1:])):
        for wanted in ways:
            keyboard.press(key)
            one.wait_for(wanted)
            shows(browser, wanted)
    assert keyboard.focus != "BODY"


def test_a_suggestion_is_accepted_by_a_key_and_the_next_one_is_at_hand(
    browser: Browser, keyboard: Keyboard, one: Annotated
) -> None:
    before = one.clusters()
    keyboard.press("2", "s")
    offered = browser.run("document.activeElement.textContent")
    assert one.clusters() == before  # nothing is filled in by itself
    assert offered.endswith("for cluster 2")  # the active cluster's come first
    keyboard.press("Enter")
    browser.wait("document.querySelectorAll('.formulation').length === 4")
    found = one.clusters()["2"]
    assert len(found) == 2
    assert offered.startswith(found[1].replace(" --> ", " \u2013 "))
    browser.wait(f"document.activeElement.textContent !== {offered!r}")
    assert browser.run("document.activeElement.className") == "suggestion"


def test_marks_of_words_are_chosen_and_stay_chosen(browser: Browser, shared: Served) -> None:
    first = shared.post("texts", {"text": "The mayor of Oss opened a museum."})["first"]
    address, keyboard = f"{shared.address}/facts/{first}", Keyboard(browser)
    browser.open(address)
    browser.wait("document.activeElement.classList.contains('word')")
    shown = []
    for _ in range(4):
        shown.append(browser.run("[...document.querySelectorAll('.verb, .entity')].map(e => e.textContent)"))
        keyboard.press("h")
    assert shown == [["Oss", "opened"], ["opened"], ["Oss"], []]  # both, verbs, entities, none
    keyboard.press("h")
    browser.open(address)
    browser.wait("document.querySelector('.word') !== null")
    assert browser.run("document.querySelector('[data-key=highlight]').value") == "verbs"
    browser.run("localStorage.clear()")


def test_a_note_and_a_status_are_kept_and_the_next_sentence_is_one_key_away(
    browser: Browser, keyboard: Keyboard, one: Annotated
) -> None:
    one.studio.post("texts", {"text": "The museum closed."})
    opened(browser, one)
    keyboard.press("g")
    keyboard.type("look again")
    keyboard.press("Escape")
    browser.wait("document.activeElement.classList.contains('word')")
    keyboard.press("q")
    browser.wait("document.querySelector('[data-key=doubtful]').getAttribute('aria-pressed') === 'true'")
    found: dict[str, Any] = one.get()
    assert (found["note"], found["status"]) == ("look again", "doubtful")
    keyboard.press("z", "z")
    browser.wait("document.querySelector('#note').value === ''")
    keyboard.press("d")
    browser.wait(f"location.pathname === '/facts/{one.number + 1}'")
    browser.wait("document.activeElement.classList.contains('word')")


def test_matches_of_the_clusters_follow_what_is_annotated_by_the_matcher_of_ones_choice(
    browser: Browser, keyboard: Keyboard, one: Annotated
) -> None:
    rows_of_file = f"{one.number}\tRuud\tis\ta pilot ,\n{one.number}\tRuud\tflew\tvery old ferry\n"
    assert one.studio.ask("POST", "/api/files?name=pithy", rows_of_file.encode()).status == 200
    browser.open(f"{one.studio.address}/facts/{one.number}")
    rows = "[...document.querySelectorAll('.matched tr')].map(e => e.lastChild.textContent)"
    browser.wait("document.querySelectorAll('.matched tr').length === 2")
    choose = (
        "{const e = document.querySelector('[data-key=matcher]'); e.value = '%s'; e.dispatchEvent(new Event('change'))}"
    )
    browser.run(choose % "em")
    browser.wait(f"{rows}.join() === 'none,none'")
    browser.run(choose % "rules")
    browser.wait(f"{rows}.join() === 'cluster 2,none'")  # the rules see past punctuation
    one.edit(operation="add", target="1", text="Ruud --> flew --> [the] [very old] ferry")
    browser.open(f"{one.studio.address}/facts/{one.number}")
    browser.wait(f"{rows}.join() === 'cluster 2,cluster 1'")
    assert "very old" in browser.run("document.querySelector('.gold').textContent")  # the BenchIE text beside it
