from __future__ import annotations

import pytest

from matchers.score import main


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--all", "--facet", "C"], "--facet can't be used with --all"),
        (["--all", "--from", "carb"], "--from can't be used with --all"),
        (["--dataset", "sample", "--matcher", "carb", "--matches", "m.jsonl"], "--matches needs matches"),
        (["--dataset", "wire57", "--facet", "C"], "--facet changes clusters"),
        (["--dataset", "sample", "--resume"], "--resume keeps finished parts beside the output"),
    ],
)
def test_flags_that_can_not_stand_together(flags: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(flags)
    assert exit.value.code == 2 and said in capsys.readouterr().err
