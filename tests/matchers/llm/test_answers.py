from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchers.llm.answers import parse_answer, schema


@pytest.mark.parametrize("text", ['{"fact": 2}', ' {"fact":2}\n', '```json\n{"fact": 2}\n```', '```\n{"fact": 2}```'])
def test_an_object_with_the_number_is_an_answer(text: str) -> None:
    assert parse_answer(text, 2) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2",
        "fact 2",
        '{"fact": 3}',
        '{"fact": -1}',
        '{"fact": "2"}',
        '{"fact": 2.0}',
        '{"fact": true}',
        '{"fact": null}',
        '{"fact": 2, "why": "same words"}',
        '{"Fact": 2}',
        '[{"fact": 2}]',
        'The answer is {"fact": 2}',
        '{"fact": 2} because',
        '{"fact": 1}{"fact": 2}',
        '{"fact": 2',
        "```",
        "``````",
        "[" * 100_000,
    ],
)
def test_nothing_is_guessed(text: str) -> None:
    assert parse_answer(text, 2) is None


@given(st.text() | st.integers().map(lambda n: json.dumps({"fact": n})), st.integers(0, 50))
def test_whatever_is_read_is_a_fact_or_none(text: str, facts: int) -> None:
    found = parse_answer(text, facts)
    assert found is None or 0 <= found <= facts


def test_the_schema_allows_what_can_be_read() -> None:
    allowed = schema(3)["properties"]["fact"]["enum"]
    assert [parse_answer(json.dumps({"fact": number}), 3) for number in allowed] == [0, 1, 2, 3]
