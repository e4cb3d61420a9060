from __future__ import annotations

import pytest

from data.problems import InputError
from matchers.workers.choice import Workers, cores


@pytest.mark.parametrize(
    ("text", "count", "ray"),
    [("1", 1, None), ("12", 12, None), ("auto", 0, None), ("ray", 0, ""), ("ray://head:10001", 0, "ray://head:10001")],
)
def test_choices(text: str, count: int, ray: str | None) -> None:
    assert Workers.of(text) == Workers(count, ray)


@pytest.mark.parametrize("text", ["", "0", "-1", "two", "1.5", "9999", "ray:", "ray://", "ray://me@host:1", "\u0662"])
def test_what_is_no_choice(text: str) -> None:
    with pytest.raises(InputError, match="--workers takes"):
        Workers.of(text)


def test_auto_is_more_than_one_only_where_it_pays() -> None:
    auto = Workers.of("auto")
    assert auto.processes(10, 100) == auto.processes(10_000, None) == 1
    assert auto.processes(100, 100) == cores()
    assert Workers.of("3").processes(1, None) == 3
