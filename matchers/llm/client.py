"""Asks a server that speaks OpenAI's chat protocol, over httpx: schema where it can, patience where it falters.

Repeated, after a pause that doubles: 429 and 5xx (after what Retry-After says), timeouts, connections that fail or are
cut, replies that are no JSON of the protocol. Everything else that is not 200 is an error at once. A server that
refuses the request for its schema is asked again without, and from then on only so.
"""

from __future__ import annotations

import asyncio
import json
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from data.problems import InputError
from matchers.llm.answers import schema
from matchers.llm.budget import Budget
from matchers.llm.cache import Answer
from matchers.llm.prompt import Question
from matchers.llm.settings import URL, LlmSettings

TEMPERATURE = 0
PARAMETERS: dict[str, Any] = {"temperature": TEMPERATURE, "max_tokens": 64, "seed": 1}
REPEATS = 5
LONGEST_WAIT = 120.0  # a server that asks for more patience than that is left alone
_MOST_BYTES = 1_000_000
_TOO_MANY, _REFUSED = 429, (400, 422, 501)
_PASSING = (408, _TOO_MANY)
_LOCAL = ("localhost", "127.0.0.1", "::1")


class FalteredError(Exception):
    """The server did not answer as it should, but may do so if asked again, perhaps after some seconds."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(reason)


class RefusedError(Exception):
    """The server does not take the request as it is."""


def checked_url(text: str) -> str:
    """A server's address without its final slash; what is no address of a server is refused."""
    if not text:
        raise InputError(f"llm:MODEL needs a server; name it with --base-url or {URL}, as in http://localhost:8000/v1")
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or parts.query or parts.fragment:
        raise InputError(f"{text!r} is no address of a server; it looks like http://localhost:8000/v1")
    if parts.username or parts.password:
        raise InputError("the server's address must hold no name or password; the key is taken from the environment")
    return text.rstrip("/")


class LlmClient:
    """Asks one model on one server; `open` it for as long as an event loop runs."""

    def __init__(self, model: str, settings: LlmSettings, budget: Budget) -> None:
        self.model = model
        self.settings = settings
        self.url = checked_url(settings.base_url)
        self.budget = budget
        self.schemas = True  # until the server refuses one
        self.stopped = False  # nothing is asked, or asked again, from then on

    def open(self) -> httpx.AsyncClient:
        """A new connection pool."""
        headers = {"Authorization": f"Bearer {self.settings.key}"} if self.settings.key else {}
        local = urlsplit(self.url).hostname in _LOCAL  # proxies are for the world outside
        limits = httpx.Limits(max_connections=self.settings.concurrency)
        try:
            return httpx.AsyncClient(headers=headers, timeout=self.settings.timeout, limits=limits, trust_env=not local)
        except (ValueError, httpx.HTTPError) as error:
            raise InputError(f"the server {self.url} can't be asked: {error}") from None

    async def ask(self, http: httpx.AsyncClient, question: Question) -> Answer:
        """The model's answer, with patience."""
        pause = self.settings.backoff
        for attempt in range(REPEATS + 1):
            started = time.perf_counter()
            try:
                text, asked, answered = await self._asked(http, question)
                return Answer(text, asked, answered, time.perf_counter() - started)
            except RefusedError as error:
                raise InputError(f"the server {self.url} refuses {self.model!r}: {error}") from None
            except FalteredError as error:
                wait = pause if error.wait is None else error.wait
                if attempt == REPEATS or wait > LONGEST_WAIT or self.stopped:
                    after = f"after {attempt + 1} calls" if attempt == REPEATS else f"and asks to wait {wait:.0f} s"
                    message = f"the server {self.url} gives no answer, {after}: {error}"
                    raise InputError(f"{message}; answers so far are kept, so run again to go on") from None
            await asyncio.sleep(wait)
            pause *= 2
        raise AssertionError("the loop ends in an answer or an error")

    async def _asked(self, http: httpx.AsyncClient, question: Question) -> tuple[str, int, int]:
        if self.schemas:
            try:
                return await self._call(http, question, with_schema=True)
            except RefusedError:
                answer = await self._call(http, question, with_schema=False)
                self.schemas = False
                return answer
        return await self._call(http, question, with_schema=False)

    async def _call(self, http: httpx.AsyncClient, question: Question, with_schema: bool) -> tuple[str, int, int]:
        body: dict[str, Any] = {"model": self.model, "messages": messages(question), "stream": False, **PARAMETERS}
        if with_schema:
            form = {"name": "answer", "strict": True, "schema": schema(question.facts)}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        self.budget.take()
        try:
            async with (
                asyncio.timeout(self.settings.timeout),
                http.stream("POST", f"{self.url}/chat/completions", json=body) as response,
            ):
                content = await _content(response)
        except TimeoutError:
            raise FalteredError(f"none within {self.settings.timeout:g} s") from None
        except (httpx.TransportError, httpx.StreamError, httpx.DecodingError) as error:
            raise FalteredError(f"{type(error).__name__}: {error}"[:200]) from None
        if response.status_code != httpx.codes.OK:
            raise _problem(response, content)
        return _reply(content)


def messages(question: Question) -> list[dict[str, str]]:
    """A question in the words of the protocol."""
    return [{"role": "system", "content": question.system}, {"role": "user", "content": question.user}]


async def _content(response: httpx.Response) -> bytes:
    content = b""
    async for chunk in response.aiter_bytes():
        content += chunk
        if len(content) > _MOST_BYTES:
            raise FalteredError(f"its reply is longer than {_MOST_BYTES} bytes")
    return content


def _problem(response: httpx.Response, content: bytes) -> Exception:
    """What a status other than 200 means."""
    told = " ".join(content[:2000].decode(errors="replace").split())[:200]
    reason = f"HTTP {response.status_code}{': ' if told else ''}{told}"
    if response.status_code in _PASSING or (response.status_code >= 500 and response.status_code not in _REFUSED):
        return FalteredError(reason, retry_after(response.headers.get("Retry-After")))
    if response.status_code in _REFUSED:
        return RefusedError(reason)
    hint = {401: "; set FACTMATCH_LLM_KEY", 403: "; set FACTMATCH_LLM_KEY", 404: "; does its address end in /v1?"}
    return InputError(f"the server {response.url} says {reason}{hint.get(response.status_code, '')}")


def retry_after(text: str | None) -> float | None:
    """The seconds that a server asks to wait: a number or a date; None if it says nothing that can be understood.

    >>> retry_after("7"), retry_after("soon"), retry_after("Thu, 01 Jan 1970 00:00:00 GMT")
    (7.0, None, 0.0)
    """
    if text is None:
        return None
    if text.strip().isascii() and text.strip().isdecimal():
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def _reply(content: bytes) -> tuple[str, int, int]:
    """The answer and the tokens in a reply of the protocol; anything else is nonsense."""
    try:
        value = json.loads(content)
        text = value["choices"][0]["message"]["content"]
    except (ValueError, RecursionError, KeyError, IndexError, TypeError):
        raise FalteredError(f"its reply is not of the protocol: {content[:80]!r}") from None
    if text is not None and not isinstance(text, str):
        raise FalteredError("its reply is not of the protocol: the content is no text")
    usage = value.get("usage") or {}
    counts = [usage.get(name, 0) if isinstance(usage, dict) else 0 for name in ("prompt_tokens", "completion_tokens")]
    asked, answered = (count if isinstance(count, int) and 0 <= count < 2**53 else 0 for count in counts)
    return text or "", asked, answered
