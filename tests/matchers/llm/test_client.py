from __future__ import annotations

import asyncio
import time
from email.utils import formatdate

import pytest

from data.problems import InputError
from matchers.llm.budget import Budget
from matchers.llm.cache import Answer
from matchers.llm.client import REPEATS, LlmClient, checked_url, retry_after
from matchers.llm.prompt import Question
from matchers.llm.settings import LlmSettings
from tests.matchers.llm.fault_server import ChatServer, Fault, cut, drop, reply, slow, status

QUESTION = Question("Be just.", "Which fact?", 3)


def asked(
    server: ChatServer, timeout: float = 5.0, key: str = "", calls: int | None = None
) -> tuple[Answer, LlmClient]:
    settings = LlmSettings(server.base, key, timeout=timeout, backoff=0.01, max_calls=calls)
    client = LlmClient("small", settings, Budget(calls))

    async def ask() -> Answer:
        async with client.open() as http:
            return await client.ask(http, QUESTION)

    return asyncio.run(ask()), client


def test_the_request_is_of_the_protocol() -> None:
    with ChatServer(answer=lambda _: '{"fact": 2}') as server:
        answer, _ = asked(server, key="secret")
    assert (answer.text, answer.prompt_tokens, answer.answer_tokens) == ('{"fact": 2}', 30, 4)
    (body,) = server.bodies
    assert body["model"] == "small" and body["temperature"] == 0 and body["stream"] is False
    assert body["messages"] == [
        {"role": "system", "content": "Be just."},
        {"role": "user", "content": "Which fact?"},
    ]
    assert body["response_format"]["json_schema"]["schema"]["properties"]["fact"]["enum"] == [0, 1, 2, 3]
    assert server.keys == ["Bearer secret"]


def test_no_key_no_header() -> None:
    with ChatServer() as server:
        asked(server)
    assert server.keys == [None]


@pytest.mark.parametrize(
    "fault",
    [
        status(500),
        status(503, b"loading"),
        status(429),
        status(408),
        cut,
        drop,
        slow(1.5),
        status(200, b"<html>It works!</html>"),
        status(200, b'{"choices": []}'),
        status(200, b'{"choices": [{"message": {"content": 7}}]}'),
        status(200, b"[" * 200_000),
        status(200, b"x" * 1_100_000),
    ],
    ids="500 503 429 408 cut dropped slow page empty number deep long".split(),
)
def test_a_server_that_falters_is_asked_again(fault: Fault) -> None:
    with ChatServer(answer=lambda _: '{"fact": 3}', faults=[fault, fault]) as server:
        answer, client = asked(server, timeout=1.0)
    assert answer.text == '{"fact": 3}'
    assert client.budget.calls == len(server.bodies) == 3


@pytest.mark.parametrize(
    "fault", [status(500, b"out of memory"), cut, status(200, b"{}")], ids=["500", "cut", "nonsense"]
)
def test_patience_ends(fault: Fault) -> None:
    with ChatServer(always=fault) as server, pytest.raises(InputError, match=f"no answer, after {REPEATS + 1} calls"):
        asked(server)
    assert len(server.bodies) == REPEATS + 1


def test_pauses_double() -> None:
    with ChatServer(faults=[status(500)] * 4) as server:
        asked(server)
    pauses = [later - earlier for earlier, later in zip(server.times, server.times[1:], strict=False)]
    assert all(pause >= 0.01 * 2**number for number, pause in enumerate(pauses))


def test_retry_after_is_waited_for() -> None:
    with ChatServer(faults=[status(429, Retry_After="1")]) as server:
        asked(server)
    assert server.times[1] - server.times[0] >= 1.0


def test_a_wait_of_an_hour_is_an_error_at_once() -> None:
    started = time.monotonic()
    with ChatServer(always=status(429, Retry_After="3600")) as server:
        with pytest.raises(InputError, match="asks to wait 3600 s"):
            asked(server)
        assert len(server.bodies) == 1
    assert time.monotonic() - started < 60


def test_dates_of_retry_after() -> None:
    found = retry_after(formatdate(time.time() + 50, usegmt=True))
    assert found is not None and 45 < found <= 50
    assert retry_after(None) is None and retry_after("-3") is None and retry_after("\u0663") is None


@pytest.mark.parametrize("code", [401, 403, 404, 302])
def test_what_patience_does_not_mend_is_an_error_at_once(code: int) -> None:
    with ChatServer(always=status(code, b"no", Location="http://127.0.0.1:9/")) as server:
        with pytest.raises(InputError, match=f"says HTTP {code}: no"):
            asked(server, key="secret")
        assert len(server.bodies) == 1


def test_the_key_is_in_no_message() -> None:
    with ChatServer(always=status(401, b"denied")) as server, pytest.raises(InputError) as error:
        asked(server, key="secret")
    assert "secret" not in str(error.value) and "FACTMATCH_LLM_KEY" in str(error.value)
    assert "secret" not in repr(LlmSettings(key="secret"))


def test_a_server_without_schemas_is_asked_without_from_then_on() -> None:
    with ChatServer(faults=[status(400, b"response_format is not supported")]) as server:
        _, client = asked(server)
        assert not client.schemas
    assert ["response_format" in body for body in server.bodies] == [True, False]


def test_a_request_that_is_refused_either_way_is_an_error() -> None:
    with ChatServer(always=status(400, b"no such model")) as server, pytest.raises(InputError, match="refuses 'small'"):
        asked(server)
    assert len(server.bodies) == 2


def test_an_empty_answer_is_an_answer() -> None:
    with ChatServer(always=status(200, reply(None))) as server:
        answer, _ = asked(server)
    assert answer.text == ""


def test_repeated_calls_count() -> None:
    with ChatServer(always=status(500)) as server, pytest.raises(InputError, match="stopped after 2 calls"):
        asked(server, calls=2)
    assert len(server.bodies) == 2


def test_nobody_listens() -> None:
    with ChatServer() as server:
        pass
    with pytest.raises(InputError, match="ConnectError"):
        asked(server)


@pytest.mark.parametrize(
    "url", ["", "localhost:8000", "ftp://host/v1", "http://", "http://host:port/v1", "http://h/?a=b"]
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(InputError, match=r"--base-url|no address"):
        checked_url(url)


def test_an_address_holds_no_password() -> None:
    with pytest.raises(InputError, match="no name or password") as error:
        checked_url("https://me:secret@host/v1")
    assert "secret" not in str(error.value)


def test_the_final_slash_of_an_address_does_not_matter() -> None:
    assert checked_url("http://localhost:8000/v1/") == "http://localhost:8000/v1"
