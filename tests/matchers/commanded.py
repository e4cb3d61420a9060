"""The scoring command as tests call it: what it gives, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from matchers.score import main

RATES = ("precision", "recall", "f1")


def scored(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    """The JSON of the command."""
    assert main([*map(str, arguments), "--json", "-", "--resamples", "20", "--quiet"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def by_name(found: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Systems, or whatever has a name, by it."""
    return {one["name"]: one for one in found}


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What the command says of wrong usage."""
    with pytest.raises(SystemExit) as stopped:
        main([*map(str, arguments)])
    assert stopped.value.code == 2
    return capsys.readouterr().err
