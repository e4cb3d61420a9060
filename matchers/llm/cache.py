"""The answers of language models in an SQLite file, by model, URL, prompt and parameters: no call is paid for twice.

Answers are kept as they came, invalid ones too, so that a file can be published and read again with another parser.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.catalog import cache_folder
from data.formats.textfile import sha256
from data.problems import InputError

_TABLE = """CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, url TEXT NOT NULL, prompt TEXT NOT NULL, parameters TEXT NOT NULL,
    answer TEXT NOT NULL, prompt_tokens INTEGER NOT NULL, answer_tokens INTEGER NOT NULL, seconds REAL NOT NULL
)"""
_WAIT = 30.0  # seconds for another process that writes


@dataclass(frozen=True)
class Request:
    """All that decides an answer: the model, its server, the messages and the parameters, the latter two as JSON."""

    model: str
    url: str
    prompt: str
    parameters: str

    @property
    def key(self) -> str:
        """The hash of it all."""
        return sha256(json.dumps([self.model, self.url, self.prompt, self.parameters]).encode())


@dataclass(frozen=True)
class Answer:
    """What a model said, what it cost in tokens as the server counts them, and how long it took."""

    text: str
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0


class AnswerCache:
    """Answers by request, in a file that several processes may use at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=_WAIT, check_same_thread=False, isolation_level=None)
            self._database.execute(_TABLE)
            self._database.execute("SELECT answer, prompt_tokens, answer_tokens, seconds FROM answers LIMIT 0")

    def get(self, request: Request) -> Answer | None:
        """The answer to a request, if it is known."""
        query = "SELECT answer, prompt_tokens, answer_tokens, seconds FROM answers WHERE key = ?"
        with self._errors():
            row: Any = self._database.execute(query, (request.key,)).fetchone()
        if row is None:
            return None
        text, prompt_tokens, answer_tokens, seconds = row
        return Answer(str(text), int(prompt_tokens), int(answer_tokens), float(seconds))

    def put(self, request: Request, answer: Answer) -> None:
        """Keep an answer; it is in the file when this returns."""
        parts = (request.key, request.model, request.url, request.prompt, request.parameters)
        row = (*parts, answer.text, answer.prompt_tokens, answer.answer_tokens, answer.seconds)
        with self._errors():
            self._database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeError, ValueError) as error:
            raise InputError(f"can't be used as a cache of answers: {error}", self.path) from None
        except OSError as error:
            raise InputError(f"can't be written: {error.strerror}", self.path) from None


def default_cache() -> Path:
    """The file that is used if none is named."""
    return cache_folder().parent / "llm.sqlite"
