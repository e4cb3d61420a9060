"""Fuzz tests: a bounded number of cases in `make test`, any number in `make fuzz`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

VARIABLE = "FACTMATCH_FUZZ"
BOUNDED = 40
Test = TypeVar("Test", bound=Callable[..., Any])


def fuzzed(test: Test) -> Test:
    """Mark a hypothesis test as a fuzz test: FACTMATCH_FUZZ says how many cases it has, 40 otherwise.

    Put it above `@given`. Cases that failed are kept by hypothesis and tried first the next time.
    """
    cases = int(os.environ.get(VARIABLE, "0")) or BOUNDED
    slow = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
    marked: Test = pytest.mark.fuzz(settings(max_examples=cases, deadline=None, suppress_health_check=slow)(test))
    return marked
