"""What tests of profiles share: a small benchmark, and what is asked of its profile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from data.catalog import load
from data.model import Benchmark, Extraction, System
from data.problems import Diagnostics
from matchers.profiling.errors import Errors
from matchers.profiling.profiles import Profile


def errors_of(found: Profile, name: str) -> Errors:
    """The errors of a system."""
    return next(system.errors for system in found.systems if system.name == name)


def with_extractions(benchmark: Benchmark, *lines: str) -> Benchmark:
    """The benchmark with one system, whose extractions are `id | arg1 | relation | arg2`."""
    found = [Extraction(*(part.strip() for part in line.split("|"))) for line in lines]
    return replace(benchmark, systems=(System("mine", tuple(found)),))


@pytest.fixture
def small(folder: Path) -> Benchmark:
    """The benchmark of the folder."""
    return load(folder, diagnostics=Diagnostics())
