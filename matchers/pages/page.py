"""Self-contained pages: one template, style and script put together, so that nothing is fetched from anywhere.

All text is escaped. The page allows only its own script and style to run, by their hashes, so that even a text that got
through could do nothing.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import json
import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.extras import missing_extra
from data.formats.textfile import read_text
from matchers.signature import VERSION

if TYPE_CHECKING:
    from markupsafe import Markup

FOLDER = Path(__file__).parent
LIBRARIES = ("numpy", "scipy", "simplemma", "scikit-learn", "torch", "transformers", "peft")
_MODULES = {"scikit-learn": "sklearn"}


@dataclass(frozen=True)
class Column:
    """A column of a table that can be sorted; `group` is a head over several columns."""

    title: str
    hint: str = ""
    group: str = ""


@dataclass(frozen=True)
class Cell:
    """A cell: its text, what it is sorted by, a smaller note, a link within the page, and how it is marked."""

    text: str
    value: float | str | None = None
    note: str = ""
    link: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Row:
    """A row whose first cell is its head."""

    cells: tuple[Cell, ...]
    mark: str = ""


@dataclass(frozen=True)
class SortableTable:
    """A table of a page."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def groups(self) -> list[tuple[str, int]]:
        """The heads over the columns, each with the number of columns that it spans."""
        heads: list[tuple[str, int]] = []
        for column in self.columns:
            if heads and heads[-1][0] == column.group:
                heads[-1] = (column.group, heads[-1][1] + 1)
            else:
                heads.append((column.group, 1))
        return heads


def render(template: str, folders: tuple[Path, ...], cases: dict[str, Any], **values: Any) -> str:
    """A page from a template, which is looked for in these folders and then in this one; `cases` is data for it."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup
    except ModuleNotFoundError:
        raise missing_extra("the page", "jinja2", "report") from None
    environment = Environment(
        loader=FileSystemLoader([*folders, FOLDER]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = (read_text(FOLDER / name) for name in ("page.css", "page.js"))
    return environment.get_template(template).render(
        style=Markup(style),
        script=Markup(script),
        policy=policy(style, script),
        data=in_script(cases),
        versions=versions(),
        **values,
    )


def policy(style: str, script: str) -> str:
    """What the page may do: run this script and use this style, and nothing else."""
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script))
    own = " ".join(f"{what}-src 'sha256-{value}';" for what, value in zip(("style", "script"), hashes, strict=True))
    return f"default-src 'none'; base-uri 'none'; form-action 'none'; {own}"


def in_script(value: Any) -> Markup:
    r"""JSON that can stand in a script element: no text in it can end the element or begin a comment.

    >>> str(in_script({"text": "</script><!--"}))
    '{"text":"\\u003c/script\\u003e\\u003c!--"}'
    """
    from markupsafe import Markup

    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def versions() -> list[tuple[str, str]]:
    """The versions of what made the page: ours, Python's, and those of the libraries that were used."""
    used = [name for name in LIBRARIES if _MODULES.get(name, name) in sys.modules]
    libraries = [(name, importlib.metadata.version(name)) for name in used]
    return [("factmatch", VERSION), ("Python", platform.python_version()), *libraries]
