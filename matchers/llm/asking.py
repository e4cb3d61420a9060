"""Many questions at once: those that the cache knows are not asked, and every answer is kept as it comes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from data.command_line import progress
from data.problems import InputError
from matchers.llm.answers import schema
from matchers.llm.budget import Budget
from matchers.llm.cache import Answer, AnswerCache, Request, default_cache
from matchers.llm.prompt import Question
from matchers.llm.settings import LlmSettings

if TYPE_CHECKING:
    from matchers.llm.client import LlmClient

Result = TypeVar("Result")


@dataclass(frozen=True)
class Tokens:
    """What questions would cost: all of them, those that are not known yet, and about how many tokens these take."""

    questions: int
    calls: int
    tokens: int


class Asker:
    """Puts questions to a model, through the cache."""

    def __init__(self, model: str, settings: LlmSettings) -> None:
        self.model = model
        self.settings = settings
        self.budget = Budget(settings.max_calls)
        self.cache = AnswerCache(settings.cache or default_cache())
        self._client: LlmClient | None = None

    def answers(self, questions: Sequence[Question]) -> dict[Question, Answer]:
        """The answer to each question; the same question is asked once."""
        answers: dict[Question, Answer] = {}
        unknown = []
        for question in dict.fromkeys(questions):
            known = self.cache.get(self.request(question))
            if known is None:
                unknown.append(question)
            else:
                answers[question] = known
        if unknown:
            answers |= run_now(self._ask_all(unknown))
        return answers

    def cost(self, questions: Sequence[Question]) -> Tokens:
        """What these questions would cost; a token is taken to be four characters."""
        distinct = list(dict.fromkeys(questions))
        unknown = [one for one in distinct if self.cache.get(self.request(one)) is None]
        return Tokens(len(distinct), len(unknown), sum(len(one.system) + len(one.user) for one in unknown) // 4)

    def request(self, question: Question) -> Request:
        """All that decides the answer to a question."""
        from matchers.llm.client import PARAMETERS, checked_url, messages

        parameters = {**PARAMETERS, "schema": schema(question.facts)}
        prompt = json.dumps(messages(question), ensure_ascii=False)
        return Request(self.model, checked_url(self.settings.base_url), prompt, json.dumps(parameters))

    async def _ask_all(self, questions: Sequence[Question]) -> dict[Question, Answer]:
        from matchers.llm.client import LlmClient

        client = self._client = self._client or LlmClient(self.model, self.settings, self.budget)
        free = asyncio.Semaphore(self.settings.concurrency)
        answers: dict[Question, Answer] = {}

        async with client.open() as http:

            async def ask(question: Question) -> None:
                async with free:
                    if client.stopped:
                        return
                    answer = await client.ask(http, question)
                self.cache.put(self.request(question), answer)
                answers[question] = answer

            tasks = [asyncio.create_task(ask(question)) for question in questions]
            try:
                for done in progress(asyncio.as_completed(tasks), "asking", self.settings.quiet, len(tasks)):
                    await done
            except InputError:  # calls that are under way are paid for, so their answers are waited for and kept
                client.stopped = True
                await asyncio.gather(*tasks, return_exceptions=True)
                client.stopped = False
                raise
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        return answers


def run_now(work: Coroutine[None, None, Result]) -> Result:
    """What a coroutine gives; in a thread of its own if a loop runs already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
