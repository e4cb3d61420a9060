from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from data.problems import InputError
from matchers.llm.asking import Asker
from matchers.llm.prompt import Question
from matchers.llm.settings import LlmSettings
from tests.matchers.llm.fault_server import ChatServer, status

QUESTIONS = [Question("Be just.", f"Which fact, number {number}?", 3) for number in range(12)]


def asker(server: ChatServer, folder: Path, concurrency: int = 4, max_calls: int | None = None) -> Asker:
    settings = LlmSettings(
        server.base, "secret", folder / "llm.sqlite", concurrency, max_calls, timeout=5.0, backoff=0.01
    )
    return Asker("small", settings)


def test_every_question_gets_its_own_answer(tmp_path: Path) -> None:
    with ChatServer(answer=lambda body: str(body["messages"][1]["content"])) as server:
        found = asker(server, tmp_path).answers(QUESTIONS)
    assert {question.user: answer.text for question, answer in found.items()} == {q.user: q.user for q in QUESTIONS}


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    with ChatServer() as server:
        first = asker(server, tmp_path).answers([*QUESTIONS, *QUESTIONS])
        again = asker(server, tmp_path)
        assert again.answers(QUESTIONS) == first
    assert len(server.bodies) == len(QUESTIONS)
    assert again.budget.calls == 0


def test_no_more_calls_at_once_than_allowed(tmp_path: Path) -> None:
    with ChatServer(pause=0.03) as server:
        asker(server, tmp_path, concurrency=3).answers(QUESTIONS)
    assert server.most_at_once == 3


def test_a_budget_stops_and_the_next_run_goes_on(tmp_path: Path) -> None:
    with ChatServer() as server:
        with pytest.raises(InputError, match="stopped after 5 calls"):
            asker(server, tmp_path, max_calls=5).answers(QUESTIONS)
        assert len(server.bodies) == 5
        assert asker(server, tmp_path).cost(QUESTIONS).calls == len(QUESTIONS) - 5
        asker(server, tmp_path).answers(QUESTIONS)
    assert len(server.bodies) == len(QUESTIONS)


def test_a_failure_keeps_the_answers_so_far(tmp_path: Path) -> None:
    with ChatServer() as server:
        one = asker(server, tmp_path, concurrency=1)
        one.answers(QUESTIONS[:4])
        server.always = status(401)
        with pytest.raises(InputError, match="401"):
            one.answers(QUESTIONS)
        assert one.cost(QUESTIONS).calls == len(QUESTIONS) - 4


def test_cost_asks_nothing(tmp_path: Path) -> None:
    with ChatServer() as server:
        cost = asker(server, tmp_path).cost([*QUESTIONS, *QUESTIONS])
    assert (cost.questions, cost.calls) == (12, 12)
    assert cost.tokens == sum(len(q.system) + len(q.user) for q in QUESTIONS) // 4
    assert not server.bodies


def test_the_key_is_not_in_the_cache(tmp_path: Path) -> None:
    with ChatServer() as server:
        asker(server, tmp_path).answers(QUESTIONS)
    assert b"secret" not in (tmp_path / "llm.sqlite").read_bytes()


def test_it_works_where_a_loop_runs(tmp_path: Path) -> None:
    async def notebook() -> int:
        return len(asker(server, tmp_path).answers(QUESTIONS))

    with ChatServer() as server:
        assert asyncio.run(notebook()) == len(QUESTIONS)


@pytest.mark.parametrize(
    ("how", "told"), [(signal.SIGINT, (130, b"interrupted\n")), (signal.SIGTERM, (143, b"ended\n"))]
)
def test_an_interrupt_stops_at_once_and_keeps_the_answers(
    how: signal.Signals, told: tuple[int, bytes], tmp_path: Path
) -> None:
    with ChatServer(pause=0.2) as server:
        command = [sys.executable, "-m", "matchers.score", "--dataset", "sample", "--matcher", "llm:small"]
        command += ["--base-url", server.base, "--llm-cache", str(tmp_path / "llm.sqlite"), "--json", "scores.json"]
        started = subprocess.Popen(
            command,
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        )
        waited = time.monotonic()
        while len(server.bodies) < 8 and time.monotonic() - waited < 60:
            time.sleep(0.02)
        server.pause = 30
        time.sleep(0.3)
        interrupted = time.monotonic()
        started.send_signal(how)
        _, errors = started.communicate(timeout=25)
        assert time.monotonic() - interrupted < 15  # the server would have taken 30
        assert (started.returncode, errors) == told
        known = asker(server, tmp_path).cache._database.execute("SELECT count(*) FROM answers").fetchone()
    assert known[0] >= 4
    assert not (tmp_path / "scores.json").exists()
