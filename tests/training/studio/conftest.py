"""What tests of the studio share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.training.studio.served import Served


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    """Starts studios, and ends them with the test."""
    running: list[Served] = []

    def start(folder: Path, *flags: str) -> Served:
        running.append(Served(folder, *flags))
        return running[-1]

    yield start
    for one in running:
        one.stop()
