"""Makes `docs/json.md` from the shapes of what the commands write: `python -m tests.json_document`."""

from __future__ import annotations

from pathlib import Path

from data.fetching.shapes import FileSetsJson, VerdictsJson
from data.linting.shapes import LintJson
from matchers.scoring.schema import document
from matchers.scoring.shapes import BenchmarksJson, ExplanationJson, OutcomeJson, ProfileJson, ScoresJson
from training.comparison.shapes import ComparisonJson
from training.evaluation.downstream_shapes import DownstreamJson
from training.evaluation.shapes import TrainingJson
from training.sweeping.shapes import SweepJson

DOCUMENT = Path(__file__).parent.parent / "docs" / "json.md"
SHAPES: list[type] = [
    *(ScoresJson, OutcomeJson, BenchmarksJson, ProfileJson, ExplanationJson),
    *(TrainingJson, SweepJson, ComparisonJson, DownstreamJson),
    *(LintJson, FileSetsJson, VerdictsJson),
]
HEAD = """# What `--json` writes

Every key of every file of JSON. Made from the types of the results by `python -m tests.json_document`, and held to what
the commands write by tests. `null` is what is not defined; keys may be added in later versions, and none is taken away
or changes its meaning without a new version number in the signature.

"""


def text() -> str:
    """The whole document."""
    return HEAD + document(SHAPES)


if __name__ == "__main__":
    DOCUMENT.write_text(text(), encoding="utf-8")
