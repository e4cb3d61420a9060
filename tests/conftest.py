"""What tests share: where the real data are, and small benchmarks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, find_browser, started

from data.catalog import VARIABLE


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of the real data sets; tests that need it are skipped where there is none."""
    named = os.environ.get(VARIABLE)
    if not named or not Path(named).is_dir():
        pytest.skip(f"needs the real data sets: set {VARIABLE} to their folder")
    return Path(named)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser; tests that need it are skipped where there is none."""
    path = find_browser()
    if path is None:
        pytest.skip("needs a Chromium: apt-get install chromium, or set FACTMATCH_BROWSER")
    with started(path) as found:
        yield found
