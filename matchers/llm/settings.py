"""Where a language model is asked and how often: the flags of every command that takes a matcher, and the environment.

The key is taken from the environment alone, so that it stands in no shell history, signature, page or cache.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, field
from pathlib import Path

from data.problems import InputError

PREFIX = "llm:"
URL, KEY, CACHE = "FACTMATCH_LLM_URL", "FACTMATCH_LLM_KEY", "FACTMATCH_LLM_CACHE"
CONCURRENCY, TIMEOUT = 4, 120.0
MOST_AT_ONCE = 256


@dataclass(frozen=True)
class LlmSettings:
    """How a model is asked; `max_calls` None is no limit, `examples` names a judged data set to take examples from."""

    base_url: str = ""
    key: str = field(default="", repr=False)
    cache: Path | None = None
    concurrency: int = CONCURRENCY
    max_calls: int | None = None
    timeout: float = TIMEOUT
    examples: str = ""
    data: Path | None = None
    quiet: bool = True
    backoff: float = 1.0  # seconds before the first call is repeated; twice as many before each further one


_used: LlmSettings | None = None


def environment_settings() -> LlmSettings:
    """What the environment says, for whoever calls from a program."""
    named = os.environ.get(CACHE)
    return LlmSettings(os.environ.get(URL, ""), os.environ.get(KEY, ""), Path(named) if named else None)


def add_llm_flags(command: argparse.ArgumentParser) -> None:
    """The flags of every command that takes a matcher, for the matcher `llm:MODEL`."""
    group = command.add_argument_group("a language model as matcher (--matcher llm:MODEL; see docs/llm.md)")
    group.add_argument(
        "--base-url", metavar="URL", help=f"its server, such as http://localhost:8000/v1 (else {URL}; key: {KEY})"
    )
    group.add_argument(
        "--concurrency", type=int, default=CONCURRENCY, metavar="N", help=f"calls at once (default: {CONCURRENCY})"
    )
    group.add_argument("--max-calls", type=int, metavar="N", help="stop before call N + 1; answers so far are kept")
    group.add_argument(
        "--dry-run", action="store_true", help="say how many calls and tokens it would take; ask nothing"
    )
    group.add_argument(
        "--timeout", type=float, default=TIMEOUT, metavar="S", help=f"seconds for one call (default: {TIMEOUT:.0f})"
    )
    group.add_argument("--llm-cache", type=Path, metavar="FILE", help=f"SQLite file of its answers (else {CACHE})")
    group.add_argument(
        "--llm-examples", metavar="DATASET", help="judged data set to take the prompt's examples from (default: ours)"
    )


def use_llm(options: argparse.Namespace) -> None:
    """Ask language models from now on as a command's flags say, and as the environment does where they don't."""
    global _used
    _used = _of_flags(options)


def current_settings() -> LlmSettings:
    """How language models are asked: as flags said, or else as the environment does."""
    return _used or environment_settings()


def _of_flags(options: argparse.Namespace) -> LlmSettings:
    if not 1 <= options.concurrency <= MOST_AT_ONCE:
        raise InputError(f"--concurrency must be from 1 to {MOST_AT_ONCE}")
    if options.max_calls is not None and options.max_calls < 0:
        raise InputError("--max-calls must not be negative")
    if not 0 < options.timeout < float("inf"):
        raise InputError("--timeout must be above 0")
    environment = environment_settings()
    return LlmSettings(
        options.base_url or environment.base_url,
        environment.key,
        options.llm_cache or environment.cache,
        options.concurrency,
        options.max_calls,
        options.timeout,
        options.llm_examples or "",
        getattr(options, "data", None),
        options.quiet,
    )


def is_llm(name: str | None) -> bool:
    """Whether a matcher's name is that of a language model."""
    return bool(name) and str(name).startswith(PREFIX)
