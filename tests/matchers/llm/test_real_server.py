"""The judge against llama.cpp's own server, which runs real (if random) weights on the loopback address."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from matchers.explain import main as explain
from matchers.llm.answers import parse_answer
from matchers.llm.asking import Asker
from matchers.llm.prompt import Question
from matchers.llm.settings import LlmSettings
from matchers.score import main as score
from matchers.scoring.schema import problems
from tests.matchers.llm.tiny_gguf import write_tiny_gguf
from training.benchmark import main as benchmark
from training.comparison.shapes import ComparisonJson

SERVE = """
import sys, xllamacpp
parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.n_ctx, parameters.n_parallel, parameters.port = 32768, 2, 0
parameters.hostnames = ["127.0.0.1"]
parameters.cpuparams.n_threads = 1
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
GOLD = """sent_id:1\tMara Venn , a chemist , lives in Oslo .
1--> Cluster 1:
Mara Venn --> is --> [a] chemist
1--> Cluster 2:
Mara Venn --> lives in --> Oslo
"""
MINE = "1\tMara Venn\tis\ta chemist\n1\tMara Venn\tresides in\tOslo\n1\tMara\twas\tchemist once\n"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    for module in ("xllamacpp", "gguf"):
        pytest.importorskip(module, reason=f"needs a server with weights: pip install {module}")
    model = write_tiny_gguf(tmp_path_factory.mktemp("model") / "tiny.gguf")
    command = [sys.executable, "-c", SERVE, str(model)]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert started.stdout and started.stdin
    try:
        address = started.stdout.readline().decode().strip()
        assert address.startswith("http://127.0.0.1:"), "llama.cpp's server did not start"
        yield f"{address}/v1"
    finally:
        started.kill()
        started.wait(10)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "gold.txt").write_text(GOLD, encoding="utf-8")
    (tmp_path / "mine.tsv").write_text(MINE, encoding="utf-8")
    return ["--gold", str(tmp_path / "gold.txt"), "--system", f"mine={tmp_path / 'mine.tsv'}"]


def judged(url: str, tmp_path: Path) -> list[str]:
    return ["--matcher", "llm:tiny", "--base-url", url, "--llm-cache", str(tmp_path / "llm.sqlite")]


def test_the_schema_makes_random_weights_answer_in_form(url: str, tmp_path: Path) -> None:
    asker = Asker("tiny", LlmSettings(url, cache=tmp_path / "llm.sqlite"))
    questions = [Question("Answer.", f"Fact {number}?", 3) for number in range(4)]
    answers = asker.answers(questions)
    assert all(answer.prompt_tokens > 10 and answer.answer_tokens > 3 for answer in answers.values())
    # random weights may fill the schema's white space until their tokens are used up, which is invalid, not guessed
    assert any(parse_answer(answer.text, 3) is not None for answer in answers.values())


def test_without_a_schema_random_weights_give_invalid_answers(url: str, tmp_path: Path) -> None:
    from matchers.llm.client import LlmClient

    asker = Asker("tiny", LlmSettings(url, cache=tmp_path / "llm.sqlite"))
    asker._client = LlmClient("tiny", asker.settings, asker.budget)
    asker._client.schemas = False
    (answer,) = asker.answers([Question("Answer.", "Which fact?", 3)]).values()
    assert parse_answer(answer.text, 3) is None


def test_scoring_again_gives_the_same_bytes_and_asks_nothing(url: str, tmp_path: Path, files: list[str]) -> None:
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    flags = [*files, *judged(url, tmp_path), "--quiet"]
    assert score([*flags, "--json", str(first)]) == 0
    assert score([*flags, "--json", str(second), "--max-calls", "0"]) == 0
    assert first.read_bytes() == second.read_bytes()
    signature = json.loads(first.read_text(encoding="utf-8"))["signature"]
    assert signature.startswith("matcher:llm:tiny|prompt:v1-") and "of2|" in signature


def test_a_dry_run_says_what_it_would_cost(
    url: str, tmp_path: Path, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    flags = [*files, *judged(url, tmp_path)]
    assert score([*flags, "--dry-run"]) == 0
    assert "2 questions, 0 of them answered in the cache; 2 calls" in capsys.readouterr().out
    assert score([*flags, "--quiet"]) == 0
    capsys.readouterr()
    assert score([*flags, "--dry-run"]) == 0
    assert "2 of them answered in the cache; 0 calls of about 0 tokens" in capsys.readouterr().out


def test_explaining(url: str, tmp_path: Path, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--sentence", "1", "--extraction", "Mara Venn", "resides in", "Oslo"]
    assert explain([*files[:2], *asked, *judged(url, tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "asked of llm:tiny:" in shown and "Extraction: (Mara Venn; resides in; Oslo)" in shown
    assert "answered:" in shown


def test_it_stands_beside_the_others(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    for name in ("gold", "extractions", "judgments"):
        (folder / name).mkdir(parents=True)
    (folder / "gold" / "gold.txt").write_text(GOLD, encoding="utf-8")
    (folder / "extractions" / "mine.tsv").write_text(MINE, encoding="utf-8")
    (folder / "extractions" / "other.tsv").write_text("1\tVenn\tstays in\tOslo\n", encoding="utf-8")
    lines = [
        {"system": name, "sentence_id": "1", "arg1": arg1, "relation": relation, "arg2": arg2, "clusters": clusters}
        for name, arg1, relation, arg2, clusters in (
            ("mine", "Mara Venn", "is", "a chemist", ["1"]),
            ("mine", "Mara Venn", "resides in", "Oslo", ["2"]),
            ("mine", "Mara", "was", "chemist once", []),
            ("other", "Venn", "stays in", "Oslo", []),
        )
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "judgments" / "mine.jsonl").write_text(text, encoding="utf-8")
    target = tmp_path / "results.json"
    flags = ["--dataset", str(folder), "--matchers", "rules,llm:tiny", *judged(url, tmp_path)[2:], "--resamples", "50"]
    assert benchmark([*flags, "--json", str(target)]) == 0
    assert "llm:tiny: 3 calls" in capsys.readouterr().out
    result = json.loads(target.read_text(encoding="utf-8"))
    assert problems(result, ComparisonJson) == []
    found = result["timings"]
    assert found["llm:tiny"]["calls"] == 3 and found["llm:tiny"]["seconds"] > 0
    assert "calls" not in found["rules"]
