"""The whole way in a real Chromium: from an empty folder to a matcher that was learned, by keyboard."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from data.catalog import load
from data.problems import Diagnostics
from matchers.score import main as score
from tests.browser import Browser, find_browser, started
from tests.training.studio.keyboard import Keyboard
from tests.training.studio.served import Served

TEXT = (
    "Lena Ruud, a pilot, flew the old ferry to Tarn.\n"
    "The mayor of Oss opened a small museum in 1974.\n"
    "Ivo Brandt sold his bakery and moved to Lund."
)
# For each sentence two clusters: words of the three slots by their place, and words that are typed.
FACTS = (
    (((0, 1), "is", (3, 4)), ((0, 1), (6,), (7, 8, 9))),
    (((0, 1, 2, 3), (4,), (5, 6, 7)), ((0, 1), "is of", (3,))),
    (((0, 1), (2,), (3, 4)), ((0, 1), (6, 7), (8,))),
)
# What two systems extracted, and the cluster that each extraction states (0: none).
EXTRACTIONS = (
    ("1", "Lena Ruud", "is", "a pilot", 1), ("1", "Lena Ruud", "is", "pilot", 1), ("1", "Ruud", "was", "a pilot", 1),
    ("1", "Lena Ruud", "flew", "the old ferry", 2), ("1", "Lena Ruud", "flew", "the ferry", 2),
    ("1", "Lena Ruud", "flew", "old ferry", 2), ("1", "Lena", "flew to", "pilot", 0), ("1", "a pilot", "Tarn", "", 0),
    ("1", "the old ferry", "flew", "Lena Ruud", 0), ("1", "Lena Ruud a pilot", "flew", "to", 0),
    ("2", "The mayor of Oss", "opened", "a small museum", 1), ("2", "mayor of Oss", "opened", "small museum", 1),
    ("2", "The mayor of Oss", "opened", "a museum", 1), ("2", "The mayor", "is of", "Oss", 2),
    ("2", "mayor", "is of", "Oss", 2), ("2", "The mayor", "was of", "Oss", 2), ("2", "Oss", "opened", "1974", 0),
    ("2", "a small museum", "opened", "The mayor", 0), ("2", "mayor", "in", "1974", 0), ("2", "The", "opened", "a", 0),
    ("3", "Ivo Brandt", "sold", "his bakery", 1), ("3", "Ivo Brandt", "sold", "bakery", 1),
    ("3", "Brandt", "sold", "his bakery", 1), ("3", "Ivo Brandt", "moved to", "Lund", 2),
    ("3", "Brandt", "moved to", "Lund", 2), ("3", "Ivo Brandt", "also moved to", "Lund", 2),
    ("3", "Ivo Brandt", "sold", "Lund", 0), ("3", "his bakery", "moved to", "Lund", 0), ("3", "Ivo", "and", "Lund", 0),
    ("3", "bakery", "sold", "Ivo Brandt", 0),
)  # fmt: skip
DISPUTED = {("Ruud", "was", "a pilot"), ("Ivo Brandt", "also moved to", "Lund")}
STATED = {tuple(slots): str(cluster) for _, *slots, cluster in EXTRACTIONS}


@pytest.fixture
def studio(tmp_path: Path, serve: Callable[..., Served]) -> Served:
    return serve(tmp_path / "mine", "--twice", "1", "--name", "Ada")


def upload(browser: Browser, path: Path) -> None:
    """Choose a file as a person does, and send it by Enter."""
    document = browser.send("DOM.getDocument")
    node = browser.send("DOM.querySelector", nodeId=document["root"]["nodeId"], selector="#file")["nodeId"]
    browser.send("DOM.setFileInputFiles", nodeId=node, files=[str(path)])
    browser.run("document.querySelector('#upload button').focus()")
    Keyboard(browser).press("Enter")
    browser.wait(f"document.querySelector('#saying').textContent.includes({json.dumps(path.stem)})")


def judge_all(browser: Browser, address: str, disputes: bool) -> int:
    """Judge whatever the queue has by pressing digits; how many there were."""
    browser.open(f"{address}/matches")
    count, shown = 0, ""
    while True:
        browser.wait(f"document.querySelector('#item').textContent !== {json.dumps(shown)}")
        slots = browser.run("[...document.querySelectorAll('#item .extraction bdi')].map(e => e.textContent)")
        if not slots:
            return count
        shown = browser.run("document.querySelector('#item').textContent")
        key = tuple("" if slot == "∅" else slot for slot in slots)
        Keyboard(browser).press("0" if disputes and key in DISPUTED else STATED[key])
        count += 1
        browser.wait(f"document.querySelector('#item').textContent !== {json.dumps(shown)}")
        assert browser.run("document.activeElement.closest('#item, main') !== null")


@pytest.mark.slow
def test_from_an_empty_folder_to_a_learned_matcher(
    browser: Browser, studio: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard, folder = Keyboard(browser), studio.folder
    browser.open(f"{studio.address}/texts")
    browser.wait("document.querySelector('#progress').textContent.includes('Nothing is here yet')")
    keyboard.press("p")
    keyboard.type(TEXT)
    keyboard.press("Tab", "Tab", "Enter")
    browser.wait("document.querySelectorAll('.sentences li').length === 3")

    for number, facts in enumerate(FACTS, 1):
        browser.open(f"{studio.address}/facts/{number}")
        browser.wait("document.activeElement.classList.contains('word')")
        for count, (arg1, relation, arg2) in enumerate(facts, 1):
            keyboard.put("a", arg1)
            keyboard.put("r", relation)
            keyboard.put("b", arg2)
            keyboard.press("n")
            browser.wait(f"document.querySelectorAll('.cluster').length === {count}")
            browser.wait("document.activeElement.classList.contains('word')")
        browser.wait("document.querySelector('[data-part=lint] summary').textContent.startsWith('Lint clean')")
        keyboard.press("d")
        browser.wait(f"!location.pathname.endsWith('/{number}') || {number} === 3")
    browser.wait("document.querySelector('[data-key=done]').getAttribute('aria-pressed') === 'true'")
    assert browser.complaints == []

    browser.open(f"{studio.address}/texts")
    browser.wait("document.querySelector('#progress').textContent.startsWith('3 of 3 done, 6 clusters')")
    keyboard.press("w")
    browser.wait("/Written|up to date/.test(document.querySelector('#saying').textContent)")

    for name in ("pithy", "wordy"):
        lines = [
            "\t".join((*map(str, row[:4]),)) + "\n"
            for n, row in enumerate(EXTRACTIONS)
            if (n % 2 == 0) == (name == "pithy")
        ]
        (tmp_path / f"{name}.tsv").write_text("".join(lines))
    gold = folder / "gold" / "gold.txt"
    given = ["--gold", str(gold), "--system", f"pithy={tmp_path / 'pithy.tsv'}", "--json", "-", "--quiet"]
    assert score(given) == 0
    scores = json.loads(capsys.readouterr().out)
    assert scores["systems"][0]["recall"] == 0.5  # three of the six facts, by the rules
    for name in ("pithy", "wordy"):
        upload(browser, tmp_path / f"{name}.tsv")

    browser.open(f"{studio.address}/people")
    keyboard.press("i")
    keyboard.type("Bo")
    keyboard.press("Enter")
    browser.wait("document.querySelector('#invitation') !== null")
    link = browser.run("document.querySelector('#invitation').textContent")
    assert judge_all(browser, studio.address, disputes=False) == 30
    path = find_browser()
    assert path is not None
    with started(path) as other:
        other.open(link)
        other.wait("document.activeElement.tagName === 'BUTTON'")
        Keyboard(other).press("Enter")
        other.wait("location.pathname === '/matches'")
        assert judge_all(other, studio.address, disputes=True) == 30
        assert other.complaints == []

    browser.open(f"{studio.address}/agreement")
    browser.wait("document.querySelectorAll('.case-row').length === 2")
    table = browser.run("document.querySelector('#table').textContent")
    assert "Ada, Bo" in table
    assert "match or not" in table
    assert "30" in table
    for left in (1, 0):
        keyboard.press("j", "Enter")  # the first button is the first cluster
        browser.wait(f"document.querySelectorAll('.case-row:not(.settled)').length === {left}")

    browser.open(f"{studio.address}/learn")
    browser.wait("document.querySelector('#state').dataset.state === 'idle'")
    keyboard.press("l")
    browser.wait("document.querySelector('#state').dataset.state !== 'idle'")  # it may be done before the page asks
    end = time.monotonic() + 240
    while browser.run("document.querySelector('#state').dataset.state") == "running" and time.monotonic() < end:
        time.sleep(0.5)
    assert browser.run("document.querySelector('#state').dataset.state") == "done", browser.run(
        "document.querySelector('#state').textContent"
    )
    assert browser.run("document.querySelectorAll('#curve circle').length") >= 1
    assert browser.complaints == []
    studio.stop()

    benchmark = load(str(folder), None, Diagnostics(strict=True))
    assert len(benchmark.judgments) == 30
    (checkpoint,) = [path for path in (folder / "checkpoints").iterdir() if path.is_dir()]
    assert score(["--dataset", str(folder), "--matcher", str(checkpoint), "--json", "-", "--quiet"]) == 0
    assert len(json.loads(capsys.readouterr().out)["systems"]) == 2


HOSTILE = "<script>window.owned=1</script> <img src=x onerror=window.owned=1> {{7*7}} ' \" & </textarea>"
PAGES = ("texts", "facts/1", "matches", "agreement", "learn", "people", "guide")


def test_script_in_every_text_field_is_shown_and_never_run(
    browser: Browser, tmp_path: Path, serve: Callable[..., Served]
) -> None:
    studio = serve(tmp_path / "mine", "--twice", "1", "--name", "Ada")
    word = "<img/src=x/onerror=window.owned=1>"
    studio.post("texts", {"text": HOSTILE, "split": False})
    formulation = f"{word} --> {word} --> [{word}]"
    edit = {"operation": "add", "target": "new", "text": formulation, "version": 1}
    studio.post("sentences/1/edit", edit)
    studio.post("sentences/1/edit", {"operation": "note", "text": HOSTILE, "version": 2})
    extractions = f"1\t{HOSTILE}\t{word}\t{HOSTILE}\n1\tplain\t{word}\tx\n".encode()
    assert studio.ask("POST", "/api/files?name=hostile", extractions).status == 200
    bo = studio.invite("Bo")
    for cookie, clusters in (("", ["1"]), (bo, [])):
        item = studio.post("queue", {"order": "sentence"}, cookie=cookie)["item"]
        opinion = {"clusters": clusters, "version": item["version"], "reason": HOSTILE, "order": "sentence"}
        studio.post(f"cases/{item['id']}/judge", opinion, cookie=cookie)
    for page in PAGES:
        browser.open(f"{studio.address}/{page}")
        browser.wait("document.readyState === 'complete'")
        time.sleep(0.3)
        assert browser.run("window.owned") is None
        assert browser.complaints == [], page  # the policy would have complained of script that came near
        assert all(url.startswith(studio.address) for url in browser.requests)
    browser.open(f"{studio.address}/facts/1")
    browser.wait("document.querySelectorAll('.formulation').length === 1")
    assert word in browser.run("document.querySelector('.formulation').textContent")
    assert browser.run("document.querySelector('#note').value") == HOSTILE


def test_the_second_of_two_tabs_is_told_and_shown_both_versions(
    browser: Browser, tmp_path: Path, serve: Callable[..., Served]
) -> None:
    studio = serve(tmp_path / "mine", "--name", "Ada")
    studio.post("texts", {"text": "The ferry left Tarn."})
    keyboard = Keyboard(browser)
    browser.open(f"{studio.address}/facts/1")
    browser.wait("document.activeElement.classList.contains('word')")
    edit = {"operation": "add", "target": "new", "text": "ferry --> left --> XXX", "version": 1}
    studio.post("sentences/1/edit", edit)  # the other tab was faster
    keyboard.put("a", (1,))
    keyboard.put("r", (2,))
    keyboard.put("b", (3,))
    keyboard.press("n")
    browser.wait("!document.querySelector('#conflict').hidden")
    shown = browser.run("document.querySelector('#conflict').textContent")
    assert "ferry --> left --> XXX" in shown
    assert "ferry --> left --> Tarn" in shown
    assert studio.get("sentences/1")["version"] == 2  # nothing was overwritten
    keyboard.press("Tab", "Enter")
    browser.wait("document.querySelectorAll('.cluster').length === 2")
    assert [c["formulations"] for c in studio.get("sentences/1")["clusters"]] == [
        ["ferry --> left --> XXX"],
        ["ferry --> left --> Tarn"],
    ]
    keyboard.press("z")
    browser.wait("document.querySelectorAll('.cluster').length === 1")
    keyboard.press("y")
    browser.wait("document.querySelectorAll('.cluster').length === 2")


@pytest.mark.parametrize(("width", "dark"), [(390, True), (1280, False), (1920, True)])
def test_nothing_is_wider_than_the_window(browser: Browser, demo: Served, width: int, dark: bool) -> None:
    for page in PAGES:
        browser.open(f"{demo.address}/{page}", width=width, dark=dark)
        time.sleep(0.2)
        assert browser.run("document.documentElement.scrollWidth") <= width, page
        assert browser.complaints == []


def test_arabic_runs_from_right_to_left_and_the_arrows_follow(
    browser: Browser, tmp_path: Path, serve: Callable[..., Served]
) -> None:
    studio = serve(tmp_path / "mine", "--language", "ar")
    studio.post("texts", {"text": "غادرت العبارة الميناء."})
    browser.open(f"{studio.address}/facts/1")
    browser.wait("document.activeElement.classList.contains('word')")
    assert browser.run("getComputedStyle(document.querySelector('#words')).direction") == "rtl"
    first, second = (browser.run(f"document.querySelectorAll('.word')[{n}].getBoundingClientRect().x") for n in (0, 1))
    assert first > second
    browser.press("ArrowLeft", 37)
    assert browser.run("document.activeElement.dataset.key") == "w1"


def test_japanese_is_split_into_characters_or_the_words_that_the_browser_finds(
    browser: Browser, tmp_path: Path, serve: Callable[..., Served]
) -> None:
    studio = serve(tmp_path / "mine", "--language", "ja")
    keyboard = Keyboard(browser)
    browser.open(f"{studio.address}/texts")
    for number, units in enumerate(("characters", "words"), 1):
        browser.run(f"document.querySelector('#units').value = '{units}'")
        keyboard.press("p")
        keyboard.type("市長は博物館を開いた。彼は帰った。")
        browser.run("document.querySelector('#paste').requestSubmit()")
        browser.wait(f"document.querySelectorAll('.sentences li').length === {2 * number}")
        browser.run("document.activeElement.blur()")
    texts = [sentence["text"] for sentence in studio.get("sentences")["sentences"]]
    assert texts[0].startswith("市 長 は 博 物 館")
    assert texts[1] == "彼 は 帰 っ た 。"
    assert "博物館" in texts[2].split()
    assert texts[2].endswith("。")
    assert texts[2].replace(" ", "") == "市長は博物館を開いた。"
    browser.open(f"{studio.address}/facts/3")
    browser.wait("document.activeElement.classList.contains('word')")
    assert browser.run("document.querySelector('#words').lang") == "ja"
    assert browser.complaints == []


def test_shortcuts_are_shown_and_everything_has_a_name(browser: Browser, demo: Served) -> None:
    browser.open(f"{demo.address}/facts/1")
    browser.wait(
        "document.querySelectorAll('.formulation').length > 0 && document.querySelector('.suggestion') !== null"
    )
    Keyboard(browser).press("?")
    browser.wait("document.querySelector('#shortcuts').open")
    assert browser.run("document.querySelectorAll('#shortcuts dt').length") > 20
    nameless = """[...document.querySelectorAll('button, a, input, select, textarea')].filter(e =>
        !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)"""
    assert browser.run(nameless) == []


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("demo") / "sample", "--demo")
    yield served
    served.stop()
