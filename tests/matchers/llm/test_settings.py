from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest

from data.problems import InputError
from matchers.llm.settings import LlmSettings, add_llm_flags, current_settings, environment_settings, is_llm, use_llm


def settings(*flags: str) -> LlmSettings:
    command = ArgumentParser()
    command.add_argument("--quiet", action="store_true")
    add_llm_flags(command)
    use_llm(command.parse_args(flags))
    return current_settings()


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACTMATCH_LLM_URL", "http://there/v1")
    monkeypatch.setenv("FACTMATCH_LLM_KEY", "secret")
    monkeypatch.delenv("FACTMATCH_LLM_CACHE", raising=False)


def test_the_environment_is_used_where_no_flag_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (settings().base_url, settings().key, settings().cache) == ("http://there/v1", "secret", None)
    monkeypatch.setenv("FACTMATCH_LLM_CACHE", "a.sqlite")
    assert settings().cache == environment_settings().cache == Path("a.sqlite")


def test_flags_come_first() -> None:
    found = settings(
        "--base-url", "http://here/v1", "--llm-cache", "b.sqlite", "--max-calls", "7", "--concurrency", "2"
    )
    assert (found.base_url, found.cache) == ("http://here/v1", Path("b.sqlite"))
    assert (found.max_calls, found.concurrency) == (7, 2)


@pytest.mark.parametrize(
    "flags", [("--concurrency", "0"), ("--concurrency", "1000"), ("--max-calls", "-1"), ("--timeout", "0")]
)
def test_impossible_numbers(flags: tuple[str, str]) -> None:
    with pytest.raises(InputError, match=flags[0]):
        settings(*flags)


def test_names() -> None:
    assert is_llm("llm:small") and not is_llm("rules") and not is_llm(None)


def test_other_matchers_do_not_import_httpx() -> None:
    code = (
        "import sys; from matchers.score import main; main(['--dataset', 'sample', '--quiet']); "
        "sys.exit('httpx' in sys.modules or 'asyncio' in sys.modules or 'sqlite3' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
