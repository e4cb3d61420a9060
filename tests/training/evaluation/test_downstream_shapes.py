"""What `training.downstream --json` writes has the shape that docs/json.md tells, on invented passages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.catalog import DATASETS
from matchers.scoring.schema import problems
from tests.matchers.invented import write_benchmarks
from training.downstream import main
from training.evaluation.downstream_shapes import DownstreamJson

GOLD = """sent_id:1\tmara venn built a mill . ||| who built the mill
1--> Cluster 1:
mara venn --> built --> a mill

sent_id:2\ttove sold the barn . ||| who sold the barn
2--> Cluster 1:
tove --> sold --> the barn
"""


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    """Invented benchmarks, and passages beside them; only some systems answer the first."""
    root = write_benchmarks(tmp_path / "sets")
    passages = DATASETS["webassertions"]
    (root / passages.gold).parent.mkdir(parents=True)
    (root / passages.gold).write_text(GOLD)
    (root / passages.extra[0]).write_text("Mara Venn built a mill .\nTove sold the barn .\n")
    for number, path in enumerate(passages.extractions.values()):
        lines = "1\tMara Venn\tbuilt\ta mill\n" * (number % 2) + "2\tTove\tsold\tthe barn\n"
        (root / path).write_text(lines)
    return root


def test_the_result_has_the_documented_shape(sets: Path, tmp_path: Path) -> None:
    scores, target = tmp_path / "mine.json", tmp_path / "out.json"
    scores.write_text(json.dumps({"reverb": 0.5, "nobody": 0.25}))
    given = ["--data", str(sets), "--dataset", "benchie_fl", "--scores", f"mine={scores}", "--resamples", "20"]
    assert main([*given, "--quiet", "--json", str(target)]) == 0
    result = json.loads(target.read_text())
    assert problems(result, DownstreamJson) == []
    assert {row["score"] for row in result["abqa"]} == {0.5, 1.0}
    ours, given_scores = result["correlations"]
    assert ours["signature"] and ours["ABQA printed"]["pearson"] is not None
    assert given_scores["signature"] is None and given_scores["KBP"]["pearson"] is None
