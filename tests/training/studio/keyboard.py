"""Fingers on a page of the studio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.browser import Browser


@dataclass
class Keyboard:
    """Fingers on a page."""

    browser: Browser

    def press(self, *keys: str) -> None:
        for key in keys:
            if len(key) == 1:
                self.browser.press(key, ord(key.upper()), key)
            else:
                codes = {
                    "Enter": 13, "Tab": 9, "Home": 36, "ArrowRight": 39, "ArrowDown": 40, "ArrowUp": 38, "Escape": 27,
                    "Delete": 46, "Backspace": 8,
                }  # fmt: skip
                self.browser.press(key, codes[key], "\r" if key == "Enter" else "")

    def shift(self, digit: int) -> None:
        """A digit with Shift, which writes something else on most keyboards."""
        for kind in ("keyDown", "keyUp"):
            self.browser.send(
                "Input.dispatchKeyEvent", type=kind, key="!", code=f"Digit{digit}", modifiers=8,
                windowsVirtualKeyCode=48 + digit,
            )  # fmt: skip

    @property
    def focus(self) -> str:
        """What has the focus: its key, else its tag."""
        return str(self.browser.run("document.activeElement.dataset.key ?? document.activeElement.tagName"))

    def type(self, text: str) -> None:
        self.browser.send("Input.insertText", text=text)

    def put(self, slot: str, words: Sequence[int] | str) -> None:
        """Words into a slot: by their places in the sentence, or typed."""
        self.press(slot)
        if isinstance(words, str):
            self.press("t")
            self.type(words)
            self.press("Enter", "Escape")
            return
        self.press("Home", *["ArrowRight"] * words[0])
        for place, word in enumerate(words):
            assert word == words[0] + place
            self.press(
                " ", *(["o"] if slot == "b" and place == 0 and len(words) > 1 else [])
            )  # the article is optional
