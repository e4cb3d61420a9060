"""Makes a picture of `docs/images` from a page: `python -m tests.picture PAGE.html SELECTOR TARGET.png`.

The pictures of the documents are parts of pages that the commands write, as a browser shows them:

    python -m training.benchmark --thinness --report page.html
    python -m tests.picture page.html '#thinness-curve svg' docs/images/thinness.png
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.browser import Browser, find_browser, started

SCALE = 2.0  # for sharp letters


def take(browser: Browser, page: Path, selector: str, target: Path) -> None:
    """Write what a selector names in a page as PNG."""
    browser.send("Emulation.setScrollbarsHidden", hidden=True)  # they are in no picture, but would move what is
    browser.open(page.resolve().as_uri())
    browser.screenshot(target, selector, SCALE)
    browser.send("Emulation.setScrollbarsHidden", hidden=False)


if __name__ == "__main__":
    path = find_browser()
    if path is None or len(sys.argv) != 4:
        sys.exit(__doc__ if path else "needs a Chromium: apt-get install chromium, or set FACTMATCH_BROWSER")
    with started(path) as running:
        take(running, Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
