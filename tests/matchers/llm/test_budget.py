from __future__ import annotations

import pytest

from data.problems import InputError
from matchers.llm.budget import Budget


def test_without_a_limit_calls_are_only_counted() -> None:
    budget = Budget(None)
    for _ in range(5):
        budget.take()
    assert budget.calls == 5


def test_the_call_after_the_last_is_refused_and_not_counted() -> None:
    budget = Budget(2)
    budget.take()
    budget.take()
    for _ in range(2):
        with pytest.raises(InputError, match="after 2 calls"):
            budget.take()
    assert budget.calls == 2
