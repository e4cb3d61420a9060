from __future__ import annotations

import sys
from pathlib import Path

import pytest

from matchers.neighbours import check_neighbour


def test_the_project_s_own_packages_are_fine() -> None:
    for package in ("data", "matchers", "training"):
        check_neighbour(package)


@pytest.mark.parametrize("place", ["other.py", "other/__init__.py", "other/notes.txt"])
def test_what_stands_in_the_way_is_named(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module, a package, or a mere folder, which Python takes for a package too."""
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text("")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(ImportError, match=r"/other\S* stands in the way of FactMatch's own package `other`"):
        check_neighbour("other")


def test_to_a_command_s_user_it_is_an_error_and_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["-m"])
    with pytest.raises(SystemExit, match=r"^error: .*json.* stands in the way .*use the command `factmatch`"):
        check_neighbour("json")
