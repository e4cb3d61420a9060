"""What tests share: where the real data are, and small benchmarks."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.catalog import VARIABLE
from tests.browser import Browser, find_browser, started

if (
    "PYTEST_XDIST_WORKER" in os.environ
):  # the workers share the cores: threads of libraries would stand in each other's way
    os.environ.setdefault("OMP_NUM_THREADS", "1")
KEPT = "FACTMATCH_TEST_DATA"
if found := os.environ.pop(VARIABLE, None):  # only tests that ask for the real data have them
    os.environ[KEPT] = found
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background job, and all that it starts
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of the real data sets; tests that need it are skipped where there is none."""
    named = os.environ.get(KEPT)
    if not named or not Path(named).is_dir():
        pytest.skip(f"needs the real data sets: set {VARIABLE} to their folder")
    return Path(named)


@pytest.fixture(autouse=True)
def data_where_asked_for(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands find the real data in tests that ask for them, and in no others: those are the same on any machine."""
    if "real_data" in request.fixturenames and KEPT in os.environ:
        monkeypatch.setenv(VARIABLE, os.environ[KEPT])


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser; tests that need it are skipped where there is none."""
    path = find_browser()
    if path is None:
        pytest.skip("needs a Chromium: apt-get install chromium, or set FACTMATCH_BROWSER")
    with started(path) as found:
        yield found
