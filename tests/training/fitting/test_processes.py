from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("transformers", reason="needs the extra `cross-encoder`")

TOGETHER = """
import json, os, sys
from pathlib import Path
from tests.matchers import tiny
from tests.training.fitting.test_features import otherwise_written
from tests.training.fitting.test_cross_encoder import RECIPE, scores
from training.fitting.cross_encoder import Fits, fit_cross_encoder
from training.fitting.processes import is_main_process
matcher = fit_cross_encoder(Fits(RECIPE, Path(sys.argv[1]) / "out", quiet=True), tiny.parts())
name = f"scores-{os.environ['RANK']}-{is_main_process()}.json"
(Path(sys.argv[1]) / name).write_text(json.dumps(scores(matcher)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("launcher", ["accelerate.commands.launch", "torch.distributed.run"])
def test_two_processes_train_one_model_and_the_first_alone_writes(tmp_path: Path, launcher: str) -> None:
    script = tmp_path / "together.py"
    script.write_text(TOGETHER)
    root = Path(__file__).parents[3]
    options = {
        "accelerate.commands.launch": ["--multi_gpu", "--num_processes=2", "--num_machines=1", "--mixed_precision=no",
                                       "--dynamo_backend=no"],
        "torch.distributed.run": ["--standalone", "--nproc-per-node=2"],
    }  # fmt: skip
    command = [sys.executable, "-m", launcher, *options[launcher], str(script), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(root), "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    launched = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=root, env=environment,
        start_new_session=True,
    )  # fmt: skip
    try:
        _, errors = launched.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        os.killpg(launched.pid, signal.SIGKILL)  # the launcher's own processes, and no others
        raise
    assert launched.returncode == 0, errors[-3000:]
    found = {path.name: json.loads(path.read_text()) for path in tmp_path.glob("scores-*.json")}
    assert set(found) == {"scores-0-True.json", "scores-1-False.json"}
    assert found["scores-0-True.json"] == found["scores-1-False.json"]
    assert len(list((tmp_path / "out").glob("*/finished/cross_encoder.json"))) == 1
